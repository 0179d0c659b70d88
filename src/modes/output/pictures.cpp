// A sheet per mode, and indices over wavelength.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "modes/output/results.hpp"
#include "pictures/panels.hpp"
#include "pictures/sheet.hpp"

namespace umov::modes {

using namespace pictures;

namespace {

/// A quantity at the middles of cells, by the numbers of their low corners.
template <class F>
Raster raster(const Outcome& o, const F& value) {
  Raster r;
  r.columns = o.cells[0], r.rows = o.cells[1];
  r.x0 = o.low[0], r.x1 = o.low[0] + o.cells[0] * o.dx;
  r.y0 = o.low[1], r.y1 = o.low[1] + o.cells[1] * o.dx;
  for (int j = 0; j < r.rows; ++j)
    for (int i = 0; i < r.columns; ++i)
      r.values.push_back(value(std::size_t(j) * std::size_t(r.columns + 1) + std::size_t(i)));
  return r;
}

double high_end(const Outcome& o, int k) {
  const auto& lines = o.lines[std::size_t(k)];
  return lines.empty() ? o.low[std::size_t(k)] + o.cells[std::size_t(k)] * o.dx : lines.back();
}

/// The same where cells are shown, as equal ones.
Raster shown(const Outcome& o, const Raster& r) {
  return o.lines[0].empty() ? r : on_equal(r, o.lines[0], o.lines[1]);
}

/// E at the middle of the cell whose low corner has number n: the mean of the points around it.
cplx middle(const Outcome& o, const Mode& m, int c, std::size_t n) {
  if (m.fields[c].empty()) return 0;
  const std::size_t row = std::size_t(o.cells[0] + 1);
  const std::size_t di = c != (o.normal + 1) % 3 && o.cells[0] > 1 ? 1 : 0;
  const std::size_t dj = c != (o.normal + 2) % 3 && o.cells[1] > 1 ? row : 0;
  return 0.25 * (m.fields[c][n] + m.fields[c][n + di] + m.fields[c][n + dj] + m.fields[c][n + di + dj]);
}

/// The component along the axis is a quarter of a period off those across.
double part_of(const Outcome& o, const Mode& m, int c, std::size_t n) {
  const cplx value = middle(o, m, c, n);
  return c == o.normal ? value.imag() : value.real();
}

void outline(Canvas& c, const Rect& area, const View& view, const Raster& eps) {
  const auto [low, high] = std::minmax_element(eps.values.begin(), eps.values.end());
  if (!(*high > *low * 1.001)) return;
  std::vector<Point> lines = contours(eps, {(*low + *high) / 2});
  for (Point& p : lines) p = on_sheet(area, view, p.x, p.y);
  c.segments(lines, 1, ink::text, 0.7);
}

void sheet_of(const Outcome& o, const Mode& m, std::size_t number, const std::string& path) {
  static constexpr const char* names[] = {"Ex", "Ey", "Ez"};
  View view;
  view.x0 = o.low[0], view.x1 = high_end(o, 0);
  view.y0 = o.low[1], view.y1 = high_end(o, 1);
  view.x_label = std::string(1, "xyz"[(o.normal + 1) % 3]);
  view.y_label = std::string(1, "xyz"[(o.normal + 2) % 3]);
  const auto sheet = arrange({view, view, view, view}, 40);
  Canvas c(sheet.width, sheet.height);
  title(c,
        fmt::format("mode {}: n = {:.5f}, n_g = {:.4f}, TE {:.0f} %", number + 1, m.n_eff.real(), m.n_group,
                    100 * m.te),
        fmt::format("wavelength {:g}; {} x {} cells; |E|² and the parts of E, the one along the axis a "
                    "quarter period later",
                    m.wavelength, o.cells[0], o.cells[1]));
  Raster eps = raster(o, [](std::size_t) { return 0.0; });
  eps.values = o.permittivity;
  eps = shown(o, eps);
  for (int panel = 0; panel < 4; ++panel) {
    const Raster r = shown(o, raster(o, [&](std::size_t n) {
                             if (panel > 0) return part_of(o, m, panel - 1, n);
                             double sum = 0;
                             for (int k = 0; k < 3; ++k) sum += std::norm(middle(o, m, k, n));
                             return sum;
                           }));
    paint(c, sheet.areas[std::size_t(panel)], view, r,
          panel == 0 ? intensity_scale(r.values) : symmetric_scale(r.values));
    outline(c, sheet.areas[std::size_t(panel)], view, eps);
    draw_view_frame(c, sheet.areas[std::size_t(panel)], view, panel == 0);
    const Rect& a = sheet.areas[std::size_t(panel)];
    c.text({a.x, a.y - 9}, panel == 0 ? "|E|²" : names[panel - 1], 12, ink::text);
  }
  c.write_png(path);
}

/// A slab's parts of E over its one axis.
void curves_of(const Outcome& o, const Mode& m, std::size_t number, const std::string& path) {
  static constexpr const char* names[] = {"Ex", "Ey", "Ez", "Hx", "Hy", "Hz"};
  const int k = o.cells[0] > 1 ? 0 : 1;
  LinePlot plot;
  plot.legend = LinePlot::Legend::below;
  plot.x.label = std::string(1, "xyz"[(o.normal + 1 + k) % 3]);
  plot.y.label = "field of unit power";
  for (int c = 0; c < 3; ++c) {
    if (m.fields[c].empty()) continue;
    Series s;
    s.name = names[c];
    s.color = color_of(std::size_t(c));
    for (int i = 0; i < o.cells[std::size_t(k)]; ++i) {
      const auto& lines = o.lines[std::size_t(k)];
      s.x.push_back(lines.empty() ? o.low[std::size_t(k)] + (i + 0.5) * o.dx
                                  : 0.5 * (lines[std::size_t(i)] + lines[std::size_t(i) + 1]));
      const std::size_t n = std::size_t(i) * (k == 0 ? 1 : std::size_t(o.cells[0] + 1));
      s.y.push_back(part_of(o, m, c, n));
    }
    plot.series.push_back(s);
  }
  Canvas c(920, 480);
  title(c, fmt::format("mode {}: n = {:.5f}", number + 1, m.n_eff.real()),
        fmt::format("wavelength {:g}", m.wavelength));
  draw(c, {92, 88, c.width() - 122, c.height() - 178}, plot);
  c.write_png(path);
}

void index_picture(const Outcome& o, const std::string& path) {
  std::size_t count = 0;
  for (const auto& list : o.modes) count = std::max(count, list.size());
  Canvas c(920, 520);
  LinePlot plot;
  plot.legend = LinePlot::Legend::below;
  plot.x.label = "wavelength (unit)";
  plot.y.label = "index";
  for (std::size_t i = 0; i < count; ++i) {
    Series n{fmt::format("mode {}", i + 1), {}, {}, color_of(i), 2, {}}, group = n;
    group.name += ", group";
    group.dashes = {6, 3};
    for (const auto& list : o.modes)
      if (i < list.size()) {
        n.x.push_back(list[i].wavelength), n.y.push_back(list[i].n_eff.real());
        group.x.push_back(list[i].wavelength), group.y.push_back(list[i].n_group);
      }
    plot.series.push_back(n), plot.series.push_back(group);
  }
  title(c, "effective and group index", "of the grid");
  draw(c, {92, 88, c.width() - 122, c.height() - 218}, plot);
  c.write_png(path);
}

}  // namespace

void draw_pictures(const Outcome& o, const std::string& folder) {
  if (o.modes.size() > 1) index_picture(o, folder + "/modes.png");
  if (o.modes.empty()) return;
  for (std::size_t i = 0; i < o.modes[0].size(); ++i) {
    const std::string path = fmt::format("{}/mode{}.png", folder, i + 1);
    if (o.cells[0] > 1 && o.cells[1] > 1)
      sheet_of(o, o.modes[0][i], i, path);
    else
      curves_of(o, o.modes[0][i], i, path);
  }
}

}  // namespace umov::modes
