// Filter diagonalisation: a small generalised eigenproblem per window of the band.
#include "fdtd/observables/harmonic_inversion.hpp"

#include <fmt/format.h>

#include <Eigen/Dense>
#include <algorithm>
#include <limits>

#include "core/error.hpp"

namespace umov::fdtd {
namespace {

using Matrix = Eigen::MatrixXcd;
using Vector = Eigen::VectorXcd;

/// Basis functions per resolution cell 2 / duration; more than one, so that lines between two of them are
/// spanned well.
constexpr double density = 1.4;
constexpr int least_functions = 16, most_functions = 96;
/// Singular values of the overlap matrix below this fraction of the largest are rounding.
constexpr double rank_threshold = 1e-13;

/// The signal's sums with one basis function a^s, |a| = 1, for three shifts of the signal: over the first
/// half, over the second half, and with triangular weights over all.
struct FilteredSums {
  std::array<cplx, 3> first, second, triangle;
};

FilteredSums filter(std::span<const cplx> c, index_t half, double angle) {
  FilteredSums sums{};
  const cplx a = std::polar(1.0, angle);
  cplx power = 1;
  for (index_t s = 0; s <= 2 * half; ++s) {
    if (s % 256 == 0) power = std::polar(1.0, std::fmod(angle * double(s), 2 * pi));
    const double weight = double(half - std::abs(half - s) + 1);
    for (int p = 0; p < 3; ++p) {
      const cplx term = c[s + p] * power;
      (s <= half ? sums.first : sums.second)[p] += term;
      sums.triangle[p] += weight * term;
    }
    power *= a;
  }
  return sums;
}

/// Matrices <j| U^p |j'> of the evolution by p steps between basis functions, p = 0, 1, 2: the double sums
/// over c(n + m + p) a_j^n a_j'^m, n, m = 0 .. half, done along n in closed form (eq. 2.23).
struct Pencil {
  std::array<Matrix, 3> u;
  Vector overlap;  ///< of each basis function with the initial state

