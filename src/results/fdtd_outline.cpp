// Outlines of the permittivity: at which values, and where.
#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "results/fdtd_raster.hpp"

namespace umov::results {
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

/// A pixel's corner value and place.
struct Corner {
  double x, y, value;
};

Point between(const Corner& a, const Corner& b, double level) {
  const double t = (level - a.value) / (b.value - a.value);
  return {a.x + t * (b.x - a.x), a.y + t * (b.y - a.y)};
}

/// Where the level crosses the sides of one square, joined in pairs. At a saddle any pairing is right to
/// within the resolution.
void cross(const std::array<Corner, 4>& corners, double level, std::vector<Point>& out) {
  const auto first = out.size();
  for (int i = 0; i < 4; ++i) {
    const auto &a = corners[i], &b = corners[(i + 1) % 4];
    if ((a.value < level) != (b.value < level)) out.push_back(between(a, b, level));
  }
  if ((out.size() - first) % 2) out.pop_back();  // a NaN among the corners
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

std::vector<Point> contours(const Raster& r, const std::vector<double>& levels) {
  std::vector<Point> out;
  const double dx = (r.x1 - r.x0) / r.columns, dy = (r.y1 - r.y0) / r.rows;
  const auto corner = [&](int column, int row) {
    return Corner{r.x0 + (column + 0.5) * dx, r.y0 + (row + 0.5) * dy, r.at(column, row)};
  };
  for (int row = 0; row + 1 < r.rows; ++row)
    for (int column = 0; column + 1 < r.columns; ++column) {
      const std::array<Corner, 4> square{corner(column, row), corner(column + 1, row),
                                         corner(column + 1, row + 1), corner(column, row + 1)};
      const auto [low, high] = std::minmax_element(
          square.begin(), square.end(), [](const Corner& a, const Corner& b) { return a.value < b.value; });
      if (!(high->value > low->value)) continue;
      for (const double level : levels)
        if (level > low->value && level <= high->value) cross(square, level, out);
    }
  return out;
}

}  // namespace umov::results
