// Columns of the grid into which the ridges of lamellar textures go whole.
#pragma once

#include <string>
#include <vector>

#include "harmonic/simulation.hpp"

namespace umov::harmonic {

/// Columns along x, at least this many and at most a quarter more, of which the ridges of every lamellar
/// texture fill a whole number as nearly as can be. A wall inside a column would be off by up to half of it,
/// so that errors fall with the first power of the cell and irregularly.
int columns_for_ridges(const Simulation&, int columns);

/// The share nearest to `fill` that is a whole number of columns; at least one is ridge and one is not. 0 and
/// 1 remain.
double whole_fill(double fill, int columns);

/// What is said where the walls of a texture are moved; `warnings` from a thousandth of the period on.
void tell_moved_walls(const Simulation&, int columns, std::vector<std::string>& warnings,
                      std::vector<std::string>& notes);

/// Warns where corners of metal meet p polarization: they converge slowly, and the error of the grid that
/// tables tell is that of the cell without textures. `metals`: of superstrate, layers, substrate.
void tell_metal_corners(const Simulation&, const std::vector<bool>& metals,
                        std::vector<std::string>& warnings);

}  // namespace umov::harmonic
