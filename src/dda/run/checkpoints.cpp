#include "dda/run/checkpoints.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "core/digest.hpp"
#include "dda/case/case.hpp"

namespace umov::dda {

namespace {

/// An average has no single state to save.
bool saves(const Prepared& p) {
  return p.machine.checkpoint_kind != CheckpointKind::none && !p.sim.orientation.average;
}

std::string checkpoint_file(const Machine& m, const std::string& name) {
  return (std::filesystem::path(m.checkpoint_dir) / ("checkpoint-" + name)).string();
}

/// What the systems of these waves follow from: the case; its particle and indices, as the program's recipe
/// of a shape and its library may have changed; and the waves, which a case of many orientations has beside
/// its own.
std::uint64_t fingerprint(const Prepared& p, std::span<const Incident* const> together) {
  const Case c = case_of(p.sim);
  Digest print;
  print.add(parameters().identity(&c, {Concern::result}));
  print.add(p.particle.material.data(), p.particle.material.size() * sizeof p.particle.material[0]);
  for (const CVec3& m : p.sim.m) print.add(m.data(), sizeof m);
  for (const Incident* one : together)
    for (const Vec3& v :
         {one->frame.propagation, one->frame.polarization(one->label), one->frame.beam_center})
      print.add(v.data(), sizeof v);
  return print.value();
}

/// The state that every run has.
constexpr const char* first_name = "Y";

}  // namespace

void prepare_checkpoints(const Prepared& p) {
  const std::string& directory = p.machine.checkpoint_dir;
  if (p.machine.checkpoint.resume && p.sim.orientation.average)
    throw BadInput("an average over orientations cannot be continued (it has no single state); run it again");
  if (!saves(p) || directory.empty()) return;
  std::error_code failed;
  std::filesystem::create_directories(directory, failed);
  std::error_code unknown;
  if (!std::filesystem::is_directory(directory, unknown))
    throw BadInput(fmt::format("folder of checkpoints '{}' cannot be made ({}); choose another", directory,
                               failed.message()));
}

void set_checkpoint(const Prepared& p, std::span<const Incident* const> together, const std::string& name,
                    SolveOptions& o) {
  const Machine& m = p.machine;
  if (!saves(p) && !m.checkpoint.resume) return;
  o.checkpoint_file = checkpoint_file(m, name);
  o.fingerprint = fingerprint(p, together);
  std::error_code ignored;
  o.resume = m.checkpoint.resume && std::filesystem::exists(o.checkpoint_file, ignored);
  if (m.checkpoint.resume && !o.resume && name == first_name)
    throw BadInput(
        fmt::format("no checkpoint to continue from ({} is missing); run the case again", o.checkpoint_file));
  if (!saves(p)) return;
  o.checkpoint_interval = m.checkpoint.interval;
  // ADDA's kind always ends the run when its time has come, as its manual has it; that of umov dda does not.
  o.stop_at_checkpoint = m.checkpoint_kind == CheckpointKind::normal ||
                         (m.checkpoint_kind == CheckpointKind::always && p.sim.front == Front::adda);
  // The first polarization is kept too: a run killed during the second must not solve it again.
  o.checkpoint_at_end = m.checkpoint_kind == CheckpointKind::always || !p.one_solve;
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

void throw_interrupted(const Prepared& p, const SolveOptions& options, bool by_observer) {
  if (!saves(p)) throw run::Interrupted("interrupted; there is no checkpoint, nothing is kept");
  const auto where = fmt::format("the state is in {}, continue with `resume = '{}'`", options.checkpoint_file,
                                 p.machine.checkpoint_dir);
  if (by_observer) throw run::Interrupted("interrupted; " + where);
  throw run::Interrupted("stopped at the checkpoint, as asked; " + where, Exit::done);
}

}  // namespace umov::dda
