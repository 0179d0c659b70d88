// Directions of negative curvature and the softest direction of a matrix scaled to unit diagonal.
#include "linalg/amg/diagnosis.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include "linalg/amg/null_space.hpp"

namespace umov::amg {
namespace {

using sparse::HostCsr;
using sparse::Wide;

/// 1 / sqrt of the diagonal's magnitudes.
Wide inverse_roots(const HostCsr& a) {
  Wide s(a.rows, 1.0L);
  for (int i = 0; i < a.rows; ++i)
    for (int k = a.start[i]; k < a.start[i + 1]; ++k)
      if (a.column[k] == i && a.value[k] != 0)
        s[i] = 1 / std::sqrt(std::abs(static_cast<long double>(a.value[k])));
  return s;
}

/// Products with A scaled to unit diagonal.
class UnitDiagonal {
 public:
  explicit UnitDiagonal(const HostCsr& a, int sign = 1) : a_(a), s_(inverse_roots(a)), sign_(sign) {}
  Wide times(const Wide& x) const {
    Wide sx(x), y(x.size(), 0.0L);
    for (std::size_t i = 0; i < x.size(); ++i) sx[i] *= s_[i];
#pragma omp parallel for schedule(static) if (a_.rows >= sparse::worth_threads)
    for (int i = 0; i < a_.rows; ++i) {
      for (int k = a_.start[i]; k < a_.start[i + 1]; ++k) y[i] += a_.value[k] * sx[a_.column[k]];
      y[i] *= sign_ * s_[i];
    }
    return y;
  }
  /// sum |x_i a_ij x_j|: a relative change e of the entries changes x . A x by no more than e times this.
  long double magnitude(const Wide& x) const {
    long double sum = 0;
    for (int i = 0; i < a_.rows; ++i)
      for (int k = a_.start[i]; k < a_.start[i + 1]; ++k)
        sum += std::abs(x[i] * s_[i] * a_.value[k] * s_[a_.column[k]] * x[a_.column[k]]);
    return sum;
  }
  const Wide& scale() const { return s_; }

 private:
  const HostCsr& a_;
  Wide s_;
  int sign_;
};

NegativeCurvature describe(const UnitDiagonal& matrix, const Wide& p, long double pq) {
  long double square = 0, most = 0;
  int largest = 0;
  for (std::size_t i = 0; i < p.size(); ++i) {
    const long double v = p[i] * matrix.scale()[i];
    square += v * v;
    if (std::abs(v) > most) most = std::abs(v), largest = int(i);
  }
  return {double(pq / square), largest};
}

}  // namespace

std::optional<NegativeCurvature> negative_curvature(const HostCsr& a, int sign) {
  constexpr int most_products = 1000;
  constexpr long double rounding = 1e-14L;
  const UnitDiagonal matrix(a, sign);
  std::uint64_t state = 7;
  const auto start = random_vector(a.rows, state);
  Wide r(start.begin(), start.end()), p = r;
  const long double first = sparse::dot_wide(r, r);
  long double rr = first;
  for (int k = 0; k < most_products; ++k) {
    const Wide q = matrix.times(p);
    const long double pq = sparse::dot_wide(p, q);
    if (!std::isfinite(pq)) return std::nullopt;
    if (pq <= 0) {
      if (pq < -rounding * matrix.magnitude(p)) return describe(matrix, p, pq);
      return std::nullopt;
    }
    const long double alpha = rr / pq, before = rr;
    for (std::size_t i = 0; i < r.size(); ++i) r[i] -= alpha * q[i];
    rr = sparse::dot_wide(r, r);
    if (!(rr > 1e-30L * first)) return std::nullopt;
    for (std::size_t i = 0; i < r.size(); ++i) p[i] = r[i] + rr / before * p[i];
  }
  return std::nullopt;
}

namespace {

/// y less the solver's answer to A x = A y, twice more.
Wide left_over(const HostCsr& a, LinearSolver& solver, const std::vector<double>& y, int max_iterations) {
  Wide z(y.begin(), y.end());
  for (const double tolerance : {1e-8, 1e-2, 1e-2}) {
    const Wide wide = sparse::times_wide(a, z);
    const std::vector<double> b(wide.begin(), wide.end());
    std::vector<double> x(b.size(), 0.0);
    solver.aim(tolerance, max_iterations);
    if (!(solver.solve(b, x).residual < 0.5)) break;
    for (std::size_t i = 0; i < x.size(); ++i) z[i] -= x[i];
  }
  return z;
}

/// Power iteration, some percent too small.
long double largest_eigenvalue(const UnitDiagonal& matrix, const std::vector<double>& start) {
  Wide z(start.begin(), start.end());
  long double most = 1;
  for (int k = 0; k < 20; ++k) {
    z = matrix.times(z);
    most = sparse::norm(z);
    for (long double& v : z) v /= most;
  }
  return most;
}

}  // namespace

Softest softest(const Scaling& scaling, LinearSolver& solver,
                const std::vector<std::vector<double>>& null_in_scaled, bool thorough, int max_iterations) {
  constexpr long double singular = 1e-14L;
  const HostCsr& a = scaling.matrix();
  const UnitDiagonal matrix(a);
  const Wide& s = matrix.scale();
  std::uint64_t state = 3;
  const auto start = random_vector(a.rows, state);
  const long double most = largest_eigenvalue(matrix, random_vector(a.rows, state));
  Wide best;
  long double least = std::numeric_limits<long double>::infinity();
  // y are vectors of the matrix of unit diagonal
  const auto consider = [&](const Wide& y) {
    const long double square = sparse::dot_wide(y, y),
                      quotient = sparse::dot_wide(y, matrix.times(y)) / square;
    if (square > 0 && quotient < least) least = quotient, best = y;
    return square > 0;
  };
  const auto without_null = [&](const Wide& of_a) {
    std::vector<double> x(of_a.begin(), of_a.end());
    project_out(null_in_scaled, x);
    return x;
  };
  Wide y(start.begin(), start.end());
  if (thorough) {
    const Wide z = left_over(a, solver, start, max_iterations);
    const long double size = sparse::norm(z);
    if (size > 0 && std::isfinite(size)) {
      const auto x = without_null(z);
      for (int i = 0; i < a.rows; ++i) y[i] = x[i] / s[i];
      if (!consider(y)) y.assign(start.begin(), start.end());
    }
  }
  solver.aim(1e-2, max_iterations);
  // inverse iteration on the matrix of unit diagonal: y = S^-1 A^-1 S^-1 y
  for (int k = 0; k < 6; ++k) {
    const long double size = sparse::norm(y);
    Wide right(a.rows);
    for (int i = 0; i < a.rows; ++i) right[i] = y[i] / size / s[i];
    std::vector<double> b = without_null(right), x(a.rows, 0.0);
    if (!(solver.solve(b, x).residual < 0.5)) {
      if (least < singular * most) break;
      return {};
    }
    project_out(null_in_scaled, x);
    for (int i = 0; i < a.rows; ++i) y[i] = x[i] / s[i];
    if (!consider(y)) break;
  }
  if (best.empty()) return {};
  Softest out;
  const long double zero = 1e-17L * most;  // below it: rounding
  out.condition = double(most / std::max(least, zero));
  out.cancelled = double(least * sparse::dot_wide(best, best) / matrix.magnitude(best));
  out.vector.resize(best.size());
  for (int i = 0; i < a.rows; ++i) out.vector[i] = scaling.factor(i) * s[i] * best[i];
  return out;
}

}  // namespace umov::amg
