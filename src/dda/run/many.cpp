// Loop over the cases, what of each goes into its row, and the plan of the largest.
#include "dda/run/many.hpp"

#include <omp.h>

#include <algorithm>
#include <map>
#include <optional>

#include "comm/collect.hpp"
#include "comm/parts.hpp"
#include "dda/case/case.hpp"
#include "dda/run/case_rows.hpp"
#include "dda/run/kept_engine.hpp"
#include "dda/run/neighbours.hpp"
#include "dda/run/run.hpp"
#include "dda/scheme/memory.hpp"
#include "run/ledger_ranks.hpp"
#include "run/ranks.hpp"
#include "run/version.hpp"

namespace umov::dda {

CaseRow row_of(const Outcome& o) {
  CaseRow row;
  row.eq_radius = o.particle.eq_radius;
  row.dpl = o.particle.dpl;
  row.spacing = o.particle.spacing;
  row.dipoles = o.particle.dipoles();
  row.orientations = o.orientations;
  row.symmetry_used = o.symmetry_used;
  row.converged = o.converged;
  for (const PolarizationResult& p : o.polarizations) {
    const SolveReport& s = p.solve;
    row.polarizations.push_back({p.label, p.cross, s.status, s.iterations, s.products, s.initial_residual,
                                 s.residual, s.seconds, s.start.ends_with("solutions before")});
  }
  return row;
}

namespace {

bool keeps_solutions(const std::vector<Simulation>& cases) {
  const Simulation& s = cases.front();
  return cases.size() > 1 && s.solver.neighbours && s.solver.initial == InitialField::automatic &&
         !s.orientation.average;
}

/// What cases have of the parameters that may be lists.
class ListedValues {
 public:
  explicit ListedValues(const std::vector<Simulation>& cases) {
    const auto names = parameters().listed();
    for (const Simulation& sim : cases) {
      const Case c = case_of(sim);
      all_.push_back(parameters().literals(names, &c));
      particles_.emplace_back();
      for (std::size_t n = 0; n < names.size(); ++n)
        if (!names[n].starts_with("orientation.") && !names[n].starts_with("source."))
          particles_.back() += all_.back()[n] + "\n";
      ++directions_[particles_.back()];
    }
  }
  /// Whether two cases are of one particle and wavelength: they differ in nothing else but directions.
  bool same_particle(std::size_t i, std::size_t j) const { return particles_[i] == particles_[j]; }
  /// How many cases are of the particle of this one.
  int directions(std::size_t i) const { return directions_.at(particles_[i]); }
  /// How many parameters differ.
  std::size_t differences(std::size_t i, std::size_t j) const {
    std::size_t n = 0;
    for (std::size_t k = 0; k < all_[i].size(); ++k) n += all_[i][k] != all_[j][k];
    return n;
  }
  /// Whether a case may share its tables with the one before or after it.
  bool shares_tables(std::size_t i) const {
    return (i > 0 && same_particle(i - 1, i)) || (i + 1 < all_.size() && same_particle(i, i + 1));
  }

 private:
  std::vector<std::vector<std::string>> all_;
  std::vector<std::string> particles_;
  std::map<std::string, int> directions_;
};

/// Cases know of the others that could share a block with them.
std::vector<Simulation> with_directions(std::vector<Simulation> cases, const ListedValues& values) {
  for (std::size_t i = 0; i < cases.size(); ++i) cases[i].solver.directions = values.directions(i);
  return cases;
}

/// Rows on the first rank.
class Rows final : public run::Listener {
 public:
  Rows(comm::Communicator& comm, const ManyObserver& watch, ManyOutcome& out)
      : watch_(watch), out_(out), rows_(out.cases.size()) {
    for (std::size_t i = 0; i < rows_.size() && comm.first(); ++i) {
      if (watch.finished) rows_[i] = watch.finished(i);
      if (!rows_[i]) open_.push_back(i);
    }
    comm::broadcast(comm, open_);
    out_.taken_over = rows_.size() - open_.size();
  }
  const std::vector<std::size_t>& open() const { return open_; }

  /// A case that was stopped stops the others.
  bool told(int, std::size_t, const Packed&) override { return false; }
  void finished(int, std::size_t i, const Packed& bytes) override {
    rows_[i] = unpacked<CaseRow>(bytes, visit_row);
    if (watch_.row) watch_.row(i, *rows_[i]);
  }
  void close() {
    for (auto& row : rows_)
      if (row) out_.rows.push_back(std::move(*row));
  }

