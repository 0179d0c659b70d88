// A dipole case made ready: particle, frames, directions, memory; then its engine.
#include "dda/run/prepare.hpp"

#include <fmt/format.h>

#include "backend/gpus.hpp"
#include "comm/collect.hpp"
#include "core/error.hpp"
#include "core/memory.hpp"
#include "dda/check_simulation.hpp"
#include "dda/mirror/mirrored_engine.hpp"
#include "dda/ranks/memory.hpp"
#include "dda/run/case_checks.hpp"
#include "dda/run/grid_error.hpp"
#include "dda/run/shares.hpp"
#include "dda/scheme/gpu_lengths.hpp"
#include "dda/scheme/memory.hpp"

namespace umov::dda {

namespace {

shapes::Particle make_particle(const Simulation& sim, run::Journal& journal, TimerTable& timers) {
  ScopedTimer timer(timers, "particle");
  journal.stage("particle");
  shapes::Particle particle = shapes::make_particle(sim.shape);
  timer.stop();
  journal.warn(particle.warnings);
  return particle;
}

/// The problem for an engine.
Problem problem_of(const Prepared& p) {
  Problem problem;
  problem.particle = &p.particle;
  problem.wavenumber = p.wavenumber;
  problem.interaction = p.sim.interaction;
  problem.interaction_arguments = p.sim.interaction_arguments;
  problem.fft_grid = p.fft_grid;
  problem.tensor_on_host = p.machine.tensor_on_host;
  problem.inner_float = p.inner.in_float;
  return problem;
}

/// A field from a file may be anything; only the user can know that it has a symmetry.
shapes::Symmetry symmetry_of(const Prepared& p) {
  const bool unknown = p.sim.beam.kind == BeamKind::read;
  return scattering_symmetry(unknown ? shapes::Symmetry{} : p.particle.symmetry, p.frame, p.sim.m,
                             p.sim.symmetry);
}

/// Where scattering matrices are wanted, and whether they need both polarizations solved.
void set_directions(Prepared& p) {
  const Outputs& o = p.sim.outputs;
  const bool matrices = o.mueller || o.amplitude || o.efield;
  p.grid = matrices && (o.store_scat_grid || o.phi_integr);
  if (matrices && (o.yz || o.scat_plane || !p.grid)) p.plane = o.scat_plane ? Plane::scat : Plane::yz;
  p.one_solve = p.symmetry.rotation_z && !p.grid && !p.sim.orientation.average;
}

/// Blocks of right-hand sides take what is left of the memory, at most.
void set_blocks(Prepared& p, const std::string& backend, std::size_t there) {
  if (!p.has_materials()) return;
  const Simulation& sim = p.sim;
  BlockFacts facts;
  facts.several = !p.one_solve || sim.solver.directions > 1;
  facts.dipoles = p.particle.dipoles();
  facts.bytes_a_column = p.ranks.shares() ? rank_block_bytes(problem_of(p), p.ranks.fewest(), sim.precision)
                                          : block_bytes(problem_of(p), p.sectors.planes, sim.precision,
                                                        backend, p.machine.threads);
  const std::size_t needed = total_bytes(p.memory);
  if (there > 0) facts.room = std::max<std::size_t>(1, needed < there ? (there - needed) / 2 : 0);
  p.blocks = choose_blocks(sim, facts);
  if (p.blocks.columns > 1)
    p.memory.push_back({"block of right-hand sides", p.blocks.columns * facts.bytes_a_column});
}

/// Memory that is left for a rank: the same number on all of them.
std::size_t room_of_rank(const RankUse& ranks) {
  const std::size_t there = available_memory();
  return (ranks.all ? comm::min(*ranks.all, there) : there) / std::size_t(ranks.together());
}

/// What ranks that share a particle cannot do is refused, or not chosen.
void fit_to_slabs(Simulation& sim, const Machine& machine) {
  const auto refuse = [](const char* what, const char* why, const char* remedy) {
    throw BadInput(
        fmt::format("{} cannot be used on ranks that share a particle ({}); {}", what, why, remedy));
  };
  if (sim.precision == Precision::long_double)
    refuse("long double", "ranks compute in double or float",
           "give machine.precision = \"double\", or one rank");
  if (machine.tensor_on_host)
    refuse("machine.tensor_on_host", "each rank keeps its part of the tensor on its device", "leave it out");
  if (sim.solver.sectors == SectorUse::on)
    refuse("mirror sectors", "each rank has a slab of the particle", "leave solver.sectors out");
  sim.solver.sectors = SectorUse::off;
}

/// Blocks are for ranks that share the particle, and not chosen there: they were not measured.
void fit_to_ranks(Simulation& sim, const RankUse& ranks) {
  if (ranks.groups > 1 || sim.solver.block < 1) sim.solver.block = 1;
}

/// The estimate; where only iterations in double fit, `auto` iterates in double.
void set_memory(Prepared& p) {
  const Simulation& sim = p.sim;
  // "auto" without a card means the cpu; with one the two estimates differ by little.
  const std::string backend = p.machine.backend == "auto" ? "cpu" : p.machine.backend;
  const auto estimate = [&] {
    if (p.ranks.shares())
      return estimate_rank_memory(problem_of(p), p.ranks.fewest(), sim.solver.name, sim.precision,
                                  p.preconditioning.list, backend, p.machine.threads);
    if (p.sectors.used())
      return estimate_memory(problem_of(p), p.sectors.planes, sim.solver.name, sim.precision, backend,
                             p.machine.threads, p.preconditioning.list);
    return estimate_memory(problem_of(p), sim.solver.name, sim.precision, backend, p.machine.threads,
                           p.preconditioning.list);
  };
  p.memory = estimate();
  const std::size_t there =
      backend == "cuda" ? 0 : room_of_rank(p.ranks);  // a card is asked when it is opened
  const InnerChoice fitting = inner_that_fits(sim, p.inner, total_bytes(p.memory), there);
  if (fitting.in_float != p.inner.in_float) {
    p.inner = fitting;
    p.memory = estimate();
  }
  set_blocks(p, backend, there);
}

/// On GPUs lengths are chosen by time where the kernels of the whole product run, which neither sectors nor
/// slabs have.
void set_grid(Prepared& p, const std::string& backend) {
  if (backend == "cuda" && !p.sectors.used_on(backend) && !p.ranks.shares())
    p.fft_grid = transform_grid_on_gpus(p.particle.box, p.sim.fft_grid);
  else
    p.fft_grid = folded_grid(p.particle.box, p.sim.fft_grid, p.sectors.planes);
}

}  // namespace

bool Prepared::any_rank(bool mine) const { return ranks.all ? comm::any(*ranks.all, mine) : mine; }

Prepared prepare_on_ranks(const Simulation& sim, const Machine& machine, run::Journal& journal,
                          TimerTable& timers, int ranks, comm::Communicator* all,
                          std::unique_ptr<comm::Communicator>& group) {
  if (ranks == 1) return prepare(sim, machine, journal, timers);
  RankUse use;
  use.ranks = use.groups = ranks;
  use.all = all;
  bool fits = false;
  int solves = ranks;  // an average has more than there are ranks, mostly
  std::optional<shapes::Particle> particle;
  if (machine.split != RankSplit::particle && sim.solver.block <= 1) {
    // as each would have it alone: how many solves there are, and whether one has room for it
    Prepared alone = prepare(sim, machine, journal, timers, use);
    if (!sim.orientation.average) solves = int(alone.labels().size());
    const bool on_gpu = machine.backend == "cuda" || machine.ranks.gpus != 0;
    double there = 0;
    if (on_gpu) {
      const ScopedTimer timer(timers, "device");
      there = backend::free_memory_of_gpu(machine.gpu());
    } else {
      there = double(room_of_rank(use));
    }
    fits = there == 0 || double(total_bytes(alone.memory)) <= there;
    if (all) fits = comm::all(*all, fits);
    const RankUse chosen = choose_rank_use(sim, machine.split, ranks, solves, fits);
    if (chosen.groups == ranks) {
      use.why = chosen.why;
      use.mine = all ? all->rank() : 0;
      alone.ranks = use;
      return alone;
    }
    particle = std::move(alone.particle);
  }
  use = choose_rank_use(sim, machine.split, ranks, solves, fits);
  use.all = all;
  if (all) {
    use.mine = use.group_of(all->rank());
    group = all->split(use.mine);
    if (group->size() > 1) use.group = group.get();
  }
  return prepare(sim, machine, journal, timers, use, std::move(particle));
}

Prepared prepare(const Simulation& given, const Machine& machine, run::Journal& journal, TimerTable& timers,
                 const RankUse& ranks, std::optional<shapes::Particle> particle) {
  journal.warn(given.warnings);
  journal.warn(check_formulation(given));
  Prepared p;
  p.sim = given;
  p.machine = machine;
  p.ranks = ranks;
  if (ranks.ranks > 1) fit_to_ranks(p.sim, ranks);
  if (ranks.shares()) fit_to_slabs(p.sim, machine);
  const Simulation& sim = p.sim;
  p.particle = particle ? *std::move(particle) : make_particle(sim, journal, timers);
  p.wavenumber = sim.wavenumber();
  require_materials(p, journal);
  require_range(p);
  warn_of_materials(p, journal);
  warn_of_grid(p, journal);
  warn_of_shares(p, journal);
  p.frame = make_beam_frame(sim.propagation, sim.orientation, sim.beam.center);
  p.symmetry = symmetry_of(p);
  warn_of_beam(p, journal);
  set_directions(p);
  if (p.has_materials()) p.sectors = choose_sectors(sim, machine, p.particle, p.frame, p.labels());
  set_grid(p, machine.backend);
  if (p.has_materials()) {
    constexpr int many = 100;  // an average solves for dozens of orientations with one preconditioner
    p.preconditioning = choose_preconditioning(sim, p.particle, p.wavenumber, p.frame.propagation, p.fft_grid,
                                               sim.orientation.average ? many : int(p.labels().size()));
    p.inner = choose_inner_precision(sim, p.preconditioning);
  }
  set_memory(p);
  require_files(p, journal);
  return p;
}

InnerChoice inner_that_fits(const Simulation& sim, const InnerChoice& inner, std::size_t needed,
                            std::size_t there) {
  const bool fits = there == 0 || needed <= there;
  if (fits || !inner.in_float || sim.solver.inner != InnerPrecision::automatic) return inner;
  return {false, "double (auto: for want of memory)"};
}

double bytes_on_ranks(const Prepared& p, int ranks) {
  const auto backend = p.machine.backend == "auto" ? "cpu" : p.machine.backend;
  const auto list = ranks > 1 ? estimate_rank_memory(problem_of(p), ranks, p.sim.solver.name, p.sim.precision,
                                                     p.preconditioning.list, backend, p.machine.threads)
                              : estimate_memory(problem_of(p), p.sim.solver.name, p.sim.precision, backend,
                                                p.machine.threads, p.preconditioning.list);
  return double(total_bytes(list));
}

std::unique_ptr<Engine> start_engine(Prepared& p, const backend::EarlyStart& device, run::Journal& journal,
                                     TimerTable& timers) {
  const Simulation& sim = p.sim;
  const EngineRequest request{p.machine.backend, p.machine.device,        p.machine.threads,
                              sim.precision,     p.machine.blocking_sync, false,
                              p.ranks.group};
  const auto made = [&] {
    const ScopedTimer timer(timers, "device");
    journal.stage("device");
    if (const double seconds = device.wait(); seconds > 0 && timers.seconds("device, in the background") == 0)
      timers.add("device, in the background", seconds);
    auto engine = make_engine(request);
    set_grid(p, engine->backend_name());  // now it is known what "auto" is
    if (!p.sectors.used_on(engine->backend_name())) return engine;
    engine.reset();  // a card has room for one at a time
    return make_mirrored_engine(request, p.sectors.planes);
  };
  auto engine = made();
  const ScopedTimer timer(timers, "interaction tensor");
  journal.stage("interaction tensor");
  try {
    engine->load(problem_of(p));
  } catch (const MachineFailure&) {
    // A card says that it is full while it is filled; double alone takes a little less.
    const InnerChoice fitting = inner_that_fits(sim, p.inner, 2, 1);
    if (fitting.in_float == p.inner.in_float || p.ranks.all) throw;
    p.inner = fitting;
    engine.reset();
    engine = made();
    engine->load(problem_of(p));
  }
  warn_of_machine(p.machine, engine->backend_name(), journal);
  return engine;
}

}  // namespace umov::dda
