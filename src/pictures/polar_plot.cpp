// Disk, curves, radial scale and legend of a polar plot.
#include "pictures/polar_plot.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/types.hpp"

namespace umov::pictures {
namespace {

constexpr double small = 10.5, normal = 12;

/// Decades from the centre of the disk to its edge.
struct Radial {
  double low = 0, high = 1;  ///< exponents of ten
  double operator()(double v) const {
    return v > 0 ? std::clamp((std::log10(v) - low) / (high - low), 0.0, 1.0) : 0;
  }
};

Radial radial_scale(const PolarPlot& plot) {
  double low = 0, high = 0;
  bool any = false;
  for (const auto& s : plot.series)
    for (const double v : s.y) {
      if (!(v > 0) || !std::isfinite(v)) continue;
      const double e = std::log10(v);
      low = any ? std::min(low, e) : e;
      high = any ? std::max(high, e) : e;
      any = true;
    }
  const double edge = high + 0.06;  // the largest value comes close to the edge, not onto it
  const double low_edge = std::max(std::floor(low), std::floor(edge) - plot.decades);
  return {std::min(low_edge, std::floor(edge) - 1), edge};  // two labelled decades at least
}

Point on_circle(Point center, double radius, double degrees) {
  const double a = degrees * pi / 180;
  return {center.x + radius * std::cos(a), center.y - radius * std::sin(a)};
}

std::vector<Point> outline(Point center, double radius, const Series& s, const Radial& scale) {
  std::vector<Point> points;
  for (std::size_t i = 0; i < std::min(s.x.size(), s.y.size()); ++i)
    points.push_back(on_circle(center, radius * scale(s.y[i]), s.x[i]));
  return points;
}

void draw_disk(Canvas& c, Point center, double radius, const Radial& scale) {
  for (double e = std::floor(scale.low) + 1; e < scale.high; ++e)
    c.circle(center, radius * scale(std::pow(10, e)), rgb(0xc9d2db), false, 0.7);
  for (int a = 0; a < 360; a += 30) {
    c.line(center, on_circle(center, radius, a), 0.7, rgb(0xd5dce3));
    const Point at = on_circle(center, radius + 17, a);
    c.text({at.x + 1.5, at.y + 0.36 * small}, fmt::format("{}°", a > 180 ? 360 - a : a), small, ink::text,
           Align::center);
  }
  c.circle(center, radius, ink::frame, false, 1);
}

/// The scale stands below the disk, under its right half, so that no label covers a curve.
void draw_scale(Canvas& c, Point center, double radius, double y, const Radial& scale,
                const std::string& quantity) {
  c.line({center.x, y}, {center.x + radius, y}, 0.8, ink::frame);
  const auto ticks = log_ticks(std::pow(10, scale.low), std::pow(10, scale.high), int(radius / 30));
  for (const auto& t : ticks) {
    const double x = center.x + radius * scale(t.value);
    c.line({x, y}, {x, y + (t.major ? 4 : 2)}, 0.8, ink::frame);
    if (t.major) c.text({x, y + 17}, t.label, small, ink::text, Align::center);
  }
  c.text({center.x - 18, y + 0.36 * normal}, quantity, normal, ink::text, Align::right);
}

void draw_legend(Canvas& c, Point center, double y, const PolarPlot& plot) {
  const double sample = 26, gap = 8, between = 22;
  double width = -between;
  for (const auto& s : plot.series) width += sample + gap + c.text_width(s.name, normal) + between;
  double x = center.x - 0.5 * width;
  for (const auto& s : plot.series) {
    c.line({x, y}, {x + sample, y}, s.width, s.color, s.dashes);
    c.text({x + sample + gap, y + 0.36 * normal}, s.name, normal, ink::text);
    x += sample + gap + c.text_width(s.name, normal) + between;
  }
}

}  // namespace

void draw(Canvas& c, Point center, double radius, const PolarPlot& plot) {
  const Radial scale = radial_scale(plot);
  if (!plot.series.empty()) c.polygon(outline(center, radius, plot.series[0], scale), plot.fill);
  draw_disk(c, center, radius, scale);
  for (const auto& s : plot.series) c.polyline(outline(center, radius, s, scale), s.width, s.color, s.dashes);
  draw_scale(c, center, radius, center.y + radius + 40, scale, plot.quantity);
  if (plot.series.size() > 1) draw_legend(c, center, center.y + radius + 78, plot);
}

}  // namespace umov::pictures
