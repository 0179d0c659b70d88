// The command `umov harmonic`.
#include "harmonic/command/command.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <memory>

#include "comm/world.hpp"
#include "command/command.hpp"
#include "command/line_watch.hpp"
#include "command/on_ranks.hpp"
#include "command/parse_case.hpp"
#include "command/perform.hpp"
#include "command/plan_warnings.hpp"
#include "command/stage_watch.hpp"
#include "core/atomic_file.hpp"
#include "core/console.hpp"
#include "core/memory.hpp"
#include "core/progress.hpp"
#include "core/signals.hpp"
#include "core/text.hpp"
#include "core/wording.hpp"
#include "harmonic/command/live_run.hpp"
#include "harmonic/output/results.hpp"
#include "harmonic/run/run.hpp"
#include "harmonic/run/sunlit.hpp"
#include "results/finite.hpp"
#include "run/ranks.hpp"

namespace umov::harmonic {

namespace {

constexpr const char* usage =
    "umov harmonic case.toml [options]: light in a layered periodic cell at single wavelengths\n\n"
    "A case with the table [harmonic] is solved in the frequency domain on the Yee grid: reflection,\n"
    "transmission, absorption of every layer, photons over depth and currents under sunlight. Options "
    "override\n"
    "the file; the file overrides the defaults. The manual is docs/guide/harmonic.md. `umov fdtd` takes\n"
    "such a case, too.\n";

std::string memory_text(const MemoryNeed& need) {
  if (need.host == 0) return format_bytes(need.device);
  return fmt::format("{} on the GPU, {} beside it", format_bytes(need.device), format_bytes(need.host));
}

/// The name of the file of finished rows.
constexpr const char* state_name = "checkpoint";

/// What the run reads and checks beside its plan before the first row.
void check_files(const Simulation& sim, const run::Machine& machine, const Plan& planned) {
  light_of(sim);
  if (machine.checkpoint.resume && !command::is_there(machine, state_name))
    load_sweep_state(machine.output_dir + "/" + state_name, shared_settings(sim, planned.cell.grid));
}

void print_plan(const Request& request) {
  const Simulation& sim = request.simulation;
  const run::Machine& machine = request.given.machine;
  const Plan planned = plan(sim, machine);
  check_files(sim, machine, planned);
  const auto& g = planned.cell.grid;
  fmt::print("{}\n", resolved_toml(sim, machine));
  fmt::print("# grid: {} x {} x {} cells of {:.6g} x {:.6g} x {:.6g} um\n", g.nx, g.ny, g.nz, g.spacing[0],
             g.spacing[1], g.spacing[2]);
  fmt::print("# {} wavelengths in {} polarization{}\n", sim.wavelengths.size(),
             sim.polarization == Polarizations::both ? 2 : 1,
             sim.polarization == Polarizations::both ? "s" : "");
  if (const auto n = sim.angle.size() * sim.azimuth.size(); n > 1)
    fmt::print("# {} directions of incidence\n", n);
  const comm::World* world = comm::world();
  const int ranks = world ? world->size() : run::seats_of(machine).here;
  if (ranks > 1) fmt::print("# rows go to {} ranks, each with the whole cell\n", ranks);
  fmt::print("# memory estimate{}: {}", ranks > 1 ? " of a rank" : "", memory_text(planned.memory));
  if (const auto there = available_memory())
    fmt::print(" (this machine has {} left)", format_bytes(double(there)));
  fmt::print("\n");
  for (const auto& note : planned.notes) fmt::print("# {}\n", worded(note));
  command::print_plan_warnings(planned.warnings);
}

using Watch = command::LineWatch<Progress>;

/// Iterations look for signals themselves, and end with results of what is finished; of a signal during the
/// set-up of a row, which may take long, finished rows are kept for --resume.
RunObserver observer(Watch& watch, command::StageWatch& stages, double goal, bool quiet) {
  RunObserver o;
  watch.listen(o);
  const auto solving = std::make_shared<std::atomic<bool>>(false);
  o.stage = [&stages, solving, before = o.stage](const std::string& name) {
    before(name);
    if (!*solving) stages.begin("set-up: " + name);
  };
  o.set_up = [&watch, &stages, solving](bool on) {
    *solving = !on;
    if (!on) return stages.looks_itself("solution");
    watch.finish();
    stages.begin("set-up");
  };
  o.kept = [&stages] { stages.save_at_end([] {}); };  // for what it says
  o.iteration = [&watch, &stages, goal, quiet, solving](char, long iteration, double residual) {
    if (*solving) stages.looks_itself("solution");
    const auto options = [&](const std::string& stage) {
      Progress::Options p;
      p.label = stage;
      p.goal = goal;
      p.quiet = quiet;
      return p;
    };
    watch.line(options).update(iteration, residual);
    return !interrupted();
  };
  return o;
}

/// The run of a case in the folder of its machine, as one rank has it; `name`: the command's. `live`, unless
/// nullptr, hears of its rows.
Outcome sweep(const Simulation& sim, const run::Machine& machine, const std::string& name,
              const RunObserver& observer, LiveRun* live, comm::Communicator& comm) {
  const auto file = [&](const char* name) { return machine.output_dir + "/" + name; };
  Sweep sweep;
  sweep.state_file = file(state_name);
  sweep.resume = machine.checkpoint.resume;
  sweep.settings = shared_settings(sim, plan(sim, machine).cell.grid);
  sweep.how_to_go_on = "umov " + name + " --resume " + machine.output_dir;
  sweep.stop = interrupted;
  if (sim.outputs.fields) sweep.fields = [&](const SolvedFields& f) { write_fields(f, machine.output_dir); };
  if (!comm.first()) return run(sim, machine, {}, sweep, comm);
  sweep.stopped = [&](const Outcome& so_far) {
    const SignalGuard until_written;
    write_results(so_far, machine.output_dir);
    write_file(file("log"), printable(worded(log_text(so_far)) + "\n" + resolved_toml(sim, machine)));
  };
  if (live) live->listen(sweep);
  return run(sim, machine, observer, sweep, comm);
}

/// On the ranks that the case asks for, or those of mpirun; the first of them talks.
Outcome sweep_on_ranks(const Simulation& sim, const run::Machine& machine, const std::string& name,
                       const RunObserver& observer, LiveRun* live) {
  return command::on_ranks(run::ranks_on_processors(machine),
                           [&](const run::Machine& own, comm::Communicator& comm) {
                             return sweep(sim, own, name, observer, live, comm);
                           });
}

Exit run_once(const Simulation& sim, const run::Machine& machine, const std::string& name, LiveRun* live) {
  Watch watch;
  command::StageWatch stages({name, machine.quiet, !comm::world()});
  RunObserver observer = harmonic::observer(watch, stages, sim.tolerance, machine.quiet);
  if (live) live->listen(observer);
  command::FamilyRun<run::Machine, Outcome> family;
  family.stages = &stages;
  family.stem = [] { return std::string("harmonic"); };
  family.checkpoint = state_name;
  family.resolved = [&](const run::Machine& recorded) { return resolved_toml(sim, recorded); };
  family.run = [&](const run::Machine& recorded, const std::function<void()>& begun) {
    if (begun) begun();
    stages.begin("set-up: cell");
    Outcome out = sweep_on_ranks(sim, recorded, name, observer, live);
    if (live) live->end(out);
    return out;
  };
  family.finish = [&] { watch.finish(); };
  family.write = [](const Outcome& o, const std::string& folder, const std::vector<StageTime>& times) {
    write_results(o, folder, times);
  };
  if (live)
    family.written = [live](const std::string& folder, const std::string& why) { live->wrote(folder, why); };
  family.log = log_text;
  family.summary = summary_text;
  family.why_not = [](const Outcome& o) { return o.why_not; };
  family.unfit = [](const Outcome& o) {
    return results::describe_not_finite(results::not_finite(to_result(o)));
  };
  return command::perform(machine, family);
}

Exit execute(const Request& request, const std::string& name) {
  const Simulation& sim = request.simulation;
  const run::Machine& machine = request.given.machine;
  const cases::ViewSettings& settings = request.given.view;
  if (!settings.on || !comm::talks()) return run_once(sim, machine, name, nullptr);
  command::LiveView view(settings, "harmonic");
  LiveRun live(view);
  return view.through([&] { return run_once(sim, machine, name, &live); }, [&] { return live.stopped(); });
}

}  // namespace

Request parse(std::span<const std::string> args) { return parse_named("harmonic", args); }

Request parse_named(const std::string& name, std::span<const std::string> args) {
  const auto case_file = [&name](const std::vector<std::string>& words, const Case& flags) {
    const std::string file = command::only_case(name, words);
    return file.empty() && flags.machine.checkpoint.resume ? command::saved_case(flags.resume_from) : file;
  };
  const auto replace = [](const Case& flags, Case& c, Origins& origins) {
    if (flags.simulation.wavelengths.empty()) return;
    c.from = c.to = {};
    c.count = 0;
    for (const char* key : {"wavelength_from", "wavelength_to", "wavelength_count"})
      origins.erase(std::string("harmonic.") + key);
  };
  const auto finish = [](Case& c, Origins& origins, const Case& from_file) {
    parameters().refuse_idle(&c, origins, &from_file);
    return finish_case(c, origins);
  };
  return command::parse_case<Request>(args, parameters(), case_file, replace, finish);
}

int command(std::span<const std::string> args) { return command_named("harmonic", args); }

int command_named(const std::string& name, std::span<const std::string> args) {
  return command::answer(name, args, usage, parameters(), parse_named(name, args), print_plan,
                         [&name](const Request& r) { return execute(r, name); });
}

namespace {

std::string row_text(const Outcome& o, std::size_t r) {
  std::string out = fmt::format("{:g} um", o.rows[r].wavelength);
  if (o.incidences.size() > 1)
    out += fmt::format(" at {:g}°, {:g}°", o.rows[r].incidence.angle, o.rows[r].incidence.azimuth);
  out += fmt::format(": R = {:.5f}, T = {:.5f}",
                     o.mean(r, [](const SpectrumPoint& p) { return p.budget.reflection; }),
                     o.mean(r, [](const SpectrumPoint& p) { return p.budget.transmission; }));
  for (std::size_t m = 1; m < o.media.size(); ++m)
    if (const double a = o.mean(r, [m](const SpectrumPoint& p) { return p.budget.absorption[m]; }); a > 1e-6)
      out += fmt::format(", {} {:.5f}", o.media[m], a);
  return out + "\n";
}

std::string currents_text(const Outcome& o) {
  std::string out;
  for (const auto& lit : o.sunlit) {
    const std::string where =
        o.incidences.size() > 1 ? fmt::format(" at {:g}°, {:g}°", lit.incidence.angle, lit.incidence.azimuth)
                                : "";
    for (std::size_t m = 1; m < lit.currents.size(); ++m)
      if (lit.currents[m] > 1e-4)
        out += fmt::format("current of {}{}: {:.4g} mA/cm^2\n", o.media[m], where, lit.currents[m]);
  }
  if (!o.sunlit.empty())
    out +=
        fmt::format("of {:.4g} mA/cm^2 in all photons of {} between {:g} and {:g} um\n", o.available_current,
                    o.light, o.simulation.wavelengths.front(), o.simulation.wavelengths.back());
  return out;
}

}  // namespace

std::string summary_text(const Outcome& o) {
  std::string out = fmt::format("{} wavelengths, ", o.simulation.wavelengths.size());
  if (o.incidences.size() > 1) out += fmt::format("{} directions of incidence, ", o.incidences.size());
  if (!o.complete()) out += fmt::format("{} of {} rows finished, ", o.rows.size(), o.wanted_rows);
  if (o.taken_over > 0) out += fmt::format("{} rows taken over, ", o.taken_over);
  out += fmt::format("grid {} x {} x {}, {:.3g} s on {}\n", o.grid.nx, o.grid.ny, o.grid.nz, o.seconds,
                     o.device.empty() ? "no device" : o.device);
  double off = 0, grid = 0;
  for (const auto& s : o.spectra)
    for (const auto& p : s.points) {
      off = std::max(off, std::abs(p.budget.sum() - 1));
      grid = std::max(grid, p.grid_error);
    }
  const std::size_t shown = std::min<std::size_t>(o.rows.size(), 3);
  for (std::size_t r = 0; r < shown; ++r) out += row_text(o, r);
  if (shown < o.rows.size()) out += fmt::format("... and {} more\n", o.rows.size() - shown);
  if (o.rough_planes == 0)
    out += fmt::format(
        "the cell is flat: powers are exact; fields and profiles over depth are the grid's, whose powers are "
        "off by at most {:.1e} of the incident one\n",
        grid);
  else
    out += fmt::format(
        "the sums of powers miss 1 by at most {:.1e}, the error of the iteration; error of the grid: at most "
        "{:.1e} of the incident power without the textures; what they add is not estimated: compare with "
        "smaller cells\n",
        off, grid);
  return out + currents_text(o);
}

std::string log_text(const Outcome& o) {
  std::string out = fmt::format("umov {}\n{}\n\n", o.version, o.machine.command_line);
  out += fmt::format("grid: {} x {} x {} cells of {:.6g} x {:.6g} x {:.6g} um\n", o.grid.nx, o.grid.ny,
                     o.grid.nz, o.grid.spacing[0], o.grid.spacing[1], o.grid.spacing[2]);
  out += fmt::format("device: {} ({}), about {} of memory\n", o.device, o.backend, memory_text(o.memory));
  for (const auto& note : o.notes) out += "note: " + note + "\n";
  for (const auto& warning : o.warnings) out += "warning: " + warning + "\n";
  out += o.ranks;
  out += fmt::format("converged: {}\n\n", o.converged ? "yes" : "no");
  return out + summary_text(o);
}

}  // namespace umov::harmonic
