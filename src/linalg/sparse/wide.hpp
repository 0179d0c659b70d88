// Products, sums and norms in extended precision, by which answers are measured: their exponents reach
// squares of any double, and their rounding is 2000 times smaller.
#pragma once

#include <cmath>
#include <vector>

#include "linalg/sparse/csr.hpp"

namespace umov::sparse {

using Wide = std::vector<long double>;

template <class List>
Wide times_wide(const HostCsr& a, const List& x) {
  Wide y(a.rows, 0.0L);
  for (int i = 0; i < a.rows; ++i)
    for (int k = a.start[i]; k < a.start[i + 1]; ++k)
      y[i] += static_cast<long double>(a.value[k]) * x[a.column[k]];
  return y;
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
