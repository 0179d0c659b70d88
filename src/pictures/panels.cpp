// Placing panels and painting rasters into them.
#include "pictures/panels.hpp"

#include <algorithm>
#include <cmath>

namespace umov::pictures {

namespace {

constexpr double top = 96, left = 86, gap = 92, below = 58, least_side = 56;

/// A round distance of ticks that keeps labels apart.
double readable_step(double range, double length, double apart) {
  const double raw = range * apart / length;
  const double decade = std::pow(10, std::floor(std::log10(raw)));
  for (const double lead : {1.0, 2.0, 5.0})
    if (lead * decade >= raw) return lead * decade;
  return 10 * decade;
}

}  // namespace

Point on_sheet(const Rect& a, const View& v, double x, double y) {
  return {a.x + (x - v.x0) / v.width() * a.width, a.bottom() - (y - v.y0) / v.height() * a.height};
}

PanelSheet arrange(const std::vector<View>& views, double side, double least_height) {
  const bool one = views.size() == 1;
  const double slot_width = one ? 760 : 290, slot_height = one ? 560 : 320;
  double scale = 1e300;
  for (const auto& v : views) scale = std::min({scale, slot_width / v.width(), slot_height / v.height()});
  PanelSheet sheet;
  double x = left, tallest = 0;
  for (const auto& v : views) {
    const double width = std::max(least_side, scale * v.width());
    const double height = std::max(least_side, scale * v.height());
    sheet.areas.push_back({x, top, width, height});
    tallest = std::max(tallest, height);
    x += width + gap;
  }
  x -= gap;
  const double spare = std::max(0.0, 660 - x - side);  // titles need this much
  for (auto& a : sheet.areas) {
    a.x += 0.5 * spare;
    a.y += 0.5 * (tallest - a.height);
  }
  sheet.bar = {x + 0.5 * spare + 24, top, 15, std::max(tallest, 150.0)};
  sheet.width = int(x + spare + side);
  sheet.height = int(top + std::max({tallest, least_height, 150.0}) + below);
  return sheet;
}

void paint(Canvas& c, const Rect& a, const View& v, const Raster& r, const ColorScale& scale, Reduction how) {
  const double width = (r.x1 - r.x0) / v.width() * a.width, height = (r.y1 - r.y0) / v.height() * a.height;
  const int most = std::clamp(int(Canvas::resolution * std::max(width, height)), 64, 1600);
  const Raster shown = reduced(r, most, how);
  std::vector<Color> pixels;
  pixels.reserve(shown.values.size());
  for (int row = shown.rows - 1; row >= 0; --row)
    for (int column = 0; column < shown.columns; ++column) pixels.push_back(scale(shown.at(column, row)));
  const Point corner = on_sheet(a, v, r.x0, r.y1);
  c.clip(a);
  c.image({corner.x, corner.y, width, height}, shown.columns, shown.rows, pixels, true);
  c.unclip();
}

void draw_view_frame(Canvas& c, const Rect& a, const View& v, bool show_y) {
  Axis x{v.x_label, false, v.x0, v.x1, readable_step(v.width(), a.width, 48)};
  // Without labels no ticks either: none is a multiple of so large a step.
  Axis y{v.y_label, false, v.y0, v.y1, readable_step(v.height(), a.height, show_y ? 30 : 1e6), show_y};
  draw_frame(c, a, x, y);
}

void draw_scale(Canvas& c, const Rect& bar, const ColorScale& s, const std::string& label) {
  draw_color_bar(c, bar, s.map, s.low, s.high, label, s.gamma);
}

}  // namespace umov::pictures
