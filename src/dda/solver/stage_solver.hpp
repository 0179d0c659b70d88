// One stage of a solve: a Krylov solver from its start to its end, with checkpoints, true residuals,
// restarts.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>

#include "dda/solver/checkpoint.hpp"
#include "dda/solver/dipole_system.hpp"
#include "linalg/krylov/drive.hpp"
#include "linalg/krylov/solvers.hpp"

namespace umov::dda {

template <class Dev, class T, class Conv>
class StageSolver : protected DipoleSystem<Dev, T, Conv> {
 protected:
  using System = DipoleSystem<Dev, T, Conv>;
  using typename System::A, typename System::C, typename System::Operator, typename System::Vector;
  using Preconditioning = LatticePreconditioner<Dev, T, Conv>;
  using Counted = CountedPreconditioner<T, Preconditioning>;
  using System::convolution_, System::dev_, System::fingerprint_, System::incident_, System::inverse_root_,
      System::lattice_, System::n_, System::polarization_, System::root_;
  using System::norm2_of, System::put, System::residual_of, System::scale;
  explicit StageSolver(Dev& dev) : System(dev) {}

  template <class Number = T>
  CheckpointFile<Dev, Number> checkpoint_file(const SolveOptions& options) {
    return {dev_, options, fingerprint_};
  }

  /// `order` 0: the solver's usual one, or it has none.
  template <class Solver>
  Solver make_solver(Operator& op, Counted* m, int order) {
    const auto make = [&, this](auto... order) {
      if constexpr (std::is_constructible_v<Solver, Dev&, Operator&, index_t, decltype(order)...>)
        return Solver(this->dev_, op, this->n_, order...);
      else
        return Solver(this->dev_, op, *m, this->n_, order...);
    };
    if constexpr (krylov::HasOrder<Solver>)
      if (order > 0) return make(order);
    return make();
  }

  /// One stage. False when its preconditioner is to be given up: x is as far as it got, and `report` knows.
  template <class Solver>
  bool solve_with(const SolveOptions& options, const Stage& stage, Counted* m, SolveReport& report) {
    const double begin = now();
    Operator op{&dev_, &*convolution_, root_.data(), n_};
    Vector& x = polarization_;  // scaled to P = S x at the end
    Vector r = dev_.template allocate<C>(n_);
    const int order = krylov::solver_name(options.solver).order;
    Solver solver = make_solver<Solver>(op, m, order);
    solver_bytes_ = (1 + krylov::vectors_in<Solver>(order)) * x.bytes();
    const double bb = right_side(r.data());

    auto checkpoint = checkpoint_file(options);
    krylov::DriveOptions drive;
    drive.epsilon = options.epsilon;
    drive.max_iterations = options.max_iterations < 0 ? long(n_) : options.max_iterations;
    long done = report.iterations;
    solver.attach(x.data(), r.data());
    if (stage.resume) {
      done = checkpoint.load(solver, x, r, report);
      if (report.status == SolveStatus::converged && report.residual <= options.epsilon) {
        scale(root_, x.data(), polarization_.data());
        return true;
      }
      if (report.status == SolveStatus::converged)
        start_from(solver, op, x.data(), r.data(), residual_of(op, x.data(), r.data()));
    } else {
      start_from(solver, op, x.data(), r.data(),
                 begin_stage(op, options, stage, x.data(), r.data(), bb, report));
    }
    bool given_up = false;
    const auto save = [&](long iteration) {
      SolveReport so_far = report;
      so_far.products += op.products;
      if (m) so_far.preconditionings += m->products;
      checkpoint.save(solver, x, r, stage, iteration, so_far);
    };
    drive.hook = make_hook(options, stage, report, checkpoint.enabled(), given_up, save);
    double best_true = -1;
    for (int round = 0;; ++round) {
      const auto outcome = krylov::drive(solver, bb, done, drive, report.history);
      if constexpr (requires { solver.settle(); }) solver.settle();
      done = outcome.iterations;
      report.status = SolveStatus(outcome.status);
      report.residual = outcome.residual;
      report.diagnosis = outcome.diagnosis;
      if (report.status == SolveStatus::interrupted) break;
      if (report.status == SolveStatus::iteration_limit && !options.recalculate_residual) break;
      // What the recurrence says is checked against b - A x; rounding can separate the two.
      const double rr = residual_of(op, x.data(), r.data());
      report.true_residual = std::sqrt(rr / bb);
      const bool good = report.true_residual <= 2 * options.epsilon;
      if (good || report.status == SolveStatus::iteration_limit) break;
      const bool improves = best_true < 0 || report.true_residual < 0.5 * best_true;
      const bool broke_down = report.status == SolveStatus::broke_down;
      if (improves) best_true = report.true_residual;
      // Not from where it has diverged to: a restart there has more to undo than one from zero.
      const bool aside = broke_down && report.true_residual <= std::max(1.0, report.initial_residual);
      if (round == 8 || !(improves || aside) || report.status == SolveStatus::stagnated) {
        settle(report, options);
        given_up = !stage.last && report.status != SolveStatus::converged;
        break;
      }
      report.history.back() = report.true_residual;
      start_from(solver, op, x.data(), r.data(), aside ? step_aside(op, x.data(), r.data(), rr) : rr);
    }
    report.iterations = done;
    report.seconds += now() - begin;
    if (!given_up && checkpoint.enabled() && options.checkpoint_at_end &&
        report.status != SolveStatus::interrupted)
      attempt([&] { save(done); }, options);
    report.products += op.products;
    report.seconds_products += op.seconds;
    if (given_up) return false;
    scale(root_, x.data(), polarization_.data());
    return true;
  }

