// Scattered far field, amplitude matrix and Mueller matrix in any set of directions.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "dda/observables/angles.hpp"
#include "dda/observables/frame.hpp"
#include "dda/outcome.hpp"

namespace umov::dda {

/// Sums of P_j exp(-ik n.r_j) over dipoles for unit vectors n (particle frame): Engine::far_field.
using FarFieldSums = std::function<void(std::span<const Vec3> n, std::span<CVec3> sums)>;

/// What turns sums into amplitudes.
struct FarFieldScale {
  double wavenumber = 1;  ///< 1/um
  ScatteringFormula formula = ScatteringFormula::draine;
  Vec3 spacing{0, 0, 0};  ///< edges of a dipole (um), for igt_so
};

/// Second-order factor by which radiation of a finite voxel differs from that of a point dipole: the product
/// of sinc(k d n/2) over the axes, expanded (formula igt_so; 1 for all others).
double voxel_form_factor(const FarFieldScale& scale, const Vec3& n);

/// Scattering amplitude f in E_sca = f exp(ikr)/(-ikr): f = -i k^3 (1 - nn).sum
/// (Draine and Flatau 1994, J. Opt. Soc. Am. A 11, 1491; Bohren and Huffman 1983, sec. 3.4).
CVec3 scattering_amplitude(const FarFieldScale& scale, const Vec3& n, const CVec3& sum);

/// One direction of observation (particle frame). The scattering plane is normal to `per`; the parallel
/// directions are n x per for the scattered and propagation x per for the incident wave.
struct Observation {
  double theta = 0, phi = 0;  ///< degrees, as tabulated; phi is that of grids in planes, too
  Vec3 n, per;
  double scattering_angle = 0;  ///< degrees from the propagation direction, 0 to 180
};

enum class Plane { yz, scat };

/// Number of theta intervals over [0, 180] degrees when the user gives none, by the number of sites of the
/// box.
int default_theta_intervals(std::size_t sites);

/// Directions in a scattering plane: rows theta = 0, 180/intervals, ...; up to 180 inclusive, or, for the
/// full circle, up to but without 360. The plane yz holds the propagation direction and pol_y, theta measured
/// from the former; the plane scat holds ez_lab and plane_x, theta measured from ez_lab, the propagation
/// direction being anywhere in it. Azimuths are about the propagation direction, from pol_x, on either side
/// of it (along it, that of theta just above). `alpha` (degrees) turns the polarization basis by -alpha, for
/// orientation averaging.
std::vector<Observation> observe_plane(const BeamFrame& frame, Plane plane, int intervals, bool full_circle,
                                       double alpha = 0);
/// Directions of a grid, theta the slow index; angles are those of the beam (theta from the propagation,
/// phi from pol_x).
std::vector<Observation> observe_grid(const BeamFrame& frame, const ScatteringGrid& grid);

/// Amplitudes f (particle frame) of the solved polarization for all observations. With `turned`, those
/// of the other polarization, from the symmetry of rotation by 90 degrees about the beam: the solution for
/// pol_y seen from turned directions is the one for pol_x.
std::vector<CVec3> observed_amplitudes(const FarFieldSums& sums, const FarFieldScale& scale,
                                       const BeamFrame& frame, std::span<const Observation> observations,
                                       bool turned = false);

/// S1..S4 (Bohren and Huffman 1983, eq. 3.12) from the amplitudes for the two incident polarizations.
Amplitude amplitude_matrix(const BeamFrame& frame, const Observation& observation, const CVec3& f_y,
                           const CVec3& f_x);
/// Mueller matrix from the amplitude matrix (Bohren and Huffman 1983, eq. 3.16).
Mueller mueller_matrix(const Amplitude& s);

/// All of it for a list of observations; e_y and e_x are laboratory vectors k r exp(-ikr) E_sca = i f.
std::vector<ScatteringRow> scattering_rows(const BeamFrame& frame, std::span<const Observation> observations,
                                           std::span<const CVec3> f_y, std::span<const CVec3> f_x);

}  // namespace umov::dda
