// One incident polarization of a dipole run: incident field, start, solve.
#include "dda/run/solve.hpp"

#include <fmt/format.h>

#include <map>
#include <memory>

#include "comm/world.hpp"
#include "core/remainder_timer.hpp"
#include "dda/run/checkpoints.hpp"
#include "dda/run/far_fields.hpp"
#include "dda/run/neighbours.hpp"
#include "dda/run/shared_solutions.hpp"
#include "dda/run/words.hpp"
#include "dda/scheme/polarizability.hpp"
#include "dda/sources/beams.hpp"

namespace umov::dda {

namespace {

RightSide right_side(const Prepared& p, const Incident& incident) {
  const BeamFrame& frame = incident.frame;
  const Vec3& e = frame.polarization(incident.label);
  RightSide side{frame.propagation, {e[0], e[1], e[2]}, {}};
  if (p.sim.beam.kind != BeamKind::plane || norm(frame.beam_center) != 0)
    side.field = sources::incident_field(p.sim, p.particle, frame, incident.label);
  return side;
}

void set_incident(const Prepared& p, const Incident& incident, Engine& engine) {
  const RightSide side = right_side(p, incident);
  if (side.field.empty())
    engine.set_plane_wave(side.propagation, side.e0);
  else
    engine.set_incident(side.field);
}

/// Whether the iteration starts from a field that is computed or read here.
bool starts_from_field(const Simulation& sim) {
  return sim.solver.initial == InitialField::wkb || sim.solver.initial == InitialField::read;
}

/// V chi E per dipole for a start field E inside the particle, V chi = V (m^2 - 1)/(4 pi) (um^3).
std::vector<CVec3> start_polarization(const Prepared& p, const Incident& incident) {
  const SolverRequest& solver = p.sim.solver;
  auto field =
      solver.initial == InitialField::wkb
          ? sources::wkb_field(p.sim, p.particle, incident.frame, incident.label)
          : sources::read_field(incident.label == 'X' ? solver.initial_file_x : solver.initial_file_y,
                                p.particle, {});  // any field may be the start
  const double volume = p.particle.dipole_volume();
  std::size_t i = 0;
  for (const int material : p.particle.material) {
    if (!material) continue;
    for (int c = 0; c < 3; ++c) {
      const cplx m = p.sim.m[material - 1][c];
      field[i][c] *= volume * (m * m - 1.0) / (4 * pi);
    }
    ++i;
  }
  return field;
}

SolveOptions solve_options(const Prepared& p) {
  const SolverRequest& solver = p.sim.solver;
  SolveOptions o;
  o.preconditioners = p.preconditioning.list;
  o.inner_float = p.inner.in_float;
  o.solver = solver.name;
  o.epsilon = solver.epsilon;
  o.max_iterations = solver.max_iterations;
  o.initial = solver.initial;
  o.recalculate_residual = solver.recalculate_residual;
  return o;
}

/// Tells of what a report has to say, and puts it in the words of the command.
void settle(const Prepared& p, SolveReport& report, Journal& journal) {
  for (const auto& note : report.notes) journal.warn(note);
  report.advice = advice(report.diagnosis, p.sim.front);
  const bool insisted = p.preconditioning.list.size() == 1;
  if (insisted && !report.advice.empty())
    report.advice += " Or leave the preconditioner: `solver.preconditioner = 'none'`.";
}

/// Calls the observer after each iteration, and remembers whether it has stopped the solve. A signal to one
/// of several groups, whose wave may be solved for already, stops all of them.
IterationHook observed(const Prepared& p, Journal& journal, char label, bool& stopped) {
  const auto& iteration = journal.observer().iteration;
  if (!iteration) return {};
  const bool others = p.ranks.all && p.ranks.groups > 1;
  return [&iteration, label, &stopped, others](long number, double residual) {
    stopped = !iteration(label, number, residual) || (others && comm::stop_wanted());
    return !stopped;
  };
}

}  // namespace

Incident make_incident(const Prepared& p, const BeamFrame& frame, char label) {
  return {
      label, frame,
      polarizability(p.sim, p.particle.spacing, p.wavenumber, frame.propagation, frame.polarization(label))};
}

namespace {

/// One alone; its state is saved under `name`.
OwnSolve solve_alone(const Prepared& p, const Incident& incident, const std::string& name, Engine& engine,
                     Journal& journal, TimerTable& timers) {
  ScopedTimer incident_timer(timers, "incident field");
  engine.set_polarizability(incident.alpha);
  set_incident(p, incident, engine);
  incident_timer.stop();

  journal.stage(fmt::format("solve, {} polarization", incident.label));
  const ScopedTimer timer(timers, "solve");
  OwnSolve own;
  SolveOptions& options = own.options;
  options = solve_options(p);
  std::vector<CVec3> start;
  if (starts_from_field(p.sim)) {
    start = start_polarization(p, incident);
    options.initial_field = &start;
  }
  NeighbourStart near;
  if (p.neighbours && p.sim.solver.initial == InitialField::automatic) {
    near = p.neighbours->start(engine, incident.label);
    if (!near.polarization.empty()) {
      options.initial = InitialField::read;
      options.initial_field = &near.polarization;
    }
  }
  options.hook = observed(p, journal, incident.label, own.stopped);
  options.warn = [&](const std::string& text) { journal.warn(text); };
  const Incident* const one = &incident;
  set_checkpoint(p, std::span(&one, 1), name, options);

  SolveWatcher* watcher = journal.observer().watcher;
  if (watcher) watcher->solving(p, {&incident, 1}, engine);
  SolveReport& report = own.report;
  report = engine.solve(options);
  report.products += near.products;
  if (options.initial_field == &near.polarization)
    report.start = fmt::format("x_0 from {} solutions before", near.products);
  if (p.neighbours && report.status == SolveStatus::converged) p.neighbours->keep(engine, incident.label);
  options.initial_field = nullptr;  // goes with its field
  return own;
}

Solution solve(const Prepared& p, const Incident& incident, const std::string& name, Engine& engine,
               Journal& journal, TimerTable& timers) {
  OwnSolve own = solve_alone(p, incident, name, engine, journal, timers);
  settle(p, own.report, journal);
  if (own.report.status == SolveStatus::interrupted)
    throw_interrupted(p, own.options, p.any_rank(own.stopped));
  const Solution solution{engine, incident, std::move(own.report), {}};
  if (SolveWatcher* watcher = journal.observer().watcher) watcher->solved(p, solution);
  return solution;
}

/// Columns of a block by the direction of their wave: those that are seen from the same directions.
std::vector<std::shared_ptr<FarFields>> far_fields_of(std::span<const Incident> all,
                                                      const std::vector<std::size_t>& group,
                                                      const Engine& engine) {
  std::vector<std::shared_ptr<FarFields>> out(group.size());
  const auto same = [&](std::size_t a, std::size_t b) {
    const BeamFrame &f = all[group[a]].frame, &g = all[group[b]].frame;
    return f.propagation == g.propagation && f.polarization('Y') == g.polarization('Y');
  };
  for (std::size_t k = 0; k < group.size(); ++k) {
    if (out[k]) continue;
    std::vector<int> mates;
    for (std::size_t j = k; j < group.size(); ++j)
      if (same(k, j)) mates.push_back(int(j));
    const auto fields = std::make_shared<FarFields>(engine, mates);
    for (const int j : mates) out[j] = fields;
  }
  return out;
}

/// Right-hand sides of one polarizability together; their state is saved under `name`.
void solve_group(const Prepared& p, std::span<const Incident> all, const std::vector<std::size_t>& group,
                 const std::string& name, Engine& engine, Journal& journal, TimerTable& timers,
                 const std::function<void(std::size_t, const Solution&)>& use) {
  const Incident& first = all[group.front()];
  ScopedTimer incident_timer(timers, "incident field");
  engine.set_polarizability(first.alpha);
  std::vector<RightSide> sides;
  std::vector<const Incident*> together;
  for (const std::size_t i : group) {
    sides.push_back(right_side(p, all[i]));
    together.push_back(&all[i]);
  }
  incident_timer.stop();

  journal.stage(fmt::format("solve, {} right-hand sides together", sides.size()));
  ScopedTimer timer(timers, "solve");
  SolveOptions options = solve_options(p);
  bool stopped_by_observer = false;
  options.hook = observed(p, journal, first.label, stopped_by_observer);
  options.warn = [&](const std::string& text) { journal.warn(text); };
  set_checkpoint(p, together, name, options);
  SolveWatcher* const watcher = journal.observer().watcher;
  if (watcher) {
    std::vector<Incident> waves;
    for (const std::size_t i : group) waves.push_back(all[i]);
    watcher->solving(p, waves, engine);
  }
  auto reports = engine.solve_block(sides, options);
  timer.stop();
  for (SolveReport& report : reports) {
    settle(p, report, journal);
    if (report.status == SolveStatus::interrupted)
      throw_interrupted(p, options, p.any_rank(stopped_by_observer));
  }
  ScopedTimer far(timers, "scattered field");
  const auto fields = far_fields_of(all, group, engine);
  far.stop();
  for (std::size_t k = 0; k < group.size(); ++k) {
    engine.select(int(k));
    const auto shared = [&fields, k](std::span<const Vec3> n, std::span<CVec3> sums) {
      fields[k]->sums(int(k), n, sums);
    };
    const Solution solution{engine, all[group[k]], std::move(reports[k]), shared};
    if (watcher) watcher->solved(p, solution);
    use(group[k], solution);
  }
}

/// Names of the states of a run's solves: labels, and numbers where one comes again.
class StateNames {
 public:
  std::string next(char label) {
    const int number = ++seen_[label];
    return number == 1 ? std::string(1, label) : fmt::format("{}-b{}", label, number);
  }

