// Plan and progress line around fdtd::run.
#include "fdtd/command/execute.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <vector>

#include "comm/world.hpp"
#include "command/line_watch.hpp"
#include "command/on_ranks.hpp"
#include "command/perform.hpp"
#include "command/plan_warnings.hpp"
#include "command/stage_watch.hpp"
#include "core/atomic_file.hpp"
#include "core/console.hpp"
#include "core/part_progress.hpp"
#include "core/signals.hpp"
#include "core/step_progress.hpp"
#include "core/text.hpp"
#include "core/wording.hpp"
#include "fdtd/case/case.hpp"
#include "fdtd/command/live_run.hpp"
#include "fdtd/grid_text.hpp"
#include "fdtd/output/field_tables.hpp"
#include "fdtd/output/fourier_files.hpp"
#include "fdtd/output/results.hpp"
#include "fdtd/run/run.hpp"
#include "fdtd/sources/total_field.hpp"
#include "results/finite.hpp"

namespace umov::fdtd {

namespace fs = std::filesystem;

namespace {

using Watch = command::LineWatch<StepProgress>;

/// Of the stages that march_pair names those with steps.
bool is_march(const std::string& stage) {
  return stage.empty() || stage == "run" || stage == "reference run";
}

/// One progress line per stage; false stops the run. `live`, unless nullptr, hears of the steps, too.
RunObserver observer(Watch& watch, command::StageWatch& stages, bool quiet, LiveRun* live) {
  RunObserver o;
  watch.listen(o);
  o.painted = [line = std::shared_ptr<PartProgress>(), quiet](double done) mutable {
    if (!line) line = std::make_shared<PartProgress>("fdtd bodies", quiet);
    line->update(done);
    if (done >= 1) line.reset();
  };
  if (live) live->listen(o);
  o.watcher = live;
  o.to_save = [&stages](std::function<void()> save) { stages.save_at_end(std::move(save)); };
  o.stage = [&stages, before = o.stage](const std::string& name) {
    before(name);
    if (!is_march(name)) stages.begin(name);
  };
  o.step = [&watch, &stages, quiet, live](const StepReport& r) {
    stages.looks_itself("steps");
    const auto options = [&](const std::string& stage) {
      StepProgress::Options p;
      p.label = stage.empty() ? "fdtd" : "fdtd " + stage;
      p.cells = r.cells;
      p.quiet = quiet;
      return p;
    };
    watch.line(options).update(r.step, r.limit, r.fixed, r.measure);
    if (live) live->report(r);
    return !interrupted();
  };
  return o;
}

/// On the ranks that the case asks for, or those of mpirun; the first of them talks, and looks where a run is
/// `viewed`.
Outcome run_on_ranks(const Simulation& sim, const Machine& machine, const RunObserver& observer,
                     bool viewed) {
  const auto on_rank = [&](const Machine& own, comm::Communicator& comm) {
    RunObserver silent;
    silent.step = [](const StepReport&) { return !interrupted(); };
    LiveFollower follower;
    if (viewed) silent.watcher = &follower;
    RunObserver mine = comm.first() ? observer : silent;
    FourierFiles fouriers(own.output_dir, comm);
    if (FourierFiles::serves(sim, comm)) mine.fouriers = &fouriers;
    return run(sim, own, mine, comm);
  };
  return command::on_ranks(run::ranks_on_processors(machine), on_rank);
}

/// Adds to resolved.toml, as remarks, where the plane waves of the run had their boxes: what was said before
/// it does not know its absorbing layers.
void note_total_fields(const Outcome& o, const std::string& folder) {
  const auto lines = total_field_lines(o.simulation, o.grid);
  if (lines.empty()) return;
  const std::string path = (fs::path(folder) / "resolved.toml").string();
  std::ifstream in(path);
  std::string text{std::istreambuf_iterator<char>(in), {}};
  for (const auto& line : lines) text += "\n# " + line + "\n";
  write_file(path, text);
}

/// A run as FamilyRun wants it, `viewed` by `live` on the rank that talks. A `model` that a viewer sent lies
/// in the folder of the results, so that its resolved.toml repeats the run. With `field_csv` fields become
/// tables.
Exit run_once(const Simulation& sim, const Machine& machine, bool viewed, LiveRun* live,
              const std::string& model, bool field_csv) {
  Watch watch;
  command::StageWatch stages({"fdtd", machine.quiet, !comm::world()});
  const auto with_own_model = [&](const std::string& folder) {
    return model.empty() ? sim : LiveRun::with_model(sim, (fs::path(folder) / "model.png").string());
  };
  command::FamilyRun<Machine, Outcome> family;
  family.stages = &stages;
  family.stem = [&] { return folder_stem(sim); };
  family.checkpoint = fs::path(checkpoint_file("")).filename().string();
  family.resolved = [&](const Machine& m) { return resolved_toml(with_own_model(m.output_dir), m); };
  family.run = [&](const Machine& recorded, const std::function<void()>& begun) {
    const Simulation own = with_own_model(recorded.output_dir);
    if (!model.empty()) write_file(own.picture->files.front(), model);
    RunObserver o = observer(watch, stages, machine.quiet, live);
    o.begun = begun;
    return run_on_ranks(own, recorded, o, viewed);
  };
  family.finish = [&] { watch.finish(); };
  family.write = [&](const Outcome& o, const std::string& folder, const std::vector<StageTime>& times) {
    write_results(o, folder, times);
    if (field_csv) write_field_tables(o, folder);
    note_total_fields(o, folder);
  };
  if (live)
    family.written = [live](const std::string& folder, const std::string& why) { live->wrote(folder, why); };
  family.log = log_text;
  family.summary = summary_text;
  family.why_not = [](const Outcome& o) { return o.stop_reason; };
  family.unfit = [](const Outcome& o) {
    return results::describe_not_finite(results::not_finite(to_result(o)));
  };
  return command::perform(machine, family);
}

/// The plan; of a case that is refused its warnings come first, as in a run: they may say why.
Plan plan_or_warn(const Simulation& sim, const Machine& machine, int ranks) {
  std::vector<std::string> warnings;
  try {
    return plan(sim, machine, ranks, [&](const std::string& text) { warnings.push_back(text); });
  } catch (const Error&) {
    print_layout(sim);
    for (const std::string& text : warnings) warn(text);
    throw;
  }
}

}  // namespace

std::string folder_stem(const Simulation& sim) {
  std::string stem = "fdtd";
  if (sim.picture) stem = fs::path(sim.picture->files.front()).stem().string();
  if (sim.picture && sim.picture->width > 0 && sim.picture->height > 0)
    stem += fmt::format("_{}x{}", sim.picture->width, sim.picture->height);
  return stem;
}

void print_layout(Simulation sim) {
  if (!sim.layout) return;
  apply_picture(sim);
  apply_layout(sim);
  for (const auto& line : sim.layout->report) fmt::print("# {}\n", printable(worded(line)));
}

void print_plan(const Request& request) {
  const Machine& machine = request.given.machine;
  const int here = run::seats_of(machine).here;
  const comm::World* world = comm::world();
  const Plan planned = plan_or_warn(request.simulation, machine, world ? world->size() : here);
  const auto& g = planned.outcome.grid;
  fmt::print("{}\n", resolved_toml(request.simulation, machine));
  fmt::print("# grid: {} x {} x {} cells of {}, time step {:.6g}\n", g.cells[0], g.cells[1], g.cells[2],
             edges_text(g, 6), g.dt);
  fmt::print("# the run ends {}\n", planned.stop);
  fmt::print("# memory estimate: {}", format_bytes(double(planned.bytes)));
  fmt::print(
      "\n# counted: fields, absorbing layers, Fourier monitors and, by samples, dispersive bodies; not: "
      "cells "
      "of surfaces (some 0.5 kB each of dispersive ones), sources, series and what ranks exchange\n{}",
      planned.fit);
  if (!planned.cut.empty()) fmt::print("# cut: {}\n", planned.cut);
  for (std::size_t r = 0; r < planned.shares.size(); ++r) {
    const auto& s = planned.shares[r];
    if (s.first == s.last)
      fmt::print("# rank {}: nothing (there are fewer parts than ranks)\n", r);
    else
      fmt::print("# rank {}: planes {} to {} along {}{}, about {}\n", r, s.first, s.last - 1,
                 "xyz"[dimensions(g.mode) - 1],
                 s.last_row > 0 ? fmt::format(", rows {} to {} along y", s.first_row, s.last_row - 1) : "",
                 format_bytes(double(s.bytes)));
  }
  if (!planned.pair.empty()) fmt::print("# pair: {}\n", planned.pair);
  for (const auto& note : planned.outcome.notes) fmt::print("# {}\n", worded(note));
  command::print_plan_warnings(planned.outcome.warnings);
}

Exit execute(const Request& request) {
  const Simulation& sim = request.simulation;
  const cases::ViewSettings& settings = request.given.view;
  const CallSettings& call = request.given.call;
  Machine machine = request.given.machine;
  if (call.field_csv) check_field_tables(plan(sim).outcome.grid);
  if (settings.on && sim.grid.graded(Mode::full))
    throw BadInput(
        "`output.view` shows cells that are alike (those of this grid differ, see [grid]); leave it out: "
        "pictures "
        "and results.vtkhdf have places as they are");
  if (!settings.on || !comm::talks()) return run_once(sim, machine, settings.on, nullptr, "", call.field_csv);
  command::LiveView view(settings, folder_stem(sim));
  const bool drawn = sim.picture && sim.picture->files.size() == 1 && !comm::world();
  std::string model;  // a picture that a viewer sent; empty: the case's own
  std::string title = folder_stem(sim);
  const auto take = [&](const Restart& next) {
    model = next.png;
    if (!next.title.empty()) title = next.title;
  };
  for (;;) {
    LiveRun live(view, sim, title, call.view_interval);
    view.hub().begin_run();
    try {
      const Exit code = run_once(sim, machine, true, &live, model, call.field_csv);
      view.ended(view::State::finished, "",
                 drawn ? std::vector<std::string>{"model", "paint"} : std::vector<std::string>{});
      const auto next = live.new_model();
      if (!next) return code;
      take(*next);
    } catch (const Restart& next) {
      take(next);
    } catch (const run::Interrupted&) {
      throw;
    } catch (const comm::OtherRankFailed&) {
      throw;  // the other one has the message, and waits for this one to end
    } catch (const Error& e) {
      view.ended(view::State::failed, e.what());
      throw;
    }
    machine.checkpoint.resume = false;
  }
}

}  // namespace umov::fdtd
