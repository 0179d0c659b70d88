// Vectors that a singular matrix maps to zero, and right-hand sides that have a part along them.
#include "linalg/amg/null_space.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>

namespace umov::amg {

namespace {

using Vector = std::vector<double>;

double dot(const Vector& a, const Vector& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

Vector times(const sparse::HostCsr& a, const Vector& x) {
  Vector y(x.size(), 0.0);
  for (int i = 0; i < a.rows; ++i)
    for (auto k = a.start[i]; k < a.start[i + 1]; ++k) y[i] += a.value[k] * x[a.column[k]];
  return y;
}

/// Largest sum of a row's magnitudes: an upper bound of |A|.
double norm_of(const sparse::HostCsr& a) {
  double most = 0;
  for (int i = 0; i < a.rows; ++i) {
    double sum = 0;
    for (auto k = a.start[i]; k < a.start[i + 1]; ++k) sum += std::abs(a.value[k]);
    most = std::max(most, sum);
  }
  return most;
}

/// The block of each row; blocks are numbered from 0.
std::vector<int> blocks_of(const sparse::HostCsr& a, int& count) {
  std::vector<int> block(a.rows, -1), todo;
  count = 0;
  for (int first = 0; first < a.rows; ++first) {
    if (block[first] >= 0) continue;
    block[first] = count;
    todo.assign(1, first);
    while (!todo.empty()) {
      const int i = todo.back();
      todo.pop_back();
      for (auto k = a.start[i]; k < a.start[i + 1]; ++k) {
        if (a.value[k] == 0 || block[a.column[k]] >= 0) continue;
        block[a.column[k]] = count;
        todo.push_back(a.column[k]);
      }
    }
    ++count;
  }
  return block;
}

}  // namespace

Vector random_vector(int n, std::uint64_t& state) {
  Vector v(n);
  for (double& x : v) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    x = double(std::int64_t(state >> 11)) / 4503599627370496.0 - 1;
  }
  return v;
}

double project_out(const std::vector<Vector>& vectors, Vector& b) {
  double square = 0;
  for (const Vector& v : vectors) {
    const double part = dot(v, b);
    for (std::size_t i = 0; i < b.size(); ++i) b[i] -= part * v[i];
    square += part * part;
  }
  return std::sqrt(square);
}

std::vector<Vector> null_vectors(const sparse::HostCsr& a, LinearSolver& solver, int max_iterations,
                                 bool* all) {
  constexpr int most_per_block = 8, most_in_all = 256;
  constexpr double zero = 1e-12, visible = 1e-6;
  int blocks = 0;
  const auto block = blocks_of(a, blocks);
  const double size = norm_of(a);
  std::vector<Vector> found;
  std::uint64_t state = 1;
  for (int round = 0; round <= most_per_block; ++round) {
    const Vector y = random_vector(a.rows, state);
    Vector z(a.rows, 0.0);
    solver.aim(1e-10, max_iterations);
    solver.solve(times(a, y), z);
    for (std::size_t i = 0; i < y.size(); ++i) z[i] = y[i] - z[i];
    // z is small where A has many rows and few such vectors: what the solve left of the rest goes by
    // others, not too exact, as rounding gives A z a part that no solution reaches
    solver.aim(1e-2, max_iterations);
    for (int k = 0; k < 3; ++k) {
      Vector left(a.rows, 0.0);
      if (!(solver.solve(times(a, z), left).residual < 0.1)) break;
      for (std::size_t i = 0; i < z.size(); ++i) z[i] -= left[i];
    }
    for (int twice = 0; twice < 2; ++twice) project_out(found, z);
    const Vector az = times(a, z);
    Vector zz(blocks, 0.0), aa(blocks, 0.0), yy(blocks, 0.0);
    for (int i = 0; i < a.rows; ++i) {
      zz[block[i]] += z[i] * z[i];
      aa[block[i]] += az[i] * az[i];
      yy[block[i]] += y[i] * y[i];
    }
    const std::size_t before = found.size();
    for (int k = 0; k < blocks && found.size() < most_in_all; ++k) {
      if (!(zz[k] > visible * visible * yy[k]) || !(aa[k] <= zero * zero * size * size * zz[k])) continue;
      Vector v(a.rows, 0.0);
      for (int i = 0; i < a.rows; ++i)
        if (block[i] == k) v[i] = z[i] / std::sqrt(zz[k]);
      found.push_back(std::move(v));
    }
    if (all) *all = found.size() == before;
    if (found.size() == before) break;
    if (round == most_per_block) found.resize(before);  // one round more only tells that there are more
  }
  return found;
}

}  // namespace umov::amg
