// Filter diagonalisation: a small generalised eigenproblem per window of the band.
#include "fdtd/observables/filter_diagonalisation.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <array>
#include <cmath>

namespace umov::fdtd {
namespace {

using Matrix = Eigen::MatrixXcd;
using Vector = Eigen::VectorXcd;

/// Basis functions per resolution cell 2 / duration; more than one, so that lines between two of them are
/// spanned well.
constexpr double density = 1.4;
constexpr int least_functions = 16, most_functions = 96;

/// The signal's sums with one basis function a^s, |a| = 1, for two shifts of the signal: over the first half,
/// over the second half, and with triangular weights over all.
struct FilteredSums {
  std::array<cplx, 2> first, second, triangle;
};

FilteredSums filter(std::span<const cplx> c, index_t half, double angle) {
  FilteredSums sums{};
  const cplx a = std::polar(1.0, angle);
  cplx power = 1;
  for (index_t s = 0; s <= 2 * half; ++s) {
    if (s % 256 == 0) power = std::polar(1.0, std::fmod(angle * double(s), 2 * pi));
    const double weight = double(half - std::abs(half - s) + 1);
    for (int p = 0; p < 2; ++p) {
      const cplx term = c[s + p] * power;
      (s <= half ? sums.first : sums.second)[p] += term;
      sums.triangle[p] += weight * term;
    }
    power *= a;
  }
  return sums;
}

/// Matrices <j| U^p |j'> of the evolution by p steps between basis functions, p = 0, 1: the double sums
/// over c(n + m + p) a_j^n a_j'^m, n, m = 0 .. half, done along n in closed form (eq. 2.23).
struct Pencil {
  std::array<Matrix, 2> u;
  Vector overlap;  ///< of each basis function with the initial state

  Pencil(std::span<const cplx> c, const std::vector<double>& angles) {
    const index_t half = (index_t(c.size()) - 2) / 2;
    const int n = int(angles.size());
    std::vector<FilteredSums> sums;
    for (double angle : angles) sums.push_back(filter(c, half, angle));
    overlap.resize(n);
    for (int j = 0; j < n; ++j) overlap[j] = sums[j].first[0];
    const auto power = [&](int j, index_t s) {
      return std::polar(1.0, std::fmod(angles[j] * double(s), 2 * pi));
    };
    for (int p = 0; p < 2; ++p) {
      u[p].resize(n, n);
      for (int j = 0; j < n; ++j) {
        u[p](j, j) = sums[j].triangle[p];
        for (int l = 0; l < j; ++l) {
          const cplx a = power(j, 1), b = power(l, 1);
          const cplx low = a * sums[j].first[p] - b * sums[l].first[p];
          const cplx high = power(j, half + 1) * power(l, -half) * sums[l].second[p] -
                            power(l, half + 1) * power(j, -half) * sums[j].second[p];
          u[p](j, l) = u[p](l, j) = (low + high) / (a - b);
        }
      }
    }
  }
};

/// The overlap matrix in its singular vectors, for any rank.
class Subspace {
 public:
  explicit Subspace(const Pencil& pencil)
      : pencil_(pencil), svd_(pencil.u[0], Eigen::ComputeThinU | Eigen::ComputeThinV) {}

  int rank(double threshold) const {
    const auto& sigma = svd_.singularValues();
    if (!(sigma[0] > 0) || !std::isfinite(sigma[0])) return 0;
    return int((sigma.array() > threshold * sigma[0]).count());
  }

  /// Eigenvectors of the pencil in the space of the largest singular values, normalised by b^T U0 b = 1 since
  /// all matrices are symmetric, not Hermitian. Angles are taken relative to the window's centre, so that the
  /// logarithm stays on its sheet.
  std::vector<Line> lines(int rank, double center) const {
    std::vector<Line> found;
    if (rank == 0) return found;
    const Eigen::VectorXd scale = svd_.singularValues().head(rank).cwiseSqrt().cwiseInverse();
    const Matrix left = svd_.matrixU().leftCols(rank) * scale.asDiagonal();
    const Matrix right = svd_.matrixV().leftCols(rank) * scale.asDiagonal();
    const Eigen::ComplexEigenSolver<Matrix> eigen(left.adjoint() * pencil_.u[1] * right);
    for (int k = 0; k < rank; ++k) {
      const Vector b = right * eigen.eigenvectors().col(k);
      const cplx one = b.transpose() * pencil_.u[0] * b, projected = b.transpose() * pencil_.overlap;
      const cplx value = eigen.eigenvalues()[k];
      if (one == 0.0 || value == 0.0) continue;
      const cplx angular = cplx(0, 1) * std::log(value * std::polar(1.0, center)) + center;
      found.push_back({angular, projected * projected / one});
    }
    return found;
  }

 private:
  const Pencil& pencil_;
  Eigen::BDCSVD<Matrix> svd_;
};

/// Windows of the band: few enough basis functions each, overlapping by half so that every line is away from
/// the rim of one of them.
struct Window {
  double from, to, keep_from, keep_to;
};

std::vector<Window> windows(double from, double to, double width_limit) {
  const double width = to - from;
  if (width <= width_limit) return {{from, to, from, to}};
  const int count = int(std::ceil(2 * width / width_limit));
  const double part = width / count;
  std::vector<Window> result;
  for (int w = 0; w < count; ++w) {
    const double lo = from + w * part, hi = lo + part;
    result.push_back({std::max(from, lo - part / 2), std::min(to, hi + part / 2), lo, hi});
  }
  return result;
}

}  // namespace

std::vector<std::vector<Line>> filter_diagonalisation(std::span<const cplx> samples, double step,
                                                      const Band& band,
                                                      const std::vector<double>& thresholds) {
  std::vector<std::vector<Line>> found(thresholds.size());
  if (samples.size() < 8) return found;
  const double per_frequency = density * double(samples.size()) * step / 2;
  for (const Window& w : windows(band.from, band.to, most_functions / per_frequency)) {
    const int wanted = std::max(least_functions, int(std::ceil(per_frequency * (w.to - w.from))));
    const int functions = std::max(2, std::min(wanted, int(samples.size() / 4)));
    std::vector<double> angles;
    for (int j = 0; j < functions; ++j)
      angles.push_back(2 * pi * step * (w.from + (w.to - w.from) * (j + 0.5) / functions));
    const Pencil pencil(samples, angles);
    const Subspace space(pencil);
    // A line on the border of two windows may be found by both.
    const auto seen = [&](const std::vector<Line>& list, std::size_t count, const Line& line) {
      return std::any_of(list.begin(), list.begin() + std::ptrdiff_t(count), [&](const Line& other) {
        return std::abs(other.angular - line.angular) < 0.1 * 2 * pi / double(samples.size());
      });
    };
    int last = -1;
    std::vector<Line> lines;
    for (std::size_t t = 0; t < thresholds.size(); ++t) {
      if (const int rank = space.rank(thresholds[t]); rank != last) {
        lines = space.lines(rank, pi * step * (w.from + w.to));
        last = rank;
      }
      const std::size_t before = found[t].size();
      for (const Line& line : lines) {
        const double f = line.angular.real() / (2 * pi * step);
        if (f >= w.keep_from && f < w.keep_to && !seen(found[t], before, line)) found[t].push_back(line);
      }
    }
  }
  return found;
}

}  // namespace umov::fdtd
