// How far spectra of monitors may be off.
#pragma once

#include <vector>

namespace umov::fdtd {

/// How far a spectrum may be off, by what from, entry by entry in its own unit: the contributions add up. One
/// that is empty is not known.
struct SpectrumErrors {
  std::vector<double> record;  ///< what the fields left at the end would still change
  std::vector<double> layers;  ///< what absorbing layers send back
  /// The distance from an exact answer, where there is one (FlatLayers): what the grid does, and all else.
  /// NaN where it is not known.
  std::vector<double> grid;
};
/// What is said where `grid` is empty.
inline constexpr const char* grid_error_unknown =
    "the error of the grid is not estimated: compare with a finer grid";

}  // namespace umov::fdtd
