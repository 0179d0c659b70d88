// Placing panels and painting rasters into them.
#include "fdtd/output/panels.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "fdtd/grid_text.hpp"
#include "fdtd/monitors/names.hpp"
#include "fdtd/wall_kind.hpp"
#include "pictures/sheet.hpp"

namespace umov::fdtd {

using namespace pictures;

namespace {

std::string walls_caption(const Outcome& o) {
  std::vector<std::string> axes;
  for (int a = 0; a < dimensions(o.grid.mode); ++a) {
    const auto& w = o.simulation.walls[a];
    axes.push_back(w[0] == w[1] ? traits(w[0]).title
                                : fmt::format("{} | {}", traits(w[0]).title, traits(w[1]).title));
  }
  if (std::all_of(axes.begin(), axes.end(), [&](const auto& t) { return t == axes[0]; }))
    return axes[0] + " on all sides";
  std::string text;
  for (std::size_t a = 0; a < axes.size(); ++a)
    text += fmt::format("{}{}: {}", a ? ", " : "", axis_name(int(a)), axes[a]);
  return text;
}

}  // namespace

std::string length_label(const std::string& what) { return what + " (units)"; }

View domain_view(const Grid& g, const Cut& cut) {
  const auto end = [&](int a) { return g.origin[a] + g.length(a); };
  return {g.origin[cut.u],
          end(cut.u),
          g.origin[cut.v],
          end(cut.v),
          length_label(axis_name(cut.u)),
          length_label(axis_name(cut.v))};
}

View raster_view(const Raster& r, const Cut& cut) {
  return {r.x0, r.x1, r.y0, r.y1, length_label(axis_name(cut.u)), length_label(axis_name(cut.v))};
}

void draw_outlines(Canvas& c, const Rect& a, const View& v, const Raster& eps, Color color, double opacity) {
  if (eps.empty()) return;
  const Raster shown = reduced(eps, 1600, Reduction::mean);
  auto points = contours(shown, outline_levels(shown));
  for (auto& p : points) p = on_sheet(a, v, p.x, p.y);
  c.clip(a);
  c.segments(points, 0.9, color, opacity);
  c.unclip();
}

void shade_profile(Canvas& c, const Rect& a, const Outcome& o, double x0, double x1) {
  const Raster eps = permittivity_raster(o, {}, 0);
  const View v{x0, x1, 0, 1, "", ""};
  const auto scale = permittivity_scale(o);
  c.clip(a);
  if (!eps.empty()) {
    const Raster shown = reduced(eps, 1600, Reduction::mean);
    const double dx = (shown.x1 - shown.x0) / shown.columns;
    for (int i = 0, end = 0; i < shown.columns; i = end) {  // one column per run of equal values: no seams
      while (end < shown.columns && shown.at(end, 0) == shown.at(i, 0)) ++end;
      const Point p = on_sheet(a, v, shown.x0 + i * dx, 1), q = on_sheet(a, v, shown.x0 + end * dx, 0);
      c.shade({p.x, p.y, q.x - p.x, q.y - p.y}, scale(shown.at(i, 0)), 0.45);
    }
  }
  c.unclip();
}

void draw_field(Canvas& c, const Rect& a, const View& v, const Outcome& o, const Raster& field,
                const Cut& cut, double depth, const ColorScale& scale) {
  c.rectangle(a, scale(0));  // half a cell at some edges has no value of its own
  paint(c, a, v, field, scale);
  const bool dark = scale.map == ColorMap::inferno;
  draw_outlines(c, a, v, permittivity_raster(o, cut, depth), dark ? rgb(0xffffff) : rgb(0x28323c),
                dark ? 0.45 : 0.5);
  draw_view_frame(c, a, v);
}

void draw_field_curve(Canvas& c, const Rect& a, const Outcome& o, const Raster& field,
                      const std::string& label) {
  Series s;
  const double dx = (field.x1 - field.x0) / field.columns;
  for (int i = 0; i < field.columns; ++i) {
    s.x.push_back(field.x0 + (i + 0.5) * dx);
    s.y.push_back(field.at(i, 0));
  }
  LinePlot plot;
  const View v = domain_view(o.grid, {});
  plot.x = {v.x_label, false, std::max(v.x0, field.x0), std::min(v.x1, field.x1)};
  plot.y.label = label;
  if (std::all_of(s.y.begin(), s.y.end(), [](double y) { return !(y != 0); }))
    plot.y.from = -1, plot.y.to = 1;  // nothing yet: a line in the middle
  plot.series = {s};
  shade_profile(c, a, o, *plot.x.from, *plot.x.to);
  draw(c, a, plot);
}

std::string run_caption(const Outcome& o) {
  const auto& g = o.grid;
  std::string cells;
  for (int a = 0; a < dimensions(g.mode); ++a) cells += (a ? " × " : "") + grouped(std::size_t(g.cells[a]));
  std::string text = fmt::format("{} cells of {} units, {}", cells,
                                 g.graded() ? edges_text(g, 3) : pretty_number(g.dx), walls_caption(o));
  if (o.simulation.unit_um != 1) text += fmt::format("; unit = {} µm", pretty_number(o.simulation.unit_um));
  return text + fmt::format("; {} steps to t = {}", grouped(std::size_t(o.steps)), pretty_number(o.time));
}

}  // namespace umov::fdtd
