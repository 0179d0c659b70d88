// A linear solver whose systems somebody wants to have.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "eqs/solve/solver_interface.hpp"
#include "eqs/solve/system_sink.hpp"

namespace umov::eqs {

/// Solves as `solver` does; the matrix must be in rows.
template <class Device>
class RecordedSolver final : public LinearSolver<Device> {
 public:
  RecordedSolver(Device& dev, SystemSink& sink, std::unique_ptr<LinearSolver<Device>> solver)
      : dev_(dev), sink_(sink), solver_(std::move(solver)) {}

  void renew(const MatrixSet<Device>& m, amg::Refresh how) override {
    a_ = m.a;
    matrix_ = 0;
    solver_->renew(m, how);
  }
  amg::SolveInfo solve(const double* b, double* x, double tolerance, int max_iterations,
                       bool from_zero) override {
    if (!sink_.wants()) return solver_->solve(b, x, tolerance, max_iterations, from_zero);
    LinearSystem s;
    if (!from_zero) s.start = host(x);
    const amg::SolveInfo info = solver_->solve(b, x, tolerance, max_iterations, from_zero);
    s.b = host(b);
    s.x = host(x);
    s.matrix = matrix_;
    if (matrix_ == 0) s.a = host_matrix(dev_, a_);
    s.iterations = info.iterations;
    s.tolerance = tolerance;
    s.residual = info.residual;
    s.converged = info.converged;
    const long number = sink_.take(s);
    if (matrix_ == 0) matrix_ = number;
    return info;
  }
  void multiply(const double* x, double* y) override { solver_->multiply(x, y); }
  void precondition(const double* r, double* z) override { solver_->precondition(r, z); }
  std::size_t bytes() const override { return solver_->bytes(); }
  std::string describe() const override { return solver_->describe(); }

 private:
  std::vector<double> host(const double* v) const {
    std::vector<double> out(std::size_t(a_.rows));
    dev_.download(out.data(), v, out.size());
    return out;
  }

  Device& dev_;
  SystemSink& sink_;
  std::unique_ptr<LinearSolver<Device>> solver_;
  sparse::CsrView<double> a_;
  long matrix_ = 0;  ///< the system that it was taken with; 0: none yet
};

}  // namespace umov::eqs
