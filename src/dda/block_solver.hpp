// Solves for several incident fields together: rounds of a block iteration around true residuals.
#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>
#include <string>
#include <type_traits>
#include <vector>

#include "dda/dipole_solver.hpp"

namespace umov::dda {

/// A block of right-hand sides of one matrix. Each round forms the residual of every column that is not yet
/// there, one by one and in the engine's precision, and has the block iteration correct them, in float where
/// the case iterates in float. The columns of the next round are those that are still above epsilon, so that
/// converged ones cost no more.
template <class Dev, class T, class Conv>
class BlockSolver : protected DipoleSolver<Dev, T, Conv> {
 protected:
  using Solves = DipoleSolver<Dev, T, Conv>;
  using Solves::alpha_, Solves::convolution_, Solves::dev_, Solves::inner_, Solves::inverse_root_,
      Solves::lattice_, Solves::n_, Solves::polarization_, Solves::root_, Solves::solver_bytes_;
  using Solves::Solves;
  using typename Solves::C, typename Solves::Operator, typename Solves::Vector;

  /// What the rounds of a block leave: reports by columns, x in `block_`.
  struct BlockCourse {
    const SolveOptions& options;
    const std::function<void(int)>& enter;  ///< makes a column's incident field the present one
    std::vector<SolveReport> reports{};
    std::vector<double> right_sides{}, residuals{};  ///< |S E_inc|, |r|
    SolveReport work{};                              ///< of the block as a whole
    long iterations = 0;
    bool interrupted = false;
    std::string given_up{};  ///< what the block did instead of getting there
  };

  C* column(int j) { return block_.data() + index_t(j) * n_; }

  /// Solves for `columns` fields as far as the block gets; those that are not there say so.
  void solve_columns(int columns, BlockCourse& c) {
    const double begun = now();
    const std::size_t size = std::size_t(columns) * n_;
    block_ = dev_.template allocate<C>(size);
    dev_.fill_zero(block_.data(), size);
    solver_bytes_ = block_.bytes();
    c.reports.assign(columns, {});
    for (auto& report : c.reports) {
      report.start = "x_0 = 0";
      report.history = {1};
    }
    if (!c.options.inner_float) {
      solve_rounds<T>(columns, c, [&](const BlockRound& round, C* x, C* r) {
        return this->block_round(round, x, r, c.work);
      });
    } else if constexpr (std::is_same_v<T, double>) {
      if (!inner_) this->make_inner();
      inner_->set_polarizability(alpha_);
      solve_rounds<float>(columns, c, [&](const BlockRound& round, Complex<float>* x, Complex<float>* r) {
        ++c.work.refreshes;
        return inner_->run_block(round, x, r, c.work);
      });
    } else {
      throw BadInput("only an engine in double iterates in float; leave the inner precision out");
    }
    settle_reports(c);
    c.work.seconds = now() - begun;
  }

  /// Polarizations of a column.
  void take_column(int j) { this->scale(root_, column(j), polarization_.data()); }
  void keep_column(int j) { this->scale(inverse_root_, polarization_.data(), column(j)); }

  Vector block_;  ///< x of the columns of the last block

