// A run in time as a command performs it: folder, progress, interruption, results.
#include "run/execute_fdtd.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <functional>
#include <memory>

#include "core/atomic_file.hpp"
#include "core/memory.hpp"
#include "core/signals.hpp"
#include "core/step_progress.hpp"
#include "core/text.hpp"
#include "results/fdtd_results.hpp"
#include "run/fdtd_front.hpp"
#include "run/output_folder.hpp"
#include "run/run_fdtd.hpp"

namespace umov::run {

namespace fs = std::filesystem;

namespace {

void warn(const std::string& text) { fmt::print(stderr, "umov: warning: {}\n", text); }

/// One progress line per passage through time; false stops the run.
class Watch {
 public:
  explicit Watch(bool quiet) : quiet_(quiet) {}

  Observer observer() {
    Observer o;
    o.stage = [this](const std::string& name) {
      line_.reset();
      stage_ = name;
    };
    o.warning = [this](const std::string& text) {
      line_.reset();
      warn(text);
    };
    o.step = [this](const StepReport& r) {
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

/// A finished run has its log but no checkpoint any more.
bool already_finished(const fdtd::Simulation& sim) {
  if (!sim.checkpoint.resume) return false;
  std::error_code ignored;
  return fs::exists(fs::path(sim.output_dir) / "log", ignored) &&
         !fs::exists(fdtd_checkpoint_file(sim.output_dir), ignored);
}

fdtd::Outcome run(const fdtd::Simulation& sim, OutputFolder& folder, const std::function<void()>& record) {
  const SignalGuard guard;
  Watch watch(sim.quiet);
  try {
    record();
    auto outcome = run_fdtd(sim, watch.observer());
    watch.finish();
    return outcome;
  } catch (const Interrupted& e) {
    watch.finish();
    const int signal = received_signal();
    throw Interrupted(e.what(), signal ? Exit(128 + signal) : e.code());
  } catch (...) {
    watch.finish();
    folder.abandon();
    throw;
  }
}

}  // namespace

std::string folder_stem(const fdtd::Simulation& sim) {
  std::string stem = "fdtd";
  if (sim.picture) stem = fs::path(sim.picture->files.front()).stem().string();
  if (sim.picture && sim.picture->width > 0 && sim.picture->height > 0)
    stem += fmt::format("_{}x{}", sim.picture->width, sim.picture->height);
  return stem;
}

void print_plan(const fdtd::Simulation& sim) {
  const auto plan = plan_fdtd(sim);
  const auto& g = plan.outcome.grid;
  fmt::print("{}\n", resolved_toml(sim));
  fmt::print("# grid: {} x {} x {} cells of {:.6g}, time step {:.6g}\n", g.cells[0], g.cells[1], g.cells[2],
             g.dx, g.dt);
  fmt::print("# the run ends {}\n", plan.stop);
  fmt::print("# memory estimate: {}", format_bytes(double(plan.bytes)));
  if (const auto there = available_memory())
    fmt::print(" (this machine has {} left)", format_bytes(double(there)));
  fmt::print("\n");
  for (const auto& note : plan.outcome.notes) fmt::print("# {}\n", note);
  for (const auto& warning : plan.outcome.warnings) fmt::print("# warning: {}\n", warning);
}

Exit execute(const fdtd::Simulation& sim) {
  if (already_finished(sim)) {
    fmt::print("the run in {} is finished; its results are there\n", sim.output_dir);
    return Exit::done;
  }
  OutputFolder folder(sim.output_dir, [&] { return folder_stem(sim); });
  if (folder.used_before() && !sim.checkpoint.resume)
    warn(fmt::format("folder {} is not empty; files of the same name are replaced", folder.path()));
  fdtd::Simulation recorded = sim;
  recorded.output_dir = folder.path();
  // A continued run keeps the case of the first until it has succeeded: it may be refused.
  const auto record = [&] { write_file(folder.file("resolved.toml"), resolved_toml(recorded)); };
  const fdtd::Outcome outcome = run(recorded, folder, [&] {
    if (!sim.checkpoint.resume) record();
  });
  if (sim.checkpoint.resume) record();
  results::write_fdtd_results(outcome, folder.path());
  write_file(folder.file("log"), fdtd_log(outcome) + "\n" + resolved_toml(recorded));
  std::error_code ignored;
  if (outcome.converged) fs::remove(fdtd_checkpoint_file(folder.path()), ignored);
  if (!sim.quiet) fmt::print("{}results: {}\n", fdtd_summary(outcome), folder.path());
  if (!outcome.converged)
    warn(fmt::format("{}; the results are marked as not converged", outcome.stop_reason));
  return outcome.converged ? Exit::done : Exit::not_converged;
}

}  // namespace umov::run
