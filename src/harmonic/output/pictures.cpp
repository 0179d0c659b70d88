// Pictures of a time-harmonic cell: absorption of the layers over the wavelength, fields in cuts.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>

#include "harmonic/output/results.hpp"
#include "pictures/plot.hpp"
#include "pictures/sheet.hpp"

namespace umov::harmonic {

using namespace pictures;

namespace {

constexpr Color fills[] = {rgb(0x2a7ab9), rgb(0xe0a030), rgb(0x3a9d6e), rgb(0xd1495b),
                           rgb(0x7a5ea8), rgb(0x5fb0c9), rgb(0xb9793f), rgb(0x8a9a3b)};

std::string caption(const Outcome& o) {
  return fmt::format("{} layers, grid {} x {} x {}{}{}", o.simulation.layers.size(), o.grid.nx, o.grid.ny,
                     o.grid.nz, o.converged ? "" : ", NOT CONVERGED", o.complete() ? "" : ", NOT COMPLETE");
}

std::string caption(const Outcome& o, const Incidence& i) {
  return fmt::format("{}, angle {:g}°{}", caption(o), i.angle,
                     i.azimuth == 0 ? "" : fmt::format(", azimuth {:g}°", i.azimuth));
}

/// One band of the stack: its name, colour and height over the wavelength.
struct Band {
  std::string name;
  Color color;
  std::vector<double> height;
};

/// Rows of one incidence.
std::vector<std::size_t> rows_at(const Outcome& o, const Incidence& i) {
  std::vector<std::size_t> out;
  for (std::size_t r = 0; r < o.rows.size(); ++r)
    if (o.rows[r].incidence == i) out.push_back(r);
  return out;
}

std::vector<Band> bands(const Outcome& o, const std::vector<std::size_t>& rows) {
  std::vector<Band> out;
  const auto add = [&](const std::string& name, Color color, const auto& f) {
    Band b{name, color, {}};
    for (const std::size_t r : rows) b.height.push_back(o.mean(r, f));
    if (*std::max_element(b.height.begin(), b.height.end()) > 1e-4) out.push_back(std::move(b));
  };
  for (std::size_t m = 1; m < o.media.size(); ++m)
    add(o.media[m], fills[(m - 1) % std::size(fills)],
        [m](const SpectrumPoint& p) { return p.budget.absorption[m]; });
  add("transmitted", ink::frame, [](const SpectrumPoint& p) { return p.budget.transmission; });
  add("reflected", ink::grid, [](const SpectrumPoint& p) { return p.budget.reflection; });
  return out;
}

/// Bands on each other over `x`, between 0 and `most`, with their names beside.
void draw_stack(Canvas& c, const Rect& area, const std::vector<Band>& stack, const std::vector<double>& x,
                double most) {
  const auto at = [&](double place, double height) {
    return Point{area.x + area.width * (place - x.front()) / (x.back() - x.front()),
                 area.bottom() - area.height * std::clamp(height / most, 0.0, 1.0)};
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
}

/// Absorption stacked over the wavelength: what is above all layers is reflected.
void absorption_picture(const Outcome& o, const Incidence& incidence, const std::string& path) {
  const auto rows = rows_at(o, incidence);
  if (rows.size() < 2) return;
  std::vector<double> x;
  for (const std::size_t r : rows) x.push_back(o.rows[r].wavelength);
  const Rect area{84, 92, 700, 380};
  Canvas c(1000, 540);
  title(c, "Where the light goes", caption(o, incidence));
  draw_stack(c, area, bands(o, rows), x, 1);
  Axis across{"vacuum wavelength (µm)", false, x.front(), x.back()},
      up{"share of the incident power", false, 0.0, 1.0};
  draw_frame(c, area, across, up);
  c.write_png(path);
}

/// Absorbed photons over depth, media on each other.
void depth_picture(const Outcome& o, const Sunlit& lit, const std::string& path) {
  std::vector<Band> stack;
  std::vector<double> depth;
  double most = 0;
  for (int k = 0; k < o.planes; ++k) {
    depth.push_back(o.depth(k));
    most = std::max(most, lit.generation_at(k));
  }
  if (!(most > 0)) return;
  const int power = int(std::floor(std::log10(most)));
  const double unit = std::pow(10.0, power);
  for (std::size_t m = 1; m < o.media.size(); ++m) {
    Band b{o.media[m], fills[(m - 1) % std::size(fills)], lit.generation[m]};
    for (double& h : b.height) h /= unit;
    if (*std::max_element(b.height.begin(), b.height.end()) > 1e-4) stack.push_back(std::move(b));
  }
  const Rect area{84, 92, 700, 380};
  Canvas c(1000, 540);
  title(c, "Absorbed photons over depth", caption(o, lit.incidence) + ", light: " + o.light);
  draw_stack(c, area, stack, depth, 1.05 * most / unit);
  std::string many = pretty_number(unit);
  if (const std::string one = "1 × "; many.starts_with(one)) many.erase(0, one.size());
  Axis across{"depth (µm)", false, depth.front(), depth.back()},
      up{fmt::format("absorbed photons ({} m⁻² s⁻¹ µm⁻¹)", many), false, 0.0, 1.05 * most / unit};
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
    for (const auto& interface : o.interfaces[cut.number])
      plot.series.push_back({"", {interface[0], interface[0]}, {0, 1.05 * most}, ink::muted, 1, {4, 3}});
    plot.y.to = 1.05 * most;
    plot.legend = LinePlot::Legend::none;
    draw(c, {left, 92, 380, 360}, plot);
    left += 500;
  }
}

/// What the axes of a cut's picture are, and which row of its values is the lowest.
struct Frame {
  Axis x, y;
  bool rows_go_down = true;
};

Frame frame_of(const Outcome& o, const FieldCut& cut) {
  const auto& g = o.grid;
  const double wide = g.nx * g.spacing[0], deep = g.ny * g.spacing[1];
  if (cut.plane == CutPlane::xy) return {{"x (µm)", false, 0.0, wide}, {"y (µm)", false, 0.0, deep}, false};
  const Axis height{"height (µm)", false, -o.depth(o.planes - 1), -o.depth(0)};
  if (cut.plane == CutPlane::yz) return {{"y (µm)", false, 0.0, deep}, height, true};
  return {{"x (µm)", false, 0.0, wide}, height, true};
}

void draw_images(Canvas& c, const Outcome& o, const FieldCut& cut, const Rect& first, double step) {
  Rect area = first;
  const Frame frame = frame_of(o, cut);
  const double from = o.depth(0), to = o.depth(o.planes - 1);
  for (const auto& q : quantities) {
    const auto& values = cut.*q.values;
    ImagePlot plot;
    plot.x = frame.x;
    plot.y = frame.y;
    plot.columns = cut.columns;
    plot.rows = cut.rows;
    for (int k = 0; k < cut.rows; ++k) {
      const auto row =
          values.begin() + std::ptrdiff_t(frame.rows_go_down ? cut.rows - 1 - k : k) * cut.columns;
      plot.values.insert(plot.values.end(), row, row + cut.columns);
    }
    std::vector<double> sorted = values;
    const auto high = sorted.begin() + std::ptrdiff_t(0.998 * double(sorted.size() - 1));
    std::nth_element(sorted.begin(), high, sorted.end());
    plot.high = std::max(1e-12, *high);
    plot.map = q.map;
    draw(c, area, plot);
    c.clip(area);
    for (const auto& interface : o.interfaces[cut.number]) {
      std::vector<Point> line;
      for (std::size_t i = 0; i < interface.size(); ++i)
        line.push_back({area.x + area.width * double(i) / double(interface.size()),
                        area.y + area.height * (interface[i] - from) / (to - from)});
      if (line.size() > 1) c.polyline(line, 0.8, rgb(0xffffff));
    }
    c.unclip();
    draw_color_bar(c, {area.right() + 16, area.y, 14, area.height}, q.map, 0, plot.high,
                   fmt::format("{} ({})", q.name, q.unit));
    area.x += step;
  }
}

void cut_picture(const Outcome& o, const FieldCut& cut, const std::string& path) {
  constexpr const char* where[] = {"y =", "x =", "depth"};
  std::string heading =
      fmt::format("Fields at {:g} µm, polarization {}", cut.row.wavelength, letter(cut.polarization));
  if (o.interfaces.size() > 1) heading += fmt::format(", {} {:g} µm", where[int(cut.plane)], cut.at);
  const Frame frame = frame_of(o, cut);
  const double aspect = (*frame.y.to - *frame.y.from) / (*frame.x.to - *frame.x.from);
  const double height = std::clamp(340 * aspect, 200.0, 800.0);
  const bool flat = cut.columns == 1;
  Canvas c(1080, flat ? 520 : int(height) + 170);
  title(c, heading, caption(o, cut.row.incidence));
  if (flat)
    draw_lines(c, o, cut);
  else
    draw_images(c, o, cut, {84, 92, 340, height}, 520);
  c.write_png(path);
}

/// Efficiencies of the orders over the wavelength, for one incidence.
void orders_picture(const Outcome& o, const Incidence& incidence, const std::string& path) {
  const auto rows = rows_at(o, incidence);
  if (!o.simulation.orders || rows.size() < 2) return;
  LinePlot plots[2];
  for (int side = 0; side < 2; ++side) {
    std::map<std::pair<int, int>, Series> curves;
    for (const std::size_t r : rows)
      for (const auto& s : o.spectra)
        for (const auto& order : s.points[r].orders) {
          if (order.transmitted != (side == 1)) continue;
          auto& curve = curves[{order.m, order.n}];
          if (curve.x.empty() || curve.x.back() != o.rows[r].wavelength) {
            curve.x.push_back(o.rows[r].wavelength);
            curve.y.push_back(0);
          }
          curve.y.back() += order.efficiency() / double(o.spectra.size());
        }
    auto& plot = plots[side];
    plot.x = {"vacuum wavelength (µm)", false, o.rows[rows.front()].wavelength,
              o.rows[rows.back()].wavelength};
    plot.y = {side == 0 ? "efficiency, reflected" : "efficiency, transmitted", false, 0.0, {}};
    for (auto& [order, curve] : curves) {
      if (*std::max_element(curve.y.begin(), curve.y.end()) < 1e-3) continue;
      curve.name =
          o.grid.ny > 1 ? fmt::format("({}, {})", order.first, order.second) : fmt::format("{}", order.first);
      curve.color = color_of(plot.series.size());
      plot.series.push_back(curve);
    }
    plot.legend = LinePlot::Legend::below;
  }
  Canvas c(1080, 640);
  title(c, "Diffraction orders", caption(o, incidence));
  double left = 84;
  for (const auto& plot : plots) {
    if (!plot.series.empty()) draw(c, {left, 92, 400, 380}, plot);
    left += 500;
  }
  c.write_png(path);
}

}  // namespace

void draw_pictures(const Outcome& o, const std::string& folder) {
  const auto place = [&](const std::string& name) { return (std::filesystem::path(folder) / name).string(); };
  const auto at = [&](const Incidence& i) {
    return o.incidences.size() > 1 ? fmt::format("-{:g}deg-{:g}deg", i.angle, i.azimuth) : "";
  };
  for (const auto& i : o.incidences) {
    absorption_picture(o, i, place("absorption" + at(i) + ".png"));
    orders_picture(o, i, place("orders" + at(i) + ".png"));
  }
  for (const auto& lit : o.sunlit) depth_picture(o, lit, place("depth" + at(lit.incidence) + ".png"));
  for (const auto& cut : o.cuts) {
    const std::string name = cut_name(o, cut);
    cut_picture(o, cut,
                place("fields-" + point_name(o, cut.row, cut.polarization) +
                      (name.empty() ? "" : "-" + name) + ".png"));
  }
}

}  // namespace umov::harmonic
