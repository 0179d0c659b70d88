// The model as it was understood: permittivity, absorbing layers, sources and monitors.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "fdtd/output/marks.hpp"
#include "fdtd/output/panels.hpp"

namespace umov::fdtd {

using namespace pictures;

namespace {

constexpr double entry_height = 38;
constexpr Color veil = rgb(0x8a7a5c);   // of what absorbs
constexpr Color metal = rgb(0xd8bd84);  // permittivity below 1

/// Cells of a drawn shape, at least large enough to be seen.
void draw_pixels(Canvas& c, const Rect& a, const View& v, const Grid& g, const Cut& cut, const Mark& m) {
  const auto edge = [&](int axis) {
    return g.dx * (m.raster[axis] > 0 ? double(g.cells[axis]) / m.raster[axis] : 1);
  };
  const double du = edge(cut.u), dv = edge(cut.v);
  for (const auto& p : *m.pixels) {
    const double x = g.origin[cut.u] + du * p[cut.u], y = g.origin[cut.v] + dv * p[cut.v];
    const Point low = on_sheet(a, v, x, y), high = on_sheet(a, v, x + du, y + dv);
    const double width = std::max(2.0, high.x - low.x), height = std::max(2.0, low.y - high.y);
    c.rectangle({0.5 * (low.x + high.x - width), 0.5 * (low.y + high.y - height), width, height}, m.color);
  }
}

void draw_arrow(Canvas& c, Point from, const Mark& m, const Cut& cut) {
  const double u = m.arrow[cut.u], v = m.arrow[cut.v], length = 26;
  if (std::hypot(u, v) < 0.05) return;
  const Point to{from.x + length * u, from.y - length * v};
  c.arrow(from, to, 2.2, m.color);
}

void draw_mark(Canvas& c, const Rect& a, const View& v, const Outcome& o, const Cut& cut, const Mark& m) {
  if (m.pixels) return draw_pixels(c, a, v, o.grid, cut, m);
  const auto side = [&](int axis, double sign, double low, double high) {
    const double extent = o.grid.active(axis) ? m.size[axis] : 0;
    return std::clamp(m.center[axis] + sign * 0.5 * extent, low, high);
  };
  const bool flat = !o.grid.active(cut.v);  // one dimension: upright lines
  const Point low = on_sheet(a, v, side(cut.u, -1, v.x0, v.x1), flat ? v.y0 : side(cut.v, -1, v.y0, v.y1));
  const Point high = on_sheet(a, v, side(cut.u, 1, v.x0, v.x1), flat ? v.y1 : side(cut.v, 1, v.y0, v.y1));
  const double width = high.x - low.x, height = low.y - high.y;
  const Point center{0.5 * (low.x + high.x), 0.5 * (low.y + high.y)};
  static constexpr double dashes[] = {6, 4};
  if (width < 0.5 && height < 0.5) {
    // A monitor on a source leaves a ring of it.
    const double radius = m.source ? 6.5 : 3.6;
    c.circle(center, radius + 1.2, rgb(0xffffff), true);
    c.circle(center, radius, m.color, true);
  } else if (width < 0.5 || height < 0.5) {
    c.line(low, high, 4.4, rgb(0xffffff));
    c.line(low, high, 2.8, m.color);
  } else if (flat) {  // a span of one dimension: its two ends
    for (const double x : {low.x, high.x})
      c.line({x, low.y}, {x, high.y}, 1.8, m.color,
             m.dashed ? std::span<const double>(dashes) : std::span<const double>());
  } else {
    const Point corners[] = {low, {high.x, low.y}, high, {low.x, high.y}, low};
    if (m.dashed)
      c.polyline(corners, 1.8, m.color, dashes);
    else
      c.polyline(corners, 1.8, m.color);
  }
  // From the side at which a wave enters a box.
  draw_arrow(c, {center.x - 0.5 * width * m.arrow[cut.u], center.y + 0.5 * height * m.arrow[cut.v]}, m, cut);
}

/// Absorbing layers: a veil with diagonal strokes.
void draw_layers(Canvas& c, const Rect& a, const View& v, const Outcome& o, const Cut& cut) {
  const auto depth = [&](int axis, int side) {
    return o.simulation.pml.layers * o.grid.edge(axis, side == 0 ? 0 : o.grid.cells[axis] - 1);
  };
  const auto strip = [&](double x0, double x1, double y0, double y1) {
    const Point p = on_sheet(a, v, x0, y1), q = on_sheet(a, v, x1, y0);
    const Rect r{p.x, p.y, q.x - p.x, q.y - p.y};
    c.shade(r, veil, 0.16);
    std::vector<Point> strokes;
    for (double x = r.x - r.height; x < r.right(); x += 7) {
      strokes.push_back({x, r.bottom()});
      strokes.push_back({x + r.height, r.y});
    }
    c.clip(r);
    c.segments(strokes, 0.7, veil, 0.45);
    c.unclip();
  };
  const auto absorbing = [&](int axis, int side) {
    return o.grid.active(axis) && o.simulation.walls[axis][side] == WallKind::pml;
  };
  const double low = absorbing(cut.v, 0) ? v.y0 + depth(cut.v, 0) : v.y0,
               high = absorbing(cut.v, 1) ? v.y1 - depth(cut.v, 1) : v.y1;
  if (absorbing(cut.v, 0)) strip(v.x0, v.x1, v.y0, low);
  if (absorbing(cut.v, 1)) strip(v.x0, v.x1, high, v.y1);
  if (absorbing(cut.u, 0)) strip(v.x0, v.x0 + depth(cut.u, 0), low, high);
  if (absorbing(cut.u, 1)) strip(v.x1 - depth(cut.u, 1), v.x1, low, high);
}

}  // namespace

ColorScale permittivity_scale(const Outcome& o) {
  ColorScale scale{1, 2, 1, ColorMap::slate, false, metal};
  double high = 1;
  for (const double v : o.permittivity.real)
    if (std::isfinite(v)) high = std::max(high, v);
  scale.high = high > 1 ? high : 2;
  return scale;
}

void draw_model(Canvas& c, const Rect& a, const View& v, const Outcome& o, const Cut& cut) {
  if (o.grid.active(cut.v)) {
    const Raster eps = permittivity_raster(o, cut, 0);
    if (!eps.empty()) paint(c, a, v, eps, permittivity_scale(o), Reduction::mean);
    draw_outlines(c, a, v, eps, rgb(0x28323c), 0.35);
  } else {
    shade_profile(c, a, o, v.x0, v.x1);
  }
  draw_layers(c, a, v, o, cut);
  draw_absorbers(c, a, v, o, cut, veil);
  c.clip(a);
  for (const auto& mark : marks_of(o)) draw_mark(c, a, v, o, cut, mark);
  c.unclip();
  draw_view_frame(c, a, v, o.grid.active(cut.v));
}

double model_legend_height(const Outcome& o, double most) {
  const double entries = double(o.simulation.sources.size() + o.simulation.monitors.size()) + 2;
  return std::min(most, entries * entry_height);
}

void draw_model_legend(Canvas& c, Point at, double height, const Outcome& o) {
  const auto marks = marks_of(o);
  const std::size_t fit = std::size_t(std::max(1.0, std::floor(height / entry_height)));
  const std::size_t shown = marks.size() <= fit ? marks.size() : fit - 1;
  double y = at.y + 12;
  for (std::size_t i = 0; i < shown; ++i, y += entry_height) {
    c.circle({at.x + 5, y - 4}, 5, marks[i].color, true);
    c.text({at.x + 20, y}, marks[i].name, 12, ink::text, Align::left, true);
    c.text({at.x + 20, y + 15}, marks[i].text, 10.5, ink::muted);
  }
  if (std::any_of(o.permittivity.real.begin(), o.permittivity.real.end(), [](double v) { return v < 1; })) {
    c.rectangle({at.x, y - 10, 11, 11}, metal);
    c.text({at.x + 20, y}, "permittivity below 1", 12, ink::text);
    y += entry_height;
  }
  if (shown < marks.size())
    c.text({at.x + 20, y}, fmt::format("and {} more", marks.size() - shown), 12, ink::muted);
}

}  // namespace umov::fdtd
