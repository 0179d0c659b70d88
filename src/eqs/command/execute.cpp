// An electroquasistatic run as a command performs it: folder, progress, interruption, results.
#include "eqs/command/execute.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <memory>

#include "core/console.hpp"
#include "core/memory.hpp"
#include "core/text.hpp"
#include "core/time_progress.hpp"
#include "eqs/case/case.hpp"
#include "eqs/output/results.hpp"
#include "eqs/output/vtkhdf_series.hpp"
#include "eqs/run/run.hpp"
#include "front/perform.hpp"
#include "results/finite.hpp"

namespace umov::eqs {

namespace fs = std::filesystem;

namespace {

/// The progress line; false stops the run.
class Watch {
 public:
  explicit Watch(bool quiet) : quiet_(quiet) {}

  front::Observer observer() {
    front::Observer o;
    o.stage = [this](const std::string& name) {
      line_.reset();
      if (!quiet_ && !name.empty()) complain("eqs: " + name);
    };
    o.warning = [this](const std::string& text) {
      line_.reset();
      front::warn(text);
    };
    o.time = [this](const front::TimeReport& r) {
      if (!line_) line_ = std::make_unique<TimeProgress>(options());
      line_->update(
          r.time, r.end,
          fmt::format("step {}{}  Newton {}  CG {}", r.steps,
                      r.rejected ? fmt::format(" (+{} repeated)", r.rejected) : "", r.newton, r.linear));
      return !interrupted();
    };
    return o;
  }
  void finish() { line_.reset(); }

 private:
  TimeProgress::Options options() const {
    TimeProgress::Options o;
    o.label = "eqs";
    o.quiet = quiet_;
    return o;
  }

  bool quiet_;
  std::unique_ptr<TimeProgress> line_;
};

constexpr const char *checkpoint_name = "checkpoint", *fields_name = "fields.vtkhdf";

Outcome run_with_fields(const Simulation& sim, Watch& watch) {
  if (!sim.outputs.vtk) return run(sim, watch.observer());
  VtkhdfSeries fields((fs::path(sim.output_dir) / fields_name).string());
  try {
    auto outcome = run(sim, watch.observer(), &fields);
    fields.finish();
    return outcome;
  } catch (...) {
    std::error_code ignored;
    if (fs::exists(checkpoint_file(sim.output_dir), ignored)) fields.keep();
    throw;
  }
}

}  // namespace

std::string folder_stem(const Simulation& sim) {
  if (!sim.mesh.file.empty()) return "eqs_" + fs::path(sim.mesh.file).stem().string();
  return "eqs_" + sim.mesh.geometry.value_or(mesh::Geometry{}).kind;
}

void print_plan(const Simulation& sim) {
  Watch watch(sim.quiet);
  const auto planned = plan(sim, watch.observer().stage);
  fmt::print("{}\n", resolved_toml(sim));
  for (const auto& line : split(model_text(planned.outcome), '\n'))
    if (!line.empty()) fmt::print("# {}\n", line);
  const auto& m = planned.outcome.model;
  const double frame = 4.0 * double(m.space_nodes) + 16.0 * double(m.elements);  // potential; field and loss
  fmt::print("# saved times: {}{}\n", planned.saved_times.size(),
             sim.outputs.vtk
                 ? fmt::format(", {} of fields", format_bytes(frame * double(planned.saved_times.size())))
                 : "");
  fmt::print("# memory estimate: {} on the device, {} beside it", format_bytes(double(planned.device_bytes)),
             format_bytes(double(planned.host_bytes)));
  if (const auto there = available_memory())
    fmt::print(" (this machine has {} left)", format_bytes(double(there)));
  fmt::print("\n");
  for (const auto& warning : planned.outcome.warnings) fmt::print("# warning: {}\n", warning);
}

Exit execute(const Simulation& sim) {
  Watch watch(sim.quiet);
  front::FamilyRun<Simulation, Outcome> family;
  family.stem = [&] { return folder_stem(sim); };
  family.checkpoint = checkpoint_name;
  family.resolved = [](const Simulation& s) { return resolved_toml(s); };
  family.run = [&](const Simulation& s) { return run_with_fields(s, watch); };
  family.finish = [&] { watch.finish(); };
  family.write = write_results;
  family.log = log_text;
  family.summary = summary_text;
  family.why_not = [](const Outcome& o) { return o.why_not; };
  family.unfit = [](const Outcome& o) {
    return results::describe_not_finite(results::not_finite(to_result(o)), o.why_not);
  };
  return front::perform(sim, family);
}

}  // namespace umov::eqs