 private:
  const ManyObserver& watch_;
  ManyOutcome& out_;
  std::vector<std::optional<CaseRow>> rows_;
  std::vector<std::size_t> open_;
};

/// What came of a case, on the rank that solved it.
CaseRow take(std::size_t i, const Outcome& outcome, const ManyObserver& watch, ManyOutcome& out) {
  out.backend = outcome.backend;
  out.device = outcome.device;
  out.times.add(outcome);  // the first rank's come into the log
  CaseRow row = row_of(outcome);
  watch.solved(i, outcome, row);
  return row;
}

/// Computes cases in their order, each with what those before it have left.
class Worker {
 public:
  /// `alone`: of one rank, whose interruptions say themselves how to go on. `open`: what is to be computed.
  Worker(ManyOutcome& out, const Machine& machine, const ManyObserver& watch, run::CaseSource& source,
         int number, bool alone, const std::vector<std::size_t>& open)
      : out_(out),
        values_(out.cases),
        cases_(with_directions(out.cases, values_)),
        machine_(machine),
        watch_(watch),
        source_(source),
        number_(number),
        alone_(alone),
        keeps_(keeps_solutions(cases_)),
        open_(open.begin(), open.end()) {}

  void work() {
    if (!alone_ && watch_.apart) watch_.apart([this] { return !source_.go_on(); });
    run::work(
        source_, number_, [this](std::size_t i) { return compute(i); }, [] { return false; });
    if (alone_) out_.shared = engine_.shared();
  }

 private:
  /// Nothing: the case was asked to stop.
  std::optional<Packed> compute(std::size_t i) {
    if (!found_.count(i)) try {
        solve(i);
      } catch (const run::Interrupted&) {
        if (alone_) throw;
        source_.tell(number_, {});
        return {};
      }
    return packed(found_.extract(i).mapped(), visit_row);
  }

  /// The case, and those that are solved for together with it.
  void solve(std::size_t i) {
    forget_before(i);
    const std::vector<std::size_t> together = mates_of(i);
    const Machine machine = watch_.begin(together);
    std::vector<Simulation> sims;
    std::vector<RunObserver> observers;
    for (const std::size_t j : together) {
      sims.push_back(watch_.ready(j));
      sims.back().solver.directions = cases_[j].solver.directions;
      observers.push_back(watched(j));
    }
    std::vector<Outcome> outcomes;
    if (together.size() > 1)
      outcomes = run_together(sims, machine, observers);
    else
      outcomes.push_back(run(sims[0], machine, observers[0], keeps_ ? &neighbours_ : nullptr, nullptr,
                             values_.shares_tables(i) ? &engine_ : nullptr));
    for (std::size_t k = 0; k < together.size(); ++k) {
      found_[together[k]] = take(together[k], outcomes[k], watch_, out_);
      open_.erase(together[k]);
    }
  }

  /// What the case before has left for other cases than this one.
  void forget_before(std::size_t i) {
    for (std::size_t j = last_ ? *last_ + 1 : i + 1; j <= i; ++j) {
      if (values_.differences(j - 1, j) > 1) neighbours_.forget();
      if (!values_.same_particle(j - 1, j)) engine_.forget();
    }
    last_ = i;
  }

  std::vector<std::size_t> mates_of(std::size_t i) const {
    const Simulation& sim = cases_[i];
    std::vector<std::size_t> mates;
    if (sim.solver.block > 1 && !sim.orientation.average)
      for (auto j = open_.upper_bound(i); j != open_.end(); ++j)
        if (values_.same_particle(i, *j)) mates.push_back(*j);
    return mates.empty() ? std::vector{i} : choose_mates(cases_, machine_, i, mates);
  }

  /// On several ranks a signal to one, which may have no case left, stops all.
  RunObserver watched(std::size_t i) {
    RunObserver observer = watch_.observer(i);
    if (alone_) return observer;
    observer.iteration = [this, own = observer.iteration](char label, long iteration, double residual) {
      return (!own || own(label, iteration, residual)) && source_.go_on();
    };
    return observer;
  }

