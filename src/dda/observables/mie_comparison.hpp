// Mie theory for the particle of a dipole run, where that particle is a sphere.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "dda/outcome.hpp"
#include "mie/mie.hpp"

namespace umov::dda {

/// The exact answer for the sphere that was voxelised, to draw beside the dipoles'.
struct MieComparison {
  std::string label = "Mie theory";
  std::vector<double> theta;  ///< degrees
  std::vector<double> s11, s12;
  double qext = 0, qabs = 0;
  /// |E|^2 / |E0|^2 inside for the first polarization at a position (um, particle frame); may be empty.
  std::function<double(const Vec3&)> intensity;
};

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
