// What a polygon bounds, however a layout tool wrote it: closed loops with the area to their left.
#pragma once

#include <array>
#include <vector>

namespace umov::shapes {

using Point2 = std::array<double, 2>;
/// Loops of corners, each joined to the next and the last to the first; the area is to the left of every
/// edge.
using Outline = std::vector<std::vector<Point2>>;

/// The boundary of a polygon whose last corner is joined to its first. Corners may be repeated, and what the
/// line walks there and back bounds nothing and is left out: the slit of a keyhole, a spike, the way between
/// parts. Parts may touch in corners and along edges. Lengths below 1e-10 of the extent are rounding.
/// Throws BadInput for lines that cross, or run around an area twice or in both senses: their inside is not
/// defined; and for polygons without area.
Outline outline_of(const std::vector<Point2>& corners);

}  // namespace umov::shapes
