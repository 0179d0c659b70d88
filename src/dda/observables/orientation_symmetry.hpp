// Rotations that map a particle on itself, and how they shorten an average over orientations.
#pragma once

#include <span>

#include "dda/observables/angles.hpp"
#include "shapes/particle.hpp"

namespace umov::dda {

/// Proper rotations about the centre of the box that the voxels and their materials allow.
struct Turns {
  int about_z = 1;    ///< 1, 2 or 4: the particle is itself again after 360/about_z degrees about z
  bool over = false;  ///< and after 180 degrees about x, y or a diagonal between them
};

/// Compares the voxels; a quarter of a turn also needs square dipoles and materials alike along x and y.
/// `m`: refractive indices per material, diagonal.
Turns turns_of(const shapes::Particle& particle, std::span<const CVec3> m);

/// The same average with a part of the angles. Whole turns of gamma become one period of the particle,
/// sampled by two sets of angles that check one another (RombergAxis::checked; shifted ones follow in the
/// list). With whole turns of alpha and gamma, a particle that can be turned over needs beta from 0 to 90
/// alone: (alpha, beta, gamma) is then (alpha + 180, 180 - beta, c - gamma), c by the axis. Other ranges are
/// left as they are.
OrientationAngles use_turns(OrientationAngles angles, const Turns& turns);

/// Whether all angles of gamma at which its error is first estimated by halving (2^Jmin of them) are
/// equivalent ones of the particle, so that the estimate is zero whatever the error.
bool estimate_is_blind(const OrientationAngles& angles, const Turns& turns);

}  // namespace umov::dda
