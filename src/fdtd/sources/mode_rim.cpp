#include "fdtd/sources/mode_rim.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "fdtd/sources/local.hpp"

namespace umov::fdtd {
namespace {

/// Largest |value| of a part next to the rim at one end of an axis.
double beside_rim(const Problem& p, const ModePlane& plane, const ModeProfile::Part& part, int axis,
                  int side) {
  std::unordered_map<index_t, double> values;
  for (std::size_t i = 0; i < part.cells.size(); ++i) values[part.cells[i]] = part.values[i];
  const Layout layout(p.grid);
  const int other = 3 - plane.axis - axis, out = side == 0 ? -1 : 1;
  // Across the rim the last point lies half a cell inside, along it one cell.
  const bool across = axis_of(part.component) == axis;
  double most = 0;
  for (int k = plane.lo[other]; k <= plane.hi[other] && (k == 0 || p.grid.active(other)); ++k) {
    Int3 at = plane.lo;
    at[other] = p.grid.active(other) ? k : 0;
    at[axis] = side == 0 ? plane.lo[axis] + (across ? 0 : 1) : plane.hi[axis] - 1;
    const auto found = values.find(layout.at(at));
    if (found == values.end()) continue;
    bool conductor = false;
    for (int beyond = 1; beyond <= 2; ++beyond) {
      at[axis] += out;
      conductor |= coefficients_at(p, part.component, layout.at(at)).drive == 0;
    }
    if (!conductor) most = std::max(most, std::abs(found->second));
  }
  return most;
}

}  // namespace

double field_at_rim(const Problem& p, const ModePlane& plane, const ModeProfile& mode) {
  double largest = 0, rim = 0;
  for (const auto& part : mode.electric)
    for (const double v : part.values) largest = std::max(largest, std::abs(v));
  for (const auto& part : mode.electric)
    for (int axis = 0; axis < dimensions(p.grid.mode); ++axis)
      for (int side = 0; axis != plane.axis && side < 2; ++side) {
        if (side == 0 ? plane.lo[axis] <= 0 : plane.hi[axis] >= p.grid.cells[axis]) continue;
        const bool across = axis_of(part.component) == axis;
        // Outside fields fall as exp(-g x), g < beta; with their image in the conductor 2 sinh(g x), 2 cosh.
        const double share =
            across ? 0.5
                   : 1 / (2 * mode.beta * p.grid.edge(axis, side == 0 ? plane.lo[axis] : plane.hi[axis] - 1));
        rim = std::max(rim, share * beside_rim(p, plane, part, axis, side));
      }
  return largest > 0 ? rim / largest : 0;
}

std::string rim_warning(const Problem& p, const ModePlane& plane, const ModeProfile& mode,
                        const std::string& owner) {
  constexpr double noticeable = 0.01;
  const double rim = field_at_rim(p, plane, mode);
  if (!(rim > noticeable)) return "";
  return fmt::format(
      "{}: the mode of index {:.4g} reaches the rim of its plane with {:.2g} % of its largest field "
      "(it is cut off there: its index and shape are not those of the guide); make the plane larger",
      owner, mode.n_eff, 100 * rim);
}

}  // namespace umov::fdtd
