// Dependences between ADDA's options: derived settings, and combinations that contradict themselves.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "core/error.hpp"
#include "dda/adda/options.hpp"
#include "dda/case/case.hpp"

namespace umov::dda::adda {

namespace {

void refuse(bool contradiction, const std::string& why) {
  if (contradiction) throw BadInput("adda: " + why);
}

void settle_material(State& s) {
  auto& sim = s.sim();
  sim.m.clear();
  if (sim.anisotropic) {
    refuse(s.m.size() % 3 != 0,
           "option -m: with -anisotr 6 numbers (3 complex values) belong to each domain");
    for (std::size_t i = 0; i < s.m.size(); i += 3) sim.m.push_back({s.m[i], s.m[i + 1], s.m[i + 2]});
  } else {
    for (const cplx& m : s.m) sim.m.push_back({m, m, m});
  }
  refuse(sim.m.size() > 255, "option -m: too many domains (255 at most)");
  sim.shape.max_abs_m = 0;
  for (const cplx& m : s.m) sim.shape.max_abs_m = std::max(sim.shape.max_abs_m, std::abs(m));
}

void settle_size(State& s) {
  auto& shape = s.sim().shape;
  shape.wavelength = s.sim().wavelength;
  const bool sized = shape.size || shape.eq_radius;
  refuse(shape.size && shape.eq_radius,
         "options -size and -eq_rad cannot be used together (both set the size)");
  refuse(shape.dpl && shape.grid[0] && sized,
         fmt::format("options -dpl, -grid and -{} cannot be used together (two of them set the third)",
                     shape.size ? "size" : "eq_rad"));
  refuse(shape.dpl && shape.shape == "read" && sized,
         "option -dpl: the size and the shape's file set it already; leave out one");
  for (int n : shape.grid) {
    refuse(n && 65535 / shape.jagged < n,
           "option -jagged: the grid times jagged exceeds 65535 dipoles along an axis");
  }
}

void settle_formulation(State& s) {
  auto& sim = s.sim();
  const bool rectangular = s.has("rect_dip");
  sim.polarizability = s.polarizability.value_or(rectangular ? Polarizability::cldr : Polarizability::ldr);
  if (sim.interaction == Interaction::igt) {
    auto& numbers = sim.interaction_arguments;
    if (numbers.empty()) numbers.push_back(-1);
    numbers.resize(2, -1);
    numbers[1] = numbers[1] > 0 ? std::pow(10, -numbers[1]) : sim.solver.epsilon;
  }
  refuse(sim.anisotropic && sim.polarizability == Polarizability::cldr,
         "options -anisotr and -pol cldr cannot be used together");
  if (!rectangular) return;
  const auto pol = sim.polarizability;
  refuse(pol != Polarizability::cldr && pol != Polarizability::cm && pol != Polarizability::igt_so,
         "option -pol: with -rect_dip only cm, cldr and igt_so are defined (the others assume cubes)");
  refuse(sim.anisotropic, "options -anisotr and -rect_dip cannot be used together");
  refuse(sim.shape.granules.has_value(), "options -granul and -rect_dip cannot be used together");
  const auto kind = sim.interaction;
  refuse(kind != Interaction::point && kind != Interaction::igt && kind != Interaction::igt_so,
         "option -int: with -rect_dip only poi, igt and igt_so are defined (the others assume cubes)");
}

void settle_beam(State& s) {
  auto& sim = s.sim();
  refuse(s.beam_center_in_beam && s.has("beam_center"),
         "options -beam and -beam_center both give the beam's centre; give it in -beam_center only");
  const bool plane = sim.beam.kind == BeamKind::plane;
  refuse(sim.outputs.cpr && !plane, "option -Cpr: radiation forces need a plane wave (-beam plane)");
  if (sim.solver.initial == InitialField::wkb) {
    refuse(s.has("prop"), "options -init_field wkb and -prop cannot be used together");
    refuse(!plane, "option -init_field wkb needs a plane wave (-beam plane)");
  }
}

void settle_averaging(State& s) {
  auto& sim = s.sim();
  if (!sim.orientation.average) return;
  for (const char* name : {"prop", "store_int_field", "store_dip_pol", "store_beam", "store_scat_grid",
                           "phi_integr", "Csca", "vec", "asym", "Cpr", "store_force"}) {
    refuse(s.has(name), fmt::format("options -{} and -orient avg cannot be used together", name));
  }
  refuse(sim.beam.kind == BeamKind::read, "options -beam read and -orient avg cannot be used together");
  refuse(s.machine().checkpoint_kind != CheckpointKind::none,
         "options -chpoint and -orient avg cannot be used together (an average has no single state)");
  refuse(sim.beam.center[0] != 0 || sim.beam.center[1] != 0,
         "options -beam_center and -orient avg: the centre lies off the beam's axis (an average over alpha "
         "turns "
         "the polarization about that axis); give a centre 0 0 z");
  // As ADDA has it: no amplitude matrix can be averaged.
  if (sim.outputs.amplitude)
    sim.warnings.push_back("amplitude matrices cannot be averaged over orientations; none are written");
  sim.outputs.amplitude = false;
}

/// An option that this case does not read is no error to ADDA; here it is said.
void settle_unread(State& s) {
  Case c = case_of(s.sim());
  c.machine = s.machine();
  for (const auto& rule : dda_reads()) {
    if (rule.option.empty() || rule.untouched(c) || rule.read(c)) continue;
    s.sim().warnings.push_back(
        fmt::format("option -{} has no effect here ({})", rule.option, rule.otherwise));
    rule.reset(c);
  }
  c.simulation.warnings = s.sim().warnings;
  c.simulation.outputs.geom_format_set = c.geometry_format.has_value();
  s.sim() = c.simulation;
  s.machine() = c.machine;
  if (s.command.test_folder && !s.machine().output_dir.empty() && !s.machine().dry_run)
    s.sim().warnings.push_back("option -test has no effect here (-dir names the folder)");
}

void settle_device(State& s) {
  Machine& machine = s.machine();
  refuse(s.has("gpu") && s.has("-device"),
         "options -gpu and --device cannot be used together (both number a GPU)");
  if (machine.device < 0) return;
  refuse(machine.backend != "auto" && machine.backend != "cuda",
         fmt::format("option -{}: a GPU number means nothing to --backend {}",
                     s.has("gpu") ? "gpu" : "-device", machine.backend));
  machine.backend = "cuda";  // a number asks for a GPU: without one the run must not go on elsewhere
}

/// As `umov dda` does: the solver's error is small beside the one asked for.
void settle_accuracy(State& s) {
  auto& sim = s.sim();
  if (sim.accuracy == 0) return;
  refuse(s.machine().checkpoint.resume,
         "options --accuracy and -chp_load cannot be used together (a checkpoint is of one grid); go on with "
         "umov dda --resume FOLDER");
  if (!s.has("eps"))
    sim.solver.epsilon = std::min(sim.solver.epsilon, 0.01 * sim.accuracy);
  else if (sim.solver.epsilon > 0.1 * sim.accuracy)
    sim.warnings.push_back(
        fmt::format("option -eps: a residual of {:g} is not small beside the accuracy of {:g}; give {:.1f}",
                    sim.solver.epsilon, sim.accuracy, -std::log10(0.01 * sim.accuracy)));
}

void settle_angles(State& s) {
  auto& out = s.sim().outputs;
  refuse(out.scat_plane && out.yz, "options -scat_plane and -yz cannot be used together");
  refuse(out.phi_integr && !out.mueller,
         "option -phi_integr integrates the Mueller matrix (-scat_matr muel or both)");
  if (out.mueller || out.amplitude) return;
  for (const char* name : {"ntheta", "store_scat_grid", "yz", "scat_plane"}) {
    refuse(s.has(name), fmt::format("option -{} has nothing to do with -scat_matr none", name));
  }
}

void settle_checkpoints(State& s) {
  Machine& m = s.machine();
  CheckpointKind& kind = m.checkpoint_kind;
  if (s.checkpoint_seconds) {
    m.checkpoint.interval = std::max(0.0, *s.checkpoint_seconds);
    if (kind == CheckpointKind::none)
      kind = m.checkpoint.interval > 0 ? CheckpointKind::normal : CheckpointKind::always;
  }
  refuse((kind == CheckpointKind::normal || kind == CheckpointKind::regular) && m.checkpoint.interval == 0,
         "option -chp_type: this type needs a time; add -chpoint <time>");
  if (m.checkpoint_dir.empty() && (kind != CheckpointKind::none || m.checkpoint.resume))
    m.checkpoint_dir = "chpoint";
}

/// ADDA's parameter files lie in the working directory; without one, built-in values of the same content
/// serve.
void settle_parameter_file(bool needed, const char* name, std::string& file) {
  if (needed && file.empty() && std::filesystem::exists(name)) file = name;
}

}  // namespace

void settle(State& s) {
  settle_material(s);
  settle_size(s);
  settle_beam(s);
  settle_checkpoints(s);
  settle_averaging(s);
  settle_angles(s);
  settle_accuracy(s);
  settle_formulation(s);
  settle_device(s);
  s.sim().front = Front::adda;
  s.sim().outputs.csv = false;  // the same numbers as in ADDA's own files
  settle_unread(s);
  auto& sim = s.sim();
  auto& out = sim.outputs;
  require_own_name(out.geom_file, s.machine().output_dir, "adda: option -save_geom");
  settle_parameter_file(sim.orientation.average, "avg_params.dat", sim.orientation.average_file);
  settle_parameter_file(out.csca || out.vec, "alldir_params.dat", out.alldir_file);
  settle_parameter_file(out.store_scat_grid || out.phi_integr, "scat_params.dat", out.scat_grid_file);
}

}  // namespace umov::dda::adda
