// What becomes of a domain and a run's length that may not be meant: whole cells, cut periods, an early end.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "fdtd/model/bodies.hpp"
#include "fdtd/model/validate_parts.hpp"
#include "fdtd/observables/sampling.hpp"

namespace umov::fdtd {
namespace {

using Severity = Finding::Severity;

bool is_periodic(WallKind w) { return w == WallKind::periodic || w == WallKind::bloch; }

/// Behind absorbing layers a cell more or less is nothing; between walls it is another resonator or period.
void check_cells(const Simulation& s, const Extent& e, int axis, Findings& found) {
  const bool absorbs = s.walls[axis][0] == WallKind::pml || s.walls[axis][1] == WallKind::pml;
  const double size = e.high[axis] - e.low[axis], off = std::fabs(size - s.size[axis]);
  if (absorbs || s.picture || off <= 1e-3 * s.size[axis]) return;
  found.push_back(
      {Severity::warning,
       fmt::format("domain: the size {:.6g} along {} becomes {:.6g}, {} whole cells, {:.2g} % off "
                   "(frequencies and angles are those of the new size) choose a resolution that is a "
                   "whole number of cells per size, {:.6g} for one",
                   s.size[axis], "xyz"[axis], size, e.cells[axis], 100 * off / s.size[axis],
                   e.cells[axis] / s.size[axis])});
}

/// Bodies are not continued: what passes a periodic wall is missing at the other end.
void check_period(const Simulation& s, const Extent& e, int axis, std::size_t number, Findings& found) {
  const auto bounds = make_body(s, number)->bounds();
  const double slack = 1e-6 * e.dx;
  const bool low = bounds.low[axis]<e.low[axis] - slack, high = bounds.high[axis]> e.high[axis] + slack;
  const bool inside = bounds.high[axis] > e.low[axis] + slack && bounds.low[axis] < e.high[axis] - slack;
  if (low == high || !inside) return;
  const double period = e.high[axis] - e.low[axis];
  const double covered = low ? bounds.high[axis] - e.low[axis] : e.high[axis] - bounds.low[axis];
  if (covered > period - slack) return;
  found.push_back(
      {Severity::warning,
       fmt::format(
           "{}: reaches through the periodic wall at {} = {:.4g} (it is cut there, and does not come in at "
           "the other end) add it again, {} by the period {:.6g}",
           body_label(s, number), "xyz"[axis], low ? e.low[axis] : e.high[axis],
           low ? "moved up" : "moved down", period)});
}

bool transforms(const MonitorSpec& m) {
  using Kind = MonitorSpec::Kind;
  return m.kind != Kind::series && m.kind != Kind::resonance && m.kind != Kind::snapshot;
}

/// Spectra are divided by that of the whole pulse.
void check_end(const Simulation& s, const Grid& g, Findings& found) {
  const double end = s.stop.steps > 0 ? double(s.stop.steps) * g.dt : s.stop.time;
  if (end <= 0 || std::none_of(s.monitors.begin(), s.monitors.end(), transforms)) return;
  const double silent = sources_end(s);
  if (!std::isfinite(silent) || end >= silent) return;
  found.push_back(
      {Severity::warning,
       fmt::format("stop: the run ends at {:.4g}, before the sources are silent at {:.4g} (spectra are "
                   "those of a part of the pulse, and quotients with the whole pulse mean nothing) run "
                   "longer, or leave `time` and `steps` out",
                   end, silent)});
}

}  // namespace

void validate_domain(const Simulation& s, const Surroundings& around, Findings& found) {
  const Extent& e = around.extent();
  for (int a = 0; a < dimensions(e.mode); ++a) {
    check_cells(s, e, a, found);
    for (std::size_t b = 0; is_periodic(s.walls[a][0]) && b < s.bodies.size(); ++b)
      check_period(s, e, a, b, found);
  }
  check_end(s, around.grid(), found);
}

}  // namespace umov::fdtd
