// Extents of monitors and their checks.
#include "fdtd/observables/region.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/error.hpp"

namespace umov::fdtd {

DomainBounds::DomainBounds(const Problem& p) {
  const Grid& g = p.grid;
  for (int a = 0; a < 3; ++a) {
    if (!g.active(a)) continue;
    whole.lo[a] = g.origin[a];
    whole.hi[a] = g.origin[a] + g.dx * g.cells[a];
    inner.lo[a] = whole.lo[a] + g.dx * p.pml[a][0].layers;
    inner.hi[a] = whole.hi[a] - g.dx * p.pml[a][1].layers;
  }
}

std::string called(const MonitorSpec& m) {
  return m.name.empty() ? std::string("a monitor without name") : fmt::format("monitor '{}'", m.name);
}

namespace {

bool is_mirror(const Simulation& sim, int axis, int side) {
  const WallKind w = sim.walls[axis][side];
  return w == WallKind::mirror_even || w == WallKind::mirror_odd;
}

/// Cuts [lo, hi] off at a symmetry plane at 0 and says whether it went through.
bool cut_at_mirror(const MonitorSpec& m, int axis, bool low, double slack, double& lo, double& hi) {
  if (low ? hi < -slack : lo > slack)
    throw BadInput(
        fmt::format("{} lies behind the symmetry plane {} = 0 (that half is not computed) give its "
                    "mirror image",
                    called(m), "xyz"[axis]));
  const bool through = low ? lo < -slack : hi > slack;
  if (through && low) hi = std::max(hi, -lo), lo = 0;
  if (through && !low) lo = std::min(lo, -hi), hi = 0;
  return through;
}

}  // namespace

Region region_of(const MonitorSpec& m, const Simulation& sim, const Problem& p) {
  const DomainBounds bounds(p);
  const double slack = 1e-6 * p.grid.dx;
  Region e;
  for (int a = 0; a < 3; ++a) {
    if (!p.grid.active(a)) continue;
    if (!(m.size[a] >= 0))
      throw BadInput(fmt::format("{} has the size {} along {} (negative) give an extent of 0 or more",
                                 called(m), m.size[a], "xyz"[a]));
    e.lo[a] = m.center[a] - m.size[a] / 2;
    e.hi[a] = m.center[a] + m.size[a] / 2;
    if (std::isinf(m.size[a])) e.lo[a] = bounds.inner.lo[a], e.hi[a] = bounds.inner.hi[a];
    for (int side = 0; side < 2; ++side)
      if (is_mirror(sim, a, side) && std::isinf(m.size[a]))
        e.mirrored[a] = true;
      else if (is_mirror(sim, a, side))
        e.mirrored[a] = cut_at_mirror(m, a, side == 0, slack, e.lo[a], e.hi[a]);
    if (!(e.lo[a] >= bounds.whole.lo[a] - slack && e.hi[a] <= bounds.whole.hi[a] + slack))
      throw BadInput(
          fmt::format("{} reaches from {:.6g} to {:.6g} along {} (the domain ends at {:.6g} and "
                      "{:.6g}) move it or make it smaller",
                      called(m), e.lo[a], e.hi[a], "xyz"[a], bounds.whole.lo[a], bounds.whole.hi[a]));
  }
  return e;
}

bool in_layers(const Region& e, const Problem& p) {
  const DomainBounds bounds(p);
  const double slack = 1e-6 * p.grid.dx;
  for (int a = 0; a < 3; ++a) {
    if (!p.grid.active(a)) continue;
    if (p.pml[a][0].layers > 0 && e.lo[a] < bounds.inner.lo[a] - slack) return true;
    if (p.pml[a][1].layers > 0 && e.hi[a] > bounds.inner.hi[a] + slack) return true;
  }
  return false;
}

int nearest_node(const Grid& g, int axis, double x) {
  const double n = std::round((x - g.origin[axis]) / g.dx);
  return int(std::clamp(n, 0.0, double(g.cells[axis])));
}

const char* component_name(int component) {
  constexpr std::array names{"Ex", "Ey", "Ez", "Hx", "Hy", "Hz"};
  return names[component];
}

std::vector<Component> recorded_components(const MonitorSpec& m, Mode mode) {
  for (const Component c : m.fields)
    if (!has_component(mode, c))
      throw BadInput(
          fmt::format("{} wants {} (this run has no such component) choose one that it has, or "
                      "another polarization",
                      called(m), component_name(c)));
  if (!m.fields.empty()) return m.fields;
  if (mode == Mode::full) return {Ex, Ey, Ez};
  return {mode == Mode::te ? Hz : Ez};
}

}  // namespace umov::fdtd
