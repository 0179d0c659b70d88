// Small dense algebra behind a basis of long vectors: which combinations of them to keep.
#pragma once

#include <vector>

namespace umov::linalg {

/// A dense matrix of a few rows and columns, by columns.
struct SmallMatrix {
  int rows = 0, columns = 0;
  std::vector<double> value;

  SmallMatrix() = default;
  SmallMatrix(int r, int c) : rows(r), columns(c), value(std::size_t(r) * c, 0.0) {}
  double& operator()(int i, int j) { return value[std::size_t(j) * rows + i]; }
  double operator()(int i, int j) const { return value[std::size_t(j) * rows + i]; }
};

/// Vectors X = V R with V orthonormal, R [directions][vectors]: V becomes V `turn`, R becomes `rest`.
struct NewBasis {
  SmallMatrix turn;  ///< [directions before][directions after]
  SmallMatrix rest;  ///< [directions after][vectors]
};

/// Proper orthogonal decomposition of X, most important direction first, without those whose singular value
/// is at most `drop` of the largest, and `most` of them where that is not 0. From R itself: the eigenvalues
/// of the Gram matrix R^T R, which are its squares, would lose half of the digits.
NewBasis principal_directions(const SmallMatrix& r, double drop, int most = 0);

/// The same X where lengths and angles have changed: V^T A V = `gram`, symmetric. Directions whose eigenvalue
/// is at most `drop` of the largest are left out, as are all where `gram` holds what is no number.
NewBasis orthonormal_again(const SmallMatrix& gram, const SmallMatrix& r, double drop);

/// R without its first column, and with one more.
SmallMatrix without_first(const SmallMatrix& r);
SmallMatrix with_column(const SmallMatrix& r, const std::vector<double>& column);

}  // namespace umov::linalg
