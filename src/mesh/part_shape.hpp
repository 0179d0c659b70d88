// A part of a geometry: its outline, where its copies lie, and what is wrong with it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "mesh/geometry.hpp"

namespace umov::mesh {

using Point2 = std::array<double, 2>;

/// One edge of an outline in the plane (r, z) or (x, y): a line, or the shorter arc about `center`.
struct OutlineEdge {
  Point2 from, to;
  bool arc = false;
  Point2 center{0, 0};
};

/// A profile's corners, each once where it stands more than once in a row, or at the end and the beginning.
std::vector<Point2> without_repeats(std::vector<Point2> corners);
/// Solids of revolution: all but the box and the extrusion.
bool is_revolved(const Part&);
/// The closed outline, counterclockwise, in the part's own frame: (r, z) of what is revolved about z, (x, y)
/// of what is extruded along z from -height/2; empty for a box.
std::vector<OutlineEdge> outline(const Part&);

/// Where a copy lies: x = origin + matrix * local.
struct Frame {
  Vec3 origin{0, 0, 0};
  std::array<Vec3, 3> column{Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{0, 0, 1}};  ///< images of the local axes
  Vec3 place(const Vec3& local) const;
  Vec3 local(const Vec3& place) const;
};
Frame frame_of(const Part&, int copy);

/// The turn that takes z to the part's axis: a unit vector and an angle in radians (0 for boxes and spheres).
std::pair<Vec3, double> tilt(const Part&);

/// "part 3 ('housing', sheds)"
std::string describe(const Geometry&, std::size_t part);

/// Smallest and largest of the lengths that make the part (thicknesses, heights, diameters), m.
struct Extent {
  double smallest, largest;
};
Extent extent(const Part&);
/// Radius of the curved surface that decides how many elements a turn gets; nothing for straight ones.
std::optional<double> curved_radius(const Part&);

/// Throws BadInput that names what is wrong: part, parameter, what to do.
void check_parts(const Geometry&);

}  // namespace umov::mesh
