// The course of a run to an accuracy.
#include "dda/run/accuracy.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "comm/collect.hpp"
#include "core/error.hpp"
#include "core/timer.hpp"
#include "dda/observables/scattering.hpp"
#include "dda/run/grids.hpp"
#include "dda/run/many.hpp"
#include "dda/run/run.hpp"
#include "dda/run/shares.hpp"
#include "shapes/absent.hpp"

namespace umov::dda {

namespace {

/// A state of the solver is of one grid alone.
Machine anew(Machine machine) {
  machine.checkpoint.resume = false;
  return machine;
}

/// Scattering angles that are chosen by the grid would be other ones on each.
Simulation same_angles(Simulation sim, const Outcome& own) {
  if (sim.outputs.ntheta == 0) sim.outputs.ntheta = default_theta_intervals(own.particle.sites());
  return sim;
}

/// Grids by number of which an earlier run may have left a row.
constexpr int finest_looked_for = 4096;

/// What the first rank asks of the others.
struct Order {
  int n = 0;  ///< grid to compute; 0: there is none any more
  bool resume = false;
};

class AccurateRun {
 public:
  AccurateRun(const Simulation& sim, const Machine& machine, const AccuracyObserver& watch,
              const Outcome& own, comm::Communicator* comm)
      : sim_(same_angles(sim, own)),
        machine_(machine),
        watch_(watch),
        comm_(comm),
        grids_(sim_, own.particle) {
    if (!grids_.cubical() && own.particle.materials > 1)
      shares_ = true_shares(grids_.on(grids_.own()).shape, own.particle.box);
  }

  Outcome run() {
    std::vector<int> fitted;
    for (int finest = grids_.own();;) {
      for (const int n : grids_.fitted(finest, done()))
        if (why_not_.empty()) take(n);
      if (runs_.empty()) return ended();
      fitted = grids_.fitted(runs_.back().n, done());
      outcome(runs_.back().n);
      extrapolation_ = extrapolation_of(runs_, fitted, grids_.cubical(), *last_);
      if (why_not_.empty() && !all_may_come()) why_not_ = "no grid that could be computed has it";
      if (const bool over = !why_not_.empty() || enough(); !over)
        finest = grids_.finer(finest, absent().empty() ? excess_of(extrapolation_) : INFINITY);
      else if (take_over())
        finest = runs_.back().n;
      else
        break;
    }
    return ended();
  }

 private:
  /// Grids that a fit may take.
  std::vector<int> done() const {
    std::vector<int> out;
    for (const GridRun& r : runs_)
      if (r.absent.empty()) out.push_back(r.n);
    return out;
  }

  /// Materials that the finest grid lacks.
  std::vector<int> absent() const { return runs_.empty() ? std::vector<int>{} : runs_.back().absent; }

  /// Whether finer grids have what the finest one lacks, as far as their sites can be counted.
  bool all_may_come() const {
    const std::vector<int> missing = absent();
    return std::all_of(missing.begin(), missing.end(),
                       [&](int m) { return !shares_.empty() && shares_[std::size_t(m) - 1] > 0; });
  }

  int fitted() const {
    const auto& grids = extrapolation_.grids;
    return int(std::count_if(grids.begin(), grids.end(), [](const auto& g) { return g.fitted; }));
  }

  bool enough() const {
    return absent().empty() && fitted() >= grids_.fewest() && excess_of(extrapolation_) <= 1;
  }

  bool has(int n) const {
    return std::any_of(runs_.begin(), runs_.end(), [n](const GridRun& r) { return r.n == n; });
  }

