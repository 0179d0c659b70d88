// Solves for several incident fields together: rounds of a block iteration around true residuals.
#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <memory>
#include <numeric>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "dda/solver/dipole_solver.hpp"

namespace umov::dda {

/// A block of right-hand sides of one matrix. Each round forms the residual of every column that is not yet
/// there, one by one and in the engine's precision, and has the block iteration correct them, in float where
/// the case iterates in float. The columns of the next round are those that are still above epsilon, so that
/// converged ones cost no more. A checkpoint holds the columns, where the rounds are, and within a round the
/// iteration's state: what goes on from it has the bits of what was never stopped.
template <class Dev, class T, class Conv>
class BlockSolver : protected DipoleSolver<Dev, T, Conv> {
 protected:
  using Solves = DipoleSolver<Dev, T, Conv>;
  using Solves::alpha_, Solves::convolution_, Solves::dev_, Solves::inner_, Solves::inverse_root_,
      Solves::lattice_, Solves::n_, Solves::polarization_, Solves::root_, Solves::solver_bytes_;
  using Solves::Solves;
  using typename Solves::C, typename Solves::Operator, typename Solves::Vector;
  using StateFile = typename StateFiles<Dev>::Writer;

  /// What the rounds of a block leave: reports by columns, x in `block_`.
  struct BlockCourse {
    const SolveOptions& options;
    const std::function<void(int)>& enter;  ///< makes a column's incident field the present one
    std::vector<double> epsilons;           ///< |r|/|S E_inc| to reach
    CheckpointFile<Dev, T> checkpoint;
    std::vector<SolveReport> reports{};
    std::vector<double> right_sides{}, residuals{};  ///< |S E_inc|, |r|
    SolveReport work{};                              ///< of the block as a whole
    long iterations = 0;                             ///< before the round
    int round = 0;
    std::vector<int> active{};                  ///< columns of the round
    bool stopped = false, interrupted = false;  ///< asked to stop; ended by that
    std::string given_up{};                     ///< what the block did instead of getting there
    double saved = now();                       ///< when the last checkpoint was
  };

  BlockCourse course_of(std::span<const RightSide> sides, const SolveOptions& options,
                        const std::function<void(int)>& enter) {
    std::vector<double> epsilons;
    for (const RightSide& side : sides) epsilons.push_back(side.epsilon > 0 ? side.epsilon : options.epsilon);
    SolveOptions named = options;
    named.solver += ", block of " + std::to_string(sides.size());
    return {options, enter, std::move(epsilons), this->checkpoint_file(named)};
  }

  C* column(int j) { return block_.data() + index_t(j) * n_; }

  /// Solves for the fields as far as the block gets, and leaves their polarizations in `block_`; those that
  /// are not there say so.
  void solve_columns(BlockCourse& c) {
    const double begun = now();
    const int columns = int(c.epsilons.size());
    const std::size_t size = std::size_t(columns) * n_;
    block_ = dev_.template allocate<C>(size);
    dev_.fill_zero(block_.data(), size);
    solver_bytes_ = block_.bytes();
    c.reports.assign(columns, {});
    for (auto& report : c.reports) {
      report.start = "x_0 = 0";
      report.history = {1};
    }
    if (!c.options.preconditioners.empty()) c.work.preconditioner = c.options.preconditioners.front().name;
    if (!c.options.inner_float) {
      solve_rounds<T>(columns, c, [&](const BlockRound<Dev>& round, C* x, C* r) {
        return this->block_round(round, x, r, c.work);
      });
    } else if constexpr (std::is_same_v<T, double>) {
      if (!inner_) this->make_inner();
      inner_->set_polarizability(alpha_);
      solve_rounds<float>(columns, c,
                          [&](const BlockRound<Dev>& round, Complex<float>* x, Complex<float>* r) {
                            ++c.work.refreshes;
                            return inner_->run_block(round, x, r, c.work);
                          });
    } else {
      throw BadInput("only an engine in double iterates in float; leave the inner precision out");
    }
    settle_reports(c);
    if (c.checkpoint.enabled() && !c.interrupted && (c.options.checkpoint_at_end || !c.given_up.empty()))
      this->attempt([&] { c.checkpoint.save([&](StateFile& f) { put_course(f, c, false); }); }, c.options);
    for (int j = 0; j < columns; ++j) this->scale(root_, column(j), column(j));
    c.work.seconds = now() - begun;
  }

