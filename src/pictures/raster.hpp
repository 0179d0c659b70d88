// Values on a plane as a raster ready to be painted: reduced, with a colour scale and contours.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "pictures/canvas.hpp"
#include "pictures/colormap.hpp"

namespace umov::pictures {

/// Values [rows][columns], first row at the bottom, each the middle of a rectangle; together they cover
/// x0..x1, y0..y1 (units of length). NaN is void.
struct Raster {
  int columns = 0, rows = 0;
  double x0 = 0, x1 = 1, y0 = 0, y1 = 1;
  std::vector<double> values;

  bool empty() const { return values.empty(); }
  double at(int column, int row) const { return values[std::size_t(row) * columns + column]; }
};

/// A raster whose columns and rows end at x and y, one end more than there are, as one of equal ones: as many
/// as show the narrowest, up to 2048, each with the value that is in its middle.
Raster on_equal(const Raster&, const std::vector<double>& x, const std::vector<double>& y);

/// How blocks of values become one: the value farthest from zero with its sign, or the mean.
enum class Reduction { extreme, mean };
/// A raster of at most `most` columns and rows.
Raster reduced(const Raster&, int most, Reduction);

struct ColorScale {
  double low = 0, high = 1, gamma = 1;
  ColorMap map = ColorMap::diverging;
  bool saturated = false;           ///< some values lie beyond
  std::optional<Color> under = {};  ///< of values below `low`, instead of the map's first
  Color nothing = ink::empty;       ///< of NaN
  Color operator()(double value) const;
};
/// -s to s. Where few values (beside a source) dwarf all others, s is what 99.8 % of them stay below, and
/// the scale saturates. All zero: s = 1.
ColorScale symmetric_scale(std::span<const double> values);
/// 0 to the largest value, by the same rule, with square-root colours where most values are small.
ColorScale intensity_scale(std::span<const double> values);

/// Contours by marching squares, as pairs of points in the units of the raster.
std::vector<Point> contours(const Raster&, const std::vector<double>& levels);

}  // namespace umov::pictures
