// Domains and lengths of runs that may not be meant: whole cells, slanted bodies, an early end.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "fdtd/kind_names.hpp"
#include "fdtd/model/bodies.hpp"
#include "fdtd/model/images.hpp"
#include "fdtd/model/validate_parts.hpp"
#include "fdtd/sources/plane_wave.hpp"
#include "fdtd/sources/waveform.hpp"

namespace umov::fdtd {
namespace {

using Severity = Finding::Severity;

/// Behind absorbing layers a cell more or less is nothing; between walls it is another resonator or period.
void check_cells(const Simulation& s, const Extent& e, int axis, Findings& found) {
  const bool absorbs = s.walls[axis][0] == WallKind::pml || s.walls[axis][1] == WallKind::pml;
  const double size = e.high[axis] - e.low[axis], off = std::fabs(size - s.size[axis]);
  if (absorbs || s.picture || off <= 1e-3 * s.size[axis]) return;
  found.push_back(
      {Severity::warning,
       fmt::format("domain: the size {:.6g} along {} becomes {:.6g}, {} whole cells, {:.2g} % off "
                   "(frequencies and angles are those of the new size); choose a resolution that is a "
                   "whole number of cells per size, {:.6g} for one",
                   s.size[axis], "xyz"[axis], size, e.cells[axis], 100 * off / s.size[axis],
                   e.cells[axis] / s.size[axis])});
}

/// Images of a body without end that is no straight one would be without end, too.
void check_slant(const Simulation& s, const Extent& e, std::size_t number, Findings& found) {
  const auto body = make_body(s, number);
  const int axis = slanted_axis(*body, s.bodies[number], e);
  if (axis < 0) return;
  found.push_back(
      {Severity::warning,
       fmt::format("{}: runs through the periodic walls along {} at an angle and without end (it is cut "
                   "there: images of it would fill everything); give it a length, by which it ends, or lay "
                   "it along the period",
                   body_label(s, number), "xyz"[axis])});
}

/// Spectra are divided by that of the whole pulse.
void check_end(const Simulation& s, const Scene& scene, const Grid& g, Findings& found) {
  const double end = s.stop.steps > 0 ? double(s.stop.steps) * g.dt : s.stop.time;
  if (end <= 0 ||
      std::none_of(s.monitors.begin(), s.monitors.end(), [](const auto& m) { return traits_of(m).spectrum; }))
    return;
  double silent = 0;
  for (const auto& source : s.sources) silent = std::max(silent, launch_of(source, s, scene, g).end);
  if (!std::isfinite(silent) || end >= silent) return;
  found.push_back(
      {Severity::warning,
       fmt::format("stop: the run ends at {:.4g}, before the sources are silent at {:.4g} (spectra are "
                   "those of a part of the pulse, and quotients with the whole pulse mean nothing); run "
                   "longer, or leave `time` and `steps` out",
                   end, silent)});
}

/// An end within a pulse leaves another pulse: weaker, and of another spectrum.
void check_cut_pulse(const Simulation& s, Findings& found) {
  for (const auto& source : s.sources) {
    Waveform whole = source.waveform;
    if (whole.kind != Waveform::Kind::gaussian || !whole.end) continue;
    whole.end.reset();
    const double full = Signal(whole, source.name).end();
    if (*source.waveform.end >= full * (1 - 1e-9)) continue;
    found.push_back(
        {Severity::warning,
         fmt::format("source '{}': its end at {:.4g} cuts its pulse, which has its peak at {:.4g} and "
                     "lasts until {:.4g} (what is left is weaker and of another spectrum than the width "
                     "says); leave `end` out, or give one after the pulse",
                     source.name, *source.waveform.end, full / 2, full)});
  }
}

/// Near grazing a wave hardly moves along the normal, and a pulse has to be as narrow as the rest of its
/// band.
void check_grazing(const Simulation& s, const Scene& scene, const Grid& g, Findings& found) {
  constexpr double steep = 85, rounding = 1e-6;  // degrees; the angle is one of a sine
  for (const auto& source : s.sources) {
    const Launch launch = launch_of(source, s, scene, g);
    if (launch.angle <= steep + rounding) continue;
    const double signal = Signal(source.waveform, source.name).end();
    const std::string takes = std::isfinite(launch.end)
                                  ? fmt::format("sending its pulse takes {:.3g} periods instead of {:.3g}",
                                                launch.end * peak_frequency(source.waveform),
                                                signal * peak_frequency(source.waveform))
                                  : fmt::format("it takes {:.3g} periods to be sent at full strength",
                                                launch.settled * peak_frequency(source.waveform));
    found.push_back(
        {Severity::warning,
         fmt::format(
             "source '{}': travels at {:.4g} degrees from the normal of its face ({}, the "
             "fields take thousands to leave) take {:g} degrees or less, or look at how results change with "
             "stop.decay",
             source.name, launch.angle, takes, steep)});
  }
}

}  // namespace

void validate_domain(const Simulation& s, const Scene& scene, const Surroundings& around, Findings& found) {
  const Extent& e = around.extent();
  for (int a = 0; a < dimensions(e.mode); ++a) check_cells(s, e, a, found);
  for (std::size_t b = 0; b < s.bodies.size(); ++b) check_slant(s, e, b, found);
  check_end(s, scene, around.grid(), found);
  check_grazing(s, scene, around.grid(), found);
  check_cut_pulse(s, found);
}

}  // namespace umov::fdtd