  /// Runs a grid; says why not in `why_not_`, where it cannot be.
  void take(int n) {
    if (has(n)) return;
    const Simulation sim = grids_.on(n);
    GridRun run;
    run.n = n;
    const auto row = watch_.finished ? watch_.finished(sim) : std::nullopt;
    if (!fits(n, sim, run) || (!row && !has_time(n, run))) return;
    if (row) {
      run.row = *row;
      seconds_ = seconds_of(*row);
    } else {
      last_.reset();  // of a coarser grid: its room is needed
      if (!solve(n, sim)) return;
      run.row = row_of(*last_);
      run.row.extra = mueller_of(*last_);
      if (watch_.solved) watch_.solved(sim, run.row);
    }
    if (!run.row.converged) {
      why_not_ =
          fmt::format("the solver, or the integrals over all directions, did not converge on the grid of {}",
                      words(run.box));
      return;
    }
    const auto after = std::find_if(runs_.begin(), runs_.end(), [n](const GridRun& r) { return r.n > n; });
    runs_.insert(after, std::move(run));
  }

  /// Grids of which an earlier run has left a row that this one has not looked at.
  std::vector<int> left_before() const {
    std::vector<int> out;
    std::size_t rows = watch_.kept ? watch_.kept() : 0;
    for (int n = 1; rows > 0 && n <= finest_looked_for; ++n) {
      const auto row = watch_.finished(grids_.on(n));
      if (!row) continue;
      --rows;
      // the finest is solved once more, for its results
      const bool in_time =
          sim_.accuracy_time == 0 || timer_.seconds() + seconds_of(*row) <= sim_.accuracy_time;
      if (!has(n) && row->converged && in_time) out.push_back(n);
    }
    return out;
  }

  /// Takes the finer grids that an earlier run has finished, where this one ends without them: they are the
  /// better answer. Whether there were any.
  bool take_over() {
    const int finest = runs_.back().n;
    const std::vector<int> grids = left_before();
    if (grids.empty() || grids.back() < finest) return false;
    const std::string why_not = why_not_;
    for (const int n : grids) take(n);  // but for those that have no room any more
    why_not_ = runs_.back().n == finest ? why_not : "";
    if (runs_.back().n == finest) return false;
    taken_over_ = fmt::format("; used as well: finer grids that were finished before, up to {}",
                              words(runs_.back().box));
    return true;
  }

  static double seconds_of(const CaseRow& row) {
    double sum = 0;
    for (const PolarizationRow& p : row.polarizations) sum += p.seconds;
    return sum;
  }

  static std::string words(const Int3& box) { return fmt::format("{}x{}x{}", box[0], box[1], box[2]); }

  /// Whether there is room for the grid. One too coarse for the shape is left out.
  bool fits(int n, const Simulation& sim, GridRun& run) {
    try {
      const Outcome planned = plan(sim, anew(machine_));
      run.box = planned.particle.box;
      // of a file, gaps in its numbers: nothing is missed
      if (sim.shape.shape != "read") run.absent = shapes::absent_materials(planned.particle);
      if (!shares_.empty()) run.surplus = share_surplus(planned.particle, shares_);
      require_memory(planned);
    } catch (const BadInput& e) {
      const bool refined = n > grids_.own();
      if (refined || n == grids_.own())
        why_not_ = runs_.empty() ? e.what() : fmt::format("the next grid has no room: {}", e.what());
      return false;
    }
    return true;
  }

  bool has_time(int n, const GridRun& run) {
    const double limit = sim_.accuracy_time;
    if (limit == 0 || runs_.empty()) return true;
    // Products take the time of the sites, iterations grow with them, slowly.
    const double finer = double(n) / runs_.back().n, expected = seconds_ * std::pow(finer, 3.5);
    if (timer_.seconds() + expected <= limit) return true;
    why_not_ = fmt::format("the next grid, {}, would take some {:.2g} s of the {:.2g} s that are left",
                           words(run.box), expected, std::max(0.0, limit - timer_.seconds()));
    return false;
  }

  /// That of the next grid; what an earlier one has warned of is not said again.
  RunObserver observer() {
    RunObserver o = watch_.observer ? watch_.observer(number_) : RunObserver{};
    o.warning = [this, next = o.warning](const std::string& text) {
      if (std::find(told_.begin(), told_.end(), text) != told_.end()) return;
      told_.push_back(text);
      if (next) next(text);
    };
    return o;
  }

