#include "fdtd/model/extent.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/error.hpp"
#include "fdtd/model/graded_lines.hpp"
#include "fdtd/wall_kind.hpp"

namespace umov::fdtd {
namespace {

/// Along one axis, so that an index fits an int with room for ghosts.
constexpr double most_cells = 2.0e9;

Mode mode_of(const Simulation& s) {
  for (int a = 0; a < 3; ++a)
    if (!(s.size[a] >= 0) || !std::isfinite(s.size[a]))
      throw BadInput(
          fmt::format("size: {:g} along {} (an extent is positive, or zero for fewer dimensions) "
                      "give [x], [x, y] or [x, y, z]",
                      s.size[a], "xyz"[a]));
  if (s.size[0] == 0)
    throw BadInput(s.picture
                       ? "size: missing (the picture was not read yet); call apply_picture first"
                       : "size: missing (the domain has no extent along x); give size = [x, y, z], y and z 0 "
                         "for fewer dimensions");
  if (s.size[1] == 0 && s.size[2] > 0)
    throw BadInput("size: z without y (two dimensions are x and y); give the second extent as y");
  const Mode mode = s.size[2] > 0 ? Mode::full : s.size[1] == 0 ? Mode::one : s.te ? Mode::te : Mode::tm;
  if (s.te && mode != Mode::te)
    throw BadInput(fmt::format("te: set in {} dimension{} (TE and TM exist in two); leave te out",
                               dimensions(mode), mode == Mode::one ? "" : "s"));
  return mode;
}

void check_walls(const Simulation& s, int axis) {
  const auto [low, high] = s.walls[axis];
  const char name = "xyz"[axis];
  if (wraps(low) != wraps(high) || (wraps(low) && low != high))
    throw BadInput(
        fmt::format("walls: only one {} wall is periodic (what leaves through one side enters through "
                    "the other); make both periodic, or both bloch",
                    name));
  if (is_mirror(low) && is_mirror(high))
    throw BadInput(
        fmt::format("walls: both {} walls are mirrors (one plane through 0 is the symmetry); keep one, "
                    "the other may be pec or pmc",
                    name));
}

}  // namespace

double cells_per_unit(const Simulation& s) {
  if (s.resolution < 0 || !std::isfinite(s.resolution))
    throw BadInput(
        fmt::format("resolution: {:g} (cells per unit are a positive number); give one, or 0 for the "
                    "default",
                    s.resolution));
  if (s.resolution > 0) return s.resolution;
  double highest = 0;
  for (const auto& source : s.sources) highest = std::max(highest, source.waveform.frequency);
  if (!(highest > 0))
    throw BadInput(
        "resolution: missing (no source has a frequency to choose it by); set resolution, in cells per "
        "unit");
  return 20 * highest;
}

Extent extent_of(const Simulation& s) {
  Extent e;
  e.mode = mode_of(s);
  const bool uniform = !s.grid.graded(e.mode);
  const double resolution = uniform ? cells_per_unit(s) : 1 / longest_edge(s, e.mode);
  e.dx = 1 / resolution;
  for (int a = 0; a < dimensions(e.mode); ++a) {
    check_walls(s, a);
    e.periodic[a] = wraps(s.walls[a][0]);
    if (!uniform) {
      e.graded[a] = true;
      e.high[a] = s.size[a] / 2;
      e.low[a] = -e.high[a];
      continue;
    }
    double cells = std::max(1.0, std::round(s.size[a] * resolution));
    // A symmetry plane goes through nodes.
    if (is_mirror(s.walls[a][0]) || is_mirror(s.walls[a][1]))
      cells = 2 * std::max(1.0, std::round(cells / 2));
    if (cells > most_cells)
      throw BadInput(fmt::format("size: {:.3g} cells along {} (at most 2e9); lower size or resolution", cells,
                                 "xyz"[a]));
    e.cells[a] = int(cells);
    e.high[a] = e.dx * cells / 2;
    e.low[a] = -e.high[a];
  }
  return e;
}

}  // namespace umov::fdtd
