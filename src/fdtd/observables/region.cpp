// Extents of monitors and their checks.
#include "fdtd/observables/region.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/error.hpp"
#include "fdtd/kind_names.hpp"

namespace umov::fdtd {

DomainBounds::DomainBounds(const Whole& w) {
  const Grid& g = w.grid();
  for (int a = 0; a < dimensions(g.mode); ++a) {
    whole.lo[a] = w.place(a, w.first(a));
    whole.hi[a] = w.place(a, w.last(a));
    inner.lo[a] = g.graded(a) ? w.place(a, w.first(a) + w.layers(a, 0)) : whole.lo[a] + g.dx * w.layers(a, 0);
    inner.hi[a] = g.graded(a) ? w.place(a, w.last(a) - w.layers(a, 1)) : whole.hi[a] - g.dx * w.layers(a, 1);
  }
}

std::string called(const MonitorSpec& m) {
  return m.name.empty() ? std::string("a monitor without name") : fmt::format("monitor '{}'", m.name);
}

Region region_of(const MonitorSpec& m, const Whole& w) {
  const DomainBounds bounds(w);
  const double slack = 1e-6 * w.grid().dx;
  Region e;
  for (int a = 0; a < dimensions(w.grid().mode); ++a) {
    if (!(m.size[a] >= 0))
      throw BadInput(fmt::format("{} has the size {} along {} (negative); give an extent of 0 or more",
                                 called(m), m.size[a], "xyz"[a]));
    e.lo[a] = m.center[a] - m.size[a] / 2;
    e.hi[a] = m.center[a] + m.size[a] / 2;
    if (std::isinf(m.size[a])) e.lo[a] = bounds.inner.lo[a], e.hi[a] = bounds.inner.hi[a];
    if (!(e.lo[a] >= bounds.whole.lo[a] - slack && e.hi[a] <= bounds.whole.hi[a] + slack))
      throw BadInput(
          fmt::format("{} reaches from {:.6g} to {:.6g} along {} (the domain ends at {:.6g} and "
                      "{:.6g}); move it or make it smaller",
                      called(m), e.lo[a], e.hi[a], "xyz"[a], bounds.whole.lo[a], bounds.whole.hi[a]));
  }
  return e;
}

bool in_layers(const Region& e, const Whole& w) {
  const DomainBounds bounds(w);
  const double slack = 1e-6 * w.grid().dx;
  for (int a = 0; a < dimensions(w.grid().mode); ++a) {
    if (w.layers(a, 0) > 0 && e.lo[a] < bounds.inner.lo[a] - slack) return true;
    if (w.layers(a, 1) > 0 && e.hi[a] > bounds.inner.hi[a] + slack) return true;
  }
  return false;
}

std::vector<Component> recorded_components(const MonitorSpec& m, Mode mode) {
  for (const Component c : m.fields)
    if (!has_component(mode, c))
      throw BadInput(
          fmt::format("{} wants {} (this run has no such component); choose one that it has, or "
                      "another polarization",
                      called(m), word(c)));
  if (!m.fields.empty()) return m.fields;
  if (mode == Mode::full) return {Ex, Ey, Ez};
  return {mode == Mode::te ? Hz : Ez};
}

}  // namespace umov::fdtd