  bool solve(int n, const Simulation& sim) {
    const Stopwatch timer;
    ++number_;
    try {
      Machine own = machine_;
      if (watch_.begin) own.checkpoint.resume = watch_.begin(sim);
      if (comm_) comm::all_gather(*comm_, Order{n, own.checkpoint.resume});
      last_ = dda::run(sim, own, observer(), nullptr, comm_);
    } catch (const MachineFailure& e) {
      if (comm_ && comm_->size() > 1) throw;
      if (runs_.empty() || n <= runs_.back().n) throw;
      why_not_ = fmt::format("the next grid could not be computed: {}", e.what());
      return false;
    }
    last_->simulation.accuracy = sim_.accuracy;
    last_n_ = n;
    seconds_ = timer.seconds();
    return true;
  }

  /// The outcome of the finest grid, which an earlier run may have left no more of than a row.
  void outcome(int n) {
    if (last_ && last_n_ == n) return;
    solve(n, grids_.on(n));
  }

  Outcome ended() {
    if (!last_) throw BadInput(why_not_);  // the very first grid has no room
    const double worst = excess_of(extrapolation_);
    Extrapolation& e = extrapolation_;
    e.reached = enough();
    e.accuracy = sim_.accuracy;
    if (e.reached)
      e.verdict = fmt::format("reached: every error is below {:.3g} %{}", 100 * e.accuracy, taken_over_);
    else if (!absent().empty())
      e.verdict = fmt::format("NOT reached: {} on the finest grid, {} ({})", shapes::without_dipole(absent()),
                              words(runs_.back().box), why_not_);
    else if (e.quantities.empty())
      e.verdict = fmt::format("NOT reached: too few grids to tell an error ({})", why_not_);
    else if (worst <= 1)
      e.verdict = fmt::format("NOT reached: {} grids, whose errors are believed from {} on ({})", fitted(),
                              grids_.fewest(), why_not_);
    else
      e.verdict = fmt::format("NOT reached: the largest error is {:.2g} times the one asked for ({}){}",
                              worst, why_not_, taken_over_);
    Outcome out = std::move(*last_);
    for (const std::string& text : out.warnings)
      if (std::find(told_.begin(), told_.end(), text) == told_.end()) told_.push_back(text);
    out.warnings = std::move(told_);  // those of coarser grids, too
    out.converged = out.converged && e.reached;
    out.extrapolation = std::move(e);
    return out;
  }

  Simulation sim_;
  const Machine& machine_;
  const AccuracyObserver& watch_;
  comm::Communicator* comm_;
  Grids grids_;
  std::vector<double> shares_;  ///< of materials whose shares differ from grid to grid
  std::vector<GridRun> runs_;   ///< by n
  std::optional<Outcome> last_;
  int last_n_ = 0, number_ = 0;
  std::vector<std::string> told_;  ///< warnings
  double seconds_ = 0;             ///< of the last grid
  Extrapolation extrapolation_;
  std::string why_not_, taken_over_;
  Stopwatch timer_;
};

}  // namespace

Outcome run_accurate(const Simulation& sim, const Machine& machine, const AccuracyObserver& watch,
                     comm::Communicator* comm) {
  const Outcome own = plan(sim, anew(machine));
  Outcome out = AccurateRun(sim, machine, watch, own, comm).run();
  if (comm) comm::all_gather(*comm, Order{});
  return out;
}

void follow_accurate(const Simulation& sim, const Machine& machine, const RunObserver& observer,
                     comm::Communicator& comm) {
  const Outcome own = plan(sim, anew(machine));
  const Grids grids(same_angles(sim, own), own.particle);
  for (;;) {
    const Order order = comm::all_gather(comm, Order{}).front();
    if (order.n == 0) return;
    Machine mine = machine;
    mine.checkpoint.resume = order.resume;
    dda::run(grids.on(order.n), mine, observer, nullptr, &comm);
  }
}

}  // namespace umov::dda
