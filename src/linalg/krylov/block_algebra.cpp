// Eigenvectors, singular vectors and least squares of matrices of at most some sixteen rows.
#include "linalg/krylov/block_algebra.hpp"

#include <Eigen/Eigenvalues>
#include <Eigen/QR>
#include <Eigen/SVD>
#include <algorithm>
#include <cmath>

namespace umov::krylov {

namespace {

using Dense = Eigen::MatrixXcd;
using Number = BlockMatrix::Number;

Eigen::Map<const Dense> dense(const BlockMatrix& m) { return {m.value.data(), m.rows, m.columns}; }
BlockMatrix block(const Dense& d) {
  BlockMatrix m(int(d.rows()), int(d.cols()));
  std::copy_n(d.data(), d.size(), m.value.data());
  return m;
}

/// Eigenvectors of a Gram matrix with their lengths, the squares being the eigenvalues; none below `noise` of
/// the longest is left as short.
struct Directions {
  Dense vectors;
  Eigen::VectorXd lengths;
};
Directions directions_of(const BlockMatrix& gram, double noise) {
  const Eigen::SelfAdjointEigenSolver<Dense> eigen(dense(gram));  // ascending
  const Eigen::VectorXd squares = eigen.eigenvalues();
  const double longest = std::max(squares.size() ? squares[squares.size() - 1] : 0.0, 0.0);
  const double least = std::max(noise * noise * longest, 1e-300);
  return {eigen.eigenvectors(), squares.cwiseMax(least).cwiseSqrt()};
}

/// Turns and rest for the directions given, those with singular values of G over the goals above `drop`.
BlockBasis turned(const Directions& d, const BlockMatrix& g, const Eigen::VectorXd& weights, double drop) {
  const Dense scaled = d.lengths.asDiagonal() * d.vectors.adjoint() * dense(g) * weights.asDiagonal();
  const Eigen::JacobiSVD<Dense> svd(scaled, Eigen::ComputeFullU | Eigen::ComputeThinV);
  const auto& s = svd.singularValues();
  int kept = int(scaled.rows());
  if (drop > 0)
    for (kept = 0; kept < s.size() && s[kept] > drop;) ++kept;
  const Dense u = svd.matrixU().leftCols(kept);
  return {block(d.vectors * d.lengths.cwiseInverse().asDiagonal() * u),
          block(u.adjoint() * scaled * weights.cwiseInverse().asDiagonal())};
}

/// Eigenvalues of a Gram matrix carry its rounding: lengths below the root of that are unknown.
constexpr double gram_noise = 3e-8;

}  // namespace

BlockMatrix BlockMatrix::identity(int n) {
  BlockMatrix m(n, n);
  for (int i = 0; i < n; ++i) m(i, i) = 1;
  return m;
}

BlockMatrix product(const BlockMatrix& a, const BlockMatrix& b) { return block(dense(a) * dense(b)); }

std::vector<double> norms(const BlockMatrix& m) {
  std::vector<double> list(m.columns);
  for (int j = 0; j < m.columns; ++j) list[j] = dense(m).col(j).norm();
  return list;
}

bool finite(const BlockMatrix& m) { return m.value.empty() || dense(m).allFinite(); }

BlockBasis independent_basis(const BlockMatrix& gram, std::span<const double> goals, double drop,
                             double noise) {
  const int columns = gram.columns;
  Eigen::VectorXd lengths(columns), weights(columns);
  for (int j = 0; j < columns; ++j) {
    const double square = gram(j, j).real();
    lengths[j] = square > 0 ? std::sqrt(square) : 1;
    weights[j] = 1 / goals[j];
  }
  const Eigen::VectorXd inverse = lengths.cwiseInverse();
  const Directions all = directions_of(block(inverse.asDiagonal() * dense(gram) * inverse.asDiagonal()), 0);
  const double longest = all.lengths.maxCoeff();
  int first = 0;  // they come shortest first
  while (first < columns && !(all.lengths[first] > std::max(noise, gram_noise) * longest)) ++first;
  const Directions kept{all.vectors.rightCols(columns - first), all.lengths.tail(columns - first)};
  if (first == columns) return {BlockMatrix(columns, 0), BlockMatrix(0, columns)};
  const BlockMatrix unit_to_given = block(Dense(lengths.cast<Number>().asDiagonal()));
  BlockBasis basis = turned(kept, unit_to_given, weights, drop);
  basis.turn = block(inverse.asDiagonal() * dense(basis.turn));
  return basis;
}

BlockBasis full_basis(const BlockMatrix& gram, const BlockMatrix& g) {
  return turned(directions_of(gram, gram_noise), g, Eigen::VectorXd::Ones(g.columns), 0);
}

BlockMatrix orthonormal_turn(const BlockMatrix& gram) {
  const Directions d = directions_of(gram, gram_noise);
  return block(d.vectors * d.lengths.cwiseInverse().asDiagonal());
}

bool solve_block(const BlockMatrix& a, const BlockMatrix& b, BlockMatrix& x) {
  if (!finite(a) || !finite(b)) return false;
  Eigen::CompleteOrthogonalDecomposition<Dense> qr;
  qr.setThreshold(1e-13);
  qr.compute(dense(a));
  if (qr.rank() == 0) return false;
  x = block(qr.solve(dense(b)));
  return finite(x);
}

}  // namespace umov::krylov
