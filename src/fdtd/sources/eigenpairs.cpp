#include "fdtd/sources/eigenpairs.hpp"

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

template <class T>
using EigenSolver = std::conditional_t<std::is_same_v<T, double>, Eigen::EigenSolver<Matrix<T>>,
                                       Eigen::ComplexEigenSolver<Matrix<T>>>;

/// A solution of either kind of matrices.
struct Found {
  cplx value;
  Eigen::VectorXcd vector;
};

std::vector<Eigenpair> real_ones(const std::vector<Found>& all) {
  std::vector<Eigenpair> pairs;
  for (const Found& x : all) {
    if (std::abs(x.value.imag()) > 1e-9 * std::abs(x.value.real())) continue;
    // A real eigenvector may come with any phase.
    Eigen::Index largest = 0;
    x.vector.cwiseAbs().maxCoeff(&largest);
    const cplx phase = std::conj(x.vector[largest]) / std::abs(x.vector[largest]);
    pairs.push_back({x.value.real(), (phase * x.vector).real()});
  }
  return pairs;
}

/// The sum of conj(a) b.
inline double dot(const double* a, const double* b, Eigen::Index n) {
  double sum = 0;
#pragma omp simd reduction(+ : sum)
  for (Eigen::Index i = 0; i < n; ++i) sum += a[i] * b[i];
  return sum;
}

inline cplx dot(const cplx* a, const cplx* b, Eigen::Index n) {
  const auto* x = reinterpret_cast<const double*>(a);
  const auto* y = reinterpret_cast<const double*>(b);
  double re = 0, im = 0;
#pragma omp simd reduction(+ : re, im)
  for (Eigen::Index i = 0; i < n; ++i) {
    re += x[2 * i] * y[2 * i] + x[2 * i + 1] * y[2 * i + 1];
    im += x[2 * i] * y[2 * i + 1] - x[2 * i + 1] * y[2 * i];
  }
  return {re, im};
}

/// b -= c a
inline void subtract(double c, const double* a, double* b, Eigen::Index n) {
#pragma omp simd
  for (Eigen::Index i = 0; i < n; ++i) b[i] -= c * a[i];
}

inline void subtract(cplx c, const cplx* a, cplx* b, Eigen::Index n) {
  const auto* x = reinterpret_cast<const double*>(a);
  auto* y = reinterpret_cast<double*>(b);
  const double re = c.real(), im = c.imag();
#pragma omp simd
  for (Eigen::Index i = 0; i < n; ++i) {
    y[2 * i] -= re * x[2 * i] - im * x[2 * i + 1];
    y[2 * i + 1] -= re * x[2 * i + 1] + im * x[2 * i];
  }
}

/// Takes from the columns of x what the first `known` of v have of them, twice, since once loses
/// orthogonality; how much that was. In stretches of rows that stay near the processor: v is read three times
/// in all.
template <class T>
Matrix<T> take_out(const Matrix<T>& v, Eigen::Index known, Matrix<T>& x) {
  constexpr Eigen::Index stretch = 256;
  const Eigen::Index n = x.rows();
  Matrix<T> first = Matrix<T>::Zero(known, x.cols()), second = first;
  const auto pass = [&](const Matrix<T>* subtracted, Matrix<T>* found) {
    for (Eigen::Index at = 0; at < n; at += stretch) {
      const Eigen::Index rows = std::min(stretch, n - at);
      for (Eigen::Index b = 0; subtracted && b < x.cols(); ++b)
        for (Eigen::Index k = 0; k < known; ++k) subtract((*subtracted)(k, b), &v(at, k), &x(at, b), rows);
      for (Eigen::Index b = 0; found && b < x.cols(); ++b)
        for (Eigen::Index k = 0; k < known; ++k) (*found)(k, b) += dot(&v(at, k), &x(at, b), rows);
    }
  };
  pass(nullptr, &first);
  pass(&first, &second);
  pass(&second, nullptr);
  return first + second;
}

/// X -> (S - shift T)^-1 T X, with all unknowns renumbered in the order of their elimination.
template <class T>
class ShiftedInverse {
 public:
  ShiftedInverse(const SparseOf<T>& s, const SparseOf<T>& t, const std::vector<int>& order)
      : moved_(s.rows()) {
    for (std::size_t i = 0; i < order.size(); ++i) moved_.indices()[order[i]] = int(i);
    s_ = s.twistedBy(moved_);
    t_ = t.twistedBy(moved_);
  }
  Eigen::Index rows() const { return s_.rows(); }
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
  Vector<T> operator()(const Vector<T>& x) const { return lu_.solve(t_ * x); }
  /// A vector as the caller numbers it.
  Eigen::VectorXcd back(const Eigen::VectorXcd& x) const { return moved_.transpose() * x; }

 private:
  Eigen::PermutationMatrix<Eigen::Dynamic> moved_;
  SparseOf<T> s_, t_;
  Eigen::SparseLU<SparseOf<T>, Eigen::NaturalOrdering<int>> lu_;
};

/// A basis of the Krylov space of two vectors, and the operator in it.
template <class T>
class Arnoldi {
 public:
  static constexpr int block = 2;
  Arnoldi(const ShiftedInverse<T>& op, T shift, int most)
      : op_(op), shift_(shift), v_(op.rows(), most + block) {
    h_.setZero(most + block, most);
    std::mt19937 random(1);
    std::uniform_real_distribution<double> number(-1, 1);
    Matrix<T> start(op.rows(), block), triangle;
    for (Eigen::Index i = 0; i < start.size(); ++i) start.data()[i] = number(random);
    orthonormalise(start, triangle);
    v_.leftCols(block) = start;
  }
  int size() const { return size_; }

