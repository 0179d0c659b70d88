#include "fdtd/model/near_nodes.hpp"

#include <algorithm>
#include <cmath>

namespace umov::fdtd {
namespace {

/// A face between a free node and one in a conductor.
struct Arm {
  int face = Hx;
  Int3 at{0, 0, 0}, node{0, 0, 0};
  int axis = 0, away = 1;  ///< from the face to the next one beyond the node
  double distance = 0, area = 0, least = 0;
};

double cubic(double s) { return s * (1 + s) * (1 + 2 * s) / 6; }

std::vector<Arm> arms_of(const CutGrid& grid, const FaceAreas& areas) {
  std::vector<Arm> arms;
  for (int c = Hx; c <= Hz; ++c)
    for (const auto& [cell, area] : areas.list(c)) {
      const Int3 at = grid.place(cell);
      int free = 0;
      Arm arm{c, at, {}, 0, 1, area, 0, 0};
      for (const FaceSide& side : grid.sides(c, at))
        if (grid.length(side.component, side.at) > 0)
          ++free, arm.node = side.at, arm.axis = side.axis, arm.away = side.step;
      if (free != 1) continue;
      arm.least = least_area(grid, c, at);
      const double q = cubic(area);
      arm.area = q > arm.least * arm.least ? std::sqrt(q) : q / arm.least;
      arms.push_back(arm);
    }
  return arms;
}

}  // namespace

void weigh_near_nodes(const CutGrid& grid, ConductorCuts& cuts, FaceAreas& areas) {
  std::map<index_t, double> weight;
  for (const Arm& arm : arms_of(grid, areas)) {
    double& w = weight.try_emplace(grid.cell(arm.node), 1.0).first->second;
    w = std::min(w, cubic(arm.distance) / (arm.least * arm.least));
    const auto change = [&](const Int3& at, double by) {
      areas.set(arm.face, grid.cell(at), areas.at(arm.face, grid.cell(at)) + by);
    };
    change(arm.at, arm.area - arm.distance);
    Int3 beyond = arm.at;
    beyond[arm.axis] += arm.away;
    // beyond a mirror plane through the node lies the face's own image
    change(grid.wrapped(arm.face, beyond).value_or(arm.at), arm.distance - arm.area);
  }
  auto& list = cuts.places[Ez];
  std::erase_if(list, [&](const CutPlace& p) { return weight.contains(p.cell); });
  for (const auto& [cell, w] : weight)
    if (w < 1) list.push_back({cell, w});
  std::ranges::sort(list, {}, &CutPlace::cell);
}

}  // namespace umov::fdtd
