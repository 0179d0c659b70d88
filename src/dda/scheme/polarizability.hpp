// Polarizability of one dipole of the lattice, in all formulations the field uses.
#pragma once

#include <span>
#include <vector>

#include "dda/check_simulation.hpp"

namespace umov::dda {

/// Diagonal polarizability tensor (um^3) of each material.
/// @param spacing_um edges of a dipole (um)
/// @param wavenumber k = 2 pi / lambda (1/um)
/// @param prop_particle_frame unit propagation vector in the particle frame
/// @param inc_pol_particle_frame unit incident polarization in the particle frame (only LDR depends on it)
/// Throws BadInput for combinations `check_formulation` rejects, for rectangular dipoles whose proportions
/// are not tabulated, and for filtered coupled dipoles with two or fewer dipoles per wavelength.
std::vector<CVec3> polarizability(const Simulation&, const Vec3& spacing_um, double wavenumber,
                                  const Vec3& prop_particle_frame, const Vec3& inc_pol_particle_frame);

}  // namespace umov::dda
