// Modes of a metal box filled with a painted permittivity, from the discrete operators themselves.
#pragma once

#include <Eigen/SparseCholesky>
#include <cmath>

#include "support/permittivity_operator.hpp"

namespace umov::test {

/// The curl of H on the E edges inside a metal box: 1 and -1, rows as edge_number, columns likewise for H
/// (one component in two dimensions).
inline Eigen::SparseMatrix<double> curl_of_h(const fdtd::Grid& g) {
  const int dim = fdtd::dimensions(g.mode);
  std::vector<Eigen::Triplet<double>> entries;
  const auto column = [&](int c, const Int3& ijk) { return edge_number(g, dim == 3 ? c : 0, ijk); };
  for (int c = 0; c < dim; ++c)
    for (int k = 0; k < g.cells[2]; ++k)
      for (int j = 0; j < g.cells[1]; ++j)
        for (int i = 0; i < g.cells[0]; ++i) {
          const Int3 at{i, j, k};
          bool on_wall = false;
          for (int a = 0; a < dim; ++a) on_wall = on_wall || (a != c && at[a] == 0);
          if (on_wall) continue;
          for (int which = 0; which < 2; ++which) {
            const int axis = (c + 1 + which) % 3, of = (c + 2 - which) % 3;
            if (axis >= dim || (dim == 2 && of != 2)) continue;
            Int3 below = at;
            --below[axis];
            const double sign = which == 0 ? 1 : -1;
            entries.emplace_back(edge_number(g, c, at), column(of, at), sign);
            entries.emplace_back(edge_number(g, c, at), column(of, below), -sign);
          }
        }
  const int n = int(g.cell_count());
  Eigen::SparseMatrix<double> m(dim * n, (dim == 3 ? 3 : 1) * n);
  m.setFromTriplets(entries.begin(), entries.end());
  return m;
}

struct BoxMode {
  double frequency = 0;  ///< c / unit, of continuous time
  Eigen::VectorXd h;     ///< Hz in two dimensions
};

/// The mode nearest to a guess, by inverse iteration on curl eps^-1 curl H = w^2 H.
inline BoxMode metal_box_mode(const fdtd::Problem& p, double guess) {
  using Matrix = Eigen::SparseMatrix<double>;
  const Matrix curl = curl_of_h(p.grid);
  const Matrix a = curl.transpose() * permittivity_operator(p) * curl;
  Matrix identity(a.rows(), a.cols());
  identity.setIdentity();
  const double to_eigenvalue = std::pow(2 * pi * p.grid.dx, 2);
  const Eigen::SimplicialLDLT<Matrix> solver(a - guess * guess * to_eigenvalue * identity);
  BoxMode mode;
  mode.h.resize(a.rows());
  for (int i = 0; i < mode.h.size(); ++i) mode.h[i] = std::sin(1 + 0.7 * i) + 0.3 * std::cos(0.01 * i);
  for (int n = 0; n < 200; ++n) mode.h = solver.solve(mode.h).normalized();
  mode.frequency = std::sqrt(mode.h.dot(a * mode.h) / to_eigenvalue);
  return mode;
}

}  // namespace umov::test
