// Matrices that tests of the linear algebra share: Poisson problems and their hard relatives, dense forms.
#pragma once

#include <Eigen/Dense>
#include <Eigen/Sparse>
#include <cmath>
#include <functional>
#include <map>
#include <random>
#include <vector>

#include "linalg/sparse/csr.hpp"

namespace umov::test {

/// Rows as maps; zero diagonal entries are kept.
using Rows = std::vector<std::map<int, double>>;

inline sparse::HostCsr to_csr(const Rows& rows, int columns) {
  sparse::HostCsr a;
  a.rows = int(rows.size()), a.columns = columns;
  a.start.push_back(0);
  for (const auto& row : rows) {
    for (const auto& [j, v] : row) a.column.push_back(j), a.value.push_back(v);
    a.start.push_back(int(a.column.size()));
  }
  return a;
}

/// Seven-point matrix of div(c grad u) on an m x m x m grid with u = 0 around; coefficient(x, y, z, axis) of
/// the face above the cell along an axis, -1 <= coordinate < m.
inline sparse::HostCsr diffusion(int m, const std::function<double(int, int, int, int)>& coefficient) {
  Rows rows(std::size_t(m) * m * m);
  const auto id = [m](int x, int y, int z) { return x + m * (y + m * z); };
  for (int z = 0; z < m; ++z)
    for (int y = 0; y < m; ++y)
      for (int x = 0; x < m; ++x)
        for (int axis = 0; axis < 3; ++axis)
          for (int side = 0; side < 2; ++side) {
            int at[3] = {x, y, z};
            const int face[3] = {x - (axis == 0 && !side), y - (axis == 1 && !side),
                                 z - (axis == 2 && !side)};
            const double c = coefficient(face[0], face[1], face[2], axis);
            at[axis] += side ? 1 : -1;
            auto& row = rows[id(x, y, z)];
            row[id(x, y, z)] += c;
            if (at[axis] >= 0 && at[axis] < m) row[id(at[0], at[1], at[2])] -= c;
          }
  return to_csr(rows, int(rows.size()));
}
inline sparse::HostCsr poisson(int m) {
  return diffusion(m, [](int, int, int, int) { return 1.0; });
}

/// Entries in [-1, 1] at random places; some rows empty, one full.
inline sparse::HostCsr random_matrix(int rows, int columns, double filled, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> value(-1, 1), chance(0, 1);
  Rows list(rows);
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < columns; ++j)
      if (i % 7 != 3 && (i == rows / 2 || chance(random) < filled)) list[i][j] = value(random);
  return to_csr(list, columns);
}

template <class T>
Eigen::MatrixXd dense(const sparse::CsrView<T>& a) {
  Eigen::MatrixXd out = Eigen::MatrixXd::Zero(a.rows, a.columns);
  for (int i = 0; i < a.rows; ++i)
    for (int k = a.start[i]; k < a.start[i + 1]; ++k) out(i, a.column[k]) += double(a.value[k]);
  return out;
}

template <class T>
bool columns_ascend(const sparse::CsrView<T>& a) {
  for (int i = 0; i < a.rows; ++i)
    for (int k = a.start[i] + 1; k < a.start[i + 1]; ++k)
      if (a.column[k] <= a.column[k - 1]) return false;
  return true;
}

inline std::vector<double> random_vector(std::size_t n, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> value(-1, 1);
  std::vector<double> v(n);
  for (double& x : v) x = value(random);
  return v;
}

inline std::vector<double> times(const sparse::HostCsr& a, const std::vector<double>& x) {
  std::vector<double> y(a.rows, 0.0);
  for (int i = 0; i < a.rows; ++i)
    for (int k = a.start[i]; k < a.start[i + 1]; ++k) y[i] += a.value[k] * x[a.column[k]];
  return y;
}

}  // namespace umov::test
