// Where the conjugate gradients of many similar systems begin (Richter 2019, chapter 5.2, variants E, F, G).
#pragma once

#include <optional>
#include <string>

#include "eqs/solve/linear_solver.hpp"
#include "eqs/solve/start_space.hpp"

namespace umov::eqs {

/// Projections on earlier solutions, if `LinearSpec::start_vector` asks for them; otherwise starts are zero
/// (what is solved for are corrections to the straight line through the states before).
template <class Device>
class StartVectors {
 public:
  StartVectors(Device& dev, const Problem& p) : kind_(p.linear.start_vector), space_(start_space(p.linear)) {
    if (p.analysis == Analysis::transient && space_.solutions > 0)
      start_.emplace(dev, p.own_unknowns(), space_);
  }

  bool active() const { return start_.has_value(); }
  /// Whether the space holds the last few solutions, and with them what a parabola through them would give:
  /// extrapolation ahead of the projection is then of no use.
  bool holds_last() const { return start_ && space_.renewed && start_->solutions() > 2; }
  /// Systems to come have another matrix. It is looked at when a start is asked for.
  void matrix_changed() { stale_ = true; }

  /// As LinearSolver::solve, from the projected start.
  amg::SolveInfo solve(LinearSolver<Device>& solver, const double* b, double* x, double tolerance,
                       int max_iterations) {
    if (!start_) return solver.solve(b, x, tolerance, max_iterations);
    const auto product = [&solver](const double* from, double* to) { solver.multiply(from, to); };
    if (stale_) start_->renew(product);
    stale_ = false;
    start_->guess(b, x, product);
    return solver.solve(b, x, tolerance, max_iterations, false);
  }
  /// A solution, for the starts to come; one between two solves.
  void remember(const double* x) {
    if (start_) start_->remember(x);
  }

  std::size_t bytes() const { return start_ ? start_->bytes() : 0; }
  std::string describe() const {
    if (!start_) return "";
    const char* name = kind_ == StartVector::spe   ? "subspace projection extrapolation"
                       : kind_ == StartVector::pod ? "proper orthogonal decomposition"
                                                   : "renewed proper orthogonal decomposition";
    return std::string("\nstart vectors: ") + name + ", " + std::to_string(start_->directions()) +
           " directions of " + std::to_string(start_->solutions()) + " solutions";
  }
  /// To or from an archive (core/bytes.hpp).
  template <class Archive>
  void state(Archive& archive) {
    if (!start_) return;
    archive(stale_);
    start_->state(archive);
  }

 private:
  StartVector kind_;
  linalg::StartSpace space_;
  std::optional<linalg::ProjectedStart<Device>> start_;
  bool stale_ = false;
};

}  // namespace umov::eqs
