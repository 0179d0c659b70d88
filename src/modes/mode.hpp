// A mode as `umov modes` finds it, and what is measured of it.
#pragma once

#include <array>
#include <limits>
#include <string>
#include <vector>

#include "core/types.hpp"

namespace umov::modes {

inline constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

struct Mode {
  double frequency = 0;   ///< c / unit
  double wavelength = 0;  ///< in vacuum, unit
  cplx n_eff;             ///< of the grid; fields as exp(i (k n_eff x - w t)): Im > 0 is loss
  double n_group = unknown;
  double dispersion = unknown;   ///< ps / (nm km)
  double loss = 0;               ///< dB / cm
  double te = 0;                 ///< share of the transverse |E|^2 that lies along the first axis
  double area = 0;               ///< (int |E|^2)^2 / int |E|^4, unit^2 (two dimensions: unit)
  double rim = 0;                ///< share of |E|^2 in the absorbing layers
  double residual = 0;           ///< |A B d - kappa^2 N d| / |kappa^2 N d|
  std::vector<double> confined;  ///< share of the power in each material of the scene
  std::vector<double> coupled;   ///< power that passes on into each mode of the other cross-section
  double beam = unknown;         ///< power coupled to the Gaussian beam
  /// Ex .. Hz at the points of the staggered grid, [cells[1] + 1][cells[0] + 1]; 0 where there is none. Unit
  /// power; E on the plane and H half a cell on, without the travel between.
  std::array<std::vector<cplx>, 6> fields;
};

/// A quantity over ever smaller cells.
struct Limit {
  double order = 2;                         ///< observed; 2 where it is none
  double value = unknown, error = unknown;  ///< at cells of size 0, and how far off it may be
};

/// y(dx) = y0 + c dx^p through the finest: of two p = 2, of three p between 0.7 and 4, where there is such a
/// one. The error is the step from the finest to 0, of three the difference to p = 2 and at least a tenth of
/// that step; where the values do not run one way, all that they differ by.
Limit limit(const std::vector<double>& dx, const std::vector<double>& y);

/// A mode at several sizes of cells.
struct Extrapolated {
  double frequency = 0;
  std::size_t mode = 0;
  std::vector<double> dx, index, group, dispersion;
  Limit n_eff, n_group, d;
};

struct Outcome {
  std::string version, command_line, device;
  std::array<int, 2> cells{1, 1};
  std::array<double, 2> low{0, 0};
  int normal = 0;
  double dx = 1, unit_um = 1;
  std::array<std::vector<double>, 2> lines;  ///< ends of cells along each axis, where they differ
  std::vector<std::string> materials;
  std::vector<std::vector<Mode>> modes;  ///< [wavelength][number], followed from one to the next
  std::vector<Extrapolated> extrapolated;
  double orthogonality = 0;          ///< the largest |(a|b)| of two modes of a wavelength
  std::vector<double> permittivity;  ///< real part at the middle of each cell, first wavelength
  std::vector<std::string> notes, warnings;
  std::vector<std::pair<std::string, double>> seconds;  ///< of each part of the solution
  bool converged = true;
};

}  // namespace umov::modes
