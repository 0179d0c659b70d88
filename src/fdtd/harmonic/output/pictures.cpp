// Pictures of a time-harmonic cell: absorption of the layers over the wavelength, fields in cuts.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "fdtd/harmonic/output/results.hpp"
#include "pictures/plot.hpp"
#include "pictures/sheet.hpp"

namespace umov::fdtd::harmonic {

using namespace pictures;

namespace {

constexpr Color fills[] = {rgb(0x2a7ab9), rgb(0xe0a030), rgb(0x3a9d6e), rgb(0xd1495b),
                           rgb(0x7a5ea8), rgb(0x5fb0c9), rgb(0xb9793f), rgb(0x8a9a3b)};

std::string caption(const Outcome& o) {
  return fmt::format("{} layers, grid {} x {} x {}, angle {:g}°{}", o.simulation.layers.size(), o.grid.nx,
                     o.grid.ny, o.grid.nz, o.simulation.angle, o.converged ? "" : ", NOT CONVERGED");
}

/// One band of the stack: its name, colour and height over the wavelength.
struct Band {
  std::string name;
  Color color;
  std::vector<double> height;
};

std::vector<Band> bands(const Outcome& o) {
  std::vector<Band> out;
  const auto add = [&](const std::string& name, Color color, const auto& f) {
    Band b{name, color, {}};
    for (std::size_t w = 0; w < o.simulation.wavelengths.size(); ++w) b.height.push_back(o.mean(w, f));
    if (*std::max_element(b.height.begin(), b.height.end()) > 1e-4) out.push_back(std::move(b));
  };
  for (std::size_t m = 1; m < o.media.size(); ++m)
    add(o.media[m], fills[(m - 1) % std::size(fills)],
        [m](const SpectrumPoint& p) { return p.budget.absorption[m]; });
  add("transmitted", ink::frame, [](const SpectrumPoint& p) { return p.budget.transmission; });
  add("reflected", ink::grid, [](const SpectrumPoint& p) { return p.budget.reflection; });
  return out;
}

/// Absorption stacked over the wavelength: what is above all layers is reflected.
void absorption_picture(const Outcome& o, const std::string& path) {
  const auto& x = o.simulation.wavelengths;
  if (x.size() < 2) return;
  const auto stack = bands(o);
  const Rect area{84, 92, 700, 380};
  Canvas c(1000, 540);
  title(c, "Where the light goes", caption(o));
  const auto at = [&](double wavelength, double share) {
    return Point{area.x + area.width * (wavelength - x.front()) / (x.back() - x.front()),
                 area.bottom() - area.height * std::clamp(share, 0.0, 1.0)};
  };
  std::vector<double> below(x.size(), 0);
  double y = area.y + 14;
  c.clip(area);
  for (const auto& band : stack) {
    std::vector<Point> outline;
    for (std::size_t i = 0; i < x.size(); ++i) outline.push_back(at(x[i], below[i] + band.height[i]));
    for (std::size_t i = x.size(); i-- > 0;) outline.push_back(at(x[i], below[i]));
    c.polygon(outline, band.color, 0.5);
    for (std::size_t i = 0; i < x.size(); ++i) below[i] += band.height[i];
  }
  c.unclip();
  for (auto band = stack.rbegin(); band != stack.rend(); ++band, y += 24) {
    c.rectangle({area.right() + 24, y - 11, 14, 14}, band->color);
    c.text({area.right() + 46, y}, band->name, 13, ink::text);
  }
  Axis across{"vacuum wavelength (µm)", false, x.front(), x.back()},
      up{"share of the incident power", false, 0.0, 1.0};
  draw_frame(c, area, across, up);
  c.write_png(path);
}

struct Quantity {
  const char *name, *unit;
  const std::vector<double> FieldCut::*values;
  ColorMap map;
};
constexpr Quantity quantities[] = {
    {"|E|²", "of the incident wave", &FieldCut::intensity, ColorMap::inferno},
    {"absorbed power", "per µm of depth", &FieldCut::absorption, ColorMap::viridis}};

/// A flat cell: both over depth.
void draw_lines(Canvas& c, const Outcome& o, const FieldCut& cut) {
  double left = 84;
  for (const auto& q : quantities) {
    LinePlot plot;
    plot.x = {"depth (µm)", false, o.depth(0), o.depth(o.planes - 1)};
    plot.y.label = fmt::format("{} ({})", q.name, q.unit);
    plot.y.from = 0;
    Series s{"", {}, cut.*q.values, ink::blue, 1.8, {}};
    for (int k = 0; k < o.planes; ++k) s.x.push_back(o.depth(k));
    const double most = std::max(1e-12, *std::max_element(s.y.begin(), s.y.end()));
    plot.series.push_back(s);
    for (const auto& interface : o.interfaces)
      plot.series.push_back({"", {interface[0], interface[0]}, {0, 1.05 * most}, ink::muted, 1, {4, 3}});
    plot.y.to = 1.05 * most;
    plot.legend = LinePlot::Legend::none;
    draw(c, {left, 92, 380, 360}, plot);
    left += 500;
  }
}

void draw_images(Canvas& c, const Outcome& o, const FieldCut& cut, const Rect& first, double step) {
  Rect area = first;
  const double width = o.grid.nx * o.grid.spacing[0], from = o.depth(0), to = o.depth(o.planes - 1);
  for (const auto& q : quantities) {
    const auto& values = cut.*q.values;
    ImagePlot plot;
    plot.x = {"x (µm)", false, 0.0, width};
    plot.y = {"height (µm)", false, -to, -from};
    plot.columns = o.grid.nx;
    plot.rows = o.planes;
    for (int k = o.planes - 1; k >= 0; --k)
      for (int i = 0; i < o.grid.nx; ++i) plot.values.push_back(values[std::size_t(k) * o.grid.nx + i]);
    std::vector<double> sorted = values;
    const auto high = sorted.begin() + std::ptrdiff_t(0.998 * double(sorted.size() - 1));
    std::nth_element(sorted.begin(), high, sorted.end());
    plot.high = std::max(1e-12, *high);
    plot.map = q.map;
    draw(c, area, plot);
    c.clip(area);
    for (const auto& interface : o.interfaces) {
      std::vector<Point> line;
      for (int i = 0; i < o.grid.nx; ++i)
        line.push_back({area.x + area.width * i / o.grid.nx,
                        area.y + area.height * (interface[i] - from) / (to - from)});
      c.polyline(line, 0.8, rgb(0xffffff));
    }
    c.unclip();
    draw_color_bar(c, {area.right() + 16, area.y, 14, area.height}, q.map, 0, plot.high,
                   fmt::format("{} ({})", q.name, q.unit));
    area.x += step;
  }
}

void cut_picture(const Outcome& o, const FieldCut& cut, const std::string& path) {
  const std::string heading =
      fmt::format("Fields at {:g} µm, polarization {}", cut.wavelength, letter(cut.polarization));
  const double aspect = o.planes * o.grid.spacing[2] / (o.grid.nx * o.grid.spacing[0]);
  const double height = std::clamp(400 * aspect, 200.0, 800.0);
  const bool flat = o.grid.nx == 1;
  Canvas c(1080, flat ? 520 : int(height) + 170);
  title(c, heading, caption(o));
  if (flat)
    draw_lines(c, o, cut);
  else
    draw_images(c, o, cut, {84, 92, 340, height}, 520);
  c.write_png(path);
}

}  // namespace

void draw_pictures(const Outcome& o, const std::string& folder) {
  const auto place = [&](const std::string& name) { return (std::filesystem::path(folder) / name).string(); };
  absorption_picture(o, place("absorption.png"));
  for (const auto& cut : o.cuts)
    cut_picture(o, cut, place(fmt::format("fields-{:g}um-{}.png", cut.wavelength, letter(cut.polarization))));
}

}  // namespace umov::fdtd::harmonic
