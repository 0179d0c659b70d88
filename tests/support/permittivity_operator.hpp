// The operator from D to E that a problem's coefficients and tensor terms make, as a matrix.
#pragma once

#include <Eigen/Sparse>
#include <map>

#include "fdtd/problem.hpp"

namespace umov::test {

/// Row of every electric edge: numbered by component, then z, y, x.
inline int edge_number(const fdtd::Grid& g, int c, const Int3& ijk) {
  return ((c * g.cells[2] + ijk[2]) * g.cells[1] + ijk[1]) * g.cells[0] + ijk[0];
}

/// As an engine reads it: E_c += w (sum of D_p over the two p-edges that meet in the node), on a grid whose
/// nodes n are its nodes 0. Lossless problems only.
inline Eigen::SparseMatrix<double> permittivity_operator(const fdtd::Problem& p) {
  const fdtd::Grid& g = p.grid;
  const fdtd::Layout layout(g);
  const int dim = fdtd::dimensions(g.mode);
  const double scale = g.dx / g.dt;
  std::vector<Eigen::Triplet<double>> entries;
  for (int c = 0; c < dim; ++c) {
    std::map<index_t, Int3> place;
    for (int k = 0; k < g.cells[2]; ++k)
      for (int j = 0; j < g.cells[1]; ++j)
        for (int i = 0; i < g.cells[0]; ++i) {
          const index_t cell = layout.at(i, j, k);
          const auto id = p.material[c].empty() ? p.uniform[c] : p.material[c][cell];
          const int row = edge_number(g, c, {i, j, k});
          entries.emplace_back(row, row, scale * p.coefficients[id].drive);
          place[cell] = {i, j, k};
        }
    for (const auto& term : p.tensor[c])
      for (int other = 0; other < 2; ++other)
        for (int end = 0; end < 2; ++end) {
          if (term.w[other][end] == 0) continue;
          const int axis = (c + 1 + other) % 3;
          Int3 node = place.at(term.cell);
          node[c] = (node[c] + end) % g.cells[c];
          for (int side = 0; side < 2; ++side) {
            Int3 edge = node;
            edge[axis] = (edge[axis] - side + g.cells[axis]) % g.cells[axis];
            entries.emplace_back(edge_number(g, c, place.at(term.cell)), edge_number(g, axis, edge),
                                 scale * term.w[other][end]);
          }
        }
  }
  const int n = dim * int(g.cell_count());
  Eigen::SparseMatrix<double> m(n, n);
  m.setFromTriplets(entries.begin(), entries.end());
  return m;
}

}  // namespace umov::test
