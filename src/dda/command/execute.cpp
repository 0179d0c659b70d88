// Plans, progress, checkpoints and exit codes around dda::run.
#include "dda/command/execute.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iterator>

#include "comm/world.hpp"
#include "command/line_watch.hpp"
#include "command/on_ranks.hpp"
#include "command/perform.hpp"
#include "core/console.hpp"
#include "core/memory.hpp"
#include "core/process_age.hpp"
#include "core/progress.hpp"
#include "core/signals.hpp"
#include "core/text.hpp"
#include "core/timer.hpp"
#include "core/wording.hpp"
#include "dda/adda/results.hpp"
#include "dda/case/case.hpp"
#include "dda/command/execute_accurate.hpp"
#include "dda/command/live_run.hpp"
#include "dda/observables/unphysical.hpp"
#include "dda/output/field_file.hpp"
#include "dda/output/result.hpp"
#include "dda/output/write_results.hpp"
#include "dda/run/accuracy.hpp"
#include "dda/run/checkpoints.hpp"
#include "dda/run/rank_use.hpp"
#include "dda/run/run.hpp"
#include "dda/scheme/memory.hpp"
#include "results/finite.hpp"
#include "run/ranks.hpp"
#include "shapes/box.hpp"

namespace umov::dda {

RunObserver watch_with(command::LineWatch<Progress>& watch, const Simulation& sim, bool quiet,
                       const std::string& before) {
  RunObserver o;
  watch.listen(o);
  o.iteration = [&watch, &sim, quiet, before](char label, long iteration, double residual) {
    const auto options = [&](const std::string&) {
      Progress::Options p;
      p.goal = sim.solver.epsilon;
      p.label = fmt::format("{}{} {}", before, sim.solver.name, label);
      p.quiet = quiet;
      return p;
    };
    watch.line(options).update(iteration, residual);
    return !interrupted();
  };
  return o;
}

Machine with_checkpoints(Machine machine, const std::string& folder) {
  if (machine.checkpoint_kind == CheckpointKind::none) {
    machine.checkpoint_kind = CheckpointKind::regular;
    machine.checkpoint.interval = 0;
  }
  if (machine.checkpoint_dir.empty()) machine.checkpoint_dir = folder;
  std::error_code failed;
  std::filesystem::create_directories(machine.checkpoint_dir, failed);
  return machine;
}

namespace {

std::string memory_table(const Outcome& plan, const std::string& margin) {
  std::string out;
  for (const auto& use : plan.memory)
    out += fmt::format("{}{:<24} {:>10}\n", margin, use.name, format_bytes(double(use.bytes)));
  out += fmt::format("{}{:<24} {:>10}\n", margin, "total", format_bytes(double(total_bytes(plan.memory))));
  return out;
}

std::string solve_text(const SolveReport& solve) {
  std::string out;
  if (!solve.preconditioner.empty())
    out += fmt::format("   preconditioner: {}, {} products with it\n", solve.preconditioner,
                       solve.preconditionings);
  if (solve.sectors > 0)
    out += fmt::format("   solved in {} mirror sectors, iterations are their sum\n", solve.sectors);
  if (solve.blocks > 0)
    out +=
        fmt::format("   {} block{} of up to {} right-hand sides: {} iterations, {} products\n", solve.blocks,
                    solve.blocks == 1 ? "" : "s", solve.block, solve.block_iterations, solve.products);
  if (solve.refreshes > 0)
    out += fmt::format("   iterated in float, residual refreshed in double {} times\n", solve.refreshes);
  if (!solve.advice.empty()) out += "   " + solve.advice + "\n";
  return out;
}

std::string summary_text(const Outcome& outcome) {
  std::string out;
  for (const auto& result : outcome.polarizations) {
    const double area = pi * outcome.particle.eq_radius * outcome.particle.eq_radius;
    const std::string over =
        outcome.orientations > 0 ? fmt::format(" over {} orientations", outcome.orientations) : "";
    const std::string csca = result.cross.csca
                                 ? fmt::format(" Csca = {:.10g} um^2 (integrated{}),", *result.cross.csca,
                                               result.cross.integrals_converged ? "" : ", NOT CONVERGED")
                                 : "";
    const std::string fault = unphysical(outcome.simulation, result);
    out += fmt::format(
        "{}{}: Cext = {:.10g} um^2, Qext = {:.10g}, Cabs = {:.10g} um^2{},{} {} iterations, {}residual "
        "{:.2e}\n",
        result.name(), over, result.cross.cext, result.cross.cext / area, result.cross.cabs,
        fault.empty() ? "" : " (UNPHYSICAL: " + fault + ")", csca, result.solve.iterations,
        over.empty() ? "" : "largest ", result.solve.residual);
    out += solve_text(result.solve);
  }
  out += outcome.ranks;
  if (outcome.extrapolation) out += describe(*outcome.extrapolation);
  return out;
}

}  // namespace

std::string plan_text(const Outcome& plan, const std::string& margin) {
  const auto& box = plan.particle.box;
  const auto& fft = plan.fft_grid;
  const std::size_t available = available_memory();
  std::string out =
      fmt::format("{}particle: {} dipoles in a box of {}x{}x{}, {} um apart\n", margin,
                  plan.particle.dipoles(), box[0], box[1], box[2], shortest(plan.particle.spacing[0]));
  out += fmt::format("{}FFT grid: {}x{}x{}\n", margin, fft[0], fft[1], fft[2]);
  if (!plan.preconditioner.empty()) out += fmt::format("{}preconditioner: {}\n", margin, plan.preconditioner);
  if (!plan.sectors.empty()) out += fmt::format("{}mirror sectors: {}\n", margin, plan.sectors);
  if (!plan.blocks.empty()) out += fmt::format("{}blocks of right-hand sides: {}\n", margin, plan.blocks);
  if (!plan.inner.empty()) out += fmt::format("{}precision of the iterations: {}\n", margin, plan.inner);
  if (plan.planned_ranks > 1) {
    out += fmt::format("{}ranks: {}; {}\n", margin, plan.planned_ranks, plan.ranks);
    out += fmt::format("{}memory estimate of the fullest rank:\n", margin);
  } else {
    out += fmt::format("{}memory estimate:\n", margin);
  }
  out += memory_table(plan, margin + "  ");
  if (available)
    out += fmt::format("{}available on this machine: {}\n", margin, format_bytes(double(available)));
  return out;
}

std::string folder_stem(const Simulation& sim) {
  const std::string shape = std::filesystem::path(sim.shape.shape).filename().string();
  const int nx = sim.shape.grid[0] > 0 ? sim.shape.grid[0] : shapes::particle_box(sim.shape)[0];
  const double m = sim.m.empty() ? 0 : sim.m.front()[0].real();
  return fmt::format("{}_g{}_m{:.4g}", shape, nx, m);
}

std::string warn_of_idle_split(const Machine& machine) {
  if (machine.split == RankSplit::automatic || ranks_asked(machine.ranks) > 1) return {};
  const std::string text =
      "`machine.split` is without effect (one rank computes; it says what several do); leave it out, or give "
      "`machine.ranks`, `machine.gpus`, or start umov by mpirun";
  warn(text);
  return text;
}

void print_plan(const Simulation& sim, const Machine& machine) {
  warn_of_idle_split(machine);
  const auto planned = plan(sim, machine);
  for (const auto& text : planned.warnings) warn(text);
  fmt::print("{}\n{}{}", resolved_toml(sim, machine), plan_text(planned, "# "), planned.fit);
  if (sim.accuracy > 0)
    fmt::print("# the first of several grids: coarser ones, and finer ones while there is room, follow\n");
  require_memory(planned);
  command::require_writable(machine.output_dir);
}

void print_memory(const Simulation& sim, const Machine& machine) {
  fmt::print("{}", plan_text(plan(sim, machine), ""));
}

std::vector<std::string> files_read(const Simulation& sim) {
  return {sim.beam.file_y,
          sim.beam.file_x,
          sim.solver.initial_file_y,
          sim.solver.initial_file_x,
          sim.outputs.scat_grid_file,
          sim.outputs.alldir_file,
          sim.orientation.average_file};
}

void write_plan(const Simulation& sim, const Machine& machine, const command::FolderNaming& naming) {
  const command::OutputFolder folder(
      machine.output_dir, [&] { return folder_stem(sim); }, naming);
  const auto planned = plan(sim, machine);
  for (const auto& text : planned.warnings) warn(text);
  adda::write_adda_files(planned, folder.path());
  adda::write_adda_log(planned, folder.path());
}

namespace {

/// The accuracy that was asked for, if any was, is there.
bool accurate(const Outcome& o) { return !o.extrapolation || o.extrapolation->reached; }

/// ADDA takes the end of the allowed iterations for a good end; the log and the standard error say otherwise.
bool took_the_limit_for_the_end(const Outcome& o) {
  const auto good = [&](const PolarizationResult& p) {
    const bool limited =
        p.solve.status == SolveStatus::iteration_limit && o.simulation.solver.max_iterations >= 0;
    return p.finite() && (limited || p.solve.status == SolveStatus::converged);
  };
  return o.simulation.front == Front::adda &&
         std::all_of(o.polarizations.begin(), o.polarizations.end(), good);
}

/// The case that the results are of: with an accuracy, that of the finest grid.
Simulation as_run(const Simulation& given, const Outcome& o) {
  if (!o.extrapolation) return given;
  Simulation sim = given;
  sim.shape = o.simulation.shape;
  sim.outputs.ntheta = o.simulation.outputs.ntheta;
  return sim;
}

/// What ranks hear that do not talk: they look for signals, and follow where the run is `viewed`.
struct Silent {
  explicit Silent(bool viewed) {
    if (viewed) observer.watcher = &follower;
    observer.iteration = [this](char, long, double) {
      follower.iterate();
      return !interrupted();
    };
  }
  Silent(const Silent&) = delete;
  Silent& operator=(const Silent&) = delete;

