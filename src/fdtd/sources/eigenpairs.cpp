#include "fdtd/sources/eigenpairs.hpp"

#include <Spectra/GenEigsRealShiftSolver.h>

#include <Eigen/Dense>
#include <Eigen/SparseLU>
#include <algorithm>

#include "core/error.hpp"

namespace umov::fdtd {
namespace {

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

/// x -> (S - shift T)^-1 T x, as Spectra's solvers by shift and invert ask for it.
class ShiftedInverse {
 public:
  using Scalar = double;
  ShiftedInverse(const Sparse& s, const Sparse& t) : s_(s), t_(t) {}
  Eigen::Index rows() const { return s_.rows(); }
  Eigen::Index cols() const { return s_.cols(); }
  void set_shift(double shift) {
    const Sparse shifted = s_ - shift * t_;
    lu_.compute(shifted);
    if (lu_.info() != Eigen::Success)
      throw MachineFailure(
          "the mode solver's matrix could not be factorised (its shift is an eigenvalue, or "
          "memory ran out); change index_guess a little or take a smaller plane");
  }
  void perform_op(const double* in, double* out) const {
    const Eigen::Map<const Eigen::VectorXd> x(in, cols());
    Eigen::Map<Eigen::VectorXd>(out, rows()) = lu_.solve(t_ * x);
  }

 private:
  const Sparse &s_, &t_;
  Eigen::SparseLU<Sparse> lu_;
};

}  // namespace

std::vector<Eigenpair> eigenpairs(const Sparse& s, const Sparse& t, double shift, int wanted) {
  std::vector<Eigenpair> pairs;
  const int n = int(s.rows());
  if (n <= 200) {
    const Eigen::MatrixXd dense = Eigen::MatrixXd(t).partialPivLu().solve(Eigen::MatrixXd(s));
    const Eigen::EigenSolver<Eigen::MatrixXd> solver(dense);
    keep_real(solver.eigenvalues(), solver.eigenvectors(), pairs);
    return pairs;
  }
  ShiftedInverse inverse(s, t);
  Spectra::GenEigsRealShiftSolver<ShiftedInverse> solver(inverse, wanted,
                                                         std::min(n, std::max(4 * wanted + 10, 30)), shift);
  solver.init();
  solver.compute(Spectra::SortRule::LargestMagn, 1000, 1e-12);
  if (solver.info() == Spectra::CompInfo::Successful)
    keep_real(solver.eigenvalues(), solver.eigenvectors(), pairs);
  return pairs;
}

}  // namespace umov::fdtd
