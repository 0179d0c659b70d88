// Newton's method for charge * q(u) + current * i(u) = target.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "core/timer.hpp"
#include "eqs/engine.hpp"
#include "eqs/solve/forcing.hpp"
#include "eqs/solve/repairable_solver.hpp"
#include "eqs/solve/reuse.hpp"
#include "eqs/solve/start_vectors.hpp"

namespace umov::eqs {

/// The residual of an iterate is |target - charge q - current i| over the norm of what its rows are made of
/// before that cancels: for every unknown the sum of |entry times difference of potentials| of the constant
/// parts and of the absolute flux sums of nonlinear elements, weighted alike (Euclidean norms). A linear
/// system is solved to `linear.tolerance` of the same magnitude: what a solve leaves over is as small beside
/// the fluxes whether it began near the solution or far from it.
template <class Device>
class Newton {
  using Vector = typename Device::template Array<double>;

 public:
  Newton(System<Device>& system, const Problem& p)
      : system_(system),
        spec_(p.newton),
        linear_(p.linear),
        solver_(system.device(), p),
        starts_(system.device(), p),
        policy_(p.linear.reuse, p.linear.reuse_growth),
        forcing_(p.newton.forcing, p.linear.tolerance),
        charge(system.vector()),
        conduction(system.vector()),
        size_(system.vector()),
        r_(system.vector()),
        d_(system.vector()),
        trial_(system.vector()) {}

  /// From the guess in u to the solution, with electrodes as system.set_fixed left them; charge and
  /// conduction are those of the solution. target: nullptr for 0. What it took is added to `effort`; false,
  /// with the reason, if it did not converge.
  bool solve(double* u, const double* target, const Weights& w, Effort& effort) {
    if (!iterate(u, target, w, effort)) return false;
    if (is_stage(w)) starts_.remember(u);
    return true;
  }

  /// A start for solve(): the solution with every curve as it is without a field. Weights of one kind.
  bool start_linear(double* u, const double* target, const Weights& w, Effort& effort) {
    auto& dev = system_.device();
    const auto fixed = system_.host_fixed();
    dev.fill_zero(u, system_.unknowns());
    system_.set_fixed(std::vector<double>(fixed.size(), 0.0));
    prepare(u, w, effort);
    system_.set_fixed(fixed);
    const Evaluation out{charge.data(), conduction.data(), size_.data(), w};
    system_.evaluate_linearised(u, out);
    dev.template map_reduce<2, double>(
        system_.unknowns(), ResidualOf{target, charge.data(), conduction.data(), size_.data(), w, r_.data()});
    // Newton's own solves are the exact ones
    return solve_linear(r_.data(), u, std::max(linear_.tolerance, 1e-6), effort);
  }

  /// Makes sure that matrix and preconditioner for these weights are there, at u.
  void prepare(const double* u, const Weights& w, Effort& effort) {
    has_matrix_ = true;
    const AddSeconds timed(effort.renewal_seconds);
    if (!system_.assemble(u, w)) return;
    renew(policy_.choose(), u, w, effort);
    system_.device().synchronize();
  }
  /// From here on has_matrix() tells of what is prepared anew.
  void begin() { has_matrix_ = false; }
  bool has_matrix(const Weights& w) const {
    return has_matrix_ && w.charge == weights_.charge && w.current == weights_.current;
  }

  /// A x = b with the matrix that is there; `projected`: from a start vector of StartVectors.
  bool solve_linear(const double* b, double* x, double tolerance, Effort& effort, bool projected = false) {
    amg::SolveInfo info = try_once(b, x, tolerance, effort, projected);
    // a preconditioner that has fallen behind its matrix: once more with a new one; one that single precision
    // spoils (very flat elements): in double from here on; one that is not positive definite then: its
    // smoother amplifies what lies above its estimate of the spectrum, and another one takes over
    for (int repair = 0; repair < 3 && !info.converged; ++repair) {
      if (repair == 0 && fresh_) continue;
      if (repair == 1 && !solver_.use_double()) continue;
      if (repair == 2 && !(info.failure == amg::Failure::preconditioner_not_definite && solver_.use_safe()))
        break;
      make_anew(effort);
      info = try_once(b, x, tolerance, effort, false);
    }
    if (!info.converged) {
      effort.converged = false;
      effort.why_not = "the linear solver stopped at a relative residual of " + scientific(info.residual) +
                       " (" + std::to_string(info.iterations) + " iterations: " + info.why_not + ")";
      return false;
    }
    if (info.iterations > 0) policy_.note(info.iterations, std::max(info.residual / info.start, 1e-16));
    fresh_ = false;
    return true;
  }

