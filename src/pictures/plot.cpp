// Axes, ticks, curves and images.
#include "pictures/plot.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace umov::pictures {
namespace {

constexpr double tick_size = 10.5, label_size = 12;

/// Where on the colour bar a value lies, in [0, 1].
double bar_position(double v, double low, double high, double gamma) {
  return std::pow(std::clamp((v - low) / (high - low), 0.0, 1.0), gamma);
}

/// Maps values of an axis to [0, 1].
struct Scale {
  double from, to;
  bool logarithmic;
  bool shows(double v) const { return std::isfinite(v) && (!logarithmic || v > 0); }
  double operator()(double v) const {
    return logarithmic ? std::log(v / from) / std::log(to / from) : (v - from) / (to - from);
  }
};

Scale make_scale(const Axis& axis, const std::vector<Series>& series, bool vertical) {
  double low = std::numeric_limits<double>::infinity(), high = -low;
  for (const auto& s : series)
    for (const double v : vertical ? s.y : s.x)
      if (std::isfinite(v) && (!axis.logarithmic || v > 0)) {
        low = std::min(low, v);
        high = std::max(high, v);
      }
  if (!(low <= high)) low = high = 1;
  if (axis.logarithmic && vertical) {
    low = std::pow(10, std::floor(std::log10(low) + 0.05));
    high = std::pow(10, std::ceil(std::log10(high) - 0.05));
    if (high <= low) high = 10 * low;
  } else if (vertical) {
    const double margin = 0.06 * (high - low);
    low -= margin;
    high += margin;
  }
  Scale scale{axis.from.value_or(low), axis.to.value_or(high), axis.logarithmic};
  if (!(scale.to > scale.from)) scale.to = scale.from + (axis.logarithmic ? 9 * scale.from : 1);
  return scale;
}

std::vector<Tick> ticks_of(const Axis& axis, const Scale& s, double length, double spacing) {
  const int wanted = std::max(2, int(length / spacing));
  return s.logarithmic ? log_ticks(s.from, s.to, wanted) : linear_ticks(s.from, s.to, wanted, axis.step);
}

void draw_axes(Canvas& c, const Rect& a, const Axis& x, const Axis& y, const Scale& sx, const Scale& sy,
               bool grid) {
  const auto x_ticks = ticks_of(x, sx, a.width, 62), y_ticks = ticks_of(y, sy, a.height, 42);
  double widest = 26;  // labels of stacked plots then line up
  for (const auto& t : x_ticks) {
    const double px = a.x + sx(t.value) * a.width;
    if (grid && t.major) c.line({px, a.y}, {px, a.bottom()}, 0.8, ink::grid);
    c.line({px, a.bottom()}, {px, a.bottom() + (t.major ? 4 : 2)}, 0.8, ink::frame);
    if (x.show_labels) c.text({px, a.bottom() + 17}, t.label, tick_size, ink::text, Align::center);
  }
  for (const auto& t : y_ticks) {
    const double py = a.bottom() - sy(t.value) * a.height;
    if (grid && t.major) c.line({a.x, py}, {a.right(), py}, 0.8, ink::grid);
    c.line({a.x - (t.major ? 4 : 2), py}, {a.x, py}, 0.8, ink::frame);
    if (!y.show_labels) continue;
    c.text({a.x - 8, py + 0.36 * tick_size}, t.label, tick_size, ink::text, Align::right);
    widest = std::max(widest, c.text_width(t.label, tick_size));
  }
  if (x.show_labels)
    c.text({a.x + 0.5 * a.width, a.bottom() + 37}, x.label, label_size, ink::text, Align::center);
  if (y.show_labels)
    c.vertical_text({a.x - widest - 18, a.y + 0.5 * a.height}, y.label, label_size, ink::text);
}

/// Whether the points themselves are shown: of curves so coarse that the lines between them are only to guide
/// the eye; no bars, limits and sticks.
bool shows_points(const Series& s) {
  constexpr std::size_t few = 12;
  const bool stick = s.x.size() > 1 && std::ranges::all_of(s.x, [&](double x) { return x == s.x[0]; });
  return s.x.size() <= few && s.dashes.empty() && s.width <= 3 && !stick;
}

void draw_curve(Canvas& c, const Rect& a, const Series& s, const Scale& sx, const Scale& sy) {
  const bool points = shows_points(s);
  std::vector<Point> stroke;
  const auto finish = [&] {
    for (std::size_t i = 0; points && i < stroke.size(); ++i)
      c.circle(stroke[i], s.width + 1.6, s.color, true);
    if (stroke.size() > 1) c.polyline(stroke, s.width, s.color, s.dashes);
    stroke.clear();
  };
  for (std::size_t i = 0; i < std::min(s.x.size(), s.y.size()); ++i) {
    if (!sx.shows(s.x[i]) || !sy.shows(s.y[i])) {
      finish();
      continue;
    }
    // Far outside points would overflow Cairo's fixed-point coordinates.
    const double v = std::clamp(sy(s.y[i]), -10.0, 11.0);
    stroke.push_back({a.x + sx(s.x[i]) * a.width, a.bottom() - v * a.height});
  }
  finish();
}

constexpr double legend_line = 19, legend_sample = 30, legend_gap = 8, legend_between = 22;

/// Entries of a legend below, row by row: as many in each as its width holds.
std::vector<std::vector<const Series*>> rows_below(Canvas& c, double width, const LinePlot& plot) {
  std::vector<std::vector<const Series*>> rows;
  double used = width;
  for (const auto& s : plot.series) {
    if (s.name.empty()) continue;
    const double entry = legend_sample + legend_gap + c.text_width(s.name, label_size) + legend_between;
    if (rows.empty() || used + entry > width) {
      rows.emplace_back();
      used = 0;
    }
    rows.back().push_back(&s);
    used += entry;
  }
  return rows;
}

void draw_legend_below(Canvas& c, const Rect& a, const LinePlot& plot) {
  double y = a.bottom() + 60;
  for (const auto& row : rows_below(c, a.width, plot)) {
    double width = -legend_between;
    for (const auto* s : row)
      width += legend_sample + legend_gap + c.text_width(s->name, label_size) + legend_between;
    double x = a.x + 0.5 * (a.width - width);
    for (const auto* s : row) {
      c.line({x, y}, {x + legend_sample, y}, s->width, s->color, s->dashes);
      x += legend_sample + legend_gap;
      c.text({x, y + 0.36 * label_size}, s->name, label_size, ink::text);
      x += c.text_width(s->name, label_size) + legend_between;
    }
    y += legend_line;
  }
}

void draw_legend(Canvas& c, const Rect& a, const LinePlot& plot) {
  double widest = 0;
  int entries = 0;
  for (const auto& s : plot.series)
    if (!s.name.empty()) {
      widest = std::max(widest, c.text_width(s.name, label_size));
      ++entries;
    }
  if (entries == 0 || plot.legend == LinePlot::Legend::none) return;
  if (plot.legend == LinePlot::Legend::below) return draw_legend_below(c, a, plot);
  const double line_height = 19, sample = 30, pad = 9;
  Rect box{0, 0, widest + sample + 3 * pad, entries * line_height + pad};
  using enum LinePlot::Legend;
  box.x = plot.legend == top_right ? a.right() - box.width - 10 : a.x + 10;
  box.y = plot.legend == bottom_left ? a.bottom() - box.height - 10 : a.y + 10;
  c.rectangle(box, rgb(0xffffff));
  c.frame(box, 0.8, ink::grid);
  double y = box.y + 0.5 * pad + 0.5 * line_height;
  for (const auto& s : plot.series) {
    if (s.name.empty()) continue;
    c.line({box.x + pad, y}, {box.x + pad + sample, y}, s.width, s.color, s.dashes);
    c.text({box.x + 2 * pad + sample, y + 0.36 * label_size}, s.name, label_size, ink::text);
    y += line_height;
  }
}

}  // namespace

