// The course of a dipole run.
#include "dda/run/run.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/memory.hpp"
#include "dda/memory.hpp"
#include "dda/run/case_checks.hpp"
#include "dda/run/checkpoints.hpp"
#include "dda/run/neighbours.hpp"
#include "dda/run/orientations.hpp"
#include "front/version.hpp"

namespace umov::dda {

namespace {

void require_memory(const Simulation& sim, const std::vector<MemoryUse>& uses) {
  if (sim.backend == "cuda") return;  // the card is asked when it is opened
  const std::size_t needed = total_bytes(uses), there = available_memory();
  if (there > 0 && needed > there)
    throw BadInput(
        fmt::format("the run needs {:.1f} GB of memory but {:.1f} GB are available; use a coarser grid, "
                    "single precision ({}ftype float) or a solver with fewer vectors (bicg)",
                    1e-9 * double(needed), 1e-9 * double(there), sim.front == Front::adda ? "-" : "--"));
}

bool all_converged(const Outcome& out) {
  return std::all_of(out.polarizations.begin(), out.polarizations.end(),
                     [](const auto& p) { return p.solve.status == SolveStatus::converged; });
}

/// What the engine says of itself after its work.
void describe_engine(const Engine& engine, Outcome& out) {
  out.device = engine.device_name();
  out.backend = engine.backend_name();
  out.transforms = engine.transforms();
  out.memory = engine.memory();
}

/// The case as it was solved, or would be.
void describe_case(Prepared p, const Angles& angles, const front::Journal& journal, const TimerTable& timers,
                   Outcome& out) {
  out.version = front::version();
  out.propagation = laboratory_frame(p.sim.propagation).propagation;
  out.fft_grid = p.fft_grid;
  out.preconditioner = p.preconditioning.why;
  out.inner = p.inner.why;
  out.sectors = p.sectors.why;
  out.blocks = p.blocks.why;
  out.symmetry_used = p.one_solve;
  out.simulation = std::move(p.sim);
  out.particle = std::move(p.particle);
  out.angle_notes.insert(out.angle_notes.end(), angles.notes.begin(), angles.notes.end());
  out.warnings = journal.warnings();
  for (const auto& row : timers.rows()) out.timings.push_back({row.name, row.seconds});
}

}  // namespace

backend::EarlyStart early_start(const Simulation& sim) {
  return {sim.precision == Precision::long_double ? "cpu" : sim.backend, sim.device};
}

Outcome run(const Simulation& sim, const RunObserver& observer, Neighbours* neighbours) {
  Journal journal(observer);
  TimerTable timers;
  ScopedTimer total(timers, "total");
  const backend::EarlyStart device = early_start(sim);
  Prepared p = prepare(sim, journal, timers);
  p.neighbours = sim.orientation.average ? nullptr : neighbours;
  if (p.neighbours && p.blocks.columns > 1)
    throw BadInput(
        "blocks of right-hand sides start from zero (cases of a list start from their neighbours); use "
        "--no-neighbours, or leave --block out");
  if (p.neighbours) p.neighbours->meet(p.particle);
  require_memory(sim, p.memory);
  prepare_checkpoints(sim);
  const Angles angles = read_inputs(p, journal);
  auto engine = start_engine(p, device, journal, timers);
  if (observer.begun) observer.begun();
  if (observer.watcher) observer.watcher->begin(p);
  Outcome out = sim.orientation.average ? average_orientations(p, angles, *engine, journal, timers)
                                        : single_orientation(p, angles, *engine, journal, timers);
  out.converged = all_converged(out);
  check_finite(sim, out, journal);
  describe_engine(*engine, out);
  engine.reset();  // it refers to the particle
  total.stop();
  describe_case(std::move(p), angles, journal, timers, out);
  return out;
}

Outcome plan(const Simulation& sim) {
  front::Journal journal({});
  TimerTable timers;
  Prepared p = prepare(sim, journal, timers);
  const Angles angles = read_inputs(p, journal);
  Outcome out;
  out.propagation_particle = p.frame.propagation;
  out.memory = p.memory;
  describe_case(std::move(p), angles, journal, timers, out);
  return out;
}

void require_memory(const Outcome& plan) { require_memory(plan.simulation, plan.memory); }

}  // namespace umov::dda
