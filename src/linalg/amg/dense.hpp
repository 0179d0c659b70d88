// A small system by elimination in extended precision: what iterations in double cannot decide.
#pragma once

#include <limits>
#include <optional>
#include <vector>

#include "linalg/sparse/csr.hpp"
#include "linalg/sparse/wide.hpp"

namespace umov::amg {

/// L D L^T of the matrix scaled to unit diagonal, without pivoting, as is safe for a positive definite one.
class DenseFactors {
 public:
  /// At most so many rows: 0.1 s and 4 MB.
  static constexpr int most_rows = 500;

  enum class Kind {
    definite,            ///< and regular, whatever the last digits of its entries are
    singular_in_digits,  ///< singular, or made so by changes of some 2^-53 of its entries
    not_definite         ///< indefinite, or beyond what extended precision tells
  };
  /// `sign` A is factored.
  DenseFactors(const sparse::HostCsr& a, int sign);
  Kind kind() const { return kind_; }

  struct Solved {
    sparse::Wide x;
    sparse::Wide left;  ///< about A^-1 b - x: what one more correction would add
  };
  /// A^-1 b with corrections, their residuals in twice the digits, until they fall no more: right to the
  /// digits of extended precision, not to them over the condition number. Definite ones only.
  Solved solve(const sparse::Wide& b) const;
  /// Largest over least eigenvalue of the matrix of unit diagonal, some per cents too small.
  double condition() const;

 private:
  sparse::Wide substitute(sparse::Wide b) const;
  /// v with L^T v = e_k: v . A v is the pivot k.
  sparse::Wide vector_of_pivot(int k) const;
  void judge();
  long double& at(int i, int j) { return factor_[std::size_t(i) * n_ + j]; }
  long double at(int i, int j) const { return factor_[std::size_t(i) * n_ + j]; }

  const sparse::HostCsr& a_;
  int n_, sign_;
  Kind kind_ = Kind::definite;
  sparse::Wide scale_, factor_, pivot_;
};

}  // namespace umov::amg
