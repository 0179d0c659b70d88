// Mie theory for the particle of a dipole run, where that particle is a sphere.
#pragma once

#include <optional>

#include "dda/outcome.hpp"
#include "dda/output/pictures.hpp"
#include "mie/mie.hpp"

namespace umov::dda {

/// The sphere of equal volume a run stands for: isotropic, lit by a plane wave, shape sphere or concentric
/// coated sphere. Nothing for any other particle.
std::optional<mie::Sphere> equivalent_sphere(const Simulation&, double eq_radius);
inline std::optional<mie::Sphere> equivalent_sphere(const Outcome& o) {
  return equivalent_sphere(o.simulation, o.particle.eq_radius);
}

/// Angular functions on the angles of the run's scattering plane, efficiencies, and the internal field of
/// a homogeneous sphere in its own frame. Nothing where `equivalent_sphere` has nothing.
std::optional<MieComparison> compare_with_mie(const Outcome&);

}  // namespace umov::dda
