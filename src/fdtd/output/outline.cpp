// Outlines of the permittivity: at which values, and where.
#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "fdtd/output/raster.hpp"

namespace umov::fdtd {

using namespace pictures;
namespace {

/// Values that fill some area: those of pixels equal to their right and upper neighbours.
std::vector<double> plateaus(const Raster& r) {
  std::map<double, std::size_t> count;
  std::size_t total = 0;
  for (int row = 0; row + 1 < r.rows; ++row)
    for (int column = 0; column + 1 < r.columns; ++column) {
      const double v = r.at(column, row);
      if (v != r.at(column + 1, row) || v != r.at(column, row + 1)) continue;
      ++count[v];
      ++total;
    }
  std::vector<double> values;
  for (const auto& [value, n] : count)
    if (n >= std::max<std::size_t>(1, total / 5000)) values.push_back(value);
  return values;
}

}  // namespace

std::vector<double> outline_levels(const Raster& eps) {
  if (eps.empty()) return {};
  constexpr std::size_t many = 12;
  const auto values = plateaus(eps);
  std::vector<double> levels;
  if (values.size() >= 2 && values.size() <= many) {
    for (std::size_t i = 0; i + 1 < values.size(); ++i)
      if (values[i + 1] - values[i] > 0.01 * std::abs(values.back() - values.front()))
        levels.push_back(0.5 * (values[i] + values[i + 1]));
    return levels;
  }
  const auto [low, high] = std::minmax_element(eps.values.begin(), eps.values.end());
  if (!(*high > *low)) return {};
  for (const double share : {0.25, 0.5, 0.75}) levels.push_back(*low + share * (*high - *low));
  return levels;
}

}  // namespace umov::fdtd