  /// Is a residual no larger than the rounding of the products it is formed from? Very flat elements have
  /// entries so large that no vector of doubles does better.
  bool at_rounding(const double* b, const double* x, double relative) {
    auto& dev = system_.device();
    const double bb = dev.template map_reduce<1, double>(system_.unknowns(), DotOf{b, b}).v[0];
    const double all = system_.square_of_rounding(system_.matrices(), x);
    const double rounding = 0x1p-53;
    return relative * relative * bb <= rounding * rounding * all;
  }

  /// For iterations of others: a preconditioner in double in place of the one in single precision that spoilt
  /// them; false where it is in double already.
  bool repair_in_double(Effort& effort) {
    if (!solver_.use_double()) return false;
    make_anew(effort);
    return true;
  }
  /// The same for one with the other smoother.
  bool repair_smoother(Effort& effort) {
    if (!solver_.use_safe()) return false;
    make_anew(effort);
    return true;
  }

  /// Hears of every linear solve, those of others with the effort too; empty: nobody.
  std::function<void(const Effort&)> told;

  LinearSolver<Device>& solver() { return *solver_; }
  const LinearSolver<Device>& solver() const { return *solver_; }

  /// The preconditioner's state is the matrices it was made from: `archive` writes them, or reads them and
  /// makes the preconditioner again (core/bytes.hpp).
  template <class Archive>
  void state(Archive& archive) {
    solver_.state(archive);
    policy_.state(archive);
    starts_.state(archive);
    forcing_.state(archive);
    archive(fresh_);
    archive(any_matrix_);
    archive(weights_);
    for (auto* o : {&setup_, &products_}) o->state(archive, system_);
    if constexpr (requires { archive.reading; }) {
      const auto fixed = system_.host_fixed();
      for (const auto* o : {&setup_, &products_}) {
        if (!o->there) continue;
        system_.set_fixed(o->fixed);
        system_.forget_matrix();
        system_.assemble(o->u.data(), o->weights);
        solver_->renew(system_.matrices(), o == &setup_ ? amg::Refresh::all : amg::Refresh::galerkin);
      }
      system_.forget_matrix();
      has_matrix_ = false;
      system_.set_fixed(fixed);
      // a nonlinear system takes its matrix anew at every iterate, a linear one goes on with what it had
      if (any_matrix_ && !system_.nonlinear()) {
        system_.assemble(nullptr, weights_);
        solver_->renew(system_.matrices(), amg::Refresh::finest);
      }
    }
  }
  std::string describe() const { return solver_->describe() + starts_.describe(); }
  std::size_t bytes() const {
    return solver_->bytes() + starts_.bytes() + charge.bytes() + conduction.bytes() + size_.bytes() +
           r_.bytes() + d_.bytes() + trial_.bytes();
  }

  static std::string scientific(double v) {
    char text[32];
    std::snprintf(text, sizeof text, "%.2g", v);
    return text;
  }

 private:
  static bool is_stage(const Weights& w) { return w.charge != 0 && w.current != 0; }  // of a time step
  bool iterate(double* u, const double* target, const Weights& w, Effort& effort) {
    Norms now = evaluate(u, target, w);
    const bool linear = !system_.nonlinear();
    const double wanted = linear ? linear_.tolerance : spec_.tolerance;
    for (int k = 0; k < spec_.max_iterations; ++k) {
      if (!std::isfinite(now.residual)) return fail(effort, "the residual is not a number");
      if (now.residual <= wanted * now.size) return true;
      prepare(u, w, effort);
      // what currents and charges are read from is solved as fixed
      const double before = now.residual / now.size,
                   tolerance = is_stage(w) ? forcing_.next(k, before, wanted) : forcing_.fixed(before);
      // later corrections lie where no earlier solution does
      if (!solve_linear(r_.data(), d_.data(), tolerance, effort, k == 0 && is_stage(w))) return false;
      ++effort.newton;
      if (linear) {
        system_.device().for_each(system_.unknowns(), AddScaled{1, d_.data(), u});
        const Norms next = evaluate(u, target, w);
        if (next.residual <= 10 * wanted * next.size) return true;
        // once more with the true residual, until rounding has the last word
        if (!(next.residual <= 0.5 * now.residual)) {
          if (next.residual <= spec_.tolerance * next.size) return true;
          return fail(effort, "the linear system is solved to a relative residual of " +
                                  scientific(next.residual / next.size) + " only (rounding)");
        }
        now = next;
        continue;
      }
      if (!search(u, target, w, wanted, now))
        return fail(effort, "no step along Newton's direction reduces the residual");
      if (is_stage(w)) forcing_.saw(k, before, now.residual / now.size);
    }
    if (now.residual <= wanted * now.size) return true;
    return fail(effort, "Newton's iteration stopped at a relative residual of " +
                            scientific(now.residual / now.size) + " after " +
                            std::to_string(spec_.max_iterations) +
                            " iterations; raise newton.max_iterations");
  }