 private:
  std::map<char, int> seen_;
};

}  // namespace

void solve_each(const Prepared& p, std::span<const Incident> all, Engine& engine, Journal& journal,
                TimerTable& timers, const std::function<void(std::size_t, const Solution&)>& use) {
  std::vector<std::vector<CVec3>> alphas;
  for (const Incident& one : all) alphas.push_back(one.alpha);
  StateNames names;
  if (p.ranks.groups > 1) {
    std::vector<std::string> of_waves;
    for (const Incident& one : all) of_waves.push_back(names.next(one.label));
    const GroupSolves solves{
        [&](std::size_t i) { return solve_alone(p, all[i], of_waves[i], engine, journal, timers); },
        [&](const Incident& one) { set_incident(p, one, engine); },
        [&](SolveReport& report) { settle(p, report, journal); }};
    const RemainderTimer others(timers, "other ranks");
    return solve_in_groups(p, all, engine, solves, [&](std::size_t i, const Solution& solution) {
      if (SolveWatcher* watcher = journal.observer().watcher) watcher->solved(p, solution);
      use(i, solution);
    });
  }
  for (const auto& group : equal_groups(alphas, p.blocks.columns)) {
    const std::string name = names.next(all[group.front()].label);
    if (group.size() == 1)
      use(group.front(), solve(p, all[group.front()], name, engine, journal, timers));
    else
      solve_group(p, all, group, name, engine, journal, timers, use);
  }
}

void check_fields(const Prepared& p, const Incident& incident) {
  if (p.sim.beam.kind != BeamKind::plane)
    sources::incident_field(p.sim, p.particle, incident.frame, incident.label);
  if (starts_from_field(p.sim)) start_polarization(p, incident);
}

}  // namespace umov::dda
