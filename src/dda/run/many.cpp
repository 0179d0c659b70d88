// Loop over the cases, what of each goes into its row, and the plan of the largest.
#include "dda/run/many.hpp"

#include <algorithm>
#include <optional>

#include "comm/collect.hpp"
#include "comm/parts.hpp"
#include "comm/world.hpp"
#include "core/timer.hpp"
#include "dda/run/kept_engine.hpp"
#include "dda/run/many_state.hpp"
#include "dda/run/neighbours.hpp"
#include "dda/run/run.hpp"
#include "dda/scheme/memory.hpp"
#include "run/ranks.hpp"
#include "run/version.hpp"

namespace umov::dda {

namespace {

/// How many of the parameters that may be lists differ.
int differences(const Simulation& a, const Simulation& b) {
  const auto &p = a.orientation, &q = b.orientation;
  return (a.vacuum_wavelength() != b.vacuum_wavelength()) + (a.shape.size != b.shape.size) +
         (a.shape.eq_radius != b.shape.eq_radius) + (p.alpha != q.alpha) + (p.beta != q.beta) +
         (p.gamma != q.gamma) + (a.propagation != b.propagation);
}

bool keeps_solutions(const std::vector<Simulation>& cases) {
  const Simulation& s = cases.front();
  return cases.size() > 1 && s.solver.neighbours && s.solver.initial == InitialField::automatic &&
         !s.orientation.average;
}

/// Whether two cases are of one particle and wavelength: lists differ in nothing else but directions.
bool same_particle(const Simulation& a, const Simulation& b) {
  return a.vacuum_wavelength() == b.vacuum_wavelength() && a.shape.size == b.shape.size &&
         a.shape.eq_radius == b.shape.eq_radius;
}

/// Whether a case may share its tables with the one before or after it.
bool shares_tables(const std::vector<Simulation>& cases, std::size_t i) {
  return (i > 0 && same_particle(cases[i - 1], cases[i])) ||
         (i + 1 < cases.size() && same_particle(cases[i], cases[i + 1]));
}

bool wants_blocks(const Simulation& sim) { return sim.solver.block > 1 && !sim.orientation.average; }

/// Cases know of the others that could share a block with them.
std::vector<Simulation> with_directions(std::vector<Simulation> cases) {
  for (Simulation& sim : cases)
    sim.solver.directions = int(std::count_if(
        cases.begin(), cases.end(), [&](const Simulation& other) { return same_particle(sim, other); }));
  return cases;
}

}  // namespace

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

ManyOutcome run_many(const std::vector<Simulation>& list, const ManyObserver& watch) {
  const std::vector<Simulation> cases = with_directions(list);
  ManyOutcome out;
  out.cases = list;
  out.version = run::version();
  Neighbours neighbours;
  KeptEngine engine;
  const bool keeps = keeps_solutions(cases);
  std::vector<std::optional<CaseRow>> rows;
  for (std::size_t i = 0; i < cases.size(); ++i) {
    rows.push_back(watch.finished(i));
    out.taken_over += rows.back().has_value();
  }
  const auto mates_of = [&](std::size_t i) {
    std::vector<std::size_t> open;
    for (std::size_t j = i + 1; j < cases.size() && wants_blocks(cases[i]); ++j)
      if (!rows[j] && same_particle(cases[i], cases[j])) open.push_back(j);
    return open.empty() ? std::vector{i} : choose_mates(cases, i, open);
  };
  for (std::size_t i = 0; i < cases.size(); ++i) {
    if (i > 0 && differences(cases[i - 1], cases[i]) > 1) neighbours.forget();
    if (i > 0 && !same_particle(cases[i - 1], cases[i])) engine.forget();
    if (rows[i]) continue;
    const std::vector<std::size_t> together = mates_of(i);
    std::vector<Simulation> sims;
    std::vector<RunObserver> observers;
    for (const std::size_t j : together) {
      sims.push_back(watch.ready(j, together));
      sims.back().solver.directions = cases[j].solver.directions;
      observers.push_back(watch.observer(j));
    }
    std::vector<Outcome> found;
    if (together.size() > 1)
      found = run_together(sims, observers);
    else
      found.push_back(run(sims[0], observers[0], keeps ? &neighbours : nullptr, nullptr,
                          shares_tables(cases, i) ? &engine : nullptr));
    for (std::size_t k = 0; k < together.size(); ++k) {
      out.backend = found[k].backend;
      out.device = found[k].device;
      out.times.add(found[k]);
      rows[together[k]] = row_of(found[k]);
      watch.solved(together[k], found[k], *rows[together[k]]);
    }
  }
  for (auto& row : rows) out.rows.push_back(std::move(*row));
  out.shared = engine.shared();
  return out;
}

namespace {

/// Which cases are open, as the first rank knows it.
std::vector<std::size_t> open_cases(comm::Communicator& comm, std::size_t cases, const ManyObserver& watch,
                                    std::vector<std::optional<CaseRow>>& rows) {
  std::vector<std::size_t> open;
  for (std::size_t i = 0; i < cases && comm.first(); ++i) {
    rows[i] = watch.finished(i);
    if (!rows[i]) open.push_back(i);
  }
  comm::broadcast(comm, open);
  return open;
}

/// The text of the first rank, on all: whichever of them says it, it is one.
[[noreturn]] void stop_all(comm::Communicator& comm, const ManyObserver& watch) {
  std::string text = comm.first() ? watch.how_to_go_on() : "";
  comm::broadcast(comm, text);
  throw run::Interrupted("interrupted; " + text);
}

}  // namespace

namespace {

/// The only case there is: all ranks compute it together.
ManyOutcome run_one_on(comm::Communicator& comm, const std::vector<Simulation>& list,
                       const ManyObserver& watch) {
  ManyOutcome out;
  out.cases = list;
  out.version = run::version();
  std::vector<std::optional<CaseRow>> rows(1);
  out.taken_over = open_cases(comm, 1, watch, rows).empty() ? 1 : 0;
  if (out.taken_over == 0) {
    Simulation sim = watch.ready(0, {0});
    // whether there is a state the first one knows
    sim.checkpoint.resume = comm::any(comm, comm.first() && sim.checkpoint.resume);
    try {
      const Outcome found = run(sim, watch.observer(0), nullptr, &comm);
      out.backend = found.backend;
      out.device = found.device;
      out.ranks = found.ranks;
      out.times.add(found);
      rows[0] = row_of(found);
      if (comm.first()) watch.solved(0, found, *rows[0]);
    } catch (const run::Interrupted& e) {
      if (e.code() == Exit::done) throw;  // as asked
      stop_all(comm, watch);
    }
  }
  if (comm.first()) watch.row(0, *rows[0]);
  if (rows[0]) out.rows.push_back(std::move(*rows[0]));
  return out;
}

}  // namespace

ManyOutcome run_many_on(comm::Communicator& comm, const std::vector<Simulation>& list,
                        const ManyObserver& watch) {
  if (list.size() == 1) return run_one_on(comm, list, watch);
  const Stopwatch clock;
  ManyOutcome out;
  out.cases = list;
  out.version = run::version();
  std::vector<std::optional<CaseRow>> rows(list.size());
  const auto open = open_cases(comm, list.size(), watch, rows);
  out.taken_over = list.size() - open.size();
  const auto borders = comm::even_parts(index_t(open.size()), comm.size());
  const std::size_t first = std::size_t(borders[std::size_t(comm.rank())]),
                    end = std::size_t(borders[std::size_t(comm.rank()) + 1]);
  Neighbours neighbours;
  KeptEngine engine;
  const bool keeps = keeps_solutions(list);
  for (std::size_t round = 0; round < std::size_t(borders[1]); ++round) {
    std::vector<std::byte> mine;
    bool stopped = false;
    if (const std::size_t at = first + round; at < end) {
      const std::size_t i = open[at];
      const bool follows = round > 0 && open[at - 1] + 1 == i;
      if (!follows || differences(list[i - 1], list[i]) > 1) neighbours.forget();
      if (!follows || !same_particle(list[i - 1], list[i])) engine.forget();
      RunObserver observer = watch.observer(i);
      // a signal to one rank, which may have no case left, stops all
      observer.iteration = [own = observer.iteration](char label, long number, double residual) {
        const bool go_on = !own || own(label, number, residual);
        return go_on && !comm::stop_wanted();
      };
      try {
        const Outcome found = run(watch.ready(i, {i}), observer, keeps ? &neighbours : nullptr, nullptr,
                                  shares_tables(list, i) ? &engine : nullptr);
        out.backend = found.backend;
        out.device = found.device;
        out.times.add(found);  // of this rank: the first one's come into the log
        CaseRow row = row_of(found);
        if (watch.solved) watch.solved(i, found, row);
        mine = packed(row);
      } catch (const run::Interrupted&) {
        stopped = true;
      }
    }
    std::vector<std::size_t> sizes;
    const auto all = comm::gather(comm, std::span<const std::byte>(mine), 0, &sizes);
    std::size_t from = 0;
    for (std::size_t r = 0; r < sizes.size(); from += sizes[r++]) {
      if (sizes[r] == 0) continue;
      const std::size_t i = open[std::size_t(borders[r]) + round];
      rows[i] = unpacked(std::span(all).subspan(from, sizes[r]));
      watch.row(i, *rows[i]);
    }
    const bool last = round + 1 == std::size_t(borders[1]);
    if (comm::any(comm, stopped || (!last && comm::stop_wanted()))) stop_all(comm, watch);
  }
  out.ranks = run::describe_ranks(comm, out.device.empty() ? "" : out.backend + ", " + out.device,
                                  clock.seconds(), 0);
  for (auto& row : rows)
    if (row) out.rows.push_back(std::move(*row));
  return out;
}

Outcome plan_many(const std::vector<Simulation>& list, const std::function<void(const std::string&)>& warning,
                  int ranks) {
  const std::vector<Simulation> cases = with_directions(list);
  std::optional<Outcome> largest;
  for (Simulation sim : cases) {
    sim.checkpoint.resume = false;  // a state of the solver is of one case alone
    Outcome one = plan(sim, ranks);
    for (const auto& text : one.warnings) warning(text);
    if (!largest || total_bytes(one.memory) > total_bytes(largest->memory)) largest = std::move(one);
  }
  if (keeps_solutions(cases))
    largest->memory.push_back(
        {"solutions of cases before", 2 * Neighbours::bytes_per_dipole * largest->particle.dipoles()});
  return std::move(*largest);
}

}  // namespace umov::dda
