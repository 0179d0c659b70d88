// Cuts through fields.
#include "fdtd/observables/snapshot.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/error.hpp"
#include "fdtd/model/extent.hpp"
#include "fdtd/monitors/snapshot.hpp"
#include "fdtd/observables/region.hpp"
#include "fdtd/wall_kind.hpp"

namespace umov::fdtd {

namespace {

/// The sign of a plane's image, and its place, when it lies behind a symmetry plane (at 0).
double reflect(const std::array<WallKind, 2>& walls, int axis, Component c, double& at) {
  for (int side = 0; side < 2; ++side)
    if (is_mirror(walls[side]) && (side == 0 ? at < 0 : at > 0)) {
      at = -at;
      return parity(c, axis, is_even_mirror(walls[side]));
    }
  return 1;
}

}  // namespace

Snapshot take_snapshot(const Engine& engine, const Grid& g, const MonitorSpec& m, std::optional<Component> c,
                       const std::array<std::array<WallKind, 2>, 3>& walls) {
  Snapshot s;
  s.name = m.name;
  s.component = c ? *c : recorded_components(m, g.mode).front();
  s.step = engine.step();
  s.time = g.dt * (double(s.step) - (is_electric(s.component) ? 0 : 0.5));
  Int3 lo{0, 0, 0}, hi = g.cells;
  double sign = 1;
  if (dimensions(g.mode) == 3) {
    const auto& cut = m.own<SnapshotSpec>();
    const int axis = cut.plane;
    double place = cut.plane_at;
    sign = reflect(walls[axis], axis, s.component, place);
    const double extent = g.length(axis), at = place - g.origin[axis];
    if (!(at >= 0 && at <= extent))
      throw BadInput(
          fmt::format("{} cuts at {} = {} (the domain ends at {:.6g} and {:.6g}); move the plane inside",
                      called(m), "xyz"[axis], cut.plane_at, g.origin[axis], g.origin[axis] + extent));
    const double layer = std::round(g.index(axis, place) - g.offset(s.component, axis));
    lo[axis] = int(std::clamp(layer, 0.0, double(g.cells[axis] - 1)));
    hi[axis] = lo[axis] + 1;
  }
  const FieldBlock block = engine.field(s.component, lo, hi);
  s.size = block.size;
  s.values.assign(block.real.begin(), block.real.end());
  if (sign < 0)
    for (float& v : s.values) v = -v;
  return s;
}

}  // namespace umov::fdtd
