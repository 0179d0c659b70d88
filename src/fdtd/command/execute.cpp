// A run in time as a command performs it: folder, progress, interruption, results.
#include "fdtd/command/execute.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <memory>

#include "core/memory.hpp"
#include "core/signals.hpp"
#include "core/step_progress.hpp"
#include "core/text.hpp"
#include "fdtd/case/case.hpp"
#include "fdtd/output/results.hpp"
#include "fdtd/run/run.hpp"
#include "front/perform.hpp"
#include "results/finite.hpp"

namespace umov::fdtd {

namespace fs = std::filesystem;

namespace {

/// One progress line per passage through time; false stops the run.
class Watch {
 public:
  explicit Watch(bool quiet) : quiet_(quiet) {}

  front::Observer observer() {
    front::Observer o;
    o.stage = [this](const std::string& name) {
      line_.reset();
      stage_ = name;
    };
    o.warning = [this](const std::string& text) {
      line_.reset();
      front::warn(text);
    };
    o.step = [this](const front::StepReport& r) {
      if (!line_) line_ = std::make_unique<StepProgress>(options(r.cells));
      line_->update(r.step, r.limit, r.fixed, r.measure);
      return !interrupted();
    };
    return o;
  }
  void finish() { line_.reset(); }

 private:
  StepProgress::Options options(double cells) const {
    StepProgress::Options o;
    o.label = stage_.empty() ? "fdtd" : "fdtd " + stage_;
    o.cells = cells;
    o.quiet = quiet_;
    return o;
  }

  bool quiet_;
  std::string stage_;
  std::unique_ptr<StepProgress> line_;
};

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
  Watch watch(sim.quiet);
  front::FamilyRun<Simulation, Outcome> family;
  family.stem = [&] { return folder_stem(sim); };
  family.checkpoint = fs::path(checkpoint_file("")).filename().string();
  family.resolved = [](const Simulation& s) { return resolved_toml(s); };
  family.run = [&](const Simulation& s) { return run(s, watch.observer()); };
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
