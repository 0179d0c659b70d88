// Requirements of conjugate gradients on a system, refused with the entry at fault.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/error.hpp"
#include "linalg/amg/solver.hpp"

namespace umov::amg {
namespace {

/// Entries are named as files and textbooks count them, from 1.
std::string entry(int i, int j) { return fmt::format("({}, {})", i + 1, j + 1); }

void check_rows(const sparse::HostCsr& a, const std::string& what) {
  for (int i = 0; i < a.rows; ++i)
    for (int k = a.start[i]; k < a.start[i + 1]; ++k) {
      const int j = a.column[k];
      if (j < 0 || j >= a.columns || (k > a.start[i] && j <= a.column[k - 1]))
        throw BadInput(
            fmt::format("{}: columns of row {} are out of order or range (each row lists its columns "
                        "once, ascending); sort them",
                        what, i + 1));
      if (!std::isfinite(a.value[k]))
        throw BadInput(fmt::format("{}: entry {} is {}; give finite numbers", what, entry(i, j), a.value[k]));
    }
}

/// Magnitudes of the diagonal, which must have one sign: that of `sign`.
std::vector<double> diagonal_of_one_sign(const sparse::HostCsr& a, int sign, const std::string& what) {
  std::vector<double> diagonal(a.rows, 0.0);
  for (int i = 0; i < a.rows; ++i) {
    double size = 0;
    for (int k = a.start[i]; k < a.start[i + 1]; ++k) {
      if (a.column[k] == i) diagonal[i] = sign * a.value[k];
      size += std::abs(a.value[k]);
    }
    if (diagonal[i] > 0) continue;
    if (size == 0)
      throw BadInput(
          fmt::format("{}: diagonal entry {} is 0, as all of row {} (element {} of x is in no equation); "
                      "leave out unknowns without an equation",
                      what, entry(i, i), i + 1, i + 1));
    throw BadInput(fmt::format(
        "{}: diagonal entry {} is {} (a positive definite matrix has positive ones, a negative definite one "
        "negative ones: this one is indefinite); check its signs, or use a solver for indefinite systems",
        what, entry(i, i), sign * diagonal[i]));
  }
  return diagonal;
}

void check_symmetry(const sparse::HostCsr& a, const std::vector<double>& diagonal, const std::string& what) {
  // what stands above the diagonal is met again below it, row by row in ascending order
  std::vector<int> next(a.start.begin(), a.start.end() - 1);
  const auto refuse = [&](int i, int j, double v, double w) {
    throw BadInput(
        fmt::format("{}: not symmetric (entry {} is {}, entry {} is {}); conjugate gradients need "
                    "a symmetric matrix",
                    what, entry(i, j), v, entry(j, i), w));
  };
  for (int i = 0; i < a.rows; ++i) {
    // entries (i, j < i) that no row j asked for
    for (; next[i] < a.start[i + 1] && a.column[next[i]] < i; ++next[i])
      if (std::abs(a.value[next[i]]) >
          1e-10 * std::sqrt(diagonal[i]) * std::sqrt(diagonal[a.column[next[i]]]))
        refuse(i, a.column[next[i]], a.value[next[i]], 0);
    for (int k = a.start[i]; k < a.start[i + 1]; ++k) {
      const int j = a.column[k];
      if (j <= i) continue;
      const double size = std::sqrt(diagonal[i]) * std::sqrt(diagonal[j]), least = 1e-10 * size;
      int& l = next[j];
      for (; l < a.start[j + 1] && a.column[l] < i; ++l)
        if (std::abs(a.value[l]) > 1e-10 * std::sqrt(diagonal[j]) * std::sqrt(diagonal[a.column[l]]))
          refuse(j, a.column[l], a.value[l], 0);
      const double other = l < a.start[j + 1] && a.column[l] == i ? a.value[l++] : 0;
      if (std::abs(other - a.value[k]) > least) refuse(i, j, a.value[k], other);
      if (std::abs(a.value[k]) > (1 + 1e-8) * size)
        throw BadInput(
            fmt::format("{}: entry {} is {}, more than the square root of the diagonal entries {} and {} "
                        "allows in a definite matrix: this one is indefinite; check its signs, or use a "
                        "solver for indefinite systems",
                        what, entry(i, j), a.value[k], entry(i, i), entry(j, j)));
    }
  }
}

}  // namespace

int check_system(const sparse::HostCsr& a, const std::string& what) {
  if (a.rows != a.columns)
    throw BadInput(
        fmt::format("{}: {} rows but {} columns (only square systems have a solver here); solve the "
                    "normal equations of a least-squares problem",
                    what, a.rows, a.columns));
  if (a.rows == 0) throw BadInput(fmt::format("{}: no rows (nothing to solve); check the file", what));
  check_rows(a, what);
  int sign = 1;
  for (int k = a.start[0]; k < a.start[1]; ++k)
    if (a.column[k] == 0 && a.value[k] < 0) sign = -1;
  check_symmetry(a, diagonal_of_one_sign(a, sign, what), what);
  return sign;
}

}  // namespace umov::amg