std::vector<Tick> linear_ticks(double from, double to, int wanted, double step) {
  if (step <= 0) {
    const double raw = (to - from) / std::max(1, wanted);
    const double decade = std::pow(10, std::floor(std::log10(raw)));
    const double lead = raw / decade;
    step = decade * (lead <= 1.4 ? 1 : lead <= 3.2 ? 2 : lead <= 7.1 ? 5 : 10);
  }
  std::vector<Tick> ticks;
  const long first = std::lround(std::ceil(from / step - 1e-9)),
             last = std::lround(std::floor(to / step + 1e-9));
  for (long i = first; i <= last; ++i) ticks.push_back({i * step, pretty_number(i * step, 6), true});
  return ticks;
}

std::vector<Tick> log_ticks(double from, double to, int wanted) {
  const int first = int(std::ceil(std::log10(from) - 1e-9)), last = int(std::floor(std::log10(to) + 1e-9));
  const int stride = std::max(1, (last - first + wanted) / std::max(1, wanted));
  std::vector<Tick> ticks;
  for (int e = first - 1; e <= last; ++e) {
    const double decade = std::pow(10.0, e);
    if (e >= first && (e - first) % stride == 0) ticks.push_back({decade, "10" + superscript(e), true});
    if (stride > 1 || last - first > 6) continue;
    for (int k = 2; k < 10; ++k)
      if (k * decade > from && k * decade < to) ticks.push_back({k * decade, "", false});
  }
  return ticks;
}

