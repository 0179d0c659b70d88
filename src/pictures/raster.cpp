// Reducing, scaling and contours of rasters.
#include "pictures/raster.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/types.hpp"

namespace umov::pictures {

namespace {

double reduce_block(const Raster& r, int c0, int c1, int r0, int r1, Reduction how) {
  double extreme = 0, sum = 0;
  bool any = false;
  for (int row = r0; row < r1; ++row)
    for (int column = c0; column < c1; ++column) {
      const double v = r.at(column, row);
      if (std::isnan(v)) continue;
      any = true;
      sum += v;
      if (std::abs(v) > std::abs(extreme)) extreme = v;
    }
  if (!any) return nan;
  return how == Reduction::extreme ? extreme : sum / (double(c1 - c0) * (r1 - r0));
}

/// What most absolute values stay below, if the largest is far beyond; otherwise the largest.
double robust_maximum(std::span<const double> values, bool& saturated) {
  std::vector<double> sizes;
  for (const double v : values)
    if (std::isfinite(v) && v != 0) sizes.push_back(std::abs(v));
  saturated = false;
  if (sizes.empty()) return 1;
  const double largest = *std::max_element(sizes.begin(), sizes.end());
  const auto most = sizes.begin() + std::ptrdiff_t(0.998 * double(sizes.size() - 1));
  std::nth_element(sizes.begin(), most, sizes.end());
  if (largest < 2 * *most) return largest;
  saturated = true;
  return *most;
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
  for (int i = 0; i < 4; ++i) {
    const auto &a = corners[i], &b = corners[(i + 1) % 4];
    if ((a.value < level) != (b.value < level)) out.push_back(between(a, b, level));
  }
}

}  // namespace

Raster reduced(const Raster& r, int most, Reduction how) {
  if (r.columns <= most && r.rows <= most) return r;
  Raster out = r;
  out.columns = std::min(r.columns, most);
  out.rows = std::min(r.rows, most);
  out.values.clear();
  const auto edge = [](int i, int from, int to) { return int(index_t(i) * from / to); };
  for (int row = 0; row < out.rows; ++row)
    for (int column = 0; column < out.columns; ++column)
      out.values.push_back(reduce_block(r, edge(column, r.columns, out.columns),
                                        edge(column + 1, r.columns, out.columns), edge(row, r.rows, out.rows),
                                        edge(row + 1, r.rows, out.rows), how));
  return out;
}

Color ColorScale::operator()(double v) const {
  if (std::isnan(v)) return nothing;
  if (under && v < low) return *under;
  return color_at(map, std::pow(std::clamp((v - low) / (high - low), 0.0, 1.0), gamma));
}

ColorScale symmetric_scale(std::span<const double> values) {
  ColorScale scale;
  scale.high = robust_maximum(values, scale.saturated);
  scale.low = -scale.high;
  return scale;
}

ColorScale intensity_scale(std::span<const double> values) {
  ColorScale scale{0, 1, 1, ColorMap::inferno, false};
  scale.high = robust_maximum(values, scale.saturated);
  std::vector<double> sizes;
  for (const double v : values)
    if (std::isfinite(v)) sizes.push_back(v);
  if (sizes.empty()) return scale;
  const auto middle = sizes.begin() + std::ptrdiff_t(sizes.size() / 2);
  std::nth_element(sizes.begin(), middle, sizes.end());
  if (*middle < 0.2 * scale.high) scale.gamma = 0.5;
  return scale;
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
      // no line borders on void: a crossing beside a NaN has no place
      if (std::any_of(square.begin(), square.end(), [](const Corner& c) { return !std::isfinite(c.value); }))
        continue;
      const auto [low, high] = std::minmax_element(
          square.begin(), square.end(), [](const Corner& a, const Corner& b) { return a.value < b.value; });
      if (!(high->value > low->value)) continue;
      for (const double level : levels)
        if (level > low->value && level <= high->value) cross(square, level, out);
    }
  return out;
}

namespace {

/// Which of the stretches between `ends` each of equal ones is in, as many as show the shortest.
std::vector<int> among(const std::vector<double>& ends) {
  constexpr double most = 2048;
  const double length = ends.back() - ends.front();
  double least = length;
  for (std::size_t i = 0; i + 1 < ends.size(); ++i) least = std::min(least, ends[i + 1] - ends[i]);
  const int count = int(std::clamp(std::ceil(length / least), 1.0, most));
  std::vector<int> which;
  int at = 0;
  for (int i = 0; i < count; ++i) {
    while (at + 2 < int(ends.size()) && ends[std::size_t(at) + 1] < ends.front() + length * (i + 0.5) / count)
      ++at;
    which.push_back(at);
  }
  return which;
}

}  // namespace

Raster on_equal(const Raster& r, const std::vector<double>& x, const std::vector<double>& y) {
  const auto columns = among(x), rows = among(y);
  Raster even{int(columns.size()), int(rows.size()), x.front(), x.back(), y.front(), y.back(), {}};
  for (const int j : rows)
    for (const int i : columns) even.values.push_back(r.at(i, j));
  return even;
}

}  // namespace umov::pictures
