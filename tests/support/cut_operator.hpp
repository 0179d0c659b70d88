// The curl-curl operator of a painted problem as a sparse matrix: its modes and its stability without a run.
#pragma once

#include <Eigen/SparseCholesky>
#include <cmath>
#include <map>
#include <vector>

#include "fdtd/ranges.hpp"
#include "fdtd/sources/local.hpp"

namespace umov::test {

/// sqrt(drive of H) curl sqrt(drive of E) over all places that an engine updates, between electric or
/// periodic walls (without phase). The leapfrog has 4 sin^2(w dt / 2) = eigenvalues of B B^T.
inline Eigen::SparseMatrix<double> half_operator(const fdtd::Problem& p) {
  using namespace fdtd;
  const Layout layout(p.grid);
  std::array<std::map<index_t, int>, 6> number;
  int edges = 0, faces = 0;
  for (int c = 0; c < components; ++c) {
    if (!has_component(p.grid.mode, c)) continue;
    const Box b = update_box(p, c);
    for (int k = b.lo[2]; k < b.hi[2]; ++k)
      for (int j = b.lo[1]; j < b.hi[1]; ++j)
        for (int i = b.lo[0]; i < b.hi[0]; ++i)
          number[c][layout.at(i, j, k)] = is_electric(c) ? edges++ : faces++;
  }
  std::vector<Eigen::Triplet<double>> entries;
  for (int c = Hx; c <= Hz; ++c)
    for (const auto& [cell, row] : number[c]) {
      const index_t at = cell - layout.base;
      const Int3 place{int(at % layout.plane % layout.pitch), int(at % layout.plane / layout.pitch),
                       int(at / layout.plane)};
      for (int which = 0; which < 2; ++which) {
        const CurlTerm t = curl_term(p.grid, c, which);
        for (int step = 0; t.exists && step < 2; ++step) {
          Int3 edge = place;
          edge[t.axis] += step;
          if (p.walls[t.axis][0] == Closure::periodic) edge[t.axis] %= p.grid.cells[t.axis];
          const auto column = number[t.of].find(layout.at(edge));
          if (column == number[t.of].end()) continue;
          const double weight = std::sqrt(coefficients_at(p, Component(c), cell).drive *
                                          coefficients_at(p, Component(t.of), column->first).drive);
          entries.emplace_back(row, column->second, (2 * step - 1) * t.sign * weight);
        }
      }
    }
  Eigen::SparseMatrix<double> m(faces, edges);
  m.setFromTriplets(entries.begin(), entries.end());
  return m;
}

/// Frequency (c / unit, of continuous time) of the mode nearest to a guess, by inverse iteration.
inline double nearest_mode(const fdtd::Problem& p, double guess) {
  using Matrix = Eigen::SparseMatrix<double>;
  const Matrix b = half_operator(p);
  const Matrix a = b * Matrix(b.transpose());
  Matrix identity(a.rows(), a.cols());
  identity.setIdentity();
  const double shift = std::pow(2 * pi * guess * p.grid.dt, 2);
  const Eigen::SimplicialLDLT<Matrix> solver(a - shift * identity);
  Eigen::VectorXd x(a.rows());
  for (int i = 0; i < x.size(); ++i) x[i] = std::sin(1 + 0.7 * i) + 0.3 * std::cos(0.01 * i);
  double value = 0;
  for (int n = 0; n < 500; ++n) {
    x = solver.solve(x).normalized();
    const double now = x.dot(a * x);
    if (n > 5 && std::fabs(now - value) < 1e-13 * now) break;
    value = now;
  }
  return std::sqrt(value) / (2 * pi * p.grid.dt);
}

/// A lower bound of the largest eigenvalue, near it after so many steps of power iteration: at 4 the leapfrog
/// begins to grow.
inline double largest_eigenvalue(const fdtd::Problem& p, int steps = 2000) {
  const auto b = half_operator(p);
  const Eigen::SparseMatrix<double> t = b.transpose();
  Eigen::VectorXd x(b.rows());
  for (int i = 0; i < x.size(); ++i) x[i] = (i % 2 ? -1 : 1) + 0.5 * std::sin(3.3 * i);
  double value = 0;
  for (int n = 0; n < steps; ++n) {
    x.normalize();
    const Eigen::VectorXd y = t * x;
    value = y.squaredNorm();
    x = b * y;
  }
  return value;
}

}  // namespace umov::test
