// overview.png: the model, the final field and the curve that says most, on one sheet.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "fdtd/monitors/names.hpp"
#include "fdtd/monitors/resonance.hpp"
#include "fdtd/monitors/series.hpp"
#include "fdtd/output/pictures.hpp"
#include "pictures/sheet.hpp"

namespace umov::fdtd {

using namespace pictures;

namespace {

/// The curve that says most: reflection and transmission, resonances, cross sections, fluxes, a series.
std::optional<TitledPlot> main_plot(const Outcome& o) {
  std::vector<Plot> plots = plots_of(o);
  std::erase_if(plots, [](const Plot& p) { return p.says == Says::beside; });
  const auto first = std::ranges::min_element(plots, {}, &Plot::says);
  if (first != plots.end() && first->says < Says::resonances) return titled(*first);
  for (const auto& r : o.of<ResonanceResult>())
    if (auto plot = resonance_plot(o, r)) return plot;
  if (first != plots.end()) return titled(*first);
  for (const auto& s : o.of<SeriesResult>())
    if (s.time.size() > 1) return series_plot(s, s.name);
  return {};
}

/// Where the parts of the overview lie: model and field beside each other, or above each other where the
/// domain is much wider than tall; the plot on the right.
struct OverviewSheet {
  Rect model, field, bar, plot;
  int width = 0, height = 0;
};

OverviewSheet arrange_overview(const View& view, bool line, bool field, bool plot, double legend) {
  constexpr double top = 116, left = 86, least = 280;
  const bool stacked = line || view.width() > 2.6 * view.height();
  const double scale = std::min((stacked ? 560 : 380) / view.width(), 340 / view.height());
  const double width = line ? 560 : std::max(90.0, scale * view.width());
  const double height = line ? 110 : std::max(60.0, scale * view.height());
  OverviewSheet s;
  s.model = {left, top, width, height};
  s.field = stacked ? Rect{left, top + height + 92, width, line ? 170 : height}
                    : Rect{left + width + 76, top, width, height};
  if (!field) s.field = s.model;
  const double bottom = std::max(s.field.bottom(), top + least);
  s.bar = {s.field.right() + 20, s.field.y, 14, std::max(120.0, s.field.height)};
  double right = s.field.right() + 30;
  if (field && !line) right = s.bar.right() + 84;
  if (plot) s.plot = {right + 84, top, 430, std::min(bottom - top, 400.0) - legend};
  s.width = int(plot ? s.plot.right() + 34 : std::max(right, 700.0));
  s.height = int(std::max(bottom, s.bar.bottom()) + 62);
  return s;
}

double largest(const Raster& r) {
  double size = 0;
  for (const double v : r.values)
    if (std::isfinite(v)) size = std::max(size, std::abs(v));
  return size;
}

void draw_overview_field(Canvas& c, const OverviewSheet& sheet, const Outcome& o, const View& view,
                         const ShownField& field, const Cut& cut) {
  const std::string name = word(field.component);
  c.text({sheet.field.x, sheet.field.y - 10}, fmt::format("{} at t = {}", name, pretty_number(field.time)),
         12, ink::muted);
  if (dimensions(o.grid.mode) == 1) return draw_field_curve(c, sheet.field, o, field.raster, name);
  const auto colors = symmetric_scale(field.raster.values);
  draw_field(c, sheet.field, view, o, field.raster, cut, middle(o.grid, cut), colors);
  draw_scale(c, sheet.bar, colors, name);
}

}  // namespace

std::optional<ShownField> main_field(const Outcome& o) {
  const Cut cut = cuts_of(o.grid)[0];
  std::optional<ShownField> shown;
  double size = 0;
  if (const auto component = main_component(o)) {
    shown = ShownField{*component, o.time, final_raster(o, *component, cut)};
    size = 30 * largest(shown->raster);  // a frame must be that much stronger
  }
  for (const auto& f : o.frames) {
    if (snapshot_cut(o.grid, f).w != cut.w) continue;
    Raster r = snapshot_raster(o, f);
    const double its = largest(r);
    if (its > size) {
      size = its;
      shown = ShownField{f.component, f.time, std::move(r)};
    }
  }
  return shown;
}

void overview_picture(const Outcome& o, const std::string& path) {
  const auto field = main_field(o);
  const auto plot = main_plot(o);
  const bool line = dimensions(o.grid.mode) == 1;
  const Cut cut = cuts_of(o.grid)[0];
  const View view = domain_view(o.grid, cut);
  const auto sheet =
      arrange_overview(view, line, field.has_value(), plot.has_value(), plot ? legend_room(*plot, 430) : 0);
  Canvas c(sheet.width, sheet.height);
  title(c, "Overview", run_caption(o));
  c.text({sheet.model.x, sheet.model.y - 10}, "model", 12, ink::muted);
  draw_model(c, sheet.model, view, o, cut);
  if (field) draw_overview_field(c, sheet, o, view, *field, cut);
  if (plot) {
    c.text({sheet.plot.x, sheet.plot.y - (plot->over_frequency ? 44 : 10)}, plot->title, 12, ink::muted);
    draw(c, sheet.plot, *plot);
  }
  c.write_png(path);
}

}  // namespace umov::fdtd
