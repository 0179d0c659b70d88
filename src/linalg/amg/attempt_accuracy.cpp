// How exact what an attempt found is: the softest vector, the digits of A and b, rows that norms do not see.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include "linalg/amg/attempt.hpp"

namespace umov::amg {

using sparse::HostCsr;
using sparse::Wide;

void Attempt::measure(Solution& s) {
  s_ = std::move(s);
  estimate();
  s = std::move(s_);
}

void Attempt::estimate() {
  constexpr double to_digits = 1e14, to_rounding = 1e-15, apart = 1e5;
  if (!s_.info.converged && !inconsistent_ && !near_floor()) {
    // nothing that the solver says of the matrix is worth more than its x
    s_.error = s_.error_of_length = std::numeric_limits<double>::quiet_NaN();
    return;
  }
  Softest soft = seek_softest();
  if (s_.info.converged && soft.cancelled < to_rounding && whole_ > 0 && !null_sought_ && find_null_space() &&
      shorten()) {
    correct(b_, whole_);
    soft = seek_softest();
  }
  if (soft.condition == 0) {
    if (s_.info.converged && whole_ > 0 && std::isfinite(s_.error)) {
      s_.error = s_.error_of_length = std::numeric_limits<double>::quiet_NaN();
      add_note("how exact x is could not be estimated: the solver fails on other right-hand sides");
    }
    return;
  }
  s_.condition = soft.condition;
  if (s_.info.converged && soft.condition > to_digits && !(null_sought_ && !null_.empty() && !all_found_))
    add_note(
        fmt::format("the matrix is all but singular to the digits of its entries (condition number about "
                    "{:.0e}): x is as "
                    "uncertain along one vector as the accuracy says",
                    soft.condition));
  const long double length = sparse::norm(s_.x);
  if (!(length > 0) || soft.cancelled < to_rounding) return;
  if (soft.condition >= apart && s_.info.converged) correct_along(soft.vector);
  Wide change(a_.rows, 0.0L);
  for (int i = 0; i < a_.rows; ++i) {
    for (int k = a_.start[i]; k < a_.start[i + 1]; ++k)
      change[i] += std::abs(static_cast<long double>(a_.value[k]) * s_.x[a_.column[k]]);
    change[i] *= 0x1p-53L;
  }
  // along the softest vector, which no residual of a solve sees: by e = v (v . r) / (v . A v)
  const Wide r = sparse::difference(b_, sparse::times_wide(a_, s_.x));
  const Wide& v = soft.vector;
  // that vector is one eigenvector only where its eigenvalue lies apart
  const long double moves =
      soft.condition < apart
          ? 0
          : sparse::norm(v) / std::abs(sparse::dot_wide(v, sparse::times_wide(a_, v))) / length;
  long double square = 0;
  for (std::size_t i = 0; i < v.size(); ++i) square += v[i] * change[i] * (v[i] * change[i]);
  const double along = double(std::sqrt(square) * moves);
  std::uint64_t state = 11;
  const auto sign = random_vector(a_.rows, state);
  for (int i = 0; i < a_.rows; ++i) change[i] *= sign[i];
  int exponent = 0;
  auto right = scaling_.right_side(change, exponent);
  amg::project_out(null_in_scaled_, right);
  std::vector<double> x(a_.rows, 0.0);
  solver_->aim(1e-2, request_.max_iterations);
  if (solver_->solve(right, x).residual < 0.1)
    s_.sensitivity = std::max(double(sparse::norm(scaling_.solution(x, exponent)) / length), along);
  if (std::isnan(s_.error_of_length)) return;
  unsolved_ = std::max(s_.error_of_length, double(std::abs(sparse::dot_wide(v, r)) * moves));
  s_.error_of_length = std::max(unsolved_, s_.sensitivity);
}

void Attempt::correct_along(const Wide& v) {
  const Wide r = sparse::difference(b_, sparse::times_wide(a_, s_.x));
  const long double step = sparse::dot_wide(v, r) / sparse::dot_wide(v, sparse::times_wide(a_, v));
  if (!std::isfinite(step)) return;
  Wide sum(s_.x.begin(), s_.x.end());
  for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += step * v[i];
  const auto candidate = rounded(sum);
  const double residual = residual_of(candidate);
  if (!(residual <= std::max(s_.info.residual, request_.tolerance))) return;
  s_.x = candidate;
  s_.info.residual = residual;
}

Softest Attempt::seek_softest() {
  return softest(scaling_, *solver_, null_in_scaled_, s_.info.converged, request_.max_iterations);
}

std::pair<double, int> Attempt::worst_row(const std::vector<double>& x) const {
  std::pair<double, int> worst{0, 0};
  for (int i = 0; i < a_.rows; ++i) {
    long double r = b_[i], size = std::abs(b_[i]);
    for (int k = a_.start[i]; k < a_.start[i + 1]; ++k) {
      const long double v = static_cast<long double>(a_.value[k]) * x[a_.column[k]];
      r -= v, size += std::abs(v);
    }
    if (size > 0) worst = std::max(worst, {double(std::abs(r) / size), i});
  }
  return worst;
}

double Attempt::floor_of(const std::vector<double>& x) const {
  Wide size(a_.rows, 0.0L);
  for (int i = 0; i < a_.rows; ++i)
    for (int k = a_.start[i]; k < a_.start[i + 1]; ++k) {
      const long double v = static_cast<long double>(a_.value[k]) * x[a_.column[k]];
      size[i] += v * v;  // roundings of the elements are independent
    }
  long double sum = 0;
  for (const long double v : size) sum += v;
  return whole_ > 0 ? double(0.3L * 0x1p-52L * std::sqrt(sum) / whole_) : 0;
}

}  // namespace umov::amg
