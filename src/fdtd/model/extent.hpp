// Where the domain is and how finely it is cut, before walls and materials are known.
#pragma once

#include "fdtd/simulation.hpp"

namespace umov::fdtd {

/// The whole domain, mirrored halves included.
struct Extent {
  Mode mode = Mode::tm;
  double dx = 1;  ///< edge of a cell; no cell of a graded axis is longer
  Int3 cells{1, 1, 1};
  Vec3 low{0, 0, 0}, high{0, 0, 0};  ///< equal along axes without extent
  std::array<bool, 3> periodic{};
  std::array<bool, 3> graded{};  ///< `cells` is not known there before bodies are (graded_lines.hpp)

  bool active(int axis) const { return axis < dimensions(mode); }
};

/// Cells per unit: as asked, or 20 per shortest vacuum wavelength of the sources. Throws BadInput.
double cells_per_unit(const Simulation&);

/// Throws BadInput for extents that make no domain, walls that contradict each other, too many cells.
Extent extent_of(const Simulation&);

}  // namespace umov::fdtd
