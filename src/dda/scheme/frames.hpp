// Frames of reference: incident wave in the laboratory, its rotation into the particle's frame.
#pragma once

#include "dda/simulation.hpp"

namespace umov::dda {

using Matrix3 = std::array<Vec3, 3>;  ///< rows

/// Product of a matrix and a column.
Vec3 transformed(const Matrix3&, const Vec3&);

/// Unit vectors of the incident wave and the centre of the beam (um), all in one frame.
/// pol_x x pol_y = propagation; 'Y' is the parallel and 'X' the perpendicular polarization in ADDA's terms.
struct IncidentFrame {
  Vec3 propagation{0, 0, 1};
  Vec3 pol_y{0, 1, 0}, pol_x{1, 0, 0};
  Vec3 beam_center{0, 0, 0};

  const Vec3& polarization(char label) const { return label == 'Y' ? pol_y : pol_x; }
};

/// The incident wave along `propagation` (any length) in the laboratory: x, y, z turned about z and y so that
/// z meets the propagation. Throws BadInput when the propagation vector is zero or not finite.
IncidentFrame laboratory_frame(const Vec3& propagation, const Vec3& beam_center = {0, 0, 0});

/// Takes laboratory vectors into the frame of a particle turned by the Euler angles, zyz convention
/// (Mishchenko 2000, Appl. Opt. 39, 1026). Its columns are the laboratory's axes in the particle's frame.
Matrix3 rotation_to_particle(const Orientation&);

/// All vectors of the laboratory frame taken into the particle's.
IncidentFrame particle_frame(const IncidentFrame& laboratory, const Matrix3& rotation);

/// Direction (particle frame) in the scattering plane through the laboratory's z axis that is perpendicular
/// to it: along the projection of the propagation, or x of the incident wave when that is along z.
Vec3 scattering_plane_axis(const IncidentFrame& laboratory, const Matrix3& rotation);

}  // namespace umov::dda