int legend_rows(Canvas& c, double width, const LinePlot& plot) {
  return int(rows_below(c, width, plot).size());
}

void draw(Canvas& c, const Rect& a, const LinePlot& plot) {
  const Scale sx = make_scale(plot.x, plot.series, false), sy = make_scale(plot.y, plot.series, true);
  draw_axes(c, a, plot.x, plot.y, sx, sy, true);
  c.clip(a);
  for (const auto& s : plot.series) draw_curve(c, a, s, sx, sy);
  c.unclip();
  c.frame(a, 0.8, ink::frame);
  draw_legend(c, a, plot);
}

void draw_frame(Canvas& c, const Rect& a, const Axis& x, const Axis& y) {
  const Scale sx{x.from.value(), x.to.value(), x.logarithmic},
      sy{y.from.value(), y.to.value(), y.logarithmic};
  draw_axes(c, a, x, y, sx, sy, false);
  c.frame(a, 0.8, ink::frame);
}

void draw(Canvas& c, const Rect& a, const ImagePlot& plot) {
  std::vector<Color> pixels;
  pixels.reserve(plot.values.size());
  for (int row = plot.rows - 1; row >= 0; --row)
    for (int column = 0; column < plot.columns; ++column) {
      const double v = plot.values[std::size_t(row) * plot.columns + column];
      pixels.push_back(std::isnan(v) ? ink::empty
                                     : color_at(plot.map, bar_position(v, plot.low, plot.high, plot.gamma)));
    }
  c.image(a, plot.columns, plot.rows, pixels);
  draw_frame(c, a, plot.x, plot.y);
}

void draw_color_bar(Canvas& c, const Rect& bar, ColorMap map, double low, double high,
                    const std::string& label, double gamma) {
  constexpr int steps = 256;
  std::vector<Color> pixels;
  for (int i = steps - 1; i >= 0; --i) pixels.push_back(color_at(map, (i + 0.5) / steps));
  c.image(bar, 1, steps, pixels);
  c.frame(bar, 0.8, ink::frame);
  double widest = 0, last = std::numeric_limits<double>::infinity();
  const int wanted = gamma == 1 ? std::max(2, int(bar.height / 42)) : 5;  // uneven ticks want more room
  for (const auto& t : linear_ticks(low, high, wanted)) {
    const double y = bar.bottom() - bar_position(t.value, low, high, gamma) * bar.height;
    if (last - y < 1.6 * tick_size) continue;
    last = y;
    c.line({bar.right(), y}, {bar.right() + 4, y}, 0.8, ink::frame);
    c.text({bar.right() + 8, y + 0.36 * tick_size}, t.label, tick_size, ink::text);
    widest = std::max(widest, c.text_width(t.label, tick_size));
  }
  c.vertical_text({bar.right() + widest + 26, bar.y + 0.5 * bar.height}, label, label_size, ink::text);
}

}  // namespace umov::pictures
