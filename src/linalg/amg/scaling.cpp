#include "linalg/amg/scaling.hpp"

#include <algorithm>
#include <cmath>

namespace umov::amg {
namespace {

using sparse::HostCsr;
using sparse::Wide;

/// The power of two by which the largest magnitude comes to lie in [0.5, 1): sums of squares of what is below
/// 1e-154 or above 1e154 would be zero or infinite. 0 for zeros, and where no more than 1e50 is at stake:
/// results stay the same to the bit there.
template <class List>
int exponent_of(const List& values) {
  long double most = 0;
  for (const long double v : values) most = std::max(most, std::abs(v));
  if (most == 0 || (most > 1e-50L && most < 1e50L)) return 0;
  int exponent = 0;
  std::frexp(most, &exponent);
  return exponent;
}

Wide diagonal_of(const HostCsr& a) {
  Wide d(a.rows, 0.0L);
  for (int i = 0; i < a.rows; ++i)
    for (int k = a.start[i]; k < a.start[i + 1]; ++k)
      if (a.column[k] == i) d[i] = std::abs(a.value[k]);
  return d;
}

/// Median over rows of |sum a_ij s_j| / sum |a_ij| s_j: small where the vector s is nearly mapped to zero, as
/// multigrid's coarse spaces assume of constants.
double row_sums(const HostCsr& a, const Wide& s) {
  std::vector<double> of_row(a.rows);
  for (int i = 0; i < a.rows; ++i) {
    long double sum = 0, size = 0;
    for (int k = a.start[i]; k < a.start[i + 1]; ++k) {
      const long double v = a.value[k] * s[a.column[k]];
      sum += v, size += std::abs(v);
    }
    of_row[i] = size > 0 ? double(std::abs(sum) / size) : 0;
  }
  const auto middle = of_row.begin() + a.rows / 2;
  std::nth_element(of_row.begin(), middle, of_row.end());
  return *middle;
}

}  // namespace

Scaling::Scaling(const HostCsr& a, int sign, Rows rows) : a_(&a), sign_(sign) {
  Wide s = diagonal_of(a);
  const auto [low, high] = std::minmax_element(s.begin(), s.end());
  span_ = *high / *low;
  for (long double& v : s) v = 1 / std::sqrt(v);
  by_rows_ = rows == Rows::divide;
  if (rows == Rows::choose && span_ > 100) {
    const double kept = row_sums(a, Wide(a.rows, 1.0L));
    by_rows_ = span_ > 1e30L || row_sums(a, s) < 0.1 * kept;
  }
  if (by_rows_) factor_ = std::move(s);
  // s^2 is a power of two, and so is s
  const int exponent = by_rows_ ? 0 : exponent_of(a.value) / 2;
  uniform_ = std::ldexp(1.0L, -exponent);
  plain_ = !by_rows_ && exponent == 0 && sign == 1;
  if (plain_) return;
  scaled_ = a;
  for (int i = 0; i < a.rows; ++i)
    for (int k = a.start[i]; k < a.start[i + 1]; ++k)
      scaled_.value[k] = double(sign * factor(i) * a.value[k] * factor(a.column[k]));
}

std::vector<double> Scaling::right_side(const Wide& b, int& exponent) const {
  Wide wide(b.size());
  for (std::size_t i = 0; i < b.size(); ++i) wide[i] = sign_ * factor(int(i)) * b[i];
  exponent = exponent_of(wide);
  std::vector<double> out(b.size());
  for (std::size_t i = 0; i < b.size(); ++i) out[i] = double(std::ldexp(wide[i], -exponent));
  return out;
}

Wide Scaling::solution(const std::vector<double>& x, int exponent) const {
  Wide out(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) out[i] = std::ldexp(factor(int(i)) * x[i], exponent);
  return out;
}

}  // namespace umov::amg
