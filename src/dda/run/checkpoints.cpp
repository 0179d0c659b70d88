#include "dda/run/checkpoints.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "dda/run/fingerprint.hpp"
#include "dda/run/words.hpp"

namespace umov::dda {

namespace {

/// An average has no single state to save.
bool saves(const Simulation& sim) {
  return sim.checkpoint.kind != CheckpointKind::none && !sim.orientation.average;
}

std::string checkpoint_file(const Checkpointing& c, char label) {
  return (std::filesystem::path(c.directory) / fmt::format("checkpoint-{}", label)).string();
}

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

void set_checkpoint(const Prepared& p, const Incident& incident, SolveOptions& o) {
  const Checkpointing& c = p.sim.checkpoint;
  if (!saves(p.sim) && !c.resume) return;
  o.checkpoint_file = checkpoint_file(c, incident.label);
  o.fingerprint = fingerprint(p.sim, p.particle, incident.frame, incident.label);
  std::error_code ignored;
  o.resume = c.resume && std::filesystem::exists(o.checkpoint_file, ignored);
  if (c.resume && !o.resume && incident.label == 'Y')
    throw BadInput(
        fmt::format("no checkpoint to continue from ({} is missing); run the case again", o.checkpoint_file));
  if (!saves(p.sim)) return;
  o.checkpoint_interval = c.interval;
  o.stop_at_checkpoint = c.kind == CheckpointKind::normal || c.kind == CheckpointKind::always;
  // The first polarization is kept too: a run killed during the second must not solve it again.
  o.checkpoint_at_end = c.kind == CheckpointKind::always || !p.one_solve;
}

void throw_interrupted(const Simulation& sim, char label, bool by_observer) {
  if (!saves(sim)) throw front::Interrupted("interrupted; there is no checkpoint, nothing is kept");
  const auto where =
      fmt::format("the state is in {}, continue with {}", checkpoint_file(sim.checkpoint, label),
                  how_to_resume(sim.checkpoint.directory, sim.front));
  if (by_observer) throw front::Interrupted("interrupted; " + where);
  throw front::Interrupted("stopped at the checkpoint, as asked; " + where, Exit::done);
}

}  // namespace umov::dda
