#include "fdtd/sources/eigenpairs.hpp"

#include <Spectra/GenEigsRealShiftSolver.h>

#include <Eigen/Dense>
#include <Eigen/SparseLU>
#include <algorithm>
#include <numeric>
#include <random>

#include "core/error.hpp"

namespace umov::fdtd {
namespace {

template <class T>
using Vector = Eigen::Matrix<T, Eigen::Dynamic, 1>;
template <class T>
using Matrix = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic>;

void keep_real(const Eigen::VectorXcd& values, const Eigen::MatrixXcd& vectors,
               std::vector<Eigenpair>& pairs) {
  for (int i = 0; i < values.size(); ++i) {
    if (std::abs(values[i].imag()) > 1e-9 * std::abs(values[i].real())) continue;
    // A real eigenvector may come with any phase.
    Eigen::VectorXcd v = vectors.col(i);
    Eigen::Index largest = 0;
    v.cwiseAbs().maxCoeff(&largest);
    v *= std::conj(v[largest]) / std::abs(v[largest]);
    pairs.push_back({values[i].real(), v.real()});
  }
}

/// x -> (S - shift T)^-1 T x, as Spectra's solvers by shift and invert ask for it. All unknowns are
/// renumbered in the order of their elimination.
template <class T>
class ShiftedInverse {
 public:
  using Scalar = T;
  ShiftedInverse(const SparseOf<T>& s, const SparseOf<T>& t, const std::vector<int>& order)
      : moved_(s.rows()) {
    for (std::size_t i = 0; i < order.size(); ++i) moved_.indices()[order[i]] = int(i);
    s_ = s.twistedBy(moved_);
    t_ = t.twistedBy(moved_);
  }
  Eigen::Index rows() const { return s_.rows(); }
  Eigen::Index cols() const { return s_.cols(); }
  void set_shift(T shift) {
    SparseOf<T> shifted = s_ - shift * t_;
    shifted.makeCompressed();
    // Neighbours are each other's; a pivot off the diagonal, where it is small, costs sparsity.
    lu_.isSymmetric(true);
    lu_.setPivotThreshold(0.01);
    lu_.compute(shifted);
    if (lu_.info() != Eigen::Success)
      throw MachineFailure(
          "the mode solver's matrix could not be factorised (its shift is an eigenvalue, or "
          "memory ran out); change index_guess a little or take a smaller plane");
  }
  void perform_op(const T* in, T* out) const {
    const Eigen::Map<const Vector<T>> x(in, cols());
    Eigen::Map<Vector<T>>(out, rows()) = lu_.solve(t_ * x);
  }
  /// Vectors as the caller numbers them.
  Matrix<T> back(const Matrix<T>& vectors) const { return moved_.transpose() * vectors; }

 private:
  Eigen::PermutationMatrix<Eigen::Dynamic> moved_;
  SparseOf<T> s_, t_;
  Eigen::SparseLU<SparseOf<T>, Eigen::NaturalOrdering<int>> lu_;
};

/// A basis of the Krylov space of two vectors, and the operator in it.
class Arnoldi {
 public:
  static constexpr int block = 2;
  Arnoldi(const ShiftedInverse<cplx>& op, int most) : op_(op), v_(op.rows(), most + block) {
    h_.setZero(most + block, most);
    std::mt19937 random(1);
    std::uniform_real_distribution<double> number(-1, 1);
    Eigen::MatrixXcd start(op.rows(), block);
    for (Eigen::Index i = 0; i < start.size(); ++i) start.data()[i] = number(random);
    Eigen::MatrixXcd triangle;
    orthonormalise(start, triangle);
    v_.leftCols(block) = start;
  }
  int size() const { return size_; }

  void grow() {
    Eigen::MatrixXcd next(op_.rows(), block), triangle;
    for (int b = 0; b < block; ++b) op_.perform_op(v_.col(size_ + b).data(), next.col(b).data());
    const auto known = v_.leftCols(size_ + block);
    for (int twice = 0; twice < 2; ++twice) {  // once loses orthogonality
      const Eigen::MatrixXcd part = known.adjoint() * next;
      next -= known * part;
      h_.block(0, size_, size_ + block, block) += part;
    }
    orthonormalise(next, triangle);
    h_.block(size_ + block, size_, block, block) = triangle;
    size_ += block;
    v_.middleCols(size_, block) = next;
  }

