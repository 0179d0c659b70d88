// Where the cuts of a case lie on its grid.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/error.hpp"
#include "harmonic/run/run.hpp"

namespace umov::harmonic {

namespace {

/// Mean depth of the interface above a layer.
double top_of(const Simulation& sim, const LayeredCell& cell, const std::string& layer) {
  if (layer.empty()) return 0;
  const auto at =
      std::find_if(sim.layers.begin(), sim.layers.end(), [&](const auto& l) { return l.name == layer; });
  return cell.interfaces[std::size_t(at - sim.layers.begin())].depth;
}

}  // namespace

std::vector<PlacedCut> place_cuts(const Simulation& sim, const LayeredCell& cell, int begin, int end) {
  const auto& g = cell.grid;
  std::vector<PlacedCut> out;
  for (const auto& c : sim.cuts) {
    PlacedCut placed{c.plane, 0, 0};
    if (c.plane == CutPlane::xy) {
      const double depth = top_of(sim, cell, c.below) + c.at;
      placed.index = cell.first_plane + int(std::lround(depth / g.spacing[2]));
      if (placed.index < begin || placed.index >= end)
        throw BadInput(
            fmt::format("a [[cut]] lies {:g} um deep (the cell is shown from {:g} to {:g} um); choose "
                        "'at' between them",
                        depth, cell.depth_of(begin), cell.depth_of(end - 1)));
      placed.at = cell.depth_of(placed.index);
    } else {
      const int axis = c.plane == CutPlane::xz ? 1 : 0, cells = axis == 1 ? g.ny : g.nx;
      placed.index = int(std::lround(c.at / g.spacing[axis])) % cells;
      placed.at = placed.index * g.spacing[axis];
    }
    out.push_back(placed);
  }
  if (out.empty()) out.push_back({});
  return out;
}

}  // namespace umov::harmonic
