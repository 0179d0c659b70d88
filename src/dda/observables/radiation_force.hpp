// Radiation forces on the dipoles and the radiation pressure on the particle.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "dda/observables/frame.hpp"
#include "dda/outcome.hpp"

namespace umov::dda {

/// Adds to `force` (one per dipole) the force each dipole feels in the field of all others.
using DipoleForces = std::function<void(std::span<const Vec3> r, std::span<const CVec3> p, double wavenumber,
                                        std::span<Vec3> force)>;

/// (1/2) Re sum over k != j of conj(P_j).grad E_k(r_j), pair by pair (Draine and Weingartner 1996, Astrophys.
/// J. 470, 551; Hoekstra et al. 2001, J. Opt. Soc. Am. A 18, 1944). O(N^2) operations, about 150 flops and
/// one sine and cosine per pair; parallel over j, and each dipole's sum runs in one order, so the bits
/// repeat.
void dipole_forces_direct(std::span<const Vec3> r, std::span<const CVec3> p, double wavenumber,
                          std::span<Vec3> force);

/// The same on the dipoles [first, end) alone, with the same bits.
void dipole_forces_on(std::size_t first, std::size_t end, std::span<const Vec3> r, std::span<const CVec3> p,
                      double wavenumber, std::span<Vec3> force);

/// Forces in ADDA's units (Gaussian, unit incident amplitude, lengths in um), particle frame.
struct RadiationForces {
  std::vector<Vec3> per_dipole;
  Vec3 incident{}, scattering{};  ///< totals; their sum is the force on the particle
};

/// r: dipole positions (um), p: polarizations, incident: incident field at the dipoles, all of one length.
/// The force of the incident field, k/2 Im(P.conj(E)) along `propagation`, holds for a plane wave only.
RadiationForces radiation_forces(std::span<const Vec3> r, std::span<const CVec3> p,
                                 std::span<const CVec3> incident, double wavenumber, const Vec3& propagation,
                                 const DipoleForces& dipole_forces = dipole_forces_direct);

/// Fills cpr, cext_a and csca_g_force: C = 8 pi F (unit amplitude carries the momentum flux 1/(8 pi)),
/// along (pol_x, pol_y, propagation).
void set_force_cross_sections(const RadiationForces& forces, const BeamFrame& frame, CrossSections& out);

/// Positions of the dipoles (um) from the centre of the box, in the engine's order.
std::vector<Vec3> dipole_positions(const shapes::Particle& particle);

}  // namespace umov::dda