  /// Polarizations of a column.
  void take_column(int j) { dev_.for_each(n_, krylov::Copy<T>{column(j), polarization_.data()}); }
  void keep_column(int j) { dev_.for_each(n_, krylov::Copy<T>{polarization_.data(), column(j)}); }

  Vector block_;  ///< x of the columns while they are solved for, then their polarizations

 private:
  static bool there(int j, const BlockCourse& c) {
    return c.residuals[j] <= c.epsilons[j] * c.right_sides[j];
  }
  static double largest(const BlockCourse& c) {
    double worst = 0;
    for (const int j : c.active) worst = std::max(worst, c.residuals[j] / c.right_sides[j]);
    return worst;
  }
  long limit_of(const BlockCourse& c) const {
    return c.options.max_iterations < 0 ? long(n_) : c.options.max_iterations;
  }

  /// Rounds in precision U until the columns are there; run(round, x, r) iterates.
  template <class U, class Run>
  void solve_rounds(int columns, BlockCourse& c, const Run& run) {
    const std::size_t size = std::size_t(columns) * n_;
    auto x = dev_.template allocate<Complex<U>>(size), r = dev_.template allocate<Complex<U>>(size);
    solver_bytes_ += x.bytes() + r.bytes();
    c.active.resize(columns);
    std::iota(c.active.begin(), c.active.end(), 0);
    c.residuals.assign(columns, 0);
    c.right_sides.assign(columns, 0);
    std::unique_ptr<CheckedReader> state;
    if (c.options.resume)
      state = take_course(c, x, r.data());
    else
      form_residuals(true, r.data(), c);
    for (; !c.active.empty() && c.given_up.empty(); ++c.round) {
      BlockRound<Dev> round = next_round(c, x);
      round.state = state.get();
      if (!state) dev_.fill_zero(x.data(), c.active.size() * n_);
      const auto outcome = run(round, x.data(), r.data());
      state.reset();
      for (std::size_t k = 0; k < c.active.size(); ++k) {
        const T unit = T(c.residuals[c.active[k]]);
        if constexpr (std::is_same_v<U, T>)
          dev_.for_each(n_, AddScaled<T>{unit, x.data() + k * n_, column(c.active[k])});
        else
          dev_.for_each(n_, AddCorrection<T>{unit, x.data() + k * n_, column(c.active[k])});
        c.reports[c.active[k]].iterations += outcome.iterations;
      }
      c.iterations += outcome.iterations;
      const double before = largest(c);
      form_residuals(false, r.data(), c);
      // a state was saved that goes on from where it was, whether or not the columns are there by now
      c.interrupted = outcome.end == krylov::BlockEnd::interrupted || (c.stopped && !c.active.empty());
      if (c.interrupted || c.active.empty() || c.iterations >= limit_of(c)) return;
      // one that has not halved the largest residual says that it is of no use here
      const bool useful = largest(c) <= 0.5 * before || outcome.end == krylov::BlockEnd::few_left;
      if (useful && outcome.end != krylov::BlockEnd::no_progress && c.round < most_rounds) continue;
      c.given_up = outcome.end == krylov::BlockEnd::broke_down ? "broke down" : "made no progress";
    }
  }

  /// Residuals of the active columns; those that are there leave, of the others r has the residuals divided
  /// by their norms. The first are the right-hand sides.
  template <class U>
  void form_residuals(bool first, Complex<U>* r, BlockCourse& c) {
    Vector one = dev_.template allocate<C>(n_);
    Operator op{&dev_, &*convolution_, root_.data(), n_};
    std::size_t kept = 0;
    for (const int j : c.active) {
      c.enter(j);
      if (first) {
        c.residuals[j] = c.right_sides[j] = std::sqrt(this->right_side(one.data()));
      } else {
        c.residuals[j] = std::sqrt(this->residual_of(op, column(j), one.data()));
        c.reports[j].history.back() = c.residuals[j] / c.right_sides[j];
      }
      if (!first && there(j, c)) continue;
      const T unit = T(1 / c.residuals[j]);
      if constexpr (std::is_same_v<U, T>)
        dev_.for_each(n_, krylov::Scaled<T>{C(unit), one.data(), r + kept * n_});
      else
        dev_.for_each(n_, InFloat<T>{unit, one.data(), r + kept * n_});
      c.active[kept++] = j;
    }
    c.active.resize(kept);
    dev_.synchronize();  // `one` goes
    c.work.products += op.products;
    c.work.seconds_products += op.seconds;
  }