  LiveFollower follower;
  RunObserver observer;
};

double seconds_of(const Outcome& o, const std::string& row) {
  for (const auto& timing : o.timings)
    if (timing.name == row) return timing.seconds;
  return 0;
}

/// To a row, and to the whole.
void add_time(Outcome& o, const std::string& row, double seconds) {
  for (const std::string& name : {row, std::string("total")}) {
    const auto same =
        std::find_if(o.timings.begin(), o.timings.end(), [&](auto& t) { return t.name == name; });
    if (same != o.timings.end())
      same->seconds += seconds;
    else
      o.timings.push_back({name, seconds});
  }
}

/// The case on its ranks: the first one tells the observer, all of them look for signals.
Outcome run_on_ranks(const Simulation& sim, const Machine& machine, const RunObserver& observer,
                     bool viewed) {
  const Stopwatch whole;
  double seats = 0, ended = 0;
  Outcome outcome = command::on_ranks(machine, [&](const Machine& own, comm::Communicator& comm) {
    if (comm.first()) seats = whole.seconds();
    const Silent silent(viewed);
    RunObserver mine = comm.first() ? observer : silent.observer;
    FieldFile fields(own.output_dir, comm);
    // viewers of the finished run look at fields that are here
    if (!viewed && FieldFile::serves(sim, comm)) mine.fields = &fields;
    Outcome out = run(sim, own, mine, nullptr, &comm);
    out.image = fields.begun();
    if (comm.first()) ended = whole.seconds();
    return out;
  });
  // around what run() has timed: which devices there are, and ranks that end later
  add_time(outcome, "device", seats);
  add_time(outcome, "other ranks", whole.seconds() - ended);
  return outcome;
}

/// The same with an accuracy to reach; the observers are those of its grids.
Outcome run_grids_on_ranks(const Simulation& sim, const Machine& machine,
                           const std::function<RunObserver(int)>& observer, bool viewed) {
  const Stopwatch whole;
  Outcome outcome = command::on_ranks(machine, [&](const Machine& own, comm::Communicator& comm) {
    if (comm.first()) return run_with_state(sim, own, observer, &comm);
    const Silent silent(viewed);
    follow_accurate(sim, own, silent.observer, comm);
    return Outcome{};
  });
  add_time(outcome, "coarser grids", whole.seconds() - seconds_of(outcome, "total"));
  return outcome;
}

/// The same; told of an average, which has no state of its solver: what is kept are the grids before.
Outcome run_accurate_on_ranks(const Simulation& sim, const Machine& machine,
                              const std::function<RunObserver(int)>& observer, bool viewed) {
  try {
    return run_grids_on_ranks(sim, machine, observer, viewed);
  } catch (const run::Interrupted& e) {
    if (!sim.orientation.average) throw;
    throw run::Interrupted(
        fmt::format("interrupted; finished grids are kept, the one under way begins anew, continue with "
                    "`resume = '{}'`",
                    machine.checkpoint_dir),
        e.code());
  }
}

/// The state of the run that counts, from its output folder.
std::string checkpoint_of(const Simulation& sim, const Machine& machine) {
  const std::string state = sim.accuracy > 0 ? grids_state : "checkpoint-Y";
  return (std::filesystem::current_path() / machine.checkpoint_dir / state).string();
}

/// What the user has to know of the end besides the summary.
std::vector<std::string> last_doubts(const Outcome& o, bool quiet) {
  std::vector<std::string> out;
  for (const auto& result : o.polarizations)
    if (quiet && !result.solve.advice.empty())
      out.push_back(fmt::format("{}: {}", result.name(), result.solve.advice));
  if (!accurate(o)) out.push_back("accuracy " + o.extrapolation->verdict);
  return out;
}

/// The run in the folder of `machine`, with an accuracy to reach or without; `begun` as FamilyRun has it.
Outcome run_in_folder(const Simulation& sim, const Machine& machine, command::LineWatch<Progress>& watch,
                      LiveRun* live, bool viewed, const std::function<void()>& begun) {
  const Machine running = with_checkpoints(machine, machine.output_dir);
  const auto observer = [&](const std::string& before) {
    RunObserver o = watch_with(watch, sim, machine.quiet, before);
    if (live) live->listen(o);
    return o;
  };
  if (sim.accuracy == 0) {
    RunObserver o = observer("");
    o.begun = begun;
    return run_on_ranks(sim, running, o, viewed);
  }
  const auto of_grid = [&](int number) {
    if (live) live->next(fmt::format("grid {}", number), std::size_t(number - 1), 0);
    RunObserver o = observer(fmt::format("grid {}, ", number));
    if (number == 1) o.begun = begun;
    return o;
  };
  return run_accurate_on_ranks(sim, running, of_grid, viewed);
}

/// The whole of a run, `viewed` by `live` on the rank that talks.
Exit execute_once(const Simulation& sim, const Machine& machine, const command::FolderNaming& naming,
                  LiveRun* live, bool viewed) {
  std::vector<std::string> said;
  double before = 0;
  Machine recorded;
  command::LineWatch<Progress> watch;
  command::StageWatch stages(command::StageWatch::only_timed);
  command::FamilyRun<Machine, Outcome> family;
  family.stages = &stages;
  family.stem = [&] { return folder_stem(sim); };
  family.checkpoint = checkpoint_of(sim, machine);
  family.resolved = [&](const Machine& m) { return resolved_toml(sim, m); };
  family.run = [&](const Machine& m, const std::function<std::string()>& begun) {
    recorded = m;
    before = process_age();
    const auto told = [&] {
      watch.finish();
      said.push_back(begun());
    };
    return run_in_folder(sim, m, watch, live, viewed, begun ? told : std::function<void()>());
  };
  family.finish = [&] { watch.finish(); };
  family.write = [&](Outcome& o, const std::string& folder, const std::vector<StageTime>&) {
    o.simulation = as_run(sim, o);
    o.machine = recorded;
    o.settings = resolved_toml(sim, recorded);
    std::copy_if(said.begin(), said.end(), std::back_inserter(o.warnings),
                 [](const std::string& text) { return !text.empty(); });
    o.timings.push_back({"start", before});
    write_results(o, folder);
    if (live) live->show(to_result(o));
  };
  family.summary = summary_text;
  family.why_not = [](const Outcome&) { return "the end was not reached"; };
  family.unfit = [](const Outcome& o) {
    return results::describe_not_finite(results::not_finite(to_result(o)));
  };
  family.naming = naming;
  family.table = &parameters();
  family.prepare = [&](const Machine&) { said.push_back(warn_of_idle_split(machine)); };
  family.reads = [&] { return files_read(sim); };
  family.good = [](const Outcome& o) {
    return o.converged || (took_the_limit_for_the_end(o) && accurate(o));
  };
  family.forget = [&](const Outcome& o, const std::string& folder) {
    if (machine.checkpoint_kind != CheckpointKind::always && o.converged)
      remove_states(machine.checkpoint_dir.empty() ? folder : machine.checkpoint_dir);
  };
  family.doubts = [&](const Outcome& o) { return last_doubts(o, machine.quiet); };
  if (live)
    family.written = [live](const std::string& folder, const std::string& why) { live->wrote(folder, why); };
  return command::perform(machine, family);
}

}  // namespace

Exit execute(const Simulation& sim, const Machine& machine, const command::FolderNaming& naming,
             const cases::ViewSettings& settings) {
  const bool shown = settings.on && comm::talks() && !command::is_there(machine, checkpoint_of(sim, machine));
  if (!shown) return execute_once(sim, machine, naming, nullptr, settings.on);
  const std::string title = folder_stem(sim);
  command::LiveView view(settings, title);
  LiveRun live(view, title, machine.command_line);
  return view.through([&] { return execute_once(sim, machine, naming, &live, true); },
                      [&] { return live.stopped(); });
}

}  // namespace umov::dda