  void grow() {
    Matrix<T> next(op_.rows(), block), triangle;
    for (int b = 0; b < block; ++b) next.col(b) = op_(v_.col(size_ + b));
    h_.block(0, size_, size_ + block, block) = take_out<T>(v_, size_ + block, next);
    orthonormalise(next, triangle);
    h_.block(size_ + block, size_, block, block) = triangle;
    size_ += block;
    v_.middleCols(size_, block) = next;
  }

  /// The nearest solutions by their distance, as values and combinations of the basis, up to `wanted` and
  /// those that equal the last of them, or up to the first whose value is below `least`, of which the
  /// residual need not be small. `enough`: that is all of them.
  std::vector<Found> nearest(const Wanted& wanted, bool& enough) const {
    const EigenSolver<T> small(h_.topLeftCorner(size_, size_));
    const Eigen::VectorXcd theta = small.eigenvalues();
    const Eigen::MatrixXcd vectors = small.eigenvectors();
    std::vector<int> order(std::size_t(size_), 0);
    std::iota(order.begin(), order.end(), 0);
    std::sort(order.begin(), order.end(),
              [&](int a, int b) { return std::abs(theta[a]) > std::abs(theta[b]); });
    std::vector<Found> found;
    const Eigen::MatrixXcd rest = h_.block(size_, size_ - block, block, block).template cast<cplx>();
    enough = false;
    for (const int i : order) {
      const cplx value = cplx(shift_) + 1.0 / theta[i];
      if (int(found.size()) >= wanted.count &&
          std::abs(value - found.back().value) > equal * std::abs(found.back().value))
        return enough = true, found;
      const double residual = (rest * vectors.col(i).tail(block)).norm() / std::abs(theta[i]);
      if (value.real() < wanted.least && residual < rough) return enough = true, found;
      if (residual > fine) return found;
      found.push_back({value, vectors.col(i)});
    }
    return found;
  }

  Eigen::VectorXcd vector(const Eigen::VectorXcd& combination) const {
    if constexpr (std::is_same_v<T, double>) {
      const Eigen::VectorXd re = v_.leftCols(size_) * combination.real(),
                            im = v_.leftCols(size_) * combination.imag();
      return op_.back(re + cplx(0, 1) * im);
    } else {
      return op_.back(v_.leftCols(size_) * combination);
    }
  }

 private:
  static constexpr double fine = 1e-12, rough = 1e-3, equal = 1e-5;

  static void orthonormalise(Matrix<T>& x, Matrix<T>& triangle) {
    triangle.setZero(block, block);
    for (int b = 0; b < block; ++b) {
      for (int twice = 0; twice < 2; ++twice)
        for (int a = 0; a < b; ++a) {
          const T part = x.col(a).dot(x.col(b));
          x.col(b) -= part * x.col(a);
          triangle(a, b) += part;
        }
      const double norm = x.col(b).norm();
      triangle(b, b) = norm;
      if (norm > 0) x.col(b) /= norm;
    }
  }

  const ShiftedInverse<T>& op_;
  T shift_;
  Matrix<T> v_, h_;
  int size_ = 0;
};

/// Of small matrices all.
template <class T>
std::vector<Found> of_dense(const SparseOf<T>& s, const SparseOf<T>& t) {
  const Matrix<T> dense = Matrix<T>(t).partialPivLu().solve(Matrix<T>(s));
  const EigenSolver<T> solver(dense);
  std::vector<Found> found;
  const Eigen::MatrixXcd vectors = solver.eigenvectors();
  for (int i = 0; i < solver.eigenvalues().size(); ++i)
    found.push_back({solver.eigenvalues()[i], vectors.col(i)});
  return found;
}

template <class T>
std::vector<Found> solutions(const SparseOf<T>& s, const SparseOf<T>& t, T shift, const Wanted& wanted,
                             const std::vector<int>& order) {
  const int n = int(s.rows());
  if (n <= 100) return of_dense(s, t);
  ShiftedInverse<T> inverse(s, t, order);
  inverse.set_shift(shift);
  const int most = std::min(n - 2 * Arnoldi<T>::block, std::max(240, 4 * wanted.count)) / 2 * 2;
  Arnoldi<T> space(inverse, shift, most);
  std::vector<Found> found;
  bool enough = false;
  while (space.size() < most && !enough) {
    for (int i = 0; i < 5 && space.size() < most; ++i) space.grow();
    found = space.nearest(wanted, enough);
  }
  for (Found& x : found) x.vector = space.vector(x.vector);
  return found;
}

}  // namespace

std::vector<Eigenpair> eigenpairs(const Sparse& s, const Sparse& t, double shift, const Wanted& wanted,
                                  const std::vector<int>& order) {
  return real_ones(solutions<double>(s, t, shift, wanted, order));
}

std::vector<EigenpairOf<cplx>> eigenpairs(const SparseOf<cplx>& s, const SparseOf<cplx>& t, cplx shift,
                                          const Wanted& wanted, const std::vector<int>& order) {
  std::vector<EigenpairOf<cplx>> pairs;
  for (Found& x : solutions<cplx>(s, t, shift, wanted, order))
    pairs.push_back({x.value, std::move(x.vector)});
  std::sort(pairs.begin(), pairs.end(), [&](const auto& a, const auto& b) {
    return std::abs(a.value - shift) < std::abs(b.value - shift);
  });
  return pairs;
}

}  // namespace umov::fdtd
