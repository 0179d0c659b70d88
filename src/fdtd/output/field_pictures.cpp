// Sheets of the model, of final fields, snapshots and Fourier fields.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "fdtd/monitors/fourier.hpp"
#include "fdtd/monitors/names.hpp"
#include "fdtd/monitors/snapshot.hpp"
#include "fdtd/output/pictures.hpp"
#include "fdtd/sources/kind.hpp"
#include "fdtd/wall_kind.hpp"
#include "pictures/sheet.hpp"

namespace umov::fdtd {

using namespace pictures;

namespace {

constexpr double bar_side = 130;

/// One panel of a sheet of fields.
struct Panel {
  Cut cut;
  double depth;
  Raster raster;
};

std::string unfinished(const Outcome& o) { return o.converged ? "" : "  (stopped at the limit)"; }

std::string caption(const Outcome& o, const ColorScale& scale, const std::vector<Panel>& panels) {
  std::string text = run_caption(o);
  if (scale.saturated) text += "; the largest 0.2 % saturate";
  const auto has_void = [](const Panel& p) {
    return std::any_of(p.raster.values.begin(), p.raster.values.end(),
                       [](double v) { return std::isnan(v); });
  };
  if (std::any_of(panels.begin(), panels.end(), has_void)) text += "; grey is not a number";
  return text;
}

/// A heading above each of several panels: "z = 0".
void draw_depth(Canvas& c, const Rect& a, const Panel& p) {
  c.text({a.x, a.y - 9}, fmt::format("{} = {}", axis_name(p.cut.w), pretty_number(p.depth, 3)), 12,
         ink::text);
}

std::vector<double> all_values(const std::vector<Panel>& panels) {
  std::vector<double> values;
  for (const auto& p : panels) values.insert(values.end(), p.raster.values.begin(), p.raster.values.end());
  return values;
}

void field_sheet(const Outcome& o, const std::string& heading, const std::string& label,
                 const std::vector<Panel>& panels, const std::vector<View>& views, const ColorScale& scale,
                 const std::string& path) {
  const auto sheet = arrange(views, bar_side);
  Canvas c(sheet.width, sheet.height);
  title(c, heading, caption(o, scale, panels));
  for (std::size_t i = 0; i < panels.size(); ++i) {
    draw_field(c, sheet.areas[i], views[i], o, panels[i].raster, panels[i].cut, panels[i].depth, scale);
    if (panels.size() > 1) draw_depth(c, sheet.areas[i], panels[i]);
  }
  draw_scale(c, sheet.bar, scale, label);
  c.write_png(path);
}

void curve_sheet(const Outcome& o, const std::string& heading, const std::string& label, const Raster& raster,
                 const std::string& path) {
  Canvas c(920, 480);
  title(c, heading, run_caption(o));
  draw_field_curve(c, {92, 88, c.width() - 122, c.height() - 148}, o, raster, label);
  c.write_png(path);
}

/// A region of one row or column as a curve along it.
Raster as_row(const Raster& r) {
  if (r.rows == 1 || r.columns > 1) return r;
  return {r.rows, 1, r.y0, r.y1, r.x0, r.x1, r.values};
}

void draw_line(const Outcome& o, const Raster& r, const Cut& cut, const std::string& heading,
               const std::string& label, const std::string& path) {
  const Raster row = as_row(r);
  Series s;
  const double dx = (row.x1 - row.x0) / row.columns;
  for (int i = 0; i < row.columns; ++i) {
    s.x.push_back(row.x0 + (i + 0.5) * dx);
    s.y.push_back(row.at(i, 0));
  }
  LinePlot plot;
  plot.x.label = length_label(axis_name(r.columns > 1 ? cut.u : cut.v));
  plot.y.label = label;
  plot.series = {s};
  plot_picture(o, {heading, plot, false}, path);
}

/// The planes through the middle of a region of nodes, or its line; `raster(cut)` reads one.
template <class ReadCut>
void region_picture(const Outcome& o, const Vec3& origin, const Int3& size, const std::string& heading,
                    const std::string& label, const ReadCut& raster, const std::string& path) {
  std::vector<Panel> panels;
  std::vector<View> views;
  for (const auto& cut : cuts_of(o.grid)) {
    Raster r = raster(cut);
    if (r.columns < 2 || r.rows < 2) continue;
    views.push_back(raster_view(r, cut));
    panels.push_back(
        {cut, o.grid.place(cut.w, o.grid.index(cut.w, origin[cut.w]) + size[cut.w] / 2), std::move(r)});
  }
  if (!panels.empty())
    return field_sheet(o, heading, label, panels, views, intensity_scale(all_values(panels)), path);
  for (const auto& cut : cuts_of(o.grid)) {
    const Raster r = raster(cut);
    if (r.columns > 1 || r.rows > 1) return draw_line(o, r, cut, heading, label, path);
  }
}

/// "|E|² at f = 0.5, wavelength 2".
std::string at_frequency(const std::string& what, double f) {
  return fmt::format("{} at f = {}, wavelength {}", what, pretty_number(f), pretty_number(1 / f));
}

}  // namespace

double middle(const Grid& g, const Cut& cut) {
  return g.active(cut.w) ? g.place(cut.w, g.cells[cut.w] / 2) : 0;
}

namespace {

/// One column or row more, which is the first one times a factor.
void append_first(Raster& r, bool column, double factor, const Raster* other = nullptr,
                  double other_factor = 0) {
  Raster wider = r;
  ++(column ? wider.columns : wider.rows);
  (column ? wider.x1 : wider.y1) += column ? (r.x1 - r.x0) / r.columns : (r.y1 - r.y0) / r.rows;
  wider.values.clear();
  for (int j = 0; j < wider.rows; ++j)
    for (int i = 0; i < wider.columns; ++i) {
      const bool beyond = i == r.columns || j == r.rows;
      const int u = i == r.columns ? 0 : i, v = j == r.rows ? 0 : j;
      const double more = beyond && other ? other_factor * other->at(u, v) : 0;
      wider.values.push_back((beyond ? factor : 1) * r.at(u, v) + more);
    }
  r = std::move(wider);
}

/// The nodes on the high side of a period are those on its low side, turned by the phase of Bloch walls:
/// without them half a cell would be missing there.
void close_period(Raster& r, Raster& imaginary, const Outcome& o, Component c, const Cut& cut) {
  for (const int axis : {cut.u, cut.v}) {
    const bool column = axis == cut.u;
    const WallKind wall = o.simulation.walls[axis][0];
    if (!o.grid.active(axis) || !wraps(wall) || o.grid.offset(c, axis) != 0 ||
        (column ? r.columns : r.rows) != o.grid.cells[axis])
      continue;
    if (imaginary.empty()) {
      append_first(r, column, 1);
      continue;
    }
    const double length = o.grid.length(axis);
    const double angle = turns(wall) ? 2 * pi * o.simulation.bloch[axis] * length : 0;
    const Raster before = r;
    append_first(r, column, std::cos(angle), &imaginary, -std::sin(angle));
    append_first(imaginary, column, std::cos(angle), &before, std::sin(angle));
  }
}

}  // namespace

Raster final_raster(const Outcome& o, Component component, const Cut& cut) {
  for (const auto& [c, block] : o.final_fields)
    if (c == component) {
      Raster r = field_raster(o.grid, c, block, cut), imaginary;
      if (r.empty()) continue;
      if (block.imag.size() == block.real.size()) {
        FieldBlock other = block;
        std::swap(other.real, other.imag);
        imaginary = field_raster(o.grid, c, other, cut);
      }
      close_period(r, imaginary, o, c, cut);
      return r;
    }
  return {};
}

bool has_field(const Outcome& o, Component component) {
  return !final_raster(o, component, cuts_of(o.grid)[0]).empty();
}

std::optional<Component> main_component(const Outcome& o) {
  std::optional<Component> best;
  double largest = -1;
  for (const auto& [component, block] : o.final_fields) {
    if (!has_field(o, component)) continue;
    double size = 0;
    for (const double v : block.real)
      if (std::isfinite(v)) size = std::max(size, std::abs(v));
    for (const auto& s : o.simulation.sources)
      if (s.component == component && traits_of(s).current) size = 1e300;
    if (size > largest) {
      largest = size;
      best = component;
    }
  }
  return best;
}

void model_picture(const Outcome& o, const std::string& path) {
  const auto cuts = cuts_of(o.grid);
  const bool line = dimensions(o.grid.mode) == 1;
  std::vector<View> views;
  for (const auto& cut : cuts) views.push_back(domain_view(o.grid, cut));
  constexpr double side = 360;
  const double legend = model_legend_height(o, 620);
  PanelSheet sheet;
  if (line)
    sheet = {1060, std::max(340, int(legend) + 160), {{60, 96, 620, 150}}, {704, 96, 15, 150}};
  else
    sheet = arrange(views, side, legend);
  Canvas c(sheet.width, sheet.height);
  title(c, "Model", run_caption(o));
  for (std::size_t i = 0; i < cuts.size(); ++i) {
    draw_model(c, sheet.areas[i], views[i], o, cuts[i]);
    if (cuts.size() > 1) draw_depth(c, sheet.areas[i], {cuts[i], middle(o.grid, cuts[i]), {}});
  }
  draw_scale(c, sheet.bar, permittivity_scale(o), "relative permittivity");
  draw_model_legend(c, {sheet.bar.right() + 92, sheet.bar.y}, c.height() - sheet.bar.y - 20, o);
  c.write_png(path);
}

void field_picture(const Outcome& o, Component component, const std::string& path) {
  const std::string name = word(component);
  const std::string heading = fmt::format("{} at t = {}{}", name, pretty_number(o.time), unfinished(o));
  std::vector<Panel> panels;
  std::vector<View> views;
  for (const auto& cut : cuts_of(o.grid)) {
    panels.push_back({cut, middle(o.grid, cut), final_raster(o, component, cut)});
    views.push_back(domain_view(o.grid, cut));
  }
  if (dimensions(o.grid.mode) == 1) return curve_sheet(o, heading, name, panels[0].raster, path);
  field_sheet(o, heading, name, panels, views, symmetric_scale(all_values(panels)), path);
}

Cut snapshot_cut(const Grid& g, const Snapshot& s) {
  if (dimensions(g.mode) == 3)
    for (const auto& cut : cuts_of(g))
      if (s.size[cut.w] == 1) return cut;
  return {};
}

double snapshot_depth(const Outcome& o, const Snapshot& s) {
  const auto* m = find_monitor(o.simulation, s.name);
  const Cut cut = snapshot_cut(o.grid, s);
  const SnapshotSpec own = m ? m->own<SnapshotSpec>() : SnapshotSpec{};
  return m && o.grid.active(cut.w) && own.plane == cut.w ? own.plane_at : middle(o.grid, cut);
}

Raster snapshot_raster(const Outcome& o, const Snapshot& s) {
  const Cut cut = snapshot_cut(o.grid, s);
  const auto& g = o.grid;
  Raster r;
  r.columns = s.size[cut.u];
  r.rows = s.size[cut.v];
  if (s.values.size() != std::size_t(r.columns) * r.rows) return {};
  if (g.graded() && r.columns >= g.cells[cut.u] && r.rows >= g.cells[cut.v]) {
    r.values.assign(s.values.begin(), s.values.end());
    place(r, g, cut, g.offset(s.component, cut.u), g.offset(s.component, cut.v));
    return r;
  }
  // A snapshot may be coarser than the grid.
  const Vec3 first = g.position(s.component, {0, 0, 0});
  // Beside a magnetic wall there is one node more than cells.
  r.x0 = first[cut.u] - 0.5 * g.dx;
  r.x1 = r.x0 + g.dx * std::max(r.columns, g.cells[cut.u]);
  r.y0 = first[cut.v] - 0.5 * g.dx;
  r.y1 = r.y0 + g.dx * std::max(r.rows, g.cells[cut.v]);
  r.values.assign(s.values.begin(), s.values.end());
  return r;
}

void snapshot_picture(const Outcome& o, const Snapshot& s, const ColorScale& scale, const std::string& path) {
  const std::string name = word(s.component);
  const std::string heading = fmt::format("{} at t = {}", name, pretty_number(s.time));
  const Panel panel{snapshot_cut(o.grid, s), snapshot_depth(o, s), snapshot_raster(o, s)};
  if (dimensions(o.grid.mode) == 1) return curve_sheet(o, heading, name, panel.raster, path);
  field_sheet(o, heading, name, {panel}, {domain_view(o.grid, panel.cut)}, scale, path);
}

void fourier_picture(const Outcome& o, const FourierResult& f, std::size_t frequency,
                     const std::string& path) {
  const bool electric = std::any_of(f.components.begin(), f.components.end(), is_electric);
  const std::string what = electric ? "|E|²" : "|H|²";
  region_picture(
      o, f.origin, f.size, at_frequency(what, f.frequency[frequency]), what,
      [&](const Cut& cut) { return intensity_raster(o.grid, f, frequency, cut); }, path);
}

void map_picture(const Outcome& o, const NodeMap& m, std::size_t frequency, const std::string& path) {
  region_picture(
      o, m.origin, m.size, at_frequency(m.title, m.frequency[frequency]), m.quantity,
      [&](const Cut& cut) { return map_raster(o.grid, m, frequency, cut); }, path);
}

}  // namespace umov::fdtd
