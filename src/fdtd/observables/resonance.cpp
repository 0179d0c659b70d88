// Resonance monitors: the free oscillation at a point after the sources have ended, as lines.
#include "fdtd/monitors/resonance.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/error.hpp"
#include "fdtd/observables/filter_diagonalisation.hpp"
#include "fdtd/observables/harmonic_inversion.hpp"
#include "fdtd/observables/interpolation.hpp"
#include "fdtd/observables/part.hpp"
#include "fdtd/observables/sampling.hpp"
#include "fdtd/sources/kind.hpp"

namespace umov::fdtd {
namespace {

Band band_of(const MonitorSpec& m, const Grid& g) {
  Band band{m.frequency_from, m.frequency_to};
  if (m.frequencies.size() >= 2) band = {m.frequencies.front(), m.frequencies.back()};
  if (!(band.to > 0))
    throw BadInput(
        fmt::format("{} has no band of frequencies (resonances are looked for in one); give "
                    "`frequency_from` and `frequency_to`",
                    called(m)));
  if (!(band.from >= 0 && band.from < band.to))
    throw BadInput(
        fmt::format("{} has the band {} to {} (from must be below to, and not negative); correct it",
                    called(m), band.from, band.to));
  if (band.to * g.dt >= 0.25)
    throw BadInput(
        fmt::format("{} looks up to the frequency {} (the time step {:.4g} carries less than {:.4g}) "
                    "lower it or raise the resolution",
                    called(m), band.to, g.dt, 0.25 / g.dt));
  return band;
}

/// The field that is recorded: in space, unless it is given, what the first current drives.
Component recorded_component(const MonitorSpec& m, const Simulation& sim, const Grid& g) {
  if (m.fields.empty() && dimensions(g.mode) == 3)
    for (const SourceSpec& s : sim.sources)
      if (traits_of(s).current) return s.component;
  return recorded_components(m, g.mode).front();
}

class ResonanceMonitor : public MonitorPart {
 public:
  ResonanceMonitor(const MonitorSpec& m, const Simulation& sim, const Scene& scene, Problem& p)
      : name_(m.name),
        called_(called(m)),
        band_(band_of(m, p.grid)),
        last_wave_(last_wave_at(sim, scene, p, m.center)),
        start_(start_of(m, last_wave_)),
        dt_(p.grid.dt),
        single_(p.precision == Precision::single_),
        component_(recorded_component(m, sim, p.grid)) {
    const Component c = component_;
    // Sampled with the margin of a transform, for what oscillates above the band.
    recorded_.emplace_back(p, c, transform_interval(m, sim, p.grid, band_.to), place(m, c, sim, p));
  }

  std::vector<Samples*> samples() override { return {&recorded_[0]}; }

  void collect(const Collecting&, Outcome& out) const override {
    const Samples& s = recorded_[0];
    std::size_t first = 0;
    while (first < s.size() && s.time(first) < start_) ++first;
    if (std::isfinite(last_wave_) && start_ < last_wave_ * (1 - 1e-9))
      out.warnings.push_back(
          fmt::format("{} records from {:.4g} on, when the sources' last wave may come by until {:.4g} (what "
                      "passes is no "
                      "oscillation and is taken for lines of low quality) begin later, or leave start out",
                      called_, start_, last_wave_));
    const double duration = double(s.size() - first) * s.step();
    const bool enough = duration * band_.to >= 10;
    if (!enough)
      out.warnings.push_back(
          fmt::format("{} recorded {:.3g} periods after t = {:.4g} (too few to tell resonances); run longer",
                      called_, duration * band_.to, start_));
    ResonanceResult r{name_, component_, {}};
    if (s.step() * band_.to < 0.5) {
      const Inversion found = inverted(s, first);
      r.modes = found.lines;
      if (single_) drop_rounding(s, first, r.modes, out.warnings);
      if (const std::string text = doubt(found, duration); enough && !text.empty())
        out.warnings.push_back(text);
    } else {
      out.warnings.push_back(
          fmt::format("{} dropped samples (the run is too long); give it a larger interval or "
                      "stop earlier",
                      called_));
    }
    out.of<ResonanceResult>().push_back(std::move(r));
  }

 private:
  /// Its own start, or when the last wave has come by.
  static double start_of(const MonitorSpec& m, double start) {
    if (const double own = m.own<ResonanceSpec>().start; own > 0) return own;
    if (!std::isfinite(start))
      throw BadInput(
          fmt::format("{} waits for the end of a source (which never ends); use a pulse, or give the "
                      "source an `end` or the monitor a `start`",
                      called(m)));
    return start;
  }

