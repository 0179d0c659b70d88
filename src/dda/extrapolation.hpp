// What runs on several grids say about dipoles of no size: values with error bars, and where they come from.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "core/types.hpp"

namespace umov::dda {

/// The value at y = 0 and how far off it may be.
struct Extrapolated {
  double value = 0, error = 0;
  bool believed = true;  ///< else the value is that of the finest grid
};

/// A run on one grid.
struct ExtrapolationGrid {
  Int3 box{0, 0, 0};
  double y = 0;        ///< k d |m| of the largest |m|
  double spacing = 0;  ///< d, the longest edge of a dipole (um)
  std::size_t dipoles = 0;
  long iterations = 0;  ///< of all solves
  double seconds = 0;   ///< of all solves
  bool fitted = false;  ///< among the grids that the values come from
};

struct ExtrapolatedQuantity {
  std::string name, unit, text;
  std::vector<double> values;  ///< on each grid
  Extrapolated limit;
  double allowed = 0;  ///< the error that the accuracy asks for; 0: none is asked of this quantity
};

/// Mueller matrices in the directions of a table of the finest grid's results.
struct ExtrapolatedMatrices {
  std::string table;               ///< "scattering_plane"
  std::vector<double> theta, phi;  ///< degrees; phi is empty where there is none
  std::vector<std::array<double, 16>> value, error;
};

struct Extrapolation {
  double accuracy = 0;                   ///< asked for, relative
  bool cubical = false;                  ///< the grids fill the particle's volume exactly
  std::vector<ExtrapolationGrid> grids;  ///< coarsest first
  std::vector<ExtrapolatedQuantity> quantities;
  std::vector<ExtrapolatedMatrices> matrices;
  bool reached = false;
  std::string verdict;  ///< one sentence: reached, or why it was left there
};

/// Grids and values as lines for the log and the terminal.
std::string describe(const Extrapolation&);

}  // namespace umov::dda
