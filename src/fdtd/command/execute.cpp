// Plan and progress line around fdtd::run.
#include "fdtd/command/execute.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "core/memory.hpp"
#include "core/signals.hpp"
#include "core/step_progress.hpp"
#include "core/text.hpp"
#include "fdtd/case/case.hpp"
#include "fdtd/output/results.hpp"
#include "fdtd/run/run.hpp"
#include "front/line_watch.hpp"
#include "front/perform.hpp"
#include "results/finite.hpp"

namespace umov::fdtd {

namespace fs = std::filesystem;

namespace {

using Watch = front::LineWatch<StepProgress>;

/// One progress line per stage; false stops the run.
RunObserver observer(Watch& watch, bool quiet) {
  RunObserver o;
  watch.listen(o);
  o.step = [&watch, quiet](const StepReport& r) {
    const auto options = [&](const std::string& stage) {
      StepProgress::Options p;
      p.label = stage.empty() ? "fdtd" : "fdtd " + stage;
      p.cells = r.cells;
      p.quiet = quiet;
      return p;
    };
    watch.line(options).update(r.step, r.limit, r.fixed, r.measure);
    return !interrupted();
  };
  return o;
}

}  // namespace

std::string folder_stem(const Simulation& sim) {
  std::string stem = "fdtd";
  if (sim.picture) stem = fs::path(sim.picture->files.front()).stem().string();
  if (sim.picture && sim.picture->width > 0 && sim.picture->height > 0)
    stem += fmt::format("_{}x{}", sim.picture->width, sim.picture->height);
  return stem;
}

void print_plan(const Simulation& sim) {
  const auto planned = plan(sim);
  const auto& g = planned.outcome.grid;
  fmt::print("{}\n", resolved_toml(sim));
  fmt::print("# grid: {} x {} x {} cells of {:.6g}, time step {:.6g}\n", g.cells[0], g.cells[1], g.cells[2],
             g.dx, g.dt);
  fmt::print("# the run ends {}\n", planned.stop);
  fmt::print("# memory estimate: {}", format_bytes(double(planned.bytes)));
  if (const auto there = available_memory())
    fmt::print(" (this machine has {} left)", format_bytes(double(there)));
  fmt::print("\n");
  for (const auto& note : planned.outcome.notes) fmt::print("# {}\n", note);
  for (const auto& warning : planned.outcome.warnings) fmt::print("# warning: {}\n", warning);
}

Exit execute(const Simulation& sim) {
  Watch watch;
  front::FamilyRun<Simulation, Outcome> family;
  family.stem = [&] { return folder_stem(sim); };
  family.checkpoint = fs::path(checkpoint_file("")).filename().string();
  family.resolved = [](const Simulation& s) { return resolved_toml(s); };
  family.run = [&](const Simulation& s) { return run(s, observer(watch, sim.quiet)); };
  family.finish = [&] { watch.finish(); };
  family.write = write_results;
  family.log = log_text;
  family.summary = summary_text;
  family.why_not = [](const Outcome& o) { return o.stop_reason; };
  family.unfit = [](const Outcome& o) {
    return results::describe_not_finite(results::not_finite(to_result(o)));
  };
  return front::perform(sim, family);
}

}  // namespace umov::fdtd
