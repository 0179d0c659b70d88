// The pictures of a dipole run.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "dda/outcome.hpp"

namespace umov::dda {

/// The exact answer for the sphere that was voxelised, to draw beside the dipoles'.
struct MieComparison {
  std::string label = "Mie theory";
  std::vector<double> theta;  ///< degrees
  std::vector<double> s11, s12;
  double qext = 0, qabs = 0;
  /// |E|^2 / |E0|^2 inside for the first polarization at a position (um, particle frame); may be empty.
  std::function<double(const Vec3&)> intensity;
};

/// Writes shape, scattering, polar, internal_field, overview and convergence .png into `dir`, leaving out
/// those the outcome has no data for. Returns the paths written. Throws MachineFailure with the path.
std::vector<std::string> draw_pictures(const Outcome&, const std::string& dir,
                                       const MieComparison* = nullptr);

}  // namespace umov::dda