 private:
  static bool there(int j, const BlockCourse& c) {
    return c.residuals[j] <= c.options.epsilon * c.right_sides[j];
  }
  static double largest(const std::vector<int>& active, const BlockCourse& c) {
    double worst = 0;
    for (const int j : active) worst = std::max(worst, c.residuals[j] / c.right_sides[j]);
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
    std::vector<int> active(columns);
    std::iota(active.begin(), active.end(), 0);
    c.residuals.assign(columns, 0);
    c.right_sides.assign(columns, 0);
    form_residuals(active, true, r.data(), c);
    for (int number = 0; !active.empty(); ++number) {
      const BlockRound round = next_round<U>(active, number == 0, c);
      dev_.fill_zero(x.data(), active.size() * n_);
      const auto outcome = run(round, x.data(), r.data());
      for (std::size_t k = 0; k < active.size(); ++k) {
        const T unit = T(c.residuals[active[k]]);
        if constexpr (std::is_same_v<U, T>)
          dev_.for_each(n_, AddScaled<T>{unit, x.data() + k * n_, column(active[k])});
        else
          dev_.for_each(n_, AddCorrection<T>{unit, x.data() + k * n_, column(active[k])});
        c.reports[active[k]].iterations += outcome.iterations;
      }
      c.iterations += outcome.iterations;
      const double before = largest(active, c);
      form_residuals(active, false, r.data(), c);
      if (outcome.end == krylov::BlockEnd::interrupted) c.interrupted = true;
      if (active.empty() || c.interrupted || c.iterations >= limit_of(c)) return;
      // one that has not halved the largest residual says that it is of no use here
      const bool useful = largest(active, c) <= 0.5 * before || outcome.end == krylov::BlockEnd::few_left;
      if (useful && outcome.end != krylov::BlockEnd::no_progress && number < most_rounds) continue;
      c.given_up = outcome.end == krylov::BlockEnd::broke_down ? "broke down" : "made no progress";
      return;
    }
  }

  /// Residuals of the active columns; those that are there leave, of the others r has the residuals divided
  /// by their norms. The first are the right-hand sides.
  template <class U>
  void form_residuals(std::vector<int>& active, bool first, Complex<U>* r, BlockCourse& c) {
    Vector one = dev_.template allocate<C>(n_);
    Operator op{&dev_, &*convolution_, root_.data(), n_};
    std::size_t kept = 0;
    for (const int j : active) {
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
      active[kept++] = j;
    }
    active.resize(kept);
    dev_.synchronize();  // `one` goes
    c.work.products += op.products;
    c.work.seconds_products += op.seconds;
  }

  template <class U>
  BlockRound next_round(const std::vector<int>& active, bool first, BlockCourse& c) {
    static const Preconditioner plain;
    const auto& list = c.options.preconditioners;
    BlockRound round{list.empty() ? plain : list.front(), {}};
    c.work.preconditioner = round.preconditioner.name;
    auto& o = round.options;
    double here = 0;
    for (const int j : active) {
      const double end = (first ? 0.7 : 0.5) * c.options.epsilon * c.right_sides[j];
      o.goals.push_back(std::max(end / c.residuals[j], sizeof(U) == 4 ? least_in_float : least_in_full));
      here = std::max(here, o.goals.back() * c.residuals[j] / c.right_sides[j]);
    }
    const LatticeView& l = lattice_->view();
    o.window = std::max(60, 2 * std::max({l.nx, l.ny, l.nz}));
    o.max_iterations = limit_of(c) - c.iterations;
    o.noise = 10 * double(std::numeric_limits<U>::epsilon());
    o.hook = [&c, active, here, from = c.iterations](long iteration, double excess) {
      for (const int j : active) c.reports[j].history.push_back(excess * here);
      return !c.options.hook || c.options.hook(from + iteration, excess * here);
    };
    return round;
  }

  static void settle_reports(BlockCourse& c) {
    for (std::size_t j = 0; j < c.reports.size(); ++j) {
      SolveReport& report = c.reports[j];
      report.residual = report.true_residual = c.residuals[j] / c.right_sides[j];
      report.history.back() = report.residual;
      report.preconditioner = c.work.preconditioner;
      report.status = there(int(j), c)     ? SolveStatus::converged
                      : c.interrupted      ? SolveStatus::interrupted
                      : c.given_up.empty() ? SolveStatus::iteration_limit
                                           : SolveStatus::stagnated;
    }
  }

  /// Digits of a round: float leaves some 1e-6, and a round that begins anew loses what the one before knew.
  static constexpr double least_in_float = 5e-6, least_in_full = 1e-13;
  static constexpr int most_rounds = 12;
};

}  // namespace umov::dda
