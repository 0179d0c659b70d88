// A response surface on a sheet: contours over two parameters, main effects of all.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "pictures/panels.hpp"
#include "pictures/plot.hpp"
#include "pictures/prefixed.hpp"
#include "pictures/sheet.hpp"
#include "sweep/responses.hpp"

namespace umov::sweep {

using namespace pictures;

using std::string;

namespace {

constexpr int samples = 81;

string labelled(const string& name, const string& unit) {
  return behind(unit).empty() ? name : fmt::format("{} ({})", name, unit);
}

/// What both parts of the picture need of one response.
struct Drawn {
  const Sweep& sweep;
  const Response& r;
  Box box;
  std::vector<std::size_t> order;  ///< parameters that vary, the most important first
  Scaled unit;
  string label, noun;

  std::vector<double> optimum_unit() const { return box.to_unit(r.optimum); }
  string axis(std::size_t p) const {
    const auto& parameter = sweep.axes[p];
    return labelled(parameter.name, parameter.unit);
  }
};

pictures::Axis parameter_axis(const Drawn& d, std::size_t p) {
  pictures::Axis a;
  a.label = d.axis(p);
  a.logarithmic = d.sweep.axes[p].logarithmic;
  a.from = d.box.low(p);
  a.to = d.box.high(p);
  return a;
}

/// Where a parameter's value lies on an axis, 0 to 1: as the box' coordinate does.
Point on_axes(const Rect& area, double u, double v) {
  return {area.x + 0.5 * (u + 1) * area.width, area.bottom() - 0.5 * (v + 1) * area.height};
}

double round_distance(double range, int wanted) {
  const double raw = range / wanted, decade = std::pow(10, std::floor(std::log10(raw)));
  for (const double lead : {1.0, 2.0, 2.5, 5.0})
    if (lead * decade >= raw * 0.999) return lead * decade;
  return 10 * decade;
}

void draw_contours(Canvas& c, const Rect& area, const Drawn& d) {
  const std::size_t p = d.order[0], q = d.order[1];
  Raster raster;
  raster.columns = raster.rows = samples;
  raster.x0 = raster.y0 = -1;
  std::vector<double> x = d.optimum_unit();
  for (int j = 0; j < samples; ++j)
    for (int i = 0; i < samples; ++i) {
      x[p] = -1 + (2.0 * i + 1) / samples;
      x[q] = -1 + (2.0 * j + 1) / samples;
      raster.values.push_back((*d.r.surface)(x)*d.unit.factor);
    }
  const auto [low, high] = std::minmax_element(raster.values.begin(), raster.values.end());
  const double range = std::max(*high - *low, 1e-9 * std::max(std::abs(*high), 1e-300));
  ImagePlot image;
  image.x = parameter_axis(d, p);
  image.y = parameter_axis(d, q);
  image.columns = image.rows = samples;
  image.values = raster.values;
  image.low = *low;
  image.high = *low + range;
  image.map = ColorMap::viridis;
  draw(c, area, image);
  std::vector<double> levels;
  const double step = round_distance(range, 12);
  for (double k = std::ceil(*low / step); k * step <= *high; ++k) levels.push_back(k * step);
  std::vector<Point> lines;
  for (const Point& at : contours(raster, levels)) lines.push_back(on_axes(area, at.x, at.y));
  c.clip(area);
  c.segments(lines, 1, rgb(0xffffff), 0.7);
  c.unclip();
  for (const auto& point : d.r.points)
    c.circle(on_axes(area, point[p], point[q]), 3, rgb(0xffffff), false, 1.2);
  const auto best = d.optimum_unit();
  c.circle(on_axes(area, best[p], best[q]), 7, ink::orange, true);
  c.circle(on_axes(area, best[p], best[q]), 7, rgb(0xffffff), false, 1.5);
  draw_color_bar(c, {area.right() + 16, area.y, 14, area.height}, image.map, image.low, image.high, d.label);
}

void draw_curve(Canvas& c, const Rect& area, const Drawn& d) {
  const std::size_t p = d.order[0];
  LinePlot plot;
  plot.x = parameter_axis(d, p);
  plot.y.label = d.label;
  pictures::Series line{"surface", {}, {}, ink::blue, 2.2, {}};
  std::vector<double> x = d.optimum_unit();
  for (int i = 0; i < samples; ++i) {
    x[p] = -1 + 2.0 * i / (samples - 1);
    line.x.push_back(d.box.from_unit(x)[p]);
    line.y.push_back((*d.r.surface)(x)*d.unit.factor);
  }
  plot.series.push_back(line);
  // each variant as a short stroke
  const double width = 0.008 * (d.box.high(p) - d.box.low(p));
  for (std::size_t k = 0; k < d.r.values.size(); ++k) {
    const double at = d.sweep.number(p, d.r.cases[k]), y = d.r.values[k] * d.unit.factor;
    plot.series.push_back({k == 0 ? d.noun + "s" : "", {at - width, at + width}, {y, y}, ink::orange, 5, {}});
  }
  plot.legend = LinePlot::Legend::below;
  draw(c, area, plot);
}

void draw_effects(Canvas& c, const Rect& area, const Drawn& d) {
  LinePlot plot;
  plot.x.label = "parameter from its smallest to its largest value";
  plot.x.from = 0;
  plot.x.to = 1;
  plot.y.label = "mean of the surface, " + d.label;
  for (std::size_t n = 0; n < std::min<std::size_t>(d.order.size(), 8); ++n) {
    const std::size_t p = d.order[n];
    pictures::Series line{d.sweep.axes[p].name, {}, {}, color_of(n), 2.2, {}};
    for (int i = 0; i <= 40; ++i) {
      line.x.push_back(i / 40.0);
      line.y.push_back(linalg::main_effect(*d.r.surface, d.r.points, p, -1 + i / 20.0) * d.unit.factor);
    }
    plot.series.push_back(std::move(line));
  }
  plot.legend = LinePlot::Legend::below;
  draw(c, area, plot);
}

void draw_response(const Sweep& sweep, const Response& r, const string& noun, const string& path) {
  Drawn d{sweep, r, Box(sweep), {}, {}, "", noun};
  for (std::size_t p = 0; p < sweep.axes.size(); ++p)
    if (d.box.varies(p)) d.order.push_back(p);
  if (d.order.empty()) return;
  std::stable_sort(d.order.begin(), d.order.end(),
                   [&](std::size_t a, std::size_t b) { return r.importance[a] > r.importance[b]; });
  double most = 0;
  for (const double y : r.values) most = std::max(most, std::abs(y));
  d.unit = prefixed(most, r.column.unit);
  d.label = labelled(r.column.name, d.unit.unit);
  Canvas c(1180, 560);
  const auto& q = r.surface->quality;
  title(
      c, fmt::format("{}: {} surface", r.column.name, linalg::surface_name(r.surface->kind)),
      fmt::format("{} {}s; R² {:.4f}, left out {:.4f}; error of {}s left out {}{}; {} {}{}", r.values.size(),
                  noun, q.r_squared, q.cv_r_squared, noun, pretty_number(q.cv_error * d.unit.factor, 3),
                  behind(d.unit.unit), sweep.design.goal == cases::Goal::maximum ? "largest" : "least",
                  pretty_number(r.predicted * d.unit.factor, 4), behind(d.unit.unit)));
  const Rect left{92, 90, 400, 390}, right{720, 90, 420, 330};
  if (d.order.size() > 1)
    draw_contours(c, left, d);
  else
    draw_curve(c, left, d);
  draw_effects(c, right, d);
  c.write_png(path);
}

/// A column's name as part of a file's.
string file_name(string column) {
  for (char& c : column)
    if (!std::isalnum(static_cast<unsigned char>(c)) && c != '-' && c != '.') c = '_';
  return column;
}

}  // namespace

void draw_responses(const Sweep& sweep, const std::vector<Response>& responses, const string& noun,
                    const string& folder) {
  for (const Response& r : responses)
    if (r.surface) draw_response(sweep, r, noun, folder + "/surface_" + file_name(r.column.name) + ".png");
}

}  // namespace umov::sweep
