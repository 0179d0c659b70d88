#include "linalg/amg/null_space.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>

#include "linalg/amg/dense.hpp"
#include "linalg/sparse/wide.hpp"

namespace umov::amg {

namespace {

using Vector = std::vector<double>;

double dot(const Vector& a, const Vector& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

/// Rows of |A| |x|.
Vector magnitudes(const sparse::HostCsr& a, const Vector& x) {
  Vector y(x.size(), 0.0);
  for (int i = 0; i < a.rows; ++i)
    for (auto k = a.start[i]; k < a.start[i + 1]; ++k) y[i] += std::abs(a.value[k] * x[a.column[k]]);
  return y;
}

Vector times(const sparse::HostCsr& a, const Vector& x) {
  Vector y(x.size(), 0.0);
  for (int i = 0; i < a.rows; ++i)
    for (auto k = a.start[i]; k < a.start[i + 1]; ++k) y[i] += a.value[k] * x[a.column[k]];
  return y;
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
  // rounding of A's entries and of v's makes |A v| some 2^-53 of |A| |v|: good conductors that are tied
  // weakly to the rest have more, and are regular; of small systems elimination tells it, with exact vectors
  const double zero = a.rows <= DenseFactors::most_rows ? 1e-12 : 16 * 0x1p-53;
  constexpr double visible = 1e-6;
  int blocks = 0;
  const auto block = blocks_of(a, blocks);
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
    for (int k = 0; k < 5; ++k) {
      Vector left(a.rows, 0.0);
      const auto wide = sparse::times_wide(a, z);
      if (!(solver.solve({wide.begin(), wide.end()}, left).residual < 0.1)) break;
      for (std::size_t i = 0; i < z.size(); ++i) z[i] -= left[i];
    }
    for (int twice = 0; twice < 2; ++twice) project_out(found, z);
    const auto az = sparse::times_wide(a, z);
    const Vector terms = magnitudes(a, z);
    Vector zz(blocks, 0.0), aa(blocks, 0.0), yy(blocks, 0.0), tt(blocks, 0.0);
    for (int i = 0; i < a.rows; ++i) {
      zz[block[i]] += z[i] * z[i];
      aa[block[i]] += double(az[i] * az[i]);
      tt[block[i]] += terms[i] * terms[i];
      yy[block[i]] += y[i] * y[i];
    }
    const std::size_t before = found.size();
    for (int k = 0; k < blocks && found.size() < most_in_all; ++k) {
      if (!(zz[k] > visible * visible * yy[k]) || !(aa[k] <= zero * zero * tt[k])) continue;
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