  /// r = S E_inc; returns its squared norm, which is a positive number.
  double right_side(C* r) {
    scale(root_, incident_.data(), r);
    const double bb = norm2_of(r);
    if (!(bb > 0) || !std::isfinite(bb))
      throw BadInput(
          std::string("the incident field times the polarizability is ") +
          (bb == 0 ? "zero at every dipole" : "no finite number") +
          " (the field is, or lengths and refractive indices leave the range of the precision); give "
          "lengths nearer to 1 um, or compute in double");
    return bb;
  }

  /// After each iteration: the caller's hook, progress, the checkpoint that is due.
  template <class Save>
  std::function<bool(long, double)> make_hook(const SolveOptions& options, const Stage& stage,
                                              SolveReport& report, bool saves, bool& given_up,
                                              const Save& save) {
    return [&, saves, save, saved = now()](long iteration, double residual) mutable {
      const bool go_on = !any_rank(dev_, options.hook && !options.hook(iteration, residual));
      if (go_on && !stage.last && no_progress(stage, iteration, report.history)) {
        given_up = true;
        return false;
      }
      const bool due =
          options.checkpoint_interval > 0 && any_rank(dev_, now() - saved >= options.checkpoint_interval);
      if (!saves || (go_on && !due)) return go_on;
      saved = now();
      report.status = SolveStatus::interrupted;
      report.residual = residual;
      if (!go_on) return save(iteration), false;
      return !(attempt([&] { save(iteration); }, options) && options.stop_at_checkpoint);
    };
  }

  /// Whether the last so many iterations have not brought a tenth of the residual: a clear sphere, m = 1.5,
  /// gains that in 60 at n = 128, in 400 at n = 192, where the plain iteration takes 4000.
  bool no_progress(const Stage& stage, long iteration, const std::vector<double>& history) const {
    const long window = std::max({60L, 2L * this->longest_edge(), stage.patience}),
               run = iteration - stage.begin;
    if (run == 0 || run % window != 0 || long(history.size()) <= run) return false;
    const auto least = [&](long from, long to) {
      return *std::min_element(history.end() - 1 - from, history.end() - to);
    };
    return !(least(window - 1, 0) <= 0.1 * least(run, window));
  }

