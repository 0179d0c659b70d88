// The plane of a mode or a beam from a box without extent along one axis.
#include "fdtd/sources/node_plane.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/error.hpp"
#include "fdtd/sources/mode_solver.hpp"

namespace umov::fdtd {
namespace {

int normal_axis(const Grid& g, const Vec3& size, const std::string& owner, const char* whose) {
  int axis = -1, flat = 0;
  for (int a = 0; a < 3; ++a)
    if (g.active(a) && size[a] == 0) axis = a, ++flat;
  if (g.mode == Mode::one)
    throw BadInput(
        fmt::format("{}: a {} needs a plane (one dimension has none); use a plane wave", owner, whose));
  if (flat != 1)
    throw BadInput(
        fmt::format("{}: the {}'s plane has size ({:g}, {:g}, {:g}) (it needs extent along all axes but "
                    "the one that passes it); give exactly one of them as 0",
                    owner, whose, size[0], size[1], size[2]));
  return axis;
}

}  // namespace

NodePlane node_plane(const Grid& g, const Vec3& center, const Vec3& size, const std::string& owner,
                     const PlaneLimits& limits) {
  NodePlane plane;
  plane.axis = normal_axis(g, size, owner, limits.whose);
  for (int a = 0; a < 3; ++a) {
    if (!g.active(a)) continue;
    const auto node = [&](double x) { return int(std::lround(g.index(a, x))); };
    const int lo = node(center[a] - size[a] / 2), hi = node(center[a] + size[a] / 2);
    const int first = limits.first[a] + (a == plane.axis), last = limits.last[a] - (a == plane.axis);
    if (lo < first || hi > last)
      throw BadInput(fmt::format(
          "{}: the {}'s plane reaches {} ({} = {:g} to {:g}, and it may be {:g} to {:g}); move it "
          "or make it smaller",
          owner, limits.whose, limits.beyond, "xyz"[a], center[a] - size[a] / 2, center[a] + size[a] / 2,
          g.place(a, first), g.place(a, last)));
    if (a != plane.axis && hi - lo < 3)
      throw BadInput(fmt::format("{}: the {}'s plane has {} cells along {} (too few for one); make it larger",
                                 owner, limits.whose, hi - lo, "xyz"[a]));
    plane.lo[a] = lo, plane.hi[a] = hi;
  }
  return plane;
}

ModePlane mode_plane(const Grid& g, const Vec3& center, const Vec3& size, const std::string& owner) {
  PlaneLimits limits;
  limits.last = g.cells;
  const NodePlane found = node_plane(g, center, size, owner, limits);
  ModePlane plane;
  plane.axis = found.axis;
  for (int a = 0; a < dimensions(g.mode); ++a) {
    const int lo = found.lo[a];
    if (a == plane.axis && !g.even(a, std::max(0, lo - 2), std::min(g.cells[a], lo + 2)))
      throw BadInput(
          fmt::format("{}: the mode's plane lies where cells along {} differ (its mode is one of equal cells "
                      "along the guide); "
                      "move it, or give grid.{} equal cells from {:.6g} to {:.6g}",
                      owner, "xyz"[a], "xyz"[a], g.place(a, lo - 2), g.place(a, lo + 2)));
    plane.lo[a] = lo;
    plane.hi[a] = a == plane.axis ? found.lo[a] + 1 : found.hi[a];
  }
  return plane;
}

}  // namespace umov::fdtd
