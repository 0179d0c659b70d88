// Singular values and eigenvectors of matrices of at most some twenty rows.
#include "linalg/small_basis.hpp"

#include <Eigen/Eigenvalues>
#include <Eigen/SVD>
#include <algorithm>

namespace umov::linalg {

namespace {

using Dense = Eigen::MatrixXd;

Dense dense_of(const SmallMatrix& m) {
  return m.value.empty() ? Dense(m.rows, m.columns)
                         : Dense(Eigen::Map<const Dense>(m.value.data(), m.rows, m.columns));
}
SmallMatrix small_of(const Dense& d) {
  SmallMatrix m(int(d.rows()), int(d.cols()));
  std::copy_n(d.data(), d.size(), m.value.data());
  return m;
}

}  // namespace

NewBasis principal_directions(const SmallMatrix& r, double drop, int most) {
  if (r.rows == 0 || r.columns == 0) return {SmallMatrix(r.rows, 0), SmallMatrix(0, r.columns)};
  const Eigen::JacobiSVD<Dense> svd(dense_of(r), Eigen::ComputeThinU | Eigen::ComputeThinV);
  const auto& s = svd.singularValues();
  int kept = 0;
  const auto end = most > 0 ? std::min<Eigen::Index>(most, s.size()) : s.size();
  while (kept < end && s[kept] > drop * s[0]) ++kept;
  return {small_of(svd.matrixU().leftCols(kept)),
          small_of(s.head(kept).asDiagonal() * svd.matrixV().leftCols(kept).transpose())};
}

NewBasis orthonormal_again(const SmallMatrix& gram, const SmallMatrix& r, double drop) {
  const NewBasis nothing{SmallMatrix(gram.rows, 0), SmallMatrix(0, r.columns)};
  const Dense h = dense_of(gram);
  if (gram.rows == 0 || !h.allFinite()) return nothing;
  const Eigen::SelfAdjointEigenSolver<Dense> eigen(h);  // ascending
  const auto& s = eigen.eigenvalues();
  int kept = 0;
  const double largest = s[s.size() - 1];
  if (!(largest > 0)) return nothing;
  while (kept < s.size() && s[s.size() - 1 - kept] > drop * largest) ++kept;
  const Dense q = eigen.eigenvectors().rightCols(kept);
  const Eigen::VectorXd root = s.tail(kept).cwiseSqrt();
  return {small_of(q * root.cwiseInverse().asDiagonal()),
          small_of(root.asDiagonal() * q.transpose() * dense_of(r))};
}

SmallMatrix without_first(const SmallMatrix& r) {
  SmallMatrix out(r.rows, std::max(0, r.columns - 1));
  std::copy(r.value.begin() + std::min<std::ptrdiff_t>(r.rows, std::ptrdiff_t(r.value.size())), r.value.end(),
            out.value.begin());
  return out;
}

SmallMatrix with_column(const SmallMatrix& r, const std::vector<double>& column) {
  SmallMatrix out(int(column.size()), r.columns + 1);
  for (int j = 0; j < r.columns; ++j)
    for (int i = 0; i < r.rows; ++i) out(i, j) = r(i, j);
  for (int i = 0; i < out.rows; ++i) out(i, r.columns) = column[i];
  return out;
}

}  // namespace umov::linalg
