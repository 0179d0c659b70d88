// What planes cost, for borders that give every rank as much to do.
#include <algorithm>

#include "fdtd/planes.hpp"
#include "fdtd/ranges.hpp"
#include "fdtd/ranks/rank_engine.hpp"

namespace umov::fdtd::ranks {

namespace {

// In cells of air, measured on one thread of the cpu backend, in single precision, by what a step of 120^3
// cells takes longer (docs/decisions/0058): absorbing layers on two walls 7.8 ns a cell of theirs, for four
// components; silver in a third of the grid 4.0 ns an edge and pole; a cell of air 6.9 ns.
constexpr double layer_cell = 7.8 / 6.9 / 4, pole = 4.0 / 6.9;

}  // namespace

std::vector<double> plane_costs(const Problem& p) {
  const Planes planes(p.grid);
  std::vector<double> costs(std::size_t(planes.count()), double(p.grid.cell_count()) / planes.count());
  const auto add = [&](int plane, double cost) {
    costs[std::size_t(std::clamp(plane, 0, planes.count() - 1))] += cost;
  };
  for (const Field f : {Field::E, Field::H})
    for (const PmlSlab& s : pml_slabs(p, f)) {
      const int from = s.box.lo[planes.axis()], to = s.box.hi[planes.axis()];
      for (int k = from; k < to; ++k) add(k, layer_cell * double(s.box.count()) / (to - from));
    }
  for (const DispersiveGroup& g : p.dispersive)
    for (const index_t cell : g.cells) add(planes.of(cell), pole * double(g.poles.size()));
  const CutMedia& m = p.cut_media;
  for (index_t n = 0; n < m.node_count(); ++n)
    for (index_t s = m.nodes[n].first_site; s < m.nodes[n + 1].first_site; ++s)
      add(planes.of(m.halves[m.nodes[n].first_half].cell), pole * double(m.media[m.sites[s].medium].size()));
  return costs;
}

}  // namespace umov::fdtd::ranks