  template <class Array>
  BlockRound<Dev> next_round(BlockCourse& c, Array& x) {
    using U = decltype(x.data()->re);
    static const Preconditioner plain;
    const auto& list = c.options.preconditioners;
    BlockRound<Dev> round{list.empty() ? plain : list.front(), {}, {}};
    c.work.preconditioner = round.preconditioner.name;
    auto& o = round.options;
    double here = 0;
    for (const int j : c.active) {
      const double end = (c.round == 0 ? 0.7 : 0.5) * c.epsilons[j] * c.right_sides[j];
      o.goals.push_back(std::max(end / c.residuals[j], sizeof(U) == 4 ? least_in_float : least_in_full));
      here = std::max(here, o.goals.back() * c.residuals[j] / c.right_sides[j]);
    }
    o.window = std::max(60, 2 * this->longest_edge());
    o.max_iterations = limit_of(c) - c.iterations;
    o.noise = 10 * double(std::numeric_limits<U>::epsilon());
    round.hook = [this, &c, &x, here](long iteration, double excess, const StateWriter<Dev>& state) {
      for (const int j : c.active) c.reports[j].history.push_back(excess * here);
      const bool go_on =
          !any_rank(dev_, c.options.hook && !c.options.hook(c.iterations + iteration, excess * here));
      const bool due = c.options.checkpoint_interval > 0 &&
                       any_rank(dev_, now() - c.saved >= c.options.checkpoint_interval);
      c.stopped = !go_on;
      if (!c.checkpoint.enabled() || (go_on && !due)) return go_on;
      const auto save = [&] {
        c.checkpoint.save([&](StateFile& f) {
          put_course(f, c, true);
          f.elements(dev_, x);
          state(f);
        });
      };
      c.saved = now();
      if (go_on)
        c.stopped = this->attempt(save, c.options) && c.options.stop_at_checkpoint;
      else
        save();
      return !c.stopped;
    };
    return round;
  }

  /// What a checkpoint of a block holds before the state of a round that is under way.
  void put_course(StateFile& f, const BlockCourse& c, bool in_round) {
    visit_course(f, c);
    f(in_round);
    f.elements(dev_, block_);
  }
  template <class Bytes, class Course>
  static void visit_course(Bytes& f, Course& c) {
    f.each(c.reports, [&](auto& report) {
      visit_report(f, report);
      f(report.iterations);
    });
    f(c.work.products);
    f(c.work.preconditionings);
    f(c.right_sides);
    f(c.residuals);
    f(c.iterations);
    f(c.round);
    f(c.active);
    f(c.given_up);
  }
  /// Takes it back, with x of the round; returns what is to be read by the iteration. Between rounds there is
  /// nothing of the kind: the residuals are formed instead.
  template <class Array, class R>
  std::unique_ptr<CheckedReader> take_course(BlockCourse& c, Array& x, R* r) {
    auto f = c.checkpoint.read();
    const std::size_t columns = c.epsilons.size();
    visit_course(*f, c);
    const auto is_column = [&](int j) { return j >= 0 && j < int(columns); };
    if (c.reports.size() != columns || c.right_sides.size() != columns || c.residuals.size() != columns ||
        c.active.size() > columns || !std::all_of(c.active.begin(), c.active.end(), is_column))
      f->damaged();
    for (const SolveReport& report : c.reports)
      if (report.history.empty()) f->damaged();
    bool in_round = false;
    (*f)(in_round);
    c.checkpoint.finite_vector(*f, block_);
    if (in_round && !c.active.empty()) {
      c.checkpoint.finite_vector(*f, x);
      return f;
    }
    c.checkpoint.end(*f);
    c.active.clear();
    for (int j = 0; j < int(columns); ++j)
      if (!there(j, c)) c.active.push_back(j);
    if (!c.active.empty()) form_residuals(false, r, c);
    return nullptr;
  }

  static void settle_reports(BlockCourse& c) {
    for (std::size_t j = 0; j < c.reports.size(); ++j) {
      SolveReport& report = c.reports[j];
      report.residual = report.true_residual = c.residuals[j] / c.right_sides[j];
      report.history.back() = report.residual;
      report.preconditioner = c.work.preconditioner;
      report.status = c.interrupted        ? SolveStatus::interrupted
                      : there(int(j), c)   ? SolveStatus::converged
                      : c.given_up.empty() ? SolveStatus::iteration_limit
                                           : SolveStatus::stagnated;
    }
  }

  /// Digits of a round: float leaves some 1e-6, and a round that begins anew loses what the one before knew.
  static constexpr double least_in_float = 5e-6, least_in_full = 1e-13;
  static constexpr int most_rounds = 12;
};

}  // namespace umov::dda
