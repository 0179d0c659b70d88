#include "fdtd/cut_turns.hpp"

#include <cmath>

namespace umov::fdtd {
namespace {

Int3 place_of(const Layout& layout, index_t cell) {
  const index_t rest = cell - layout.base, k = rest / layout.plane, row = rest - k * layout.plane;
  return {int(row % layout.pitch), int(row / layout.pitch), int(k)};
}

}  // namespace

cplx turn_between(const Problem& p, index_t from, index_t of) {
  const Layout layout(p.grid);
  const Int3 a = place_of(layout, from), b = place_of(layout, of);
  double phase = 0;
  for (int axis = 0; axis < dimensions(p.grid.mode); ++axis) {
    for (const Seam& seam : p.seams) {
      if (seam.axis != axis) continue;
      const auto above = [&](const Int3& c) { return c[axis] >= seam.plane; };
      if (above(a) != above(b)) phase += above(b) ? seam.phase : -seam.phase;
    }
    const int last = p.grid.cells[axis] - 1;
    if (p.bloch_phase[axis] == 0 || last + 1 < least_bloch_cells) continue;
    if (a[axis] == last && b[axis] == 0) phase += p.bloch_phase[axis];
    if (a[axis] == 0 && b[axis] == last) phase -= p.bloch_phase[axis];
  }
  return std::polar(1.0, phase);
}

}  // namespace umov::fdtd
