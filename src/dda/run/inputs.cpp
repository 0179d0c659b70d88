// Files of angles, and a first look at those of fields and checkpoints.
#include "dda/run/inputs.hpp"

#include <fmt/format.h>

#include "dda/observables/sphere_rule.hpp"
#include "dda/run/checkpoints.hpp"

namespace umov::dda {

namespace {

/// ADDA takes the average over a part for that over all, times 4 pi: right where the particle's symmetry
/// makes the parts alike, which nobody checks.
void check_sphere(const AllDirections& all, Front front, run::Journal& journal) {
  if (all.whole_sphere()) return;
  const auto text =
      fmt::format("{}: theta from {:g} to {:g} and phi from {:g} to {:g} are a part of all directions",
                  all.source, all.theta.min, all.theta.max, all.phi.min, all.phi.max);
  if (front == Front::dda)
    throw BadInput(
        text +
        " (Csca and the asymmetry are integrals over all); give theta from 0 to 180 and phi from 0 to 360");
  journal.warn(text +
               "; Csca and Csca g are averages over this part times 4 pi, which is right only where symmetry "
               "makes all parts alike");
}

Angles load_angles(const Prepared& p, run::Journal& journal) {
  const Outputs& o = p.sim.outputs;
  Angles angles;
  const bool integrals = o.csca || o.vec || o.asym;
  if (integrals && p.sim.front == Front::dda && o.alldir_file.empty()) {
    angles.notes.push_back(describe(rule_for(p.wavenumber, diameter_of(p.particle))));
  } else if (integrals) {
    angles.all = load_all_directions(o.alldir_file);
    angles.notes.push_back(describe(*angles.all));
    check_sphere(*angles.all, p.sim.front, journal);
  }
  if (p.grid) {
    angles.grid = o.directions.empty() ? load_scattering_grid(o.scat_grid_file, o.phi_integr != 0)
                                       : listed_directions(o.directions);
    angles.notes.push_back(describe(*angles.grid));
  }
  const Orientation& orientation = p.sim.orientation;
  if (orientation.average) angles.orientations = load_orientation_angles(orientation.average_file);
  return angles;
}

}  // namespace

Angles read_inputs(const Prepared& p, run::Journal& journal) {
  if (!p.has_materials()) return {};
  const Angles angles = load_angles(p, journal);
  for (const char label : p.labels()) check_fields(p, make_incident(p, p.frame, label));
  if (p.machine.checkpoint.resume) {
    SolveOptions unused;
    const Incident first = make_incident(p, p.frame, 'Y'), *const one = &first;
    set_checkpoint(p, std::span(&one, 1), "Y", unused);
  }
  return angles;
}

}  // namespace umov::dda
