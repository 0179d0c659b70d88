// The combinations that a dipole simulation refuses or warns of.
#include "dda/check_simulation.hpp"

#include <fmt/format.h>

#include <cmath>

#include "core/error.hpp"

namespace umov::dda {
namespace {

using Found = std::optional<Contradiction>;

Found rectangular_dipoles(const Simulation& sim) {
  const auto p = sim.polarizability;
  const auto i = sim.interaction;
  if (p != Polarizability::cm && p != Polarizability::cldr && p != Polarizability::igt_so)
    return Contradiction{
        "method.polarizability",
        "is defined only for cubical dipoles (these are rectangular); use cm, cldr or igt_so"};
  if (i != Interaction::point && i != Interaction::igt && i != Interaction::igt_so)
    return Contradiction{
        "method.interaction",
        "is defined only for cubical dipoles (these are rectangular); use point dipoles, igt or "
        "igt_so"};
  if (sim.anisotropic)
    return Contradiction{
        "shape.rectangular",
        "and anisotropic materials cannot be combined (no formulation covers both); use cubical "
        "dipoles"};
  if (sim.shape.granules)
    return Contradiction{
        "shape.rectangular",
        "and granules cannot be combined (granules are placed on a cubical lattice); use cubical "
        "dipoles"};
  return {};
}

Found materials(const Simulation& sim) {
  for (std::size_t i = 0; i < sim.m.size(); ++i)
    for (const cplx& m : sim.m[i]) {
      if (!std::isfinite(m.real()) || !std::isfinite(m.imag()))
        return Contradiction{"material.m",
                             fmt::format("of material {} is not a number; give re and im", i + 1)};
      if (m == cplx(1))
        return Contradiction{"material.m",
                             fmt::format("of material {} is exactly 1 (such a material does not scatter, its "
                                         "polarizability is 0); leave it out of the shape or use 1.00001",
                                         i + 1)};
    }
  return {};
}

Found light(const Simulation& sim) {
  const bool plane = sim.beam.kind == BeamKind::plane;
  if (sim.solver.initial == InitialField::wkb) {
    if (!plane)
      return Contradiction{"solver.initial", "wkb needs a plane wave (the beam is another one); use auto"};
    if (sim.propagation[0] != 0 || sim.propagation[1] != 0 || !(sim.propagation[2] > 0))
      return Contradiction{"solver.initial",
                           "wkb needs propagation along +z (another direction is given); use auto"};
  }
  if (!plane && (sim.outputs.cpr || sim.outputs.store_force))
    return Contradiction{sim.outputs.cpr ? "output.radiation_pressure" : "output.forces",
                         "needs a plane wave (forces in other beams are not computed); leave it out"};
  return {};
}

/// What has no average, or would need more than the two polarizations along one axis that are solved.
Found averaged(const Simulation& sim) {
  const Outputs& o = sim.outputs;
  const std::pair<bool, const char*> without_average[] = {{o.store_int_field, "output.internal_fields"},
                                                          {o.store_dip_pol, "output.dipole_polarizations"},
                                                          {o.store_beam, "output.incident_field"},
                                                          {o.store_force, "output.forces"},
                                                          {o.amplitude, "output.amplitude"},
                                                          {o.efield, "output.efield"}};
  for (const auto& [wanted, parameter] : without_average)
    if (wanted)
      return Contradiction{
          parameter,
          "has no average over orientations (fields average to nothing of use, and each orientation "
          "has its own); leave it out, or give one orientation"};
  if (sim.beam.kind == BeamKind::read)
    return Contradiction{
        "source.kind",
        "read cannot be averaged over orientations (the field is given in the particle's frame); "
        "give one orientation"};
  if (sim.propagation[0] != 0 || sim.propagation[1] != 0 || !(sim.propagation[2] > 0))
    return Contradiction{
        "source.propagation",
        "has no meaning in an average over orientations (the light comes along +z, the particle "
        "turns); leave it out"};
  if (sim.beam.center[0] != 0 || sim.beam.center[1] != 0)
    return Contradiction{
        "source.center",
        "lies off the axis in an average over orientations (alpha is averaged by turning the "
        "polarization, which needs the beam's axis through the particle's centre); give 0,0,Z"};
  return {};
}

/// What belongs to one grid, or differs from grid to grid.
Found several_grids(const Simulation& sim) {
  if (sim.shape.granules)
    return Contradiction{"accuracy",
                         "and granules cannot be combined (their random places differ from grid to grid, so "
                         "that there is nothing to extrapolate to); leave one out"};
  if (sim.shape.shape == "line")
    return Contradiction{
        "accuracy",
        "and the shape 'line' cannot be combined (it is one dipole thick on every grid, another "
        "body each time); give a cylinder or a box"};
  if (sim.beam.kind == BeamKind::read)
    return Contradiction{
        "accuracy",
        "and a field from files cannot be combined (it is given at the dipoles of one grid); "
        "leave one out"};
  if (sim.solver.initial == InitialField::read)
    return Contradiction{"accuracy",
                         "and a start field from files cannot be combined (it is given at the dipoles of one "
                         "grid); leave one out"};
  const bool divided = sim.shape.shape == "read" || sim.shape.jagged > 1;
  if (sim.shape.grid[1] != 0 && !divided)
    return Contradiction{
        "shape.grid",
        "gives three numbers beside an accuracy (whose grids follow the shape); give the first "
        "alone"};
  return {};
}

}  // namespace

bool has_rectangular_dipoles(const Simulation& sim) {
  const Vec3& r = sim.shape.rectangular;
  return r[0] != r[1] || r[1] != r[2];
}

std::optional<Contradiction> find_contradiction(const Simulation& sim) {
  if (auto found = materials(sim)) return found;
  if (has_rectangular_dipoles(sim))
    if (auto found = rectangular_dipoles(sim)) return found;
  if (sim.anisotropic && sim.polarizability == Polarizability::cldr && sim.front == Front::adda)
    return Contradiction{
        "method.polarizability",
        "cldr cannot be used with anisotropic materials (it is derived for a scalar m); use ldr"};
  if (auto found = light(sim)) return found;
  if (sim.orientation.average)
    if (auto found = averaged(sim)) return found;
  if (sim.accuracy > 0)
    if (auto found = several_grids(sim)) return found;
  return {};
}

std::vector<std::string> check_formulation(const Simulation& sim) {
  if (const auto found = find_contradiction(sim))
    throw BadInput("'" + found->parameter + "' " + found->problem);
  if (has_rectangular_dipoles(sim) && sim.interaction != Interaction::point &&
      sim.polarizability != Polarizability::igt_so)
    return {
        "integrated interaction with a point-dipole polarizability is wrong for rectangular dipoles; use "
        "polarizability igt_so with interaction igt_so"};
  if (sim.anisotropic && sim.polarizability == Polarizability::cldr)
    return {"cldr is derived for a scalar m; each axis of a tensor takes it with its own, as DDSCAT does"};
  return {};
}

}  // namespace umov::dda
