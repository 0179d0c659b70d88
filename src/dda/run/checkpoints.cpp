#include "dda/run/checkpoints.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "dda/run/fingerprint.hpp"

namespace umov::dda {

namespace {

/// An average has no single state to save.
bool saves(const Simulation& sim) {
  return sim.checkpoint.kind != CheckpointKind::none && !sim.orientation.average;
}

std::string checkpoint_file(const Checkpointing& c, const std::string& name) {
  return (std::filesystem::path(c.directory) / ("checkpoint-" + name)).string();
}

/// The state that every run has.
constexpr const char* first_name = "Y";

}  // namespace

void prepare_checkpoints(const Simulation& sim) {
  const Checkpointing& c = sim.checkpoint;
  if (c.resume && sim.orientation.average)
    throw BadInput("an average over orientations cannot be continued (it has no single state); run it again");
  if (!saves(sim) || c.directory.empty()) return;
  std::error_code failed;
  std::filesystem::create_directories(c.directory, failed);
  std::error_code unknown;
  if (!std::filesystem::is_directory(c.directory, unknown))
    throw BadInput(fmt::format("folder of checkpoints '{}' cannot be made ({}); choose another", c.directory,
                               failed.message()));
}

void set_checkpoint(const Prepared& p, std::span<const Incident* const> together, const std::string& name,
                    SolveOptions& o) {
  const Checkpointing& c = p.sim.checkpoint;
  if (!saves(p.sim) && !c.resume) return;
  o.checkpoint_file = checkpoint_file(c, name);
  for (const Incident* one : together) {
    const auto print = fingerprint(p.sim, p.particle, one->frame, one->label);
    o.fingerprint.insert(o.fingerprint.end(), print.begin(), print.end());
  }
  std::error_code ignored;
  o.resume = c.resume && std::filesystem::exists(o.checkpoint_file, ignored);
  if (c.resume && !o.resume && name == first_name)
    throw BadInput(
        fmt::format("no checkpoint to continue from ({} is missing); run the case again", o.checkpoint_file));
  if (!saves(p.sim)) return;
  o.checkpoint_interval = c.interval;
  // ADDA's kind always ends the run when its time has come, as its manual has it; that of umov dda does not.
  o.stop_at_checkpoint =
      c.kind == CheckpointKind::normal || (c.kind == CheckpointKind::always && p.sim.front == Front::adda);
  // The first polarization is kept too: a run killed during the second must not solve it again.
  o.checkpoint_at_end = c.kind == CheckpointKind::always || !p.one_solve;
}

void remove_states(const std::string& directory) {
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator(directory, ignored)) {
    const std::string name = entry.path().filename().string();
    const bool is_one = name.starts_with("checkpoint-Y") || name.starts_with("checkpoint-X");
    constexpr std::size_t plain = 12;  // "checkpoint-Y"
    if (is_one && (name.size() == plain || name[plain] == '-'))
      std::filesystem::remove(entry.path(), ignored);
  }
}

void throw_interrupted(const Simulation& sim, const SolveOptions& options, bool by_observer) {
  if (!saves(sim)) throw run::Interrupted("interrupted; there is no checkpoint, nothing is kept");
  const auto where = fmt::format("the state is in {}, continue with `resume = '{}'`", options.checkpoint_file,
                                 sim.checkpoint.directory);
  if (by_observer) throw run::Interrupted("interrupted; " + where);
  throw run::Interrupted("stopped at the checkpoint, as asked; " + where, Exit::done);
}

}  // namespace umov::dda
