// The linear solver of Newton's method: the steadier ones that take over where it fails, and the matrices it
// is made from.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "eqs/solve/system.hpp"

namespace umov::eqs {

/// Where a matrix was taken, from which the coarse levels come.
template <class Device>
struct MatrixOrigin {
  bool there = false;
  Weights weights;
  std::vector<double> fixed;
  typename Device::template Array<double> u;  ///< nonlinear systems only

  void remember(const System<Device>& system, const double* at, const Weights& w) {
    there = true;
    weights = w;
    fixed = system.host_fixed();
    if (!system.nonlinear()) return;
    if (u.size() == 0) u = system.vector();
    system.device().for_each(system.unknowns(), Copy{at, u.data()});
  }
  /// To or from an archive (core/bytes.hpp).
  template <class Archive>
  void state(Archive& archive, const System<Device>& system) {
    archive(there);
    if (!there) return;
    archive(weights);
    archive(fixed);
    if (u.size() == 0 && system.nonlinear()) u = system.vector();
    archive.array(system.device(), u);
  }
};

/// A solver, in double or with the other smoother once that is asked for.
template <class Device>
class RepairableSolver {
 public:
  RepairableSolver(Device& dev, const Problem& p)
      : dev_(dev),
        double_(!p.linear.amg.single_precision),
        safe_(p.linear.amg.smoother == amg::Smoother::jacobi || preconditioner_of(p) == "jacobi"),
        nested_(nested_prolongations(p)),
        solver_(make_solver(dev, p, nested_)) {
    asked_.linear = p.linear;
    asked_.linear.preconditioner = preconditioner_of(p);
    asked_.linear.form = matrix_free(p) ? OperatorForm::matrix_free : OperatorForm::assembled;
    asked_.unknowns = p.unknowns;
    asked_.order = p.order;
    asked_.share = p.share;
    asked_.systems = p.systems;
  }

  LinearSolver<Device>* operator->() const { return solver_.get(); }
  LinearSolver<Device>& operator*() const { return *solver_; }

  /// Replaces a single-precision preconditioner; false if it is in double already.
  bool use_double() {
    if (double_) return false;
    double_ = true;
    replace();
    return true;
  }
  /// Replaces Chebyshev's polynomials by Jacobi's method, which errs by less where the spectrum reaches
  /// further than estimated; false if it is that already.
  bool use_safe() {
    if (safe_) return false;
    safe_ = true;
    replace();
    return true;
  }

  /// Which of them it is, to or from an archive (core/bytes.hpp); in one byte.
  template <class Archive>
  void state(Archive& archive) {
    std::uint8_t repairs = std::uint8_t(double_ + 2 * safe_);
    archive(repairs);
    if (repairs & 1) use_double();
    if (repairs & 2) use_safe();
  }

 private:
  void replace() {
    asked_.linear.amg.single_precision = !double_;
    if (safe_) asked_.linear.amg.smoother = amg::Smoother::jacobi;
    solver_ = make_solver(dev_, asked_, nested_);
  }

  Device& dev_;
  Problem asked_;  // of it only what a solver is made from
  bool double_, safe_;
  std::shared_ptr<const amg::Nested> nested_;
  std::unique_ptr<LinearSolver<Device>> solver_;
};

}  // namespace umov::eqs
