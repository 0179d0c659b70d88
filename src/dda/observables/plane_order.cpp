#include "dda/observables/plane_order.hpp"

#include <algorithm>

namespace umov::dda {

std::vector<std::pair<double, const ScatteringRow*>> by_angle_from_incidence(
    const std::vector<ScatteringRow>& plane) {
  const auto off_axis = [](const ScatteringRow& row) {
    return row.scattering_angle > 0 && row.scattering_angle < 180;
  };
  const auto beyond = [](const ScatteringRow& row) { return row.phi >= 180; };
  bool near = false, far = false;
  for (const auto& row : plane)
    if (off_axis(row)) (beyond(row) ? far : near) = true;
  std::vector<std::pair<double, const ScatteringRow*>> out;
  for (const auto& row : plane) {
    const bool mirrored = near && far && off_axis(row) && beyond(row);
    out.emplace_back(mirrored ? 360 - row.scattering_angle : row.scattering_angle, &row);
  }
  std::stable_sort(out.begin(), out.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  return out;
}

}  // namespace umov::dda
