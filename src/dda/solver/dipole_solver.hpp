// The course of a solve: preconditioners and precisions in their order.
#pragma once

#include <cmath>
#include <memory>
#include <type_traits>

#include "dda/solver/inner_solver.hpp"
#include "dda/solver/stage_solver.hpp"

namespace umov::dda {

template <class Dev, class T, class Conv>
class DipoleSolver : protected StageSolver<Dev, T, Conv> {
 protected:
  using Stages = StageSolver<Dev, T, Conv>;
  using Stages::alpha_, Stages::convolution_, Stages::dev_, Stages::lattice_, Stages::n_,
      Stages::polarization_, Stages::problem_, Stages::root_, Stages::solver_bytes_;
  using Stages::checkpoint_file, Stages::scale, Stages::solve_with;
  using typename Stages::A, typename Stages::C, typename Stages::Counted, typename Stages::Operator,
      typename Stages::Preconditioning, typename Stages::Vector;

  explicit DipoleSolver(Dev& dev, InnerMaker<Dev> inner = nullptr) : Stages(dev), inner_maker_(inner) {}

  /// The twin in float of the loaded problem.
  void make_inner() {
    if (!inner_maker_)
      throw BadInput("only an engine in double iterates in float; leave the inner precision out");
    inner_ = inner_maker_(dev_);
    inner_->load(problem_);
  }

  /// The solver with each preconditioner of the list until one gets there; the last is not given up. Float
  /// gives way to double with the same preconditioner; plain iterations that follow others are in double.
  template <class TagOf>
  SolveReport solve_in_stages(TagOf tag, const SolveOptions& options) {
    const Preconditioner plain;
    const auto& list = options.preconditioners;
    Stage stage;
    stage.in_float = options.inner_float;
    if (options.resume) stage = checkpoint_file(options).stage();
    stage.resume = options.resume;
    SolveReport report;
    for (;;) {
      if (stage.number > 0 && stage.number >= int(list.size()))
        throw BadInput(options.checkpoint_file + ": checkpoint is damaged");
      const Preconditioner& p = list.empty() ? plain : list[stage.number];
      stage.last = stage.number + 1 >= int(list.size());
      stage.patience = p.patience;
      if (stage.number > 0 && p.kind == PreconditionerKind::none) stage.in_float = false;
      const StageEnd end = stage.in_float ? solve_in_float(options, stage, p, report)
                                          : solve_in_full(tag, options, stage, p, report);
      report.preconditioner = p.name;
      if (end == StageEnd::done) return report;
      stage.resume = stage.fresh = false;
      stage.begin = report.iterations;
      const auto after = " was given up after " + std::to_string(report.iterations) + " iterations";
      if (end == StageEnd::too_coarse) {
        stage.in_float = false;
        inner_.reset();  // its memory is that of the preconditioner in double
        report.notes.push_back("the inner iteration in float" + after + "; it goes on in double");
      } else {
        ++stage.number;
        report.notes.push_back("the preconditioner '" + p.name + "'" + after);
      }
    }
  }

  /// One stage in this precision.
  template <class TagOf>
  StageEnd solve_in_full(TagOf, const SolveOptions& options, const Stage& stage, const Preconditioner& p,
                         SolveReport& report) {
    bool ended = false;
    if (p.kind == PreconditionerKind::none) {
      preconditioning_.reset();
      preconditioner_bytes_ = 0;
      using Solver = typename TagOf::template type<Dev, T, Operator>;
      ended = this->template solve_with<Solver>(options, stage, nullptr, report);
    } else if constexpr (TagOf::Preconditioning::exists) {
      using Solver = typename TagOf::Preconditioning::template type<Dev, T, Operator, Counted>;
      with_preconditioner(p, report, [&](Counted& m) {
        ended = this->template solve_with<Solver>(options, stage, &m, report);
      });
    } else {
      throw BadInput("the solver " + options.solver +
                     " takes no preconditioner; use `solver.preconditioner = 'none'`");
    }
    return ended ? StageEnd::done : StageEnd::no_progress;
  }

  /// One stage by the twin in float.
  StageEnd solve_in_float(const SolveOptions& options, const Stage& stage, const Preconditioner& p,
                          SolveReport& report) {
    if constexpr (std::is_same_v<T, double>) {
      if (!inner_) make_inner();
      preconditioning_.reset();
      preconditioner_bytes_ = 0;
      solver_bytes_ = polarization_.bytes();  // the residual of a refresh
      inner_->set_polarizability(alpha_);
      Outer outer(*this, options);
      const StageEnd end = inner_->run(options, stage, p, report, outer);
      report.products += outer.op.products;
      report.seconds_products += outer.op.seconds;
      if (end == StageEnd::done) scale(root_, polarization_.data(), polarization_.data());
      return end;
    } else {
      throw BadInput("only an engine in double iterates in float; leave the inner precision out");
    }
  }

