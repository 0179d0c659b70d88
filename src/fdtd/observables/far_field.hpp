// Near-to-far transformation: fields on a surface become amplitudes far away.
#pragma once

#include "fdtd/observables/surface.hpp"
#include "fdtd/scene.hpp"

namespace umov::fdtd {

/// The homogeneous medium around the surface and beyond.
struct FarMedium {
  double eps = 1, mu = 1;
  double index() const { return std::sqrt(eps * mu); }
  double impedance() const { return std::sqrt(mu / eps); }
};

/// The one medium that a surface runs through. Throws BadInput when the surface cuts a body or the medium has
/// no plane waves (losses, poles, anisotropy); `wanted` says what needs them.
FarMedium medium_on(const Surface&, const Whole&, const Scene&, const MonitorSpec&, const char* wanted);

/// A plane wave of the grid along a direction, as test field: wave vector k, its differences
/// K_a = (2 / dx) sin(k_a dx / 2), and the unit vectors of E next to e_theta and e_phi that are transverse on
/// the grid (perpendicular to K); h = K x e / (mu W), W = (2 / dt) sin(w dt / 2), belongs to each.
struct FarWave {
  Vec3 k{0, 0, 0}, difference{0, 0, 0};
  std::array<Vec3, 2> e, h;
};

/// Unit vector of a direction; angles in degrees, theta from z, phi from x.
Vec3 far_direction(double theta, double phi);

/// The wave number along `direction` (unit length) solves the dispersion relation of the grid,
/// sum K_a^2 = eps mu W^2 (Taflove and Hagness 2005, Computational Electrodynamics, eq. 4.14). Theta is
/// measured from z, phi from x; both in degrees.
FarWave far_wave(const Grid&, const FarMedium&, double frequency, double theta, double phi);
/// The same for a direction and one polarization; e[1], h[1] stay zero.
FarWave far_wave(const Grid&, const FarMedium&, double frequency, const Vec3& direction, const Vec3& e);

/// Sums of E and of the mean H over a patch, each at its transverse places, weighted, with factors exp(-i
/// k.r).
std::array<cplx, 2> patch_sums(const Patch&, const Grid&, const std::vector<std::array<cplx, 2>>& fields,
                               const Vec3& k);
/// The same sums for each index along an axis, without that axis's factors.
std::vector<std::array<cplx, 2>> patch_sums_by_height(const Patch&, const Grid&,
                                                      const std::vector<std::array<cplx, 2>>& fields,
                                                      const Vec3& k, int axis);
/// E and the mean H of a patch, as patch_sums wants them.
std::vector<std::array<cplx, 2>> patch_fields(const Patch&, const TransformValues&,
                                              std::size_t frequency_index);

/// Wave numbers along the axes, [axis][frequency][which], one of each frequency across a plane: for sums over
/// it with every pair of those along it.
using LateralWaves = std::array<std::vector<std::vector<double>>, 3>;

/// patch_sums of all patches, for an engine to form by itself: [2 patch] of E, [2 patch + 1] of the mean H,
/// x before y before z. Once the transforms are committed.
LateralSums lateral_sums(const Surface&, const Grid&, const Transforms&, const LateralWaves&);

/// Radiation of the equivalent currents J = n x H, M = -n x E: for each direction and both unit vectors e
///   A(e) = sum over the surface of (e.J + h.M) exp(-i k.r)
/// (the radiation vectors N and L of Balanis 2012, Antenna Theory, eq. 12-10, A = e.N + (k x e).L / eta).
/// Every field counts at its own place on the Yee grid: M sits half a cell below and above the plane, which
/// gives cos(k_n dx / 2), as J sees the mean of H there. With waves of the grid this is the discrete
/// reciprocity theorem: A does not depend on the surface chosen, to rounding.
std::vector<std::array<cplx, 2>> radiation(const Surface&, const Grid&, const TransformValues&,
                                           std::size_t frequency_index, const std::vector<FarWave>&);

/// The same along e[0] of one wave, from the sums of the patches, [patch][E, H].
cplx radiation(const Surface&, const Grid&, const std::vector<std::array<cplx, 2>>& sums, const FarWave&);

/// Factor from A to the amplitude E of a field E exp(i k r) / r (3D) or E exp(i k rho) / sqrt(rho) (2D):
/// i w mu / (4 pi), or i w mu exp(i pi / 4) / sqrt(8 pi k).
cplx far_factor(const FarMedium&, double frequency, int dimensions);

}  // namespace umov::fdtd
