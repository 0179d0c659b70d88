// Raster of |E| on a cut, levels of its equipotentials, labels of its materials.
#include "eqs/output/cut_picture.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "eqs/output/picture_parts.hpp"
#include "pictures/sheet.hpp"

namespace umov::eqs {

using namespace pictures;

using std::string;

namespace {

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

}  // namespace

CutPicture make_cut_picture(const Outcome& o, const CutResult& cut) {
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

namespace {

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

}  // namespace

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

void label_cut(Canvas& c, const Outcome& o, const CutPicture& p, const string& lines, const Rect& bar) {
  title(c, p.heading + unfinished(o), caption(o) + (lines.empty() ? "" : "; " + lines) + p.note);
  draw_scale(c, bar, p.colors, fmt::format("|E| ({})", p.unit));
}

void write_cut(const Outcome& o, const CutResult& cut, const string& path) {
  const CutPicture p = make_cut_picture(o, cut);
  const auto sheet = arrange({p.view}, 140);
  Canvas c(sheet.width, sheet.height);
  const string lines = draw_cut(c, sheet.areas[0], p);
  label_cut(c, o, p, lines, sheet.bar);
  c.write_png(path);
}

}  // namespace umov::eqs
