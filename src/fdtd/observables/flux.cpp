// Flux monitors: Poynting flux through lines, planes and boxes, alone or against a reference run.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "fdtd/observables/flux_history.hpp"
#include "fdtd/observables/part.hpp"
#include "fdtd/observables/sampling.hpp"
#include "fdtd/observables/surface.hpp"

namespace umov::fdtd {
namespace {

class Flux : public MonitorPart {
 public:
  Flux(const MonitorSpec& m, const Simulation& sim, Problem& p)
      : name_(m.name),
        normalized_by_(m.reference),
        box_(m.box),
        dt_(p.grid.dt),
        silent_at_(sources_end(sim, p)) {
    const Whole whole(sim, p);
    const Region region = region_of(m, whole);
    surface_ = Surface(faces_of(m, region, m.box, whole), whole, transforms_);
    auto frequencies = frequencies_of(m, p.grid);
    const double highest = *std::max_element(frequencies.begin(), frequencies.end());
    const int interval = transform_interval(m, sim, p.grid, highest);
    transforms_.commit(p, std::move(frequencies), interval);
    if (in_layers(region, whole))
      warning_ =
          fmt::format("{} reaches into absorbing layers (the flux there decays) move it inwards", called(m));
  }

  const Transforms* transforms() const override { return &transforms_; }

  void record(const Engine& engine, double time, double energy) override {
    history_.add(engine.step(), time, energy, flux(transforms_.values(engine)));
  }
  void thin(long spacing) override { history_.thin(spacing); }
  void save(std::vector<std::byte>& out) const override { history_.save(out); }
  void restore(std::span<const std::byte>& in) override { history_.restore(in); }

  void collect(const Collecting& from, Outcome& out) const override {
    if (!warning_.empty()) out.warnings.push_back(warning_);
    FluxResult r;
    r.name = name_;
    r.normalized_by = normalized_by_;
    r.frequency = transforms_.frequencies();
    r.flux = flux(transforms_.values(from.engine));
    const double time = double(from.engine.step()) * dt_;
    if (time >= silent_at_) r.uncertainty = history_.remaining(time, r.flux);
    r.error = relative(r.uncertainty, r.flux);
    if (from.reference) {
      const TransformValues reference = transforms_.values(*from.reference);
      r.reference = flux(reference);
      r.balanced = box_ && r.normalized_by.empty() && balanced(reference, r.reference);
      if (r.balanced)
        out.warnings.push_back(
            fmt::format("monitor '{}': as much flux leaves its box as enters it in the reference run (T and "
                        "R have nothing to be "
                        "fractions of, and are left out) give it reference = \"NAME\" of a flux monitor that "
                        "the incident wave "
                        "crosses",
                        name_));
      r.scattered = flux(transforms_.values(from.engine, from.reference));
    }
    out.fluxes.push_back(std::move(r));
  }

 private:
  static double relative(const std::vector<double>& uncertainty, const std::vector<double>& flux) {
    double worst = 0, largest = 0;
    for (const double v : flux) largest = std::max(largest, std::abs(v));
    for (const double v : uncertainty) worst = std::max(worst, v);
    return uncertainty.empty() || !(largest > 0) ? std::nan("") : worst / largest;
  }

  /// Whether what passes the faces adds up to hardly anything.
  bool balanced(const TransformValues& reference, const std::vector<double>& net) const {
    constexpr double hardly = 0.01;
    const auto gross = surface_.gross_flux(reference, net.size());
    double sum = 0, all = 0;
    for (std::size_t f = 0; f < net.size(); ++f) sum += std::abs(net[f]), all += gross[f];
    return sum <= hardly * all;
  }

  std::vector<double> flux(const TransformValues& v) const {
    return surface_.flux(v, transforms_.frequencies().size());
  }

  std::string name_, normalized_by_, warning_;
  bool box_;
  double dt_ = 1, silent_at_ = 0;
  FluxHistory history_;
  Transforms transforms_;
  Surface surface_;
};

}  // namespace

Part make_flux(const MonitorSpec& m, const Simulation& sim, Problem& p) {
  return std::make_unique<Flux>(m, sim, p);
}

}  // namespace umov::fdtd
