// Crossings of a face between total and scattered field.
#include "fdtd/sources/faces.hpp"

#include <algorithm>

#include "fdtd/sources/local.hpp"

namespace umov::fdtd {
namespace {

/// Transverse indices of a component on the face along one axis.
std::array<int, 2> range(const Problem& p, const Face& f, Component c, int axis) {
  const auto [first, last] = computed_range(p, c, axis);
  const int top = p.grid.offset(c, axis) > 0 ? f.hi[axis] - 1 : f.hi[axis];
  if (!p.grid.active(axis)) return {0, 0};
  return {std::max(first, f.lo[axis]), std::min(last, top)};
}

Crossing crossing(const Problem& p, const Face& f, int target, int incident, double sign) {
  Crossing x{Component(target), Component(incident), sign, {}, {}};
  const int outside = f.side == 0 ? f.node - 1 : f.node;
  const int a = f.axis, b = (a + 1) % 3, c = (a + 2) % 3;
  // Both components sit at the same transverse places; those of E say which are computed.
  const Component electric = is_electric(target) ? x.target : x.incident;
  const auto bs = range(p, f, electric, b), cs = range(p, f, electric, c);
  for (int k = cs[0]; k <= cs[1]; ++k)
    for (int j = bs[0]; j <= bs[1]; ++j) {
      Int3 cell{0, 0, 0}, other{0, 0, 0};
      cell[b] = other[b] = j;
      cell[c] = other[c] = k;
      cell[a] = is_electric(target) ? f.node : outside;
      other[a] = is_electric(target) ? outside : f.node;
      x.cells.push_back(cell);
      x.incident_cells.push_back(other);
    }
  return x;
}

}  // namespace

std::vector<Crossing> crossings(const Problem& p, const Face& f) {
  const int b = (f.axis + 1) % 3, c = (f.axis + 2) % 3;
  const double s = f.side == 0 ? -1 : 1;
  // (curl H)_b = d_c H_a - d_a H_c, (curl H)_c = d_a H_b - d_b H_a; H' = H - drive curl E the other way
  // round.
  const struct {
    int target, incident;
    double sign;
  } pairs[] = {{b, 3 + c, -s}, {c, 3 + b, s}, {3 + b, c, s}, {3 + c, b, -s}};
  std::vector<Crossing> all;
  for (const auto& pair : pairs)
    if (has_component(p.grid.mode, pair.target) && has_component(p.grid.mode, pair.incident))
      all.push_back(crossing(p, f, pair.target, pair.incident, pair.sign));
  return all;
}

}  // namespace umov::fdtd