  amg::SolveInfo try_once(const double* b, double* x, double tolerance, Effort& effort, bool projected) {
    amg::SolveInfo info;
    {
      const AddSeconds timed(effort.linear_seconds);
      info = projected ? starts_.solve(*solver_, b, x, tolerance, linear_.max_iterations)
                       : solver_->solve(b, x, tolerance, linear_.max_iterations);
    }
    effort.linear += info.iterations;
    if (told) told(effort);
    if (!info.converged && at_rounding(b, x, info.residual)) info.converged = true;
    return info;
  }

  /// Matrix and preconditioner at the last state, all of it.
  void make_anew(Effort& effort) {
    const AddSeconds timed(effort.renewal_seconds);
    system_.forget_matrix();
    system_.assemble(last_u_, weights_);
    solver_->renew(system_.matrices(), amg::Refresh::all);
    setup_.remember(system_, last_u_, weights_);
    products_.there = false;
    policy_.demand_all();
    policy_.choose();
    note_renewal(amg::Refresh::all, effort);
    system_.device().synchronize();
  }

  struct Norms {
    double residual, size;
  };
  Norms evaluate(const double* u, const double* target, const Weights& w) {
    system_.evaluate(u, {charge.data(), conduction.data(), size_.data(), w});
    const auto s = system_.device().template map_reduce<2, double>(
        system_.unknowns(), ResidualOf{target, charge.data(), conduction.data(), size_.data(), w, r_.data()});
    return {std::sqrt(s.v[0]), std::sqrt(s.v[1])};
  }

  /// Halves the step until the residual falls.
  bool search(double* u, const double* target, const Weights& w, double wanted, Norms& now) {
    auto& dev = system_.device();
    double step = 1;
    for (int k = 0; k < 12; ++k, step /= 2) {
      dev.for_each(system_.unknowns(), Blend{1, u, step, d_.data(), trial_.data()});
      const Norms next = evaluate(trial_.data(), target, w);
      if (next.residual <= (1 - 1e-4 * step) * now.residual || next.residual <= wanted * next.size) {
        dev.for_each(system_.unknowns(), Copy{trial_.data(), u});
        now = next;
        return true;
      }
    }
    return false;
  }

  void renew(amg::Refresh how, const double* u, const Weights& w, Effort& effort) {
    solver_->renew(system_.matrices(), how);
    starts_.matrix_changed();
    weights_ = w;
    any_matrix_ = true;
    last_u_ = u;
    if (how == amg::Refresh::all) {
      setup_.remember(system_, u, w);
      products_.there = false;
    } else if (how == amg::Refresh::galerkin) {
      products_.remember(system_, u, w);
    }
    note_renewal(how, effort);
  }
  void note_renewal(amg::Refresh how, Effort& effort) {
    effort.setups += how == amg::Refresh::all;
    effort.refreshes += how == amg::Refresh::galerkin;
    fresh_ = how == amg::Refresh::all;
    policy_.renewed(how);
  }
  static bool fail(Effort& effort, const std::string& why) {
    effort.converged = false;
    effort.why_not = why;
    return false;
  }

  System<Device>& system_;
  NewtonSpec spec_;
  LinearSpec linear_;
  RepairableSolver<Device> solver_;
  StartVectors<Device> starts_;
  ReusePolicy policy_;
  Forcing forcing_;
  bool fresh_ = false, has_matrix_ = false, any_matrix_ = false;
  Weights weights_;
  MatrixOrigin<Device> setup_, products_;
  const double* last_u_ = nullptr;

 public:
  Vector charge, conduction;  ///< q and i of the last solution

 private:
  Vector size_, r_, d_, trial_;
};

}  // namespace umov::eqs
