// Perceptually uniform colour maps.
#pragma once

#include "results/canvas.hpp"

namespace umov::results {

enum class ColorMap { viridis, inferno };

/// Colour of t in [0, 1] (clamped). The maps are those of S. van der Walt and N. Smith, "A better default
/// colormap for matplotlib" (SciPy 2015; released under CC0), interpolated between eleven of their colours.
Color color_at(ColorMap, double t);

}  // namespace umov::results
