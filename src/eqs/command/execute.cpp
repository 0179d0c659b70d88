// Plan, progress line and stream of fields around eqs::run.
#include "eqs/command/execute.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <optional>

#include "command/line_watch.hpp"
#include "command/on_ranks.hpp"
#include "command/perform.hpp"
#include "command/plan_warnings.hpp"
#include "command/stage_watch.hpp"
#include "core/console.hpp"
#include "core/memory.hpp"
#include "core/text.hpp"
#include "core/time_progress.hpp"
#include "core/wording.hpp"
#include "eqs/case/case.hpp"
#include "eqs/command/live_run.hpp"
#include "eqs/model/waveform.hpp"
#include "eqs/output/results.hpp"
#include "eqs/output/system_files.hpp"
#include "eqs/output/vtkhdf_series.hpp"
#include "eqs/output/vtu_series.hpp"
#include "eqs/run/run.hpp"
#include "results/finite.hpp"
#include "run/ranks.hpp"

namespace umov::eqs {

namespace fs = std::filesystem;

namespace {

using Watch = command::LineWatch<TimeProgress>;

/// The progress line, and a line per stage; false stops the run.
RunObserver observer(Watch& watch, command::StageWatch& stages, bool quiet, LiveRun* live = nullptr) {
  RunObserver o;
  watch.listen(o);
  o.stage = [&watch, &stages, quiet](const std::string& name) {
    watch.finish();
    if (name.empty()) return stages.looks_itself("steps");
    stages.begin(name);
    if (!quiet) complain("eqs: " + name);
  };
  if (live) live->listen(o);
  o.watcher = live;
  o.time = [&watch, quiet, live](const TimeReport& r) {
    if (live) live->report(r);
    const auto options = [&](const std::string&) {
      TimeProgress::Options p;
      p.label = "eqs";
      p.quiet = quiet;
      return p;
    };
    watch.line(options).update(
        r.time, r.end,
        fmt::format("step {}{}  Newton {}  CG {}", r.steps,
                    r.rejected ? fmt::format(" (+{} repeated)", r.rejected) : "", r.newton, r.linear));
    return !interrupted();
  };
  return o;
}

/// Who writes the linear systems, if that is asked for.
std::unique_ptr<SystemFiles> system_files(const Simulation& sim, bool quiet, Watch& watch) {
  if (!sim.outputs.systems.wanted() || !comm::talks()) return nullptr;
  const auto say = [&watch, quiet](const std::string& text, bool warning) {
    watch.finish();
    if (warning) warn(text);
    if (!warning && !quiet) complain("eqs: " + text);
  };
  return std::make_unique<SystemFiles>(sim.outputs.systems, say);
}

constexpr const char *checkpoint_name = "checkpoint", *fields_name = "fields";

/// `live`, unless nullptr, hears of the run and gets its fields, too.
Outcome run_with_fields(const Simulation& sim, const run::Machine& machine, RunObserver o, LiveRun* live,
                        SystemSink* systems, const std::function<void()>& begun) {
  o.systems = systems;
  o.begun = begun;
  if (live) live->pass_on(nullptr);
  // ranks but the first have neither folder nor observer
  const auto on_ranks = [&](FrameSink* frames) {
    return command::on_ranks(machine, [&](const run::Machine& own, comm::Communicator& comm) {
      if (!comm.first()) return run(comm, sim, own);
      return run(comm, sim, own, o, frames);
    });
  };
  const auto& wanted = sim.outputs;
  if (!(wanted.vtk || wanted.vtu) || !comm::talks()) return on_ranks(live);
  const double period = sim.analysis == Analysis::harmonic ? common_period(sim.electrodes) : 0;
  const auto stem = (fs::path(machine.output_dir) / fields_name).string();
  std::optional<VtkhdfSeries> one;
  std::optional<VtuSeries> many;
  FrameSinks fields;
  if (wanted.vtk) fields.add(&one.emplace(stem + ".vtkhdf", period));
  if (wanted.vtu) fields.add(&many.emplace(stem));
  if (live) live->pass_on(&fields);
  try {
    auto outcome = on_ranks(live ? static_cast<FrameSink*>(live) : &fields);
    if (one) one->finish();
    if (many) many->finish();
    return outcome;
  } catch (...) {
    std::error_code ignored;
    if (!fs::exists(checkpoint_file(machine.output_dir), ignored)) throw;
    if (one) one->keep();
    if (many) many->keep();
    throw;
  }
}

}  // namespace

std::string folder_stem(const Simulation& sim) {
  if (!sim.mesh.file.empty()) return "eqs_" + fs::path(sim.mesh.file).stem().string();
  return "eqs_" + sim.mesh.geometry.value_or(mesh::Geometry{}).kind;
}

void print_plan(const Simulation& sim, const run::Machine& machine) {
  Watch watch;
  system_files(sim, machine.quiet, watch);  // refuses the folder as a run does
  command::StageWatch stages(command::StageWatch::only_timed);
  const auto planned = plan(sim, machine, observer(watch, stages, machine.quiet).stage);
  fmt::print("{}\n", resolved_toml(sim, machine));
  for (const auto& line : split(model_text(planned.outcome), '\n'))
    if (!line.empty()) fmt::print("# {}\n", line);
  const auto& m = planned.outcome.model;
  double frame = 4.0 * double(m.space_nodes) + 16.0 * double(m.elements);  // potential; field and loss
  // points and electrodes; cells and materials
  if (sim.outputs.vtu)
    frame += (sim.outputs.vtk ? frame : 0) + 28.0 * double(m.space_nodes) +
             (m.order == 2 ? 53.0 : 29.0) * double(m.elements);
  fmt::print("# saved times: {}{}\n", planned.saved_times.size(),
             sim.outputs.vtk || sim.outputs.vtu
                 ? fmt::format(", {} of fields", format_bytes(frame * double(planned.saved_times.size())))
                 : "");
  fmt::print("# memory estimate: {} on the device, {} beside it", format_bytes(double(planned.device_bytes)),
             format_bytes(double(planned.host_bytes)));
  if (const auto there = available_memory())
    fmt::print(" (this machine has {} left)", format_bytes(double(there)));
  fmt::print("\n");
  if (planned.ranks > 1)
    fmt::print("# ranks: {}; the fullest has {} unknowns, {} elements and needs about {}\n", planned.ranks,
               planned.rank_unknowns, planned.rank_elements, format_bytes(double(planned.rank_bytes)));
  fmt::print("{}", planned.fit);
  command::print_plan_warnings(planned.outcome.warnings);
}

namespace {

Exit run_once(const Simulation& sim, const run::Machine& machine, LiveRun* live) {
  Watch watch;
  command::StageWatch stages(command::StageWatch::only_timed);
  const auto systems = system_files(sim, machine.quiet, watch);
  command::FamilyRun<run::Machine, Outcome> family;
  family.stages = &stages;
  family.stem = [&] { return folder_stem(sim); };
  family.checkpoint = checkpoint_name;
  family.resolved = [&](const run::Machine& m) { return resolved_toml(sim, m); };
  family.run = [&](const run::Machine& recorded, const std::function<void()>& begun) {
    Outcome outcome = run_with_fields(sim, recorded, observer(watch, stages, machine.quiet, live), live,
                                      systems.get(), begun);
    if (live) live->end(outcome);
    return outcome;
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
    return results::describe_not_finite(results::not_finite(to_result(o)), o.why_not);
  };
  const Exit end = command::perform(machine, family);
  if (systems && !machine.quiet)
    fmt::print("systems: {} of {} that were solved, in {}\n", systems->written(), systems->solved(),
               sim.outputs.systems.folder);
  return end;
}

}  // namespace

Exit execute(const Simulation& sim, const run::Machine& machine, const cases::ViewSettings& settings) {
  if (!settings.on || !comm::talks()) return run_once(sim, machine, nullptr);  // others follow the first
  command::LiveView view(settings, folder_stem(sim));
  LiveRun live(view);
  return view.through([&] { return run_once(sim, machine, &live); });
}

}  // namespace umov::eqs
