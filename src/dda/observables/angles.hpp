// Angles at which the scattered field is wanted or integrated: ADDA's three parameter files and their
// defaults.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "dda/observables/romberg.hpp"

namespace umov::dda {

/// Points of a Romberg average over an angle.
struct IntegrationAngle {
  double min = 0, max = 0;     ///< degrees
  RombergAxis axis;            ///< in radians, or in the cosine of the angle
  std::vector<double> values;  ///< degrees, in the order of the axis (theta falls from max to min)
};

/// Lower and upper bound in degrees, stages and so on as the files spell them.
struct IntegrationSpec {
  double min = 0, max = 360;
  int jmin = 2, jmax = 5;
  double eps = 0;
  bool equivalent = true, periodic = true;
};

/// Points equidistant in the angle or in its cosine. Throws BadInput, prefixed by `where`, for a reversed
/// range, jmax < jmin, jmin < 1, jmax > 24, eps < 0, or a cosine range outside [0, 180] degrees.
IntegrationAngle make_integration_angle(const IntegrationSpec& spec, bool in_cosine,
                                        const std::string& where);

/// All directions, for Csca and the asymmetry vector (theta from the propagation, phi from pol_x).
struct AllDirections {
  IntegrationAngle theta, phi;
  std::string source;  ///< file, or "built-in defaults"
  /// Theta from 0 to 180, phi over whole turns: else integrals are averages over a part, times 4 pi.
  bool whole_sphere() const;
};

/// Directions at which the scattering matrices are tabulated.
struct ScatteringGrid {
  bool pairs = false;              ///< theta[i] goes with phi[i]; else every theta with every phi
  std::vector<double> theta, phi;  ///< degrees
  std::optional<std::array<double, 2>> theta_range, phi_range;  ///< min, max; unset when listed one by one
  std::optional<RombergAxis> phi_axis;  ///< set when integration over phi was asked for
  std::string source;

  std::size_t size() const { return pairs ? theta.size() : theta.size() * phi.size(); }
};

/// Euler angles for orientation averaging.
struct OrientationAngles {
  IntegrationAngle alpha, beta, gamma;
  std::string source;
};

/// Reads `file`; an empty name means built-in defaults with the same content as the files that ADDA ships.
/// Throws BadInput naming file and line.
AllDirections load_all_directions(const std::string& file);
ScatteringGrid load_scattering_grid(const std::string& file, bool integrate_over_phi);
/// A list of directions, theta and phi (degrees) of each.
ScatteringGrid listed_directions(const std::vector<std::array<double, 2>>&);
OrientationAngles load_orientation_angles(const std::string& file);

/// The lines ADDA's log has about them.
std::string describe(const AllDirections& d);
std::string describe(const ScatteringGrid& g);
std::string describe(const OrientationAngles& a);

}  // namespace umov::dda
