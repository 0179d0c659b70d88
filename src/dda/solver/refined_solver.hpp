// Iterations in float with the residual refreshed in double, on any backend.
#pragma once

#include <algorithm>
#include <cmath>

#include "dda/solver/dipole_solver.hpp"

namespace umov::dda {

/// Iterative refinement (Turner and Walker 1992, SIAM J. Sci. Stat. Comput. 13, 815): rounds of A d = r in
/// float, each followed by x += d and r = b - A x in double. A solver that can takes the new residual and
/// goes on with its directions (reliable updates: Clark et al. 2010, Comput. Phys. Commun. 181, 1517), others
/// begin anew. A round asks for no more than float can give; what it has given says what the next one is
/// asked for. The residual that ends the solve is one in double.
template <class Dev, class Conv>
class RefinedSolver final : public InnerSolver<Dev>, private DipoleSolver<Dev, float, Conv> {
  using Solves = DipoleSolver<Dev, float, Conv>;
  using Solves::convolution_, Solves::dev_, Solves::n_, Solves::preconditioner_bytes_,
      Solves::preconditioning_, Solves::root_, Solves::solver_bytes_;
  using typename Solves::C, typename Solves::Counted, typename Solves::Operator, typename Solves::Vector;
  using Outer = OuterSystem<Dev>;

 public:
  explicit RefinedSolver(Dev& dev) : Solves(dev) {}

  void load(const Problem& problem) override {
    this->load_system(problem);
    preconditioning_.reset();
  }
  void set_polarizability(std::span<const CVec3> alpha) override { this->set_roots(alpha); }

  StageEnd run(const SolveOptions& options, const Stage& stage, const Preconditioner& p, SolveReport& report,
               Outer& outer) override {
    StageEnd end = StageEnd::done;
    krylov::for_each_solver([&](auto tag, const char*) {
      if (krylov::solver_name(options.solver).solver == krylov::name_of(tag))
        end = run_with(tag, options, stage, p, report, outer);
    });
    return end;
  }

  krylov::BlockOutcome run_block(const BlockRound<Dev>& round, C* x, C* r, SolveReport& work) override {
    return this->block_round(round, x, r, work);
  }

  std::vector<MemoryUse> memory() const override {
    std::size_t product = 0;
    for (const auto& use : convolution_->memory()) product += use.bytes;
    return {{"product in float", product},
            {"iterative solver", solver_bytes_},
            {"preconditioner", preconditioner_bytes_}};
  }

 private:
  /// Where a solve stands between two refreshes; part of its checkpoint.
  struct Round {
    double unit = 0;   ///< of the residual and the correction in float
    double begin = 0;  ///< |r|/|b| at its beginning, in double
    double goal = 0;   ///< |r|/|b| that it is asked for
    double least = 0;  ///< smallest goal/begin that is asked of one round
  };
  /// The solver's state with that of its round, for a checkpoint.
  template <class Solver>
  struct Refinement {
    Solver& solver;
    Vector& correction;
    Round& round;
    template <class Archive>
    void state(Archive& archive) {
      archive.scalar(round.unit);
      archive.scalar(round.begin);
      archive.scalar(round.goal);
      archive.scalar(round.least);
      archive.vector(correction);
      solver.state(archive);
    }
  };

  template <class TagOf>
  StageEnd run_with(TagOf, const SolveOptions& options, const Stage& stage, const Preconditioner& p,
                    SolveReport& report, Outer& outer) {
    StageEnd end = StageEnd::done;
    if (p.kind == PreconditionerKind::none) {
      preconditioning_.reset();
      preconditioner_bytes_ = 0;
      using Solver = typename TagOf::template type<Dev, float, Operator>;
      end = refine<Solver>(options, stage, nullptr, report, outer);
    } else if constexpr (TagOf::Preconditioning::exists) {
      using Solver = typename TagOf::Preconditioning::template type<Dev, float, Operator, Counted>;
      this->with_preconditioner(p, report,
                                [&](Counted& m) { end = refine<Solver>(options, stage, &m, report, outer); });
    } else {
      throw BadInput("the solver " + options.solver +
                     " takes no preconditioner; use `solver.preconditioner = 'none'`");
    }
    return end;
  }

