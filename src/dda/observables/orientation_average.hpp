// Averages over the orientation of the particle.
#pragma once

#include <array>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "dda/observables/cross_sections.hpp"

namespace umov::dda {

/// What one solved polarization contributes at one (beta, gamma).
struct OrientedPolarization {
  CrossSections cross;  ///< vectors along (pol_x, pol_y, propagation); the same ones at every orientation
  /// Amplitudes at the directions of `average_directions`, [alpha][direction]; empty when no matrices are
  /// wanted.
  std::vector<std::vector<CVec3>> amplitudes;
};

struct OrientedScattering {
  BeamFrame frame;  ///< for alpha = 0
  OrientedPolarization y, x;
};

/// Solves the particle turned to (0, beta, gamma) degrees for both polarizations.
using OrientationSolver = std::function<OrientedScattering(double beta, double gamma)>;

/// Orientations (beta, gamma) that will be asked for, in whatever order.
using OrientationsAhead = std::function<void(std::span<const std::array<double, 2>>)>;

struct AverageRequest {
  OrientationAngles angles;
  Plane plane = Plane::yz;
  int theta_intervals = 0;             ///< 0 = no plane
  std::optional<ScatteringGrid> grid;  ///< matrices on a grid of both angles

  bool matrices() const { return theta_intervals != 0 || grid; }
};

struct OrientationAverage {
  CrossSections cross;                     ///< for unpolarized light; vectors along the laboratory's x, y, z
  CrossSections cross_error;               ///< estimated, absolute
  std::vector<ScatteringRow> plane, grid;  ///< angles and Mueller matrices alone
  IntegrationLog log;                      ///< log_orient_avg
  double error = 0;                        ///< relative, of Cext
  /// The largest estimated one of S11, relative to S11 there, and its scattering angle (degrees).
  double s11_error = 0, s11_theta = 0;
  bool converged = true;  ///< to the accuracy that the angles ask for
};

/// Directions of the plane, then those of the grid, with the polarization basis turned by -alpha (degrees).
std::vector<Observation> average_directions(const AverageRequest&, const BeamFrame&, double alpha);

/// Amplitudes for all alphas from one solution: turning the particle about the beam by alpha is turning the
/// polarization basis by -alpha, so alpha costs far fields but no solve.
std::vector<std::vector<CVec3>> amplitudes_for_alphas(const FarFieldSums& sums, const FarFieldScale& scale,
                                                      const BeamFrame& frame, const AverageRequest& request);

/// Romberg average over beta (in its cosine) and gamma, adaptive on Cext, with alpha inside. Incidence is
/// along the laboratory's z axis. Cross sections for unpolarized light do not depend on alpha; their vectors
/// turn with it.
OrientationAverage average_over_orientations(const AverageRequest& request, const OrientationSolver& solve,
                                             const OrientationsAhead& ahead = {});

}  // namespace umov::dda
