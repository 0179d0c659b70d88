// Pictures of an electroquasistatic run: cuts, curves along lines, curves over time, an overview.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <functional>
#include <limits>

#include "core/text.hpp"
#include "eqs/output/results.hpp"
#include "pictures/panels.hpp"
#include "pictures/plot.hpp"
#include "pictures/sheet.hpp"

namespace umov::eqs {

using namespace pictures;

using std::string;

namespace {

/// A unit with a prefix that keeps the numbers of a plot short.
struct Scaled {
  double factor = 1;  ///< values are multiplied by it
  string unit;
};

Scaled prefixed(double largest, const string& unit) {
  static constexpr struct {
    double size;
    const char* prefix;
  } prefixes[] = {{1e9, "G"},  {1e6, "M"},  {1e3, "k"},   {1, ""},      {1e-3, "m"},
                  {1e-6, "µ"}, {1e-9, "n"}, {1e-12, "p"}, {1e-15, "f"}, {1e-18, "a"}};
  if (!(largest > 0) || !std::isfinite(largest)) return {1, unit};
  for (const auto& p : prefixes)
    if (largest >= 0.9995 * p.size) return {1 / p.size, p.prefix + unit};
  return {1, unit};
}

Scaled length_unit(double extent) {
  if (extent >= 1) return {1, "m"};
  return extent >= 0.2 ? Scaled{100, "cm"} : extent >= 2e-4 ? Scaled{1e3, "mm"} : Scaled{1e6, "µm"};
}

double largest_of(const std::vector<Series>& series) {
  double most = 0;
  for (const auto& s : series)
    for (const double y : s.y)
      if (std::isfinite(y)) most = std::max(most, std::abs(y));
  return most;
}

/// "|E| (kV/m)" and the like: brings all curves to one unit.
void scale(LinePlot& plot, const string& quantity, const string& unit) {
  const Scaled s = prefixed(largest_of(plot.series), unit);
  for (auto& series : plot.series)
    for (double& y : series.y) y *= s.factor;
  plot.y.label = fmt::format("{} ({})", quantity, s.unit);
}

Color color_of(std::size_t i) {
  static constexpr Color list[] = {ink::blue,     ink::orange,   ink::green,    ink::gold,
                                   rgb(0x7b5ea7), rgb(0x4c5866), rgb(0x17a2b8), rgb(0xa0522d)};
  return list[i % std::size(list)];
}

string caption(const Outcome& o) {
  const auto& file = o.simulation.mesh.file;
  return fmt::format("{}{} tetrahedra of {} order, {} unknowns",
                     file.empty() ? "" : std::filesystem::path(file).filename().string() + ": ",
                     grouped(o.model.elements), o.model.order == 2 ? "second" : "first",
                     grouped(o.model.unknowns));
}

string unfinished(const Outcome& o) { return o.converged ? "" : "  (not converged)"; }

string moment(const Outcome& o, double time) {
  if (o.harmonic()) return fmt::format("peak values at {} Hz", shortest(o.simulation.time.frequency));
  if (o.simulation.analysis != Analysis::transient) return "static";
  return "t = " + format_time(time);
}

// Cuts.

/// One cut prepared for painting, in a unit of length that fits.
struct CutPicture {
  Raster field, potential;
  std::vector<double> materials;  ///< per pixel
  View view;
  ColorScale colors;
  string unit, heading, note;
};

Raster raster_of(const CutResult& cut, const std::vector<float>& values, double length, double factor) {
  Raster r;
  r.columns = cut.columns;
  r.rows = cut.rows;
  r.x0 = cut.u0 * length, r.x1 = cut.u1 * length;
  r.y0 = cut.v0 * length, r.y1 = cut.v1 * length;
  for (const float v : values) r.values.push_back(double(v) * factor);
  return r;
}

/// A round distance of equipotentials, some twenty of them.
double level_distance(double range) {
  const double raw = range / 20, decade = std::pow(10, std::floor(std::log10(raw)));
  for (const double lead : {1.0, 2.0, 2.5, 5.0})
    if (lead * decade >= raw * 0.999) return lead * decade;
  return 10 * decade;
}

CutPicture prepare(const Outcome& o, const CutResult& cut) {
  CutPicture p;
  const int u = cut.normal == 0 ? 1 : 0, v = cut.normal == 2 ? 1 : 2;
  const Scaled length = length_unit(std::max(cut.u1 - cut.u0, cut.v1 - cut.v0));
  double most = 0;
  for (const float e : cut.field)
    if (std::isfinite(e)) most = std::max(most, double(e));
  const Scaled field = prefixed(most, "V/m");
  p.unit = field.unit;
  p.field = raster_of(cut, cut.field, length.factor, field.factor);
  p.potential = raster_of(cut, cut.potential, length.factor, 1);
  p.materials.assign(cut.material.begin(), cut.material.end());
  p.view = {p.field.x0,
            p.field.x1,
            p.field.y0,
            p.field.y1,
            fmt::format("{} ({})", "xyz"[u], length.unit),
            fmt::format("{} ({})", "xyz"[v], length.unit)};
  p.colors = intensity_scale(p.field.values);
  p.colors.nothing = rgb(0xbcc4cd);
  p.heading = fmt::format("|E| on {} = {} {}, {}", "xyz"[cut.normal],
                          pretty_number(cut.position * length.factor, 4), length.unit, moment(o, cut.time));
  if (p.colors.saturated)
    p.note = fmt::format("; colours end below the largest, {} {}", pretty_number(most * field.factor, 4),
                         field.unit);
  return p;
}

std::vector<double> equipotentials(const CutPicture& p, string& text) {
  double low = std::numeric_limits<double>::infinity(), high = -low;
  for (const double v : p.potential.values)
    if (std::isfinite(v)) low = std::min(low, v), high = std::max(high, v);
  if (!(high > low) || high - low < 1e-9 * std::max(std::abs(high), std::abs(low))) return {};
  const double step = level_distance(high - low);
  const Scaled unit = prefixed(step, "V");
  text = fmt::format("equipotentials every {} {}", pretty_number(step * unit.factor, 3), unit.unit);
  std::vector<double> levels;
  for (double k = std::ceil(low / step); k * step <= high; ++k) levels.push_back(k * step);
  return levels;
}

/// Where the material changes: each material's own border, by marching squares over its pixels.
std::vector<Point> borders(const CutPicture& p) {
  std::vector<double> present = p.materials;
  std::sort(present.begin(), present.end());
  present.erase(std::unique(present.begin(), present.end()), present.end());
  std::vector<Point> out;
  if (present.size() < 2) return out;
  Raster one = p.field;
  for (const double m : present) {
    for (std::size_t i = 0; i < one.values.size(); ++i) one.values[i] = p.materials[i] == m ? 1 : 0;
    const auto lines = contours(one, {0.5});
    out.insert(out.end(), lines.begin(), lines.end());
  }
  return out;
}

/// Returns what the lines are, in words.
string draw_cut(Canvas& c, const Rect& area, const CutPicture& p) {
  c.rectangle(area, p.colors.nothing);
  paint(c, area, p.view, p.field, p.colors, Reduction::mean);
  string text;
  auto lines = contours(p.potential, equipotentials(p, text));
  auto edges = borders(p);
  for (auto* list : {&lines, &edges})
    for (auto& x : *list) x = on_sheet(area, p.view, x.x, x.y);
  c.clip(area);
  // A dark seam under the white line shows on the light end of the colours, too.
  c.segments(lines, 1.9, rgb(0x1a1026), 0.35);
  c.segments(lines, 0.8, rgb(0xffffff), 0.85);
  c.segments(edges, 1.3, rgb(0x8fd3ff), 0.9);
  c.unclip();
  draw_view_frame(c, area, p.view);
  return text;
}

void cut_sheet(const Outcome& o, const CutResult& cut, const string& path) {
  const CutPicture p = prepare(o, cut);
  const auto sheet = arrange({p.view}, 140);
  Canvas c(sheet.width, sheet.height);
  const string lines = draw_cut(c, sheet.areas[0], p);
  title(c, p.heading + unfinished(o), caption(o) + (lines.empty() ? "" : "; " + lines) + p.note);
  draw_scale(c, sheet.bar, p.colors, fmt::format("|E| ({})", p.unit));
  c.write_png(path);
}

// Curves over time.

std::vector<double> times(const Outcome& o, double factor) {
  std::vector<double> t;
  for (const Record& r : o.history) t.push_back(r.time * factor);
  return t;
}

struct TimeAxis {
  double factor = 1;
  string label;
};

TimeAxis time_axis(const Outcome& o) {
  const Scaled s = prefixed(o.end, "s");
  return {s.factor, fmt::format("time ({})", s.unit)};
}

template <class F>
LinePlot over_time(const Outcome& o, const std::vector<string>& names, const string& quantity,
                   const string& unit, const F& f) {
  LinePlot plot;
  const TimeAxis axis = time_axis(o);
  plot.x.label = axis.label;
  plot.x.from = 0;
  plot.x.to = o.end * axis.factor;
  for (std::size_t i = 0; i < names.size(); ++i) {
    Series s;
    s.name = names[i];
    s.color = color_of(i);
    s.x = times(o, axis.factor);
    for (const Record& r : o.history) s.y.push_back(f(r, i));
    plot.series.push_back(std::move(s));
  }
  plot.legend = LinePlot::Legend::below;
  scale(plot, quantity, unit);
  return plot;
}

double at(const std::vector<double>& list, std::size_t i) { return i < list.size() ? list[i] : 0; }

LinePlot peaks_plot(const Outcome& o) {
  auto plot = over_time(o, o.material_names, "largest |E|", "V/m", [](const Record& r, std::size_t m) {
    return m < r.seen.peaks.size() ? r.seen.peaks[m].field : 0;
  });
  plot.y.from = 0;
  return plot;
}

LinePlot currents_plot(const Outcome& o) {
  return over_time(o, o.electrode_names, "current", "A",
                   [](const Record& r, std::size_t e) { return at(r.seen.current, e); });
}

LinePlot potentials_plot(const Outcome& o) {
  return over_time(o, o.electrode_names, "potential", "V",
                   [](const Record& r, std::size_t e) { return at(r.seen.potential, e); });
}

LinePlot power_plot(const Outcome& o) {
  auto plot = over_time(o, o.material_names, "lost power", "W",
                        [](const Record& r, std::size_t m) { return at(r.seen.material_power, m); });
  return plot;
}

/// Plots one above the other.
void stack(const Outcome& o, const string& heading, std::vector<LinePlot> plots, const string& path) {
  constexpr double left = 100, right = 36, top = 92, height = 230;
  const double width = 940;
  double total = top;
  std::vector<double> heights;
  {
    Canvas measure(int(width), 10);
    for (const auto& plot : plots) {
      heights.push_back(height + 62 + 19 * legend_rows(measure, width - left - right, plot));
      total += heights.back();
    }
  }
  Canvas c(int(width), int(total + 12));
  title(c, heading + unfinished(o), caption(o));
  double y = top;
  for (std::size_t i = 0; i < plots.size(); ++i) {
    draw(c, {left, y, width - left - right, height}, plots[i]);
    y += heights[i];
  }
  c.write_png(path);
}

// Lines.

std::vector<double> row(const std::vector<float>& list, std::size_t time, std::size_t n) {
  return {list.begin() + std::ptrdiff_t(time * n), list.begin() + std::ptrdiff_t((time + 1) * n)};
}

void line_sheet(const Outcome& o, const LineResult& l, const string& path) {
  const std::size_t n = l.length.size(), peak = peak_index(o);
  if (l.potential.size() < (peak + 1) * n) return;
  const Scaled length = length_unit(l.length.back());
  std::vector<double> x;
  for (const double s : l.length) x.push_back(s * length.factor);
  const auto plot = [&](std::vector<std::pair<string, std::vector<double>>> curves, const string& quantity,
                        const string& unit) {
    LinePlot p;
    p.x.label = fmt::format("length along the path ({})", length.unit);
    for (std::size_t i = 0; i < curves.size(); ++i)
      p.series.push_back({curves[i].first, x, std::move(curves[i].second), color_of(i), 2, {}});
    p.legend = LinePlot::Legend::below;
    scale(p, quantity, unit);
    return p;
  };
  auto fields = plot({{"|E|", row(l.magnitude, peak, n)},
                      {"along the path", row(l.tangential, peak, n)},
                      {"across the path", row(l.normal, peak, n)}},
                     "field strength", "V/m");
  auto potential = plot({{"", row(l.potential, peak, n)}}, "potential", "V");
  stack(o, fmt::format("Line {}, {}", l.name, moment(o, o.saved_times[peak])), {fields, potential}, path);
}

/// The cut at its largest field beside the curves over time.
void overview(const Outcome& o, const string& path) {
  if (o.cuts_at_peak.empty()) return;
  const CutPicture p = prepare(o, o.cuts_at_peak.front());
  const bool curves = o.history.size() > 2;
  if (!curves) return cut_sheet(o, o.cuts_at_peak.front(), path);
  const double slot_width = 560, slot_height = 620, top = 96, left = 86;
  const double s = std::min(slot_width / p.view.width(), slot_height / p.view.height());
  const double width = std::max(120.0, s * p.view.width()), height = std::max(200.0, s * p.view.height());
  const double shown = std::max(height, 560.0), x = left + width + 190, plot_width = 430;
  Canvas c(int(x + plot_width + 36), int(top + shown + 62));
  const Rect area{left, top + 0.5 * (shown - height), width, height};
  const string lines = draw_cut(c, area, p);
  title(c, p.heading + unfinished(o), caption(o) + (lines.empty() ? "" : "; " + lines) + p.note);
  draw_scale(c, {area.right() + 20, area.y, 14, area.height}, p.colors, fmt::format("|E| ({})", p.unit));
  const LinePlot plots[] = {peaks_plot(o), currents_plot(o)};
  double used[2], total = 0;
  for (int i = 0; i < 2; ++i) total += used[i] = 62 + 19 * legend_rows(c, plot_width, plots[i]);
  const double each = 0.5 * (shown + 46 - total);
  double y = top;
  for (int i = 0; i < 2; ++i) {
    draw(c, {x, y, plot_width, each}, plots[i]);
    y += each + used[i];
  }
  c.write_png(path);
}

}  // namespace

void draw_pictures(const Outcome& o, const string& folder) {
  const auto place = [&](const string& name) { return (std::filesystem::path(folder) / name).string(); };
  for (const auto& cut : o.cuts_at_peak) cut_sheet(o, cut, place("cut_" + cut.name + ".png"));
  for (std::size_t i = 0; i < o.cuts_at_end.size(); ++i)
    if (o.cuts_at_end[i].time != o.cuts_at_peak[i].time)
      cut_sheet(o, o.cuts_at_end[i], place("cut_" + o.cuts_at_end[i].name + "_end.png"));
  for (const auto& l : o.lines) line_sheet(o, l, place("line_" + l.name + ".png"));
  if (o.history.size() > 2) {
    stack(o, "Materials over time", {peaks_plot(o), power_plot(o)}, place("materials.png"));
    stack(o, "Electrodes over time", {potentials_plot(o), currents_plot(o)}, place("electrodes.png"));
  }
  overview(o, place("overview.png"));
}

}  // namespace umov::eqs