  Inversion inverted(const Samples& s, std::size_t first) const {
    if (s.imag().empty()) return invert(s.value().subspan(first), s.step(), band_.from, band_.to);
    std::vector<cplx> values;
    for (std::size_t i = first; i < s.size(); ++i) values.emplace_back(s.value()[i], s.imag()[i]);
    return invert(values, s.step(), band_.from, band_.to);
  }

  /// Takes out lines that the rounding of single precision makes: each step errs by 2^-24 of the fields,
  /// which add up at random over the life of the longest strong oscillation. Part of that decays with the
  /// signal, so that no noise at the end of the record tells of it. Weak lines whose decay is known well
  /// stay.
  void drop_rounding(const Samples& s, std::size_t first, std::vector<Resonance>& lines,
                     std::vector<std::string>& warnings) const {
    constexpr double rounding = 0x1p-24, margin = 4, known = 3e-4;
    double largest = 0, highest = 0;
    for (std::size_t i = first; i < s.size(); ++i)
      largest = std::max({largest, std::abs(s.value()[i]), s.imag().empty() ? 0 : std::abs(s.imag()[i])});
    const double steps = double(s.size() - first) * s.step() / dt_;
    double strongest = 0, life = 1;
    for (const Resonance& line : lines) strongest = std::max(strongest, line.amplitude);
    for (const Resonance& line : lines)
      if (line.amplitude > 0.01 * strongest)
        life = std::max(life, line.quality / (pi * line.frequency * dt_));
    const double floor = margin * rounding * std::sqrt(std::min(life, std::max(1.0, steps))) * largest;
    const auto false_line = [&](const Resonance& line) {
      if (line.amplitude > floor || line.error * line.quality < known) return false;
      highest = std::max(highest, line.amplitude);
      return true;
    };
    const std::size_t dropped = std::erase_if(lines, false_line);
    if (dropped > 0)
      warnings.push_back(fmt::format(
          "{} left out {} line{} of amplitudes up to {:.1e}, {:.1e} of its largest signal (single "
          "precision rounds by as much) compute in double precision if you look for such lines",
          called_, dropped, dropped == 1 ? "" : "s", highest, highest / largest));
  }

  /// Why there is no line, or that something strong is left over; nothing when all is well.
  std::string doubt(const Inversion& found, double duration) const {
    constexpr double clear = 8, noticeable = 0.03;  // in deviations of the noise, of the strongest
    const std::string range = fmt::format("{} to {}", band_.from, band_.to);
    const bool over = found.rest > clear * found.rest_noise;
    const std::string beside =
        found.beside.amplitude > 0
            ? fmt::format("; the nearest strong one is at {:.6g}, outside", found.beside.frequency)
            : "";
    if (!found.lines.empty()) {
      if (!over || found.rest < noticeable * found.strongest) return "";
      return fmt::format(
          "{} found no lines for part of its signal (near {:.5g}, {:.2g} of the strongest: lines too near "
          "each other, or "
          "no decaying oscillation) record longer, or look in a narrower range",
          called_, found.rest_at, found.rest / found.strongest);
    }
    if (!(found.strongest > 0))
      return fmt::format(
          "{} found no resonance in {} (its field is zero there: a node of every mode, or nothing came); "
          "move "
          "it "
          "off planes of symmetry, or look at another field",
          called_, range);
    if (!over)
      return fmt::format(
          "{} found no resonance in {} (nothing in that range stands out of the noise of {:.1e}{}) shift or "
          "widen "
          "the range, move the monitor, or give the source a spectrum there",
          called_, range, found.rest_noise, beside);
    return fmt::format(
        "{} found no resonance in {} (there is a signal near {:.5g}, but no decaying oscillation that {:.4g} "
        "of "
        "record determine; 1 / record = {:.2g}{}); run longer, or begin later",
        called_, range, found.rest_at, duration, 1 / duration, beside);
  }

  std::string name_, called_;
  Band band_;
  double last_wave_, start_, dt_;
  bool single_;
  Component component_;
  std::vector<Samples> recorded_;
};

}  // namespace

Part make_resonance(const MonitorSpec& m, const Simulation& sim, const Scene& scene, Problem& p) {
  return std::make_unique<ResonanceMonitor>(m, sim, scene, p);
}

}  // namespace umov::fdtd
