// Potentials from charges: q(u) = Q, with the matrix of the permittivities and one multigrid hierarchy for
// all.
#pragma once

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>

#include "eqs/solve/newton.hpp"
#include "eqs/solve/start_vectors.hpp"

namespace umov::eqs {

/// With constant permittivities the matrix is assembled already (System::charge_matrices), and its hierarchy
/// is made once; with others Newton's method solves. Electrodes are as system.set_fixed left them.
template <class Device>
class ChargeSolver {
  using Vector = typename Device::template Array<double>;

 public:
  ChargeSolver(System<Device>& system, Newton<Device>& newton, const Problem& p)
      : system_(system),
        newton_(newton),
        p_(p),
        linear_(p.linear),
        starts_(system.device(), p),
        unused_(system.vector()) {
    for (Vector* v : {&charge_, &size_, &r_, &d_}) *v = system.vector();
  }

  /// Sets the hierarchy up where that has not been done.
  void prepare(Effort& effort) {
    if (solver_ || !system_.constant_permittivity()) return;
    solver_ = std::make_unique<RepairableSolver<Device>>(system_.device(), p_);
    renew(effort);
  }

  /// From the guess in u to |Q - q(u)| <= tolerance |terms of q(u)| (Newton's norms): solver.tolerance, or
  /// newton.tolerance where permittivities depend on the field. False, with the reason in `effort`.
  bool potentials(const double* charge, double* u, Effort& effort) {
    if (!system_.constant_permittivity()) return newton_.solve(u, charge, {1, 0}, effort);
    auto& dev = system_.device();
    const Evaluation out{charge_.data(), unused_.data(), size_.data(), {1, 0}};
    system_.evaluate_linear(u, out);
    const auto s = dev.template map_reduce<2, double>(
        system_.unknowns(),
        ResidualOf{charge, charge_.data(), unused_.data(), size_.data(), out.w, r_.data()});
    const double residual = std::sqrt(s.v[0]), size = std::sqrt(s.v[1]);
    change_ = residual / size;
    if (!std::isfinite(residual)) return fail(effort, "the charges are not numbers");
    if (residual <= linear_.tolerance * size) return true;
    if (!solve(r_.data(), u, d_.data(),
               std::clamp(linear_.tolerance * size / residual, linear_.tolerance, 0.1), effort, true))
      return false;
    dev.for_each(system_.unknowns(), AddScaled{1, d_.data(), u});
    starts_.remember(u);
    return true;
  }

  /// (dq/du) x = b at the state u, or one near it that potentials() solved for last; `projected`: from a
  /// start vector of StartVectors.
  bool solve(const double* b, const double* u, double* x, double tolerance, Effort& effort,
             bool projected = false) {
    if (!system_.constant_permittivity()) {
      if (!newton_.has_matrix({1, 0})) newton_.prepare(u, {1, 0}, effort);
      return newton_.solve_linear(b, x, tolerance, effort);
    }
    prepare(effort);
    auto info = try_once(b, x, tolerance, effort, projected);
    // as Newton's solver: in double where single precision spoils it, then with the other smoother
    if (!info.converged && solver_->use_double()) info = renewed(b, x, tolerance, effort);
    if (!info.converged && info.failure == amg::Failure::preconditioner_not_definite && solver_->use_safe())
      info = renewed(b, x, tolerance, effort);
    if (info.converged) return true;
    return fail(effort, "the linear solver stopped at a relative residual of " +
                            Newton<Device>::scientific(info.residual) + " (" +
                            std::to_string(info.iterations) + " iterations: " + info.why_not + ")");
  }

  /// Whether potentials() finds any line through its last few solutions by itself (StartVectors).
  bool extrapolates() const { return system_.constant_permittivity() && starts_.holds_last(); }

  /// Of the last potentials(), with constant permittivities: what was added to the guess, the charges that
  /// this makes, and how large they were beside the terms of q.
  const double* correction() const { return d_.data(); }
  const double* correction_charge() const { return r_.data(); }
  double change() const { return change_; }

  std::string describe() const {
    return solver_ ? (*solver_)->describe() + starts_.describe() : std::string();
  }
  std::size_t bytes() const {
    return charge_.bytes() + unused_.bytes() + size_.bytes() + r_.bytes() + d_.bytes() + starts_.bytes() +
           (solver_ ? (*solver_)->bytes() : 0);
  }

  /// Which preconditioner it has come to, to or from an archive; it is made from the same matrix again.
  template <class Archive>
  void state(Archive& archive) {
    bool there = solver_ != nullptr;
    archive(there);
    if (!there) return;
    if (!solver_) solver_ = std::make_unique<RepairableSolver<Device>>(system_.device(), p_);
    solver_->state(archive);
    starts_.state(archive);
    if constexpr (requires { archive.reading; })
      (*solver_)->renew(system_.charge_matrices(), amg::Refresh::all);
  }

 private:
  void renew(Effort& effort) {
    const AddSeconds timed(effort.renewal_seconds);
    (*solver_)->renew(system_.charge_matrices(), amg::Refresh::all);
    system_.device().synchronize();
    ++effort.setups;
  }
  amg::SolveInfo renewed(const double* b, double* x, double tolerance, Effort& effort) {
    renew(effort);
    return try_once(b, x, tolerance, effort);
  }
  amg::SolveInfo try_once(const double* b, double* x, double tolerance, Effort& effort,
                          bool projected = false) {
    amg::SolveInfo info;
    {
      const AddSeconds timed(effort.linear_seconds);
      info = projected ? starts_.solve(**solver_, b, x, tolerance, linear_.max_iterations)
                       : (*solver_)->solve(b, x, tolerance, linear_.max_iterations);
    }
    effort.linear += info.iterations;
    if (newton_.told) newton_.told(effort);
    if (!info.converged && at_rounding(b, x, info.residual)) info.converged = true;
    return info;
  }
  /// As Newton's: very flat elements have entries so large that no vector of doubles does better.
  bool at_rounding(const double* b, const double* x, double relative) {
    auto& dev = system_.device();
    const double bb = dev.template map_reduce<1, double>(system_.unknowns(), DotOf{b, b}).v[0];
    const double all = system_.square_of_rounding(system_.charge_matrices(), x);
    const double rounding = 0x1p-53;
    return relative * relative * bb <= rounding * rounding * all;
  }
  static bool fail(Effort& effort, const std::string& why) {
    effort.converged = false;
    effort.why_not = why;
    return false;
  }

  System<Device>& system_;
  Newton<Device>& newton_;
  const Problem& p_;
  LinearSpec linear_;
  StartVectors<Device> starts_;
  std::unique_ptr<RepairableSolver<Device>> solver_;
  Vector charge_, unused_, size_, r_, d_;
  double change_ = 0;
};

}  // namespace umov::eqs