  ManyOutcome& out_;
  const ListedValues values_;
  const std::vector<Simulation> cases_;
  const Machine& machine_;
  const ManyObserver& watch_;
  run::CaseSource& source_;
  const int number_;
  const bool alone_, keeps_;
  std::set<std::size_t> open_;
  std::map<std::size_t, CaseRow> found_;  ///< before their turn
  std::optional<std::size_t> last_;
  Neighbours neighbours_;
  KeptEngine engine_;
};

[[noreturn]] void interrupt(const ManyObserver& watch) {
  throw run::Interrupted("interrupted; " + watch.how_to_go_on());
}

/// The only case there is: all ranks compute it together.
void share_case(comm::Communicator& comm, const ManyObserver& watch, Rows& rows, ManyOutcome& out) {
  Machine machine = watch.begin({0});
  // whether there is a state the first one knows
  machine.checkpoint.resume = comm::any(comm, comm.first() && machine.checkpoint.resume);
  const Outcome found = [&] {
    try {
      return run(watch.ready(0), machine, watch.observer(0), nullptr, &comm);
    } catch (const run::Interrupted& e) {
      if (e.code() == Exit::done) throw;  // as asked
      if (comm.first()) interrupt(watch);
      throw comm::OtherRankFailed(Exit::interrupted, "interrupted");
    }
  }();
  out.ranks = found.ranks;
  if (comm.first()) rows.finished(0, 0, packed(take(0, found, watch, out), visit_row));
}

/// Stretches of the open cases, one a rank, as groups of a ledger.
std::vector<std::uint64_t> stretches(std::size_t cases, const std::vector<std::size_t>& open, int ranks) {
  const auto borders = comm::even_parts(index_t(open.size()), ranks);
  std::vector<std::uint64_t> out(cases);
  for (std::size_t k = 0; k < open.size(); ++k)
    out[open[k]] = std::uint64_t(comm::rank_of(borders, index_t(k)));
  return out;
}

/// This rank's cases, on a thread of their own where it talks with other ranks meanwhile.
void work(comm::Communicator& comm, const Machine& machine, const ManyObserver& watch,
          const std::vector<std::size_t>& open, run::CaseSource& source, const std::function<void()>& serve,
          ManyOutcome& out) {
  const auto compute = [&](int rank) {
    Worker(out, machine, watch, source, rank, comm.size() == 1, open).work();
  };
  if (comm.size() == 1) return compute(0);
  run::work_on_threads(comm.rank(), 1, omp_get_max_threads(), compute, serve);
  out.ranks = run::describe_ranks(comm, out.device.empty() ? "" : out.backend + ", " + out.device, 0, 0);
}

}  // namespace

ManyOutcome run_many(comm::Communicator& comm, const std::vector<Simulation>& list, const Machine& machine,
                     const ManyObserver& watch) {
  ManyOutcome out;
  out.cases = list;
  out.machine = machine;
  out.version = run::version();
  Rows rows(comm, watch, out);
  if (comm.size() > 1 && list.size() == 1) {
    if (!rows.open().empty()) share_case(comm, watch, rows, out);
  } else if (comm.first()) {
    run::Ledger ledger(watch, rows, rows.open(), stretches(list.size(), rows.open(), comm.size()));
    ledger.open_apart(std::size_t(comm.size()));
    work(
        comm, machine, watch, rows.open(), ledger, [&] { run::serve_ranks(comm, ledger); }, out);
    ledger.rethrow();
    if (ledger.stopped()) interrupt(watch);
  } else {
    run::RemoteLedger source(watch.stop);
    work(
        comm, machine, watch, rows.open(), source, [&] { source.serve(comm); }, out);
    // the first rank says how to go on; a process has the code of its signal
    if (source.stopped() && !comm.in_process()) throw comm::OtherRankFailed(Exit::interrupted, "interrupted");
  }
  rows.close();
  return out;
}

Outcome plan_many(const std::vector<Simulation>& list, const Machine& given,
                  const std::function<void(const std::string&)>& warning, int ranks) {
  const std::vector<Simulation> cases = with_directions(list, ListedValues(list));
  Machine machine = given;
  machine.checkpoint.resume = false;  // a state of the solver is of one case alone
  std::optional<Outcome> largest;
  for (const Simulation& sim : cases) {
    Outcome one = plan(sim, machine, ranks);
    for (const auto& text : one.warnings) warning(text);
    if (!largest || total_bytes(one.memory) > total_bytes(largest->memory)) largest = std::move(one);
  }
  if (keeps_solutions(cases))
    largest->memory.push_back(
        {"solutions of cases before", 2 * Neighbours::bytes_per_dipole * largest->particle.dipoles()});
  return std::move(*largest);
}

}  // namespace umov::dda
