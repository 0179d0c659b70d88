// Averages over the orientation of the particle.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "dda/observables/cross_sections.hpp"

namespace umov::dda {

/// What one solved polarization contributes at one (beta, gamma).
struct OrientedPolarization {
  double cext = 0, cabs = 0;
  /// Amplitudes in the scattering plane turned by each alpha, [alpha][theta]; empty when no matrices are
  /// wanted.
  std::vector<std::vector<CVec3>> amplitudes;
};

struct OrientedScattering {
  BeamFrame frame;  ///< for alpha = 0
  OrientedPolarization y, x;
};

/// Solves the particle turned to (0, beta, gamma) degrees for both polarizations.
using OrientationSolver = std::function<OrientedScattering(double beta, double gamma)>;

struct AverageRequest {
  OrientationAngles angles;
  Plane plane = Plane::yz;
  int theta_intervals = 0;  ///< 0 = cross sections only
};

struct OrientationAverage {
  double cext = 0, cabs = 0;     ///< for unpolarized light (um^2)
  std::vector<double> theta;     ///< degrees, 0 to 180
  std::vector<Mueller> mueller;  ///< per theta
  IntegrationLog log;            ///< log_orient_avg
  bool converged = true;
};

/// Amplitudes for all alphas from one solution: turning the particle about the beam by alpha is turning the
/// polarization basis by -alpha, so alpha costs far fields but no solve.
std::vector<std::vector<CVec3>> amplitudes_for_alphas(const FarFieldSums& sums, const FarFieldScale& scale,
                                                      const BeamFrame& frame, const AverageRequest& request);

/// Romberg average over beta (in its cosine) and gamma, adaptive on Cext, with alpha inside. Incidence is
/// along the laboratory's z axis.
OrientationAverage average_over_orientations(const AverageRequest& request, const OrientationSolver& solve);

}  // namespace umov::dda
