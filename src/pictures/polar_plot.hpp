// Curves over the full circle of an angle, logarithmic along the radius.
#pragma once

#include <string>
#include <vector>

#include "pictures/plot.hpp"

namespace umov::pictures {

struct PolarPlot {
  std::string quantity;        ///< label of the radial scale
  std::vector<Series> series;  ///< x: angle in degrees, 0 to the right, 90 up; y: positive values
  Color fill = ink::empty;     ///< inside the first curve
  int decades = 6;             ///< at most so many below the largest value are shown
};

/// Draws the disk of `radius` around `center`, labels of the angle around it, and below it the radial scale
/// and the legend (about 90 units).
void draw(Canvas&, Point center, double radius, const PolarPlot&);

}  // namespace umov::pictures
