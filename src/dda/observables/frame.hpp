// The incident beam and the laboratory seen from the particle, and what symmetry the two leave.
#pragma once

#include <span>

#include "core/types.hpp"
#include "dda/scheme/frames.hpp"
#include "shapes/particle.hpp"

namespace umov::dda {

/// The incident wave in the particle frame, and the laboratory's axes there. pol_y is perpendicular to the
/// plane of propagation and laboratory z, pol_x lies in it.
struct BeamFrame : IncidentFrame {
  Vec3 ex_lab, ey_lab, ez_lab;  ///< axes of the laboratory
  Vec3 plane_x;                 ///< with ez_lab spans the plane of `-scat_plane`

  /// Components along (pol_x, pol_y, propagation) of a vector of the particle frame.
  Vec3 to_beam(const Vec3& v) const { return {dot(v, pol_x), dot(v, pol_y), dot(v, propagation)}; }
  /// Particle components of a vector of the laboratory, e.g. the beam's centre.
  Vec3 to_particle(const Vec3& v) const { return v[0] * ex_lab + v[1] * ey_lab + v[2] * ez_lab; }
  /// Laboratory components of a vector of the particle frame.
  CVec3 to_lab(const CVec3& v) const { return {dot(v, ex_lab), dot(v, ey_lab), dot(v, ez_lab)}; }
};

/// Frame of a beam along `propagation` (laboratory, any length) with its centre at `beam_center` (laboratory,
/// um) on a particle turned by the Euler angles of `orientation`. Throws as laboratory_frame does.
BeamFrame make_beam_frame(const Vec3& propagation, const Orientation& orientation,
                          const Vec3& beam_center = {0, 0, 0});

/// Symmetries of particle and beam together: what is left of the particle's after the direction of incidence,
/// the shift of the beam's centre and the anisotropy of the materials; `use` none or enforce overrides all.
shapes::Symmetry scattering_symmetry(const shapes::Symmetry& particle, const BeamFrame& frame,
                                     std::span<const CVec3> m, SymmetryUse use);

/// True when the two halves of a scattering plane differ, so that theta runs over 360 degrees: `in_plane`
/// (pol_y for the yz plane, plane_x for the other) has no symmetry that turns it around.
bool needs_full_circle(const shapes::Symmetry& symmetry, const Vec3& in_plane);

/// `v` turned by +90 degrees about the propagation direction: pol_x -> pol_y -> -pol_x.
Vec3 quarter_turn(const BeamFrame& frame, const Vec3& v);
/// The inverse turn of a field vector.
CVec3 quarter_turn_back(const BeamFrame& frame, const CVec3& v);

}  // namespace umov::dda
