// The plane of a mode from a box without extent along one axis.
#include <fmt/format.h>

#include <algorithm>

#include "core/error.hpp"
#include "fdtd/sources/mode_solver.hpp"

namespace umov::fdtd {
namespace {

int normal_axis(const Grid& g, const Vec3& size, const std::string& owner) {
  int axis = -1, flat = 0;
  for (int a = 0; a < 3; ++a)
    if (g.active(a) && size[a] == 0) axis = a, ++flat;
  if (g.mode == Mode::one)
    throw BadInput(owner + ": a mode needs a cross-section (one dimension has none); use a plane wave");
  if (flat != 1)
    throw BadInput(
        fmt::format("{}: the mode's plane has size ({:g}, {:g}, {:g}) (it needs extent along all axes but "
                    "the one of travel); give exactly one of them as 0",
                    owner, size[0], size[1], size[2]));
  return axis;
}

}  // namespace

ModePlane mode_plane(const Grid& g, const Vec3& center, const Vec3& size, const std::string& owner) {
  ModePlane plane;
  plane.axis = normal_axis(g, size, owner);
  for (int a = 0; a < 3; ++a) {
    if (!g.active(a)) continue;
    const auto node = [&](double x) { return int(std::lround(g.index(a, x))); };
    const int lo = node(center[a] - size[a] / 2), hi = node(center[a] + size[a] / 2);
    if (lo < (a == plane.axis ? 1 : 0) || hi > g.cells[a] - (a == plane.axis ? 1 : 0))
      throw BadInput(
          fmt::format("{}: the mode's plane reaches out of the domain ({} = {:g} to {:g}); move it or "
                      "make it smaller",
                      owner, "xyz"[a], center[a] - size[a] / 2, center[a] + size[a] / 2));
    if (a != plane.axis && hi - lo < 3)
      throw BadInput(
          fmt::format("{}: the mode's plane has {} cells along {} (too few for a mode); make it larger",
                      owner, hi - lo, "xyz"[a]));
    if (a == plane.axis && !g.even(a, std::max(0, lo - 2), std::min(g.cells[a], lo + 2)))
      throw BadInput(
          fmt::format("{}: the mode's plane lies where cells along {} differ (its mode is one of equal cells "
                      "along the guide); "
                      "move it, or give grid.{} equal cells from {:.6g} to {:.6g}",
                      owner, "xyz"[a], "xyz"[a], g.place(a, lo - 2), g.place(a, lo + 2)));
    plane.lo[a] = lo;
    plane.hi[a] = a == plane.axis ? lo + 1 : hi;
  }
  return plane;
}

}  // namespace umov::fdtd