  /// Pairs (theta, vector) by decreasing |theta| whose residual is below `tolerance` of theta; stops at the
  /// first that is not.
  std::vector<std::pair<cplx, Eigen::VectorXcd>> converged(int wanted, double tolerance) const {
    const Eigen::ComplexEigenSolver<Eigen::MatrixXcd> small(h_.topLeftCorner(size_, size_));
    std::vector<int> order(std::size_t(size_), 0);
    std::iota(order.begin(), order.end(), 0);
    std::sort(order.begin(), order.end(), [&](int a, int b) {
      return std::abs(small.eigenvalues()[a]) > std::abs(small.eigenvalues()[b]);
    });
    std::vector<std::pair<cplx, Eigen::VectorXcd>> found;
    const Eigen::MatrixXcd rest = h_.block(size_, size_ - block, block, block);
    for (const int i : order) {
      if (int(found.size()) == wanted) break;
      const Eigen::VectorXcd y = small.eigenvectors().col(i);
      if ((rest * y.tail(block)).norm() > tolerance * std::abs(small.eigenvalues()[i])) break;
      found.emplace_back(small.eigenvalues()[i], v_.leftCols(size_) * y);
    }
    return found;
  }

 private:
  static void orthonormalise(Eigen::MatrixXcd& x, Eigen::MatrixXcd& triangle) {
    const Eigen::HouseholderQR<Eigen::MatrixXcd> qr(x);
    triangle = qr.matrixQR().topRows(x.cols()).triangularView<Eigen::Upper>();
    x = qr.householderQ() * Eigen::MatrixXcd::Identity(x.rows(), x.cols());
  }

  const ShiftedInverse<cplx>& op_;
  Eigen::MatrixXcd v_, h_;
  int size_ = 0;
};

/// Of small matrices all.
std::vector<EigenpairOf<cplx>> dense_pairs(const SparseOf<cplx>& s, const SparseOf<cplx>& t) {
  const Eigen::MatrixXcd dense = Eigen::MatrixXcd(t).partialPivLu().solve(Eigen::MatrixXcd(s));
  const Eigen::ComplexEigenSolver<Eigen::MatrixXcd> solver(dense);
  std::vector<EigenpairOf<cplx>> pairs;
  for (int i = 0; i < solver.eigenvalues().size(); ++i)
    pairs.push_back({solver.eigenvalues()[i], solver.eigenvectors().col(i)});
  return pairs;
}

}  // namespace

std::vector<Eigenpair> eigenpairs(const Sparse& s, const Sparse& t, double shift, int wanted,
                                  const std::vector<int>& order) {
  std::vector<Eigenpair> pairs;
  const int n = int(s.rows());
  if (n <= 200) {
    const Eigen::MatrixXd dense = Eigen::MatrixXd(t).partialPivLu().solve(Eigen::MatrixXd(s));
    const Eigen::EigenSolver<Eigen::MatrixXd> solver(dense);
    keep_real(solver.eigenvalues(), solver.eigenvectors(), pairs);
    return pairs;
  }
  ShiftedInverse<double> inverse(s, t, order);
  Spectra::GenEigsRealShiftSolver<ShiftedInverse<double>> solver(
      inverse, wanted, std::min(n, std::max(4 * wanted + 10, 30)), shift);
  solver.init();
  solver.compute(Spectra::SortRule::LargestMagn, 1000, 1e-12);
  if (solver.info() == Spectra::CompInfo::Successful) {
    const Eigen::MatrixXcd found = solver.eigenvectors();
    Eigen::MatrixXcd vectors(found.rows(), found.cols());
    vectors.real() = inverse.back(found.real());
    vectors.imag() = inverse.back(found.imag());
    keep_real(solver.eigenvalues(), vectors, pairs);
  }
  return pairs;
}

std::vector<EigenpairOf<cplx>> eigenpairs(const SparseOf<cplx>& s, const SparseOf<cplx>& t, cplx shift,
                                          int wanted, const std::vector<int>& order) {
  std::vector<EigenpairOf<cplx>> pairs;
  if (s.rows() <= 200) {
    pairs = dense_pairs(s, t);
  } else {
    ShiftedInverse<cplx> inverse(s, t, order);
    inverse.set_shift(shift);
    const int most = std::min(int(s.rows()) - 2 * Arnoldi::block, std::max(160, 4 * wanted)) / 2 * 2;
    Arnoldi space(inverse, most);
    std::vector<std::pair<cplx, Eigen::VectorXcd>> found;
    while (space.size() < most && int(found.size()) < wanted) {
      for (int i = 0; i < 5 && space.size() < most; ++i) space.grow();
      if (space.size() >= 2 * wanted) found = space.converged(wanted, 1e-11);
    }
    for (const auto& [theta, vector] : found) pairs.push_back({shift + 1.0 / theta, inverse.back(vector)});
  }
  std::sort(pairs.begin(), pairs.end(), [&](const auto& a, const auto& b) {
    return std::abs(a.value - shift) < std::abs(b.value - shift);
  });
  if (int(pairs.size()) > wanted) pairs.resize(std::size_t(wanted));
  return pairs;
}

}  // namespace umov::fdtd
