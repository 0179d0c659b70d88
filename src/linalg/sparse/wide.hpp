// Products, sums and norms in extended precision, by which answers are measured: their exponents reach
// squares of any double, and their rounding is 2000 times smaller.
#pragma once

#include <cmath>
#include <vector>

#include "linalg/sparse/csr.hpp"

namespace umov::sparse {

using Wide = std::vector<long double>;

/// Rows of a product from which on it is the work of all threads.
inline constexpr int worth_threads = 20000;

template <class List>
Wide times_wide(const HostCsr& a, const List& x) {
  Wide y(a.rows, 0.0L);
#pragma omp parallel for schedule(static) if (a.rows >= worth_threads)
  for (int i = 0; i < a.rows; ++i)
    for (int k = a.start[i]; k < a.start[i + 1]; ++k)
      y[i] += static_cast<long double>(a.value[k]) * x[a.column[k]];
  return y;
}

/// b - A x with every product and sum in twice the digits: a residual that is right where b and A x agree in
/// all digits of extended precision (Ogita, Rump and Oishi 2005, SIAM J. Sci. Comput. 26, 1955, Dot2).
inline Wide residual_in_twice_the_digits(const Wide& b, const HostCsr& a, const Wide& x) {
  Wide r(b);
  for (int i = 0; i < a.rows; ++i) {
    long double lost = 0;
    for (int k = a.start[i]; k < a.start[i + 1]; ++k) {
      const long double minus = -static_cast<long double>(a.value[k]), at = x[a.column[k]];
      const long double product = minus * at, sum = r[i] + product, of_product = sum - r[i];
      lost += std::fma(minus, at, -product) + ((r[i] - (sum - of_product)) + (product - of_product));
      r[i] = sum;
    }
    r[i] += lost;
  }
  return r;
}

/// a - b
template <class A, class B>
Wide difference(const A& a, const B& b) {
  Wide d(a.begin(), a.end());
  for (std::size_t i = 0; i < d.size(); ++i) d[i] -= b[i];
  return d;
}

template <class A, class B>
long double dot_wide(const A& a, const B& b) {
  long double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += static_cast<long double>(a[i]) * b[i];
  return sum;
}

template <class List>
long double norm(const List& v) {
  return std::sqrt(dot_wide(v, v));
}

}  // namespace umov::sparse
