// Lines of graded axes for tests.
#pragma once

#include <cmath>
#include <vector>

#include "core/types.hpp"

namespace umov::test {

/// Lines x(u) = L (u / n + a sin(2 pi u / n) / 2 pi), whose cells go smoothly from 1 - a to 1 + a of the
/// mean.
inline std::vector<double> wavy(int n, double length, double a) {
  std::vector<double> x;
  for (int i = 0; i <= n; ++i)
    x.push_back(length * (double(i) / n + a * std::sin(2 * pi * i / n) / (2 * pi)));
  return x;
}

inline std::vector<double> centred(std::vector<double> x) {
  const double half = (x.front() + x.back()) / 2;
  for (double& v : x) v -= half;
  return x;
}

/// Every cell cut into `n` equal ones.
inline std::vector<double> refined(const std::vector<double>& x, int n) {
  std::vector<double> y;
  for (std::size_t i = 0; i + 1 < x.size(); ++i)
    for (int k = 0; k < n; ++k) y.push_back(x[i] + (x[i + 1] - x[i]) * k / n);
  y.push_back(x.back());
  return y;
}

inline std::vector<double> equal(int n, double length) {
  std::vector<double> x;
  for (int i = 0; i <= n; ++i) x.push_back(length * (double(i) / n - 0.5));
  return x;
}

}  // namespace umov::test
