// A system brought into the reach of the solver's arithmetic, and its solution brought back.
#pragma once

#include <vector>

#include "linalg/sparse/csr.hpp"
#include "linalg/sparse/wide.hpp"

namespace umov::amg {

/// A' = sign S A S with S = diag(s), b' = sign S b, x = S x'. What scaling there is does not change the
/// numbers' signs: A' has as many positive and negative eigenvalues as sign A (Sylvester).
class Scaling {
 public:
  enum class Rows {
    keep,    ///< all s alike: a power of two, 1 unless numbers lie outside of 1e-50 .. 1e50
    divide,  ///< s_i = |a_ii|^-1/2: the diagonal becomes 1
    choose   ///< divide where that makes sums of rows much smaller, or the diagonal spans more than 1e30
  };
  /// `a` must stay where it is.
  Scaling(const sparse::HostCsr& a, int sign, Rows rows);

  const sparse::HostCsr& matrix() const { return plain_ ? *a_ : scaled_; }
  bool by_rows() const { return by_rows_; }
  int sign() const { return sign_; }
  /// Largest over smallest magnitude on the diagonal.
  long double span() const { return span_; }

  /// b' over 2^exponent, the exponent being 0 unless numbers lie outside of 1e-50 .. 1e50.
  std::vector<double> right_side(const sparse::Wide& b, int& exponent) const;
  /// x of the x' that belongs to such a right-hand side.
  sparse::Wide solution(const std::vector<double>& x, int exponent) const;
  long double factor(int i) const { return factor_.empty() ? uniform_ : factor_[i]; }

 private:
  const sparse::HostCsr* a_;
  int sign_;
  bool by_rows_ = false, plain_ = true;
  long double uniform_ = 1, span_ = 1;
  sparse::Wide factor_;
  sparse::HostCsr scaled_;
};

}  // namespace umov::amg
