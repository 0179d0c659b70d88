// Cuts through fields.
#include "fdtd/observables/snapshot.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/error.hpp"
#include "fdtd/observables/region.hpp"

namespace umov::fdtd {

Snapshot take_snapshot(const Engine& engine, const Grid& g, const MonitorSpec& m,
                       std::optional<Component> c) {
  Snapshot s;
  s.name = m.name;
  s.component = c ? *c : recorded_components(m, g.mode).front();
  s.step = engine.step();
  s.time = g.dt * (double(s.step) - (is_electric(s.component) ? 0 : 0.5));
  Int3 lo{0, 0, 0}, hi = g.cells;
  if (dimensions(g.mode) == 3) {
    const double extent = g.dx * g.cells[m.plane], at = m.plane_at - g.origin[m.plane];
    if (!(at >= 0 && at <= extent))
      throw BadInput(
          fmt::format("{} cuts at {} = {} (the domain ends at {:.6g} and {:.6g}) move the plane inside",
                      called(m), "xyz"[m.plane], m.plane_at, g.origin[m.plane], g.origin[m.plane] + extent));
    const double layer = std::round(at / g.dx - g.offset(s.component, m.plane));
    lo[m.plane] = int(std::clamp(layer, 0.0, double(g.cells[m.plane] - 1)));
    hi[m.plane] = lo[m.plane] + 1;
  }
  const FieldBlock block = engine.field(s.component, lo, hi);
  s.size = block.size;
  s.values.assign(block.real.begin(), block.real.end());
  return s;
}

}  // namespace umov::fdtd
