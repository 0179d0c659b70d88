// One incident polarization of a dipole run: incident field, start, checkpoint, solve.
#include <fmt/format.h>

#include <filesystem>

#include "dda/polarizability.hpp"
#include "dda/run/course.hpp"
#include "dda/run/fingerprint.hpp"
#include "dda/run/words.hpp"
#include "dda/sources/beams.hpp"

namespace umov::dda {

void DdaRun::prepare_checkpoints() const {
  const Checkpointing& c = sim_.checkpoint;
  if (c.resume && sim_.orientation.average)
    throw BadInput("an average over orientations cannot be continued (it has no single state); run it again");
  if (!checkpoints_on() || c.directory.empty()) return;
  std::error_code failed;
  std::filesystem::create_directories(c.directory, failed);
  std::error_code unknown;
  if (!std::filesystem::is_directory(c.directory, unknown))
    throw BadInput(fmt::format("folder of checkpoints '{}' cannot be made ({}); choose another", c.directory,
                               failed.message()));
}

PolarizationResult DdaRun::solve(char label) {
  PolarizationResult result;
  result.label = label;
  const auto lab = laboratory_frame(sim_.propagation);
  result.inc_pol = lab.polarization(label);
  result.alpha =
      polarizability(sim_, out_.particle.spacing, k_, frame_.propagation, frame_.polarization(label));
  engine_->set_polarizability(result.alpha);
  double start = now();
  set_incident(label);
  time("incident field", start);
  stage(fmt::format("solve, {} polarization", label));
  start = now();
  result.solve = engine_->solve(solve_options(label));
  time("solve", start);
  result.solve.advice = advice(result.solve.diagnosis, sim_.front);
  if (result.solve.status == SolveStatus::interrupted) interrupted(label);
  if (result.solve.status != SolveStatus::converged) out_.converged = false;
  return result;
}

void DdaRun::set_incident(char label) {
  const Vec3& center = frame_.beam_center;
  if (sim_.beam.kind == BeamKind::plane && norm(center) == 0) {
    const Vec3& e = frame_.polarization(label);
    engine_->set_plane_wave(frame_.propagation, {e[0], e[1], e[2]});
  } else {
    engine_->set_incident(sources::incident_field(sim_, out_.particle, frame_, label));
  }
}

SolveOptions DdaRun::solve_options(char label) {
  SolveOptions o;
  o.solver = sim_.solver.name;
  o.epsilon = sim_.solver.epsilon;
  o.max_iterations = sim_.solver.max_iterations;
  o.initial = sim_.solver.initial;
  o.recalculate_residual = sim_.solver.recalculate_residual;
  if (o.initial == InitialField::wkb || o.initial == InitialField::read) {
    start_ = start_polarization(label);
    o.initial_field = &start_;
  }
  if (observer_.iteration)
    o.hook = [this, label](long iteration, double residual) {
      const bool go_on = observer_.iteration(label, iteration, residual, sim_.solver.epsilon);
      stopped_by_observer_ = !go_on;
      return go_on;
    };
  o.warn = [this](const std::string& text) { warn(text); };
  checkpoint_options(label, o);
  return o;
}

void DdaRun::checkpoint_options(char label, SolveOptions& o) const {
  const Checkpointing& c = sim_.checkpoint;
  if (!checkpoints_on() && !c.resume) return;
  o.checkpoint_file = checkpoint_file(label);
  o.fingerprint = fingerprint(sim_, out_.particle, frame_, label);
  std::error_code ignored;
  o.resume = c.resume && std::filesystem::exists(o.checkpoint_file, ignored);
  if (c.resume && !o.resume && label == 'Y')
    throw BadInput(
        fmt::format("no checkpoint to continue from ({} is missing); run the case again", o.checkpoint_file));
  if (!checkpoints_on()) return;
  o.checkpoint_interval = c.interval;
  o.stop_at_checkpoint = c.kind == CheckpointKind::normal || c.kind == CheckpointKind::always;
  // The first polarization is kept too: a run killed during the second must not solve it again.
  o.checkpoint_at_end = c.kind == CheckpointKind::always || !one_solve_;
}

std::string DdaRun::checkpoint_file(char label) const {
  return (std::filesystem::path(sim_.checkpoint.directory) / fmt::format("checkpoint-{}", label)).string();
}

void DdaRun::interrupted(char label) const {
  if (!checkpoints_on()) throw front::Interrupted("interrupted; there is no checkpoint, nothing is kept");
  const auto where = fmt::format("the state is in {}, continue with {}", checkpoint_file(label),
                                 how_to_resume(sim_.checkpoint.directory, sim_.front));
  if (stopped_by_observer_) throw front::Interrupted("interrupted; " + where);
  throw front::Interrupted("stopped at the checkpoint, as asked; " + where, Exit::done);
}

std::vector<CVec3> DdaRun::start_polarization(char label) const {
  auto field =
      sim_.solver.initial == InitialField::wkb
          ? sources::wkb_field(sim_, out_.particle, frame_, label)
          : sources::read_field(label == 'X' ? sim_.solver.initial_file_x : sim_.solver.initial_file_y,
                                out_.particle);
  for_each_dipole([&](std::size_t i, int material) {
    for (int c = 0; c < 3; ++c) field[i][c] *= susceptibility(material, c);
  });
  return field;
}

}  // namespace umov::dda
