// The free fraction of an edge by its cell, and recorders divided by it.
#include "fdtd/cut_edges.hpp"

#include <algorithm>

namespace umov::fdtd {

double free_fraction(const Problem& p, Component c, index_t cell) {
  if (!is_electric(c)) return 1;
  const CutEdges& cut = p.cut_edges[c];
  const auto at = std::lower_bound(cut.cells.begin(), cut.cells.end(), cell);
  return at == cut.cells.end() || *at != cell ? 1 : cut.free[std::size_t(at - cut.cells.begin())];
}

void record_fields(Problem& p) {
  for (Recorder& r : p.recorders)
    for (std::size_t n = 0; n < r.cells.size(); ++n) {
      const double free = free_fraction(p, r.component, r.cells[n]);
      r.weights[n] /= r.squares ? free * free : free;
    }
}

}  // namespace umov::fdtd