  /// x where a stage begins, and r = b - A x; on entry r = b. Returns |r|^2.
  double begin_stage(Operator& op, const SolveOptions& options, const Stage& stage, C* x, C* r, double bb,
                     SolveReport& report) {
    if (!stage.fresh) {
      const double rr = start_again(op, options, x, r, bb, report);
      report.history.back() = std::sqrt(rr / bb);
      return rr;
    }
    const double rr = start_vector(op, options, x, r, bb, report);
    report.initial_residual = std::sqrt(rr / bb);
    report.history = {report.initial_residual};
    return rr;
  }

  /// From where the stage before was given up, unless that is worse than the start. Returns |r|^2.
  double start_again(Operator& op, const SolveOptions& options, C* x, C* r, double bb, SolveReport& report) {
    const double rr = residual_of(op, x, r);
    const double worst = report.initial_residual * report.initial_residual * bb;
    return rr <= worst ? rr : start_vector(op, options, x, r, bb, report);
  }

  /// Starts the solver from x and r. A residual (all but) orthogonal to its own conjugate, as that of a plane
  /// wave in a cube of whole wavelengths, is one that no Lanczos recurrence without look-ahead can start
  /// from.
  template <class Solver>
  void start_from(Solver& solver, Operator& op, C* x, C* r, double rr) {
    const auto s = dev_.template map_reduce<3, A>(n_, krylov::BilinearAndNorm<T>{r});
    const A least = std::sqrt(A(std::numeric_limits<T>::epsilon())) * s.v[2];
    if (s.v[0] * s.v[0] + s.v[1] * s.v[1] < least * least) rr = step_aside(op, x, r, rr);
    solver.start(x, r, rr);
  }

  /// Steps of least residual along r: what A adds to it leads out of such places.
  double step_aside(Operator& op, C* x, C* r, double rr) {
    Vector q = dev_.template allocate<C>(n_);
    for (int step = 0; step < 3; ++step) {
      const auto product = op.apply(r, q.data(), false);
      if (!(product.yy > 0)) break;
      const Complex<A> alpha = (A(1) / product.yy) * conj(product.xhy);
      rr = double(dev_.template map_reduce<1, A>(n_, krylov::StepAlong<T>{C(alpha), r, q.data(), x, r}).v[0]);
    }
    return rr;
  }

  /// A save that fails must not cost the run: it is reported and tried again when the next is due.
  template <class Save>
  static bool attempt(const Save& save, const SolveOptions& options) {
    try {
      save();
      return true;
    } catch (const Error& e) {
      if (options.warn) options.warn(std::string(e.what()) + "; the run goes on without this checkpoint");
      return false;
    }
  }

  /// The recurrence ended, the true residual stays above the goal and a restart does not help.
  static void settle(SolveReport& report, const SolveOptions& options) {
    if (report.status != SolveStatus::converged) return;
    const double rounding = 100 * double(std::numeric_limits<T>::epsilon());
    if (report.true_residual <= 10 * options.epsilon && options.epsilon <= rounding) return;
    report.status = SolveStatus::stagnated;
    report.diagnosis = krylov::rounding_limit(report.true_residual, !std::is_same_v<T, float>);
  }

  /// Chooses x and leaves r = b - A x; on entry r = b. Returns |r|^2.
  double start_vector(Operator& op, const SolveOptions& options, C* x, C* r, double bb, SolveReport& report) {
    const auto zero = [&] {
      dev_.fill_zero(x, n_);
      scale(root_, incident_.data(), r);
      report.start = "x_0 = 0";
      return bb;
    };
    if (options.initial == InitialField::zero) return zero();
    if (options.initial == InitialField::wkb || options.initial == InitialField::read) {
      Vector field = dev_.template allocate<C>(n_);
      put(*options.initial_field, field);
      scale(inverse_root_, field.data(), x);
      report.start = options.initial == InitialField::wkb ? "x_0 = result of WKB" : "x_0 from file";
      return residual_of(op, x, r);
    }
    dev_.for_each(n_, krylov::Copy<T>{r, x});
    report.start = "x_0 = E_inc";
    const double rr = residual_of(op, x, r);
    if (options.initial == InitialField::automatic && rr >= bb) return zero();
    return rr;
  }

  std::size_t solver_bytes_ = 0;
};

}  // namespace umov::dda