  template <class Solver>
  StageEnd refine(const SolveOptions& options, const Stage& stage, Counted* m, SolveReport& report,
                  Outer& outer) {
    const double begun = now();
    Operator op{&dev_, &*convolution_, root_.data(), n_};
    Vector x = dev_.template allocate<C>(n_), r = dev_.template allocate<C>(n_);
    const int order = krylov::solver_name(options.solver).order;
    Solver solver = this->template make_solver<Solver>(op, m, order);
    solver_bytes_ = (3 + krylov::vectors_in<Solver>(order)) * x.bytes();
    constexpr bool goes_on = requires { solver.replace(r.data(), 0.0); };
    Round round;
    round.least = goes_on ? least_of_going_on : least_of_beginning;
    Refinement<Solver> refinement{solver, x, round};
    auto checkpoint = this->template checkpoint_file<double>(options);
    const double bb = outer.right_side();
    krylov::DriveOptions drive;
    drive.max_iterations = options.max_iterations < 0 ? long(n_) : options.max_iterations;
    drive.stagnation_window = stagnation_window;
    bool given_up = false;
    const auto save = [&](long iteration) {
      SolveReport so_far = report;
      so_far.products += op.products + outer.products();
      if (m) so_far.preconditionings += m->products;
      checkpoint.save(refinement, outer.x(), r, stage, iteration, so_far);
    };
    drive.hook = this->make_hook(options, stage, report, checkpoint.enabled(), given_up, save);
    const auto aim = [&](double rr) {
      report.history.back() = round.begin = std::sqrt(rr / bb);
      round.goal = goal(round.begin, options.epsilon, round.least);
    };
    const auto start_round = [&](double rr) {
      aim(rr);
      round.unit = std::sqrt(rr);
      dev_.fill_zero(x.data(), n_);
      this->start_from(solver, op, x.data(), r.data(), 1);
    };
    long done = report.iterations;
    solver.attach(x.data(), r.data());
    if (!stage.resume) {
      start_round(outer.begin(stage, report, r.data()));
    } else {
      done = checkpoint.load(refinement, outer.x(), r, report);
      const bool ended = report.status == SolveStatus::converged;
      if (ended && report.residual <= options.epsilon) return StageEnd::done;
      if (ended) start_round(outer.refresh(nullptr, 0, true, r.data()));
    }
    StageEnd end = StageEnd::done;
    while (true) {
      drive.epsilon = round.goal;
      const auto outcome = krylov::drive(solver, bb / (round.unit * round.unit), done, drive, report.history);
      if constexpr (requires { solver.settle(); }) solver.settle();
      done = outcome.iterations;
      report.status = SolveStatus(outcome.status);
      report.diagnosis = outcome.diagnosis;
      report.residual = outcome.residual;
      if (report.status == SolveStatus::interrupted && !given_up) break;
      const bool on = goes_on && report.status == SolveStatus::converged;
      Vector fresh = dev_.template allocate<C>(n_);
      const double rr = outer.refresh(x.data(), round.unit, !on, fresh.data());
      ++report.refreshes;
      report.residual = report.true_residual = std::sqrt(rr / bb);
      if (report.true_residual <= options.epsilon) {
        report.status = SolveStatus::converged;
        report.diagnosis = {};
        break;
      }
      if (given_up) {
        end = StageEnd::no_progress;
        break;
      }
      if (report.status == SolveStatus::iteration_limit) break;
      if (!(report.true_residual <= worst_round * round.begin)) {
        end = StageEnd::too_coarse;
        break;
      }
      // what float has not given this time it will not give next time
      if (report.true_residual > 2 * round.goal)
        round.least = std::min(0.1, 2 * report.true_residual / round.begin);
      if constexpr (goes_on) {
        if (on) {
          aim(rr);
          solver.replace(fresh.data(), rr / (round.unit * round.unit));
          continue;
        }
      }
      dev_.for_each(n_, krylov::Copy<float>{fresh.data(), r.data()});
      start_round(rr);
    }
    report.history.back() = report.residual;
    report.iterations = done;
    report.seconds += now() - begun;
    if (checkpoint.enabled() && options.checkpoint_at_end && end == StageEnd::done &&
        report.status != SolveStatus::interrupted)
      this->attempt([&] { save(done); }, options);
    report.products += op.products;
    report.seconds_products += op.seconds;
    return end;
  }

  /// The residual that the next round goes for: the last one a little below epsilon, which it is held to in
  /// double; where one round cannot get there, as many equal ones as it takes.
  static double goal(double here, double epsilon, double least) {
    const double end = (here < 2 * epsilon ? 0.5 : 0.9) * epsilon, wanted = end / here;
    if (!(wanted < least)) return end;
    const double rounds = std::ceil(std::log(wanted) / std::log(least));
    return here * std::pow(wanted, 1 / rounds);
  }

  /// Digits of a round: few where the next one costs no more than its residual in double, many where it loses
  /// what the solver has found. Rounding in float leaves some 1e-6.
  static constexpr double least_of_going_on = 1e-3, least_of_beginning = 1e-4;
  /// A round that leaves more than this of the residual has shown that float is too coarse for the system.
  static constexpr double worst_round = 0.5;
  /// Iterations in float without a new least residual before a round is ended.
  static constexpr long stagnation_window = 500;
};

}  // namespace umov::dda