  Pencil(std::span<const cplx> c, const std::vector<double>& angles) {
    const index_t half = (index_t(c.size()) - 3) / 2;
    const int n = int(angles.size());
    std::vector<FilteredSums> sums;
    for (double angle : angles) sums.push_back(filter(c, half, angle));
    overlap.resize(n);
    for (int j = 0; j < n; ++j) overlap[j] = sums[j].first[0];
    const auto power = [&](int j, index_t s) {
      return std::polar(1.0, std::fmod(angles[j] * double(s), 2 * pi));
    };
    for (int p = 0; p < 3; ++p) {
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

/// A line of the window before filtering: exp(-i w step) = u.
struct Line {
  cplx angular;    ///< w times step
  cplx amplitude;  ///< of exp(-i w t)
  double error;
};

/// Eigenvectors of the pencil in the space that the overlap matrix spans, normalised by b^T U0 b = 1 since
/// all matrices are symmetric, not Hermitian.
std::vector<Line> solve(const Pencil& pencil, double center) {
  const Eigen::BDCSVD<Matrix> svd(pencil.u[0], Eigen::ComputeThinU | Eigen::ComputeThinV);
  const auto& sigma = svd.singularValues();
  if (!(sigma[0] > 0) || !std::isfinite(sigma[0])) return {};
  const int rank = int((sigma.array() > rank_threshold * sigma[0]).count());
  const Eigen::VectorXd scale = sigma.head(rank).cwiseSqrt().cwiseInverse();
  const Matrix left = svd.matrixU().leftCols(rank) * scale.asDiagonal();
  const Matrix right = svd.matrixV().leftCols(rank) * scale.asDiagonal();
  const Eigen::ComplexEigenSolver<Matrix> eigen(left.adjoint() * pencil.u[1] * right);
  std::vector<Line> lines;
  for (int k = 0; k < rank; ++k) {
    const Vector b = right * eigen.eigenvectors().col(k);
    const cplx one = b.transpose() * pencil.u[0] * b;
    const cplx two = b.transpose() * pencil.u[2] * b;
    const cplx value = eigen.eigenvalues()[k], projected = b.transpose() * pencil.overlap;
    if (one == 0.0 || value == 0.0) continue;
    // Angles are taken relative to the window's centre, so that the logarithm stays on its sheet.
    const cplx shift = std::polar(1.0, center);
    const cplx from_one = cplx(0, 1) * std::log(value * shift) + center;
    const cplx from_two = cplx(0, 0.5) * std::log(two / one * shift * shift) + center;
    lines.push_back({from_one, projected * projected / one, std::abs(from_two / from_one - 1.0)});
  }
  return lines;
}

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

Resonance to_resonance(const Line& line, double step) {
  Resonance r;
  r.frequency = line.angular.real() / (2 * pi * step);
  r.quality = line.angular.real() / (-2 * line.angular.imag());
  r.amplitude = std::abs(line.amplitude);
  r.phase = std::arg(line.amplitude) * 180 / pi;
  r.error = line.error;
  return r;
}

/// Whether a line stands for something in the signal; a decay too slow to be measured is bounded.
bool stands(Resonance& r, double duration, const InversionFilter& keep) {
  if (!(r.error <= keep.error && r.error * std::abs(r.frequency) * duration <= keep.resolution)) return false;
  const double least = std::max(keep.growth, r.error);
  if (std::abs(0.5 / r.quality) < least) r.quality = 0.5 / least;
  return r.quality >= keep.quality;
}

std::vector<Resonance> without_spurious(std::vector<Resonance> found, double duration,
                                        const InversionFilter& keep) {
  std::erase_if(found, [&](Resonance& r) { return !stands(r, duration, keep); });
  double largest = 0;
  for (const Resonance& r : found) largest = std::max(largest, r.amplitude);
  std::erase_if(found, [&](const Resonance& r) { return r.amplitude < keep.amplitude * largest; });
  std::sort(found.begin(), found.end(),
            [](const Resonance& a, const Resonance& b) { return a.frequency < b.frequency; });
  return found;
}

void check_band(double step, double from, double to) {
  if (!(from < to))
    throw BadInput(
        fmt::format("empty frequency band {} to {} (from must be below to) exchange them", from, to));
  if (!(std::max(std::abs(from), std::abs(to)) * step < 0.5))
    throw BadInput(
        fmt::format("frequency band {} to {} ends above half the sampling rate {} (aliases) sample "
                    "more often or lower the band",
                    from, to, 0.5 / step));
}

}  // namespace

std::vector<Resonance> harmonic_inversion(std::span<const cplx> samples, double step, double from, double to,
                                          const InversionFilter& keep) {
  check_band(step, from, to);
  if (samples.size() < 8) return {};
  const double per_frequency = density * double(samples.size()) * step / 2;
  std::vector<Resonance> found;
  for (const Window& w : windows(from, to, most_functions / per_frequency)) {
    const int wanted = std::max(least_functions, int(std::ceil(per_frequency * (w.to - w.from))));
    const int functions = std::min(wanted, int(samples.size() / 4));
    std::vector<double> angles;
    for (int j = 0; j < functions; ++j)
      angles.push_back(2 * pi * step * (w.from + (w.to - w.from) * (j + 0.5) / functions));
    for (const Line& line : solve(Pencil(samples, angles), pi * step * (w.from + w.to))) {
      const Resonance r = to_resonance(line, step);
      if (r.frequency >= w.keep_from && r.frequency < w.keep_to) found.push_back(r);
    }
  }
  return without_spurious(std::move(found), double(samples.size()) * step, keep);
}

std::vector<Resonance> harmonic_inversion(std::span<const double> samples, double step, double from,
                                          double to, const InversionFilter& keep) {
  const std::vector<cplx> values(samples.begin(), samples.end());
  auto found = harmonic_inversion(std::span<const cplx>(values), step, from, to, keep);
  for (Resonance& r : found) r.amplitude *= 2;  // the other half sits at the negative frequency
  return found;
}

}  // namespace umov::fdtd
