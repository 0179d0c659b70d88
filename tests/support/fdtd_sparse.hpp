// Large grids in single precision with lists on few of their cells, for which passes of several steps pay.
#pragma once

#include "support/fdtd_everything.hpp"

namespace umov::fdtd::trial {

/// Lists on a few cells of a grid large enough that passes pay: they are chosen by what they save.
struct Sparse {
  Mode mode;
  Int3 cells;
  bool pml = true, lists = true;
  std::array<Closure, 3> low{Closure::pec, Closure::pec, Closure::pec}, high = low;
  int materials = 7;
};
inline void PrintTo(const Sparse& s, std::ostream* os) {
  *os << words(s.mode, s.cells) << (s.pml ? " pml" : "") << (s.lists ? " lists" : "");
  for (int a = 0; a < 3; ++a) *os << " " << word(s.low[a]) << "-" << word(s.high[a]);
  *os << " " << s.materials << " materials";
}

inline std::vector<index_t> few_cells(const Problem& p, int component, std::mt19937& random) {
  return some_cells(p, component, random, 3.0 / double(p.grid.cell_count()));
}

inline void add_few(Problem& p, std::mt19937& random) {
  p.tables = {signal_table([](long n) { return std::cos(0.2 * double(n)); })};
  for (int c = 0; c < components; ++c) {
    if (!has_component(p.grid.mode, c)) continue;
    p.sources.push_back(point_source(p, Component(c), {p.grid.cells[0] / 3, p.grid.cells[1] / 2, 0}));
    Recorder r;
    r.component = Component(c);
    r.cells = few_cells(p, c, random);
    r.weights.assign(r.cells.size(), 0.5);
    r.first = {0, index_t(r.cells.size())};
    p.recorders.push_back(r);
    p.fouriers.push_back({Component(c), 1, few_cells(p, c, random), {0.05}});
    if (!is_electric(c)) continue;
    p.dispersive.push_back(
        {Component(c), few_cells(p, c, random), {{false, 0.98, 0.05, 0.01, 0.3 * p.grid.dt}}});
    for (const index_t e : few_cells(p, c, random))
      p.tensor[c].push_back({e, {{{0.01, 0.02}, {0.01, -0.01}}}});
  }
}

inline Problem sparse(const Sparse& s) {
  std::mt19937 random(11);
  Problem p = vacuum(s.mode, s.cells, Precision::single_);
  for (int a = 0; a < dimensions(s.mode); ++a) {
    p.walls[a] = {s.low[a], s.high[a]};
    if (s.pml && s.low[a] == Closure::pec && s.high[a] == Closure::pec && s.cells[a] > 24) add_pml(p, a, 6);
  }
  for (int m = 1; m < s.materials; ++m)
    p.coefficients.push_back({draw(random, 0.9, 1), p.grid.dt * draw(random, 0.2, 1)});
  for (int c = Ex; c <= Ez; ++c) {
    if (!has_component(s.mode, c) || s.materials == 1) continue;
    p.material[c].resize(Layout(p.grid).size);
    for (auto& id : p.material[c]) id = std::uint16_t(random() % s.materials);
  }
  if (s.lists) add_few(p, random);
  return p;
}

}  // namespace umov::fdtd::trial
