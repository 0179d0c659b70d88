// LDOS monitors: the field that a point current meets in its own place.
#include "fdtd/monitors/ldos.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/error.hpp"
#include "fdtd/observables/interpolation.hpp"
#include "fdtd/observables/part.hpp"
#include "fdtd/observables/sampling.hpp"
#include "fdtd/observables/source_spectrum.hpp"
#include "fdtd/sources/local.hpp"

namespace umov::fdtd {
namespace {

const SourceSpec& current_of(const MonitorSpec& m, const Simulation& sim, const Problem& p) {
  if (sim.sources.size() != 1 || sim.sources[0].kind != SourceSpec::Kind::point)
    throw BadInput(fmt::format(
        "{} needs one source of kind point, and no other (its own power is measured); the case "
        "has {}",
        called(m), sim.sources.size() == 1 ? "another kind" : fmt::format("{} sources", sim.sources.size())));
  const SourceSpec& s = sim.sources[0];
  if (s.hard || !is_electric(s.component))
    throw BadInput(fmt::format("{} is of a source that {} (the power of an electric current is measured); {}",
                               called(m), s.hard ? "imposes its field" : "drives an H",
                               s.hard ? "leave hard out" : "give its component Ex, Ey or Ez"));
  if (p.complex_fields)
    throw BadInput(called(m) +
                   " between Bloch walls (the current is a row of currents there); use absorbing layers");
  return s;
}

/// Of the medium around the current. Throws BadInput where it has losses.
double index_at(const WeightedCells& cells, Component c, double frequency, const Problem& p,
                const std::string& who) {
  double eps = 0, all = 0;
  for (std::size_t i = 0; i < cells.cells.size(); ++i) {
    const cplx medium = discrete_medium(p, c, cells.cells[i], 2 * pi * frequency);
    if (!(medium.real() > 0) || std::abs(medium.imag()) > 1e-6 * medium.real())
      throw BadInput(
          who +
          " is of a current in a medium that absorbs, or in metal (its power there has no limit as the "
          "cells get smaller); move the source out of it");
    eps += std::abs(cells.weights[i]) * medium.real(), all += std::abs(cells.weights[i]);
  }
  return std::sqrt(eps / all);
}

/// Mean power of a current of amplitude 1 in a homogeneous medium of index n, c = eps0 = mu0 = 1: a dipole n
/// w^2 / (12 pi), a line along its current w / 8 and across it w / 16 (per length), a sheet 1 / (4 n) (per
/// area).
double homogeneous_power(Mode mode, double n, double w) {
  switch (mode) {
    case Mode::one:
      return 1 / (4 * n);
    case Mode::tm:
      return w / 8;
    case Mode::te:
      return w / 16;
    default:
      return n * w * w / (12 * pi);
  }
}

class Ldos : public MonitorPart {
 public:
  Ldos(const MonitorSpec& m, const Simulation& sim, Problem& p)
      : name_(m.name),
        component_(current_of(m, sim, p).component),
        frequency_(frequencies_of(m, p.grid)),
        current_(m, frequency_, sim, p),
        mode_(p.grid.mode),
        dt_(p.grid.dt),
        compared_(sim.normalize) {
    MonitorSpec at = m;
    at.center = sim.sources[0].center;
    const WeightedCells cells = place(at, component_, sim, p);
    const auto index = [&](double f) { return index_at(cells, component_, f, p, called(m)); };
    index_ = index(peak_frequency(sim.sources[0].waveform));
    std::ranges::transform(frequency_, std::back_inserter(indices_), index);
    field_.emplace_back(p, component_, series_interval(m, sim, p.grid), cells);
  }

  std::vector<Samples*> samples() override { return {&field_[0]}; }

  /// For the run that this one is the reference of.
  void save(ByteWriter& out) const override {
    if (compared_) out(powers());
  }
  void restore(ByteReader& in) override {
    std::vector<double> ignored;
    if (compared_) in(ignored);
  }

  void collect(const Collecting& from, Outcome& out) const override {
    LdosResult r{name_, component_, frequency_, powers(), {}, index_, compared_ && from.reference};
    if (r.by_reference) {
      MemoryReader saved(from.reference_record);
      saved(r.homogeneous);
    } else {
      for (std::size_t i = 0; i < frequency_.size(); ++i)
        r.homogeneous.push_back(std::norm(current_.at(frequency_[i], until())) *
                                homogeneous_power(mode_, indices_[i], 2 * pi * frequency_[i]));
    }
    out.of<LdosResult>().push_back(std::move(r));
  }

 private:
  double until() const { return field_[0].size() ? field_[0].time(field_[0].size() - 1) : 0; }

  /// The mean of E before and after a step meets the current in its middle: cos(w dt / 2) of E.
  std::vector<double> powers() const {
    std::vector<double> out;
    const Samples& s = field_[0];
    for (const double f : frequency_) {
      const double w = 2 * pi * f;
      cplx sum = 0;
      for (std::size_t i = 0; i < s.size(); ++i) sum += s.value()[i] * std::polar(1.0, w * s.time(i));
      const cplx field = sum * s.step() * std::cos(w * dt_ / 2);
      out.push_back(-0.5 * (field * std::conj(current_.at(f, until()))).real());
    }
    return out;
  }

  std::string name_;
  Component component_;
  std::vector<double> frequency_;
  SourceSpectrum current_;
  Mode mode_;
  double dt_, index_ = 1;        // of the carrier
  std::vector<double> indices_;  // of the medium, by frequency
  bool compared_;
  std::vector<Samples> field_;
};

}  // namespace

Part make_ldos(const MonitorSpec& m, const Simulation& sim, Problem& p) {
  return std::make_unique<Ldos>(m, sim, p);
}

}  // namespace umov::fdtd
