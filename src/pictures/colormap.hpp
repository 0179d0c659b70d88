// Perceptually uniform colour maps: for intensities, for signed fields, for materials.
#pragma once

#include "pictures/canvas.hpp"

namespace umov::pictures {

/// `diverging` runs from blue over white (exactly, at 1/2) to red, `slate` from white to dark grey-blue;
/// their CIELAB lightness changes linearly.
enum class ColorMap { viridis, inferno, diverging, slate };

/// Colour of t in [0, 1] (clamped). The first two maps are those of S. van der Walt and N. Smith, "A better
/// default colormap for matplotlib" (SciPy 2015; released under CC0), interpolated between eleven of their
/// colours.
Color color_at(ColorMap, double t);

}  // namespace umov::pictures
