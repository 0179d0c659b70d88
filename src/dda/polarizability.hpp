// Polarizability of one dipole of the lattice, in all formulations the field uses.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "dda/simulation.hpp"

namespace umov::dda {

/// True when the dipoles are rectangular cuboids rather than cubes.
bool has_rectangular_dipoles(const Simulation&);

/// Rejects formulations, materials and beams that do not go together (BadInput naming the options).
/// Returns warnings for combinations that are allowed but known to give poor results.
std::vector<std::string> check_formulation(const Simulation&);

/// Diagonal polarizability tensor (um^3) of each material.
/// @param spacing_um edges of a dipole (um)
/// @param wavenumber k = 2 pi / lambda (1/um)
/// @param prop_particle_frame unit propagation vector in the particle frame
/// @param inc_pol_particle_frame unit incident polarization in the particle frame (only LDR depends on it)
/// Throws BadInput for combinations `check_formulation` rejects, for rectangular dipoles whose proportions
/// are not tabulated, and for filtered coupled dipoles with two or fewer dipoles per wavelength.
std::vector<CVec3> polarizability(const Simulation&, const Vec3& spacing_um, double wavenumber,
                                  const Vec3& prop_particle_frame, const Vec3& inc_pol_particle_frame);

/// Factors f (1/um^3), per material and component, such that the absorption cross section is
/// Cabs = 4 pi k sum_dipoles sum_c f_c |P_c|^2 for the chosen scattering formula.
/// @param alpha what `polarizability` returned
std::vector<Vec3> cabs_multiplier(const Simulation&, std::span<const CVec3> alpha, const Vec3& spacing_um,
                                  double wavenumber);

/// Factor on the far field in direction n (and on Cext) of the IGT_SO scattering formula, the integral of
/// exp(i k n.r) over a dipole to second order; 1 for the other formulae.
double far_field_factor(const Simulation&, const Vec3& spacing_um, double wavenumber, const Vec3& n);

}  // namespace umov::dda