  /// use(m) with the preconditioner made and counted.
  template <class Use>
  void with_preconditioner(const Preconditioner& p, SolveReport& report, const Use& use) {
    const double start = now();
    Counted m{prepare(p)};
    report.seconds_set_up += now() - start;
    report.seconds_preconditioning += now() - start;
    use(m);
    report.preconditionings += m.products;
    report.seconds_preconditioning += m.seconds;
  }

  /// One round of a block in this precision.
  krylov::BlockOutcome block_round(const BlockRound<Dev>& round, C* x, C* r, SolveReport& work) {
    Operator op{&dev_, &*convolution_, root_.data(), n_};
    const int columns = int(round.options.goals.size());
    krylov::BlockOutcome outcome;
    const auto run = [&](Counted* m) {
      using Solver = krylov::BlockCocg<Dev, T, Operator, Counted>;
      Solver solver(dev_, op, m, n_, columns);
      solver_bytes_ = std::max(solver_bytes_, std::size_t(columns) * n_ * (2 + Solver::vectors) * sizeof(C));
      if (round.state) {
        StateArchive<Dev, CheckedReader> archive{dev_, *round.state};
        solver.state(archive);
        CheckpointFile<Dev, T>::end(*round.state);
        if (!solver.sound(columns)) round.state->damaged();
      }
      using File = typename StateFiles<Dev>::Writer;
      const StateWriter<Dev> write = [&](File& file) {
        StateArchive<Dev, File> archive{dev_, file};
        solver.state(archive);
      };
      auto options = round.options;
      options.hook = [&](long iteration, double excess) {
        // What is saved there counts this round's products, too.
        const long products = work.products, preconditionings = work.preconditionings;
        work.products += op.products;
        if (m) work.preconditionings += m->products;
        const bool go_on = round.hook(iteration, excess, write);
        work.products = products;
        work.preconditionings = preconditionings;
        return go_on;
      };
      outcome = solver.run(x, r, options);
    };
    if (round.preconditioner.kind == PreconditionerKind::none)
      run(nullptr);
    else
      with_preconditioner(round.preconditioner, work, [&](Counted& m) { run(&m); });
    work.products += op.products;
    work.seconds_products += op.seconds;
    return outcome;
  }

  /// Builds it, or takes that of the last solve where it is the same.
  Preconditioning* prepare(const Preconditioner& p) {
    if (!preconditioning_ || preconditioned_by_ != p) {
      preconditioning_.reset();
      preconditioning_ =
          std::make_unique<Preconditioning>(dev_, lattice_->view(), *convolution_, problem_, p);
      preconditioned_by_ = p;
    }
    preconditioning_->set_polarizability(alpha_);
    preconditioner_bytes_ = preconditioning_->bytes();
    return preconditioning_.get();
  }

  /// This system as its twin in float sees it.
  struct Outer final : OuterSystem<Dev> {
    Outer(DipoleSolver& solver, const SolveOptions& options)
        : s(solver), options(options), op{&s.dev_, &*s.convolution_, s.root_.data(), s.n_} {}

    double right_side() override {
      Vector r = s.dev_.template allocate<C>(s.n_);
      return bb = s.right_side(r.data());
    }
    double begin(const Stage& stage, SolveReport& report, Complex<float>* out) override {
      Vector r = s.dev_.template allocate<C>(s.n_);
      s.scale(s.root_, s.incident_.data(), r.data());
      const double rr = s.begin_stage(op, options, stage, x().data(), r.data(), bb, report);
      hand_over(r, std::sqrt(rr), out);
      return rr;
    }
    double refresh(const Complex<float>* correction, double unit, bool renew, Complex<float>* out) override {
      if (correction) s.dev_.for_each(s.n_, AddCorrection<T>{T(unit), correction, x().data()});
      Vector r = s.dev_.template allocate<C>(s.n_);
      const double rr = s.residual_of(op, x().data(), r.data());
      hand_over(r, renew ? std::sqrt(rr) : unit, out);
      return rr;
    }
    Vector& x() override { return s.polarization_; }
    long products() const override { return op.products; }

    void hand_over(const Vector& r, double unit, Complex<float>* out) {
      s.dev_.for_each(s.n_, InFloat<T>{unit > 0 ? T(1 / unit) : T(0), r.data(), out});
      s.dev_.synchronize();  // r goes
    }

    DipoleSolver& s;
    const SolveOptions& options;
    Operator op;
    double bb = 0;
  };

  InnerMaker<Dev> inner_maker_;
  std::unique_ptr<InnerSolver<Dev>> inner_;
  std::unique_ptr<Preconditioning> preconditioning_;
  Preconditioner preconditioned_by_;
  std::size_t preconditioner_bytes_ = 0;
};

}  // namespace umov::dda
