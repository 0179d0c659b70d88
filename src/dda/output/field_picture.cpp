// internal_field.png: the intensity inside the particle on cuts through its middle, or a beam's centre.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "dda/observables/field_cuts.hpp"
#include "dda/output/picture_parts.hpp"
#include "pictures/plot.hpp"

namespace umov::dda {

using namespace pictures;

namespace {

/// Coordinates of a cut: horizontal axis z, vertical `vertical`, normal `normal`.
struct Cut {
  int vertical, normal;
};

Vec3 site_position(const Outcome& o, const Cut& cut, int across, int along) {
  Int3 site;
  site[cut.vertical] = across;
  site[2] = along;
  site[cut.normal] = cut_planes(o.particle, o.simulation)[std::size_t(cut.normal)];
  return o.particle.position(site[0], site[1], site[2]);
}

/// |E|^2 of every dipole on the cut, NaN in the void.
std::vector<double> cut_values(const Outcome& o, const Cut& cut) {
  const auto& box = o.particle.box;
  const auto& by_plane = o.polarizations[0].cuts[std::size_t(cut.normal)];
  std::vector<double> values;
  for (int across = 0; across < box[cut.vertical]; ++across)
    for (int along = 0; along < box[2]; ++along)
      values.push_back(by_plane[std::size_t(along) * std::size_t(box[cut.vertical]) + std::size_t(across)]);
  return values;
}

std::vector<double> exact_values(const Outcome& o, const MieComparison& mie, const Cut& cut,
                                 const std::vector<double>& ours) {
  const auto& box = o.particle.box;
  std::vector<double> values;
  for (int across = 0; across < box[cut.vertical]; ++across)
    for (int along = 0; along < box[2]; ++along) {
      const bool empty = std::isnan(ours[values.size()]);
      values.push_back(empty ? nan : mie.intensity(site_position(o, cut, across, along)));
    }
  return values;
}

/// Direction of the incident wave as it shows in the cut; a circle where it stands upright on it.
void draw_incidence(Canvas& c, Point center, const Cut& cut, const Vec3& propagation) {
  const double length = norm(propagation);
  if (!(length > 0)) return;
  const Vec3 k = (1 / length) * propagation;
  const double u = k[2], v = -k[cut.vertical], half = 14;
  if (std::hypot(u, v) > 0.05) {
    c.arrow({center.x - half * u, center.y - half * v}, {center.x + half * u, center.y + half * v}, 2.2,
            ink::orange);
  } else {
    c.circle(center, 6, ink::orange, false, 1.8);
    if (k[cut.normal] > 0) c.circle(center, 2.2, ink::orange, true);
  }
  c.text({center.x + half + 6, center.y + 4.5}, "k", 13, ink::orange, Align::left, true);
}

/// A cross where a beam's centre, projected, lies on the cut at `a`; nothing where it lies outside.
void draw_beam(Canvas& c, const Rect& a, double scale, const Cut& cut, const Vec3& centre) {
  const Point at{a.x + 0.5 * a.width + scale * centre[2],
                 a.y + 0.5 * a.height - scale * centre[cut.vertical]};
  if (at.x < a.x || at.x > a.right() || at.y < a.y || at.y > a.bottom()) return;
  constexpr double arm = 7;
  for (const auto& [ink, width] : {std::pair{rgb(0xffffff), 3.4}, {ink::orange, 1.8}}) {
    c.line({at.x - arm, at.y}, {at.x + arm, at.y}, width, ink);
    c.line({at.x, at.y - arm}, {at.x, at.y + arm}, width, ink);
  }
}

struct Panel {
  std::string name;
  Cut cut;
  std::vector<double> values;
  bool last_row;
};

/// How values become colours.
struct ColorRange {
  double low = 0, high = 1, gamma = 1;
};

/// From zero, unless the field is so uniform that it would all have one colour; with square-root colours
/// where a focus would leave everything else black.
ColorRange color_range(const std::vector<Panel>& panels) {
  std::vector<double> shown;
  for (const auto& panel : panels)
    for (const double v : panel.values)
      if (std::isfinite(v)) shown.push_back(v);
  if (shown.empty()) return {};
  const auto [low, high] = std::minmax_element(shown.begin(), shown.end());
  ColorRange range{*low > 0.4 * *high ? *low : 0, *high, 1};
  if (!(range.high > range.low)) return {0, range.high > 0 ? 1.25 * range.high : 1, 1};
  std::nth_element(shown.begin(), shown.begin() + shown.size() / 2, shown.end());
  if (shown[shown.size() / 2] < 0.2 * range.high) range.gamma = 0.5;
  return range;
}

void draw_panel(Canvas& c, const Rect& slot, const Outcome& o, const Panel& panel, const ColorRange& range) {
  const auto& p = o.particle;
  const char* const names = "xyz";
  const double width = p.box[2] * p.spacing[2],
               height = p.box[panel.cut.vertical] * p.spacing[panel.cut.vertical];
  const double scale = std::min(slot.width / width, slot.height / height);
  const Rect a{slot.x + 0.5 * (slot.width - scale * width), slot.y + 0.5 * (slot.height - scale * height),
               scale * width, scale * height};
  ImagePlot image;
  image.x = {"z (µm)", false, -0.5 * width, 0.5 * width, 0, panel.last_row};
  image.y = {fmt::format("{} (µm)", names[panel.cut.vertical]), false, -0.5 * height, 0.5 * height, 0, true};
  image.columns = p.box[2];
  image.rows = p.box[panel.cut.vertical];
  image.values = panel.values;
  image.low = range.low;
  image.high = range.high;
  image.gamma = range.gamma;
  draw(c, a, image);
  const double depth = site_position(o, panel.cut, 0, 0)[panel.cut.normal];
  const std::string header =
      fmt::format("{}, plane {} = {} µm", panel.name, names[panel.cut.normal], pretty_number(depth, 3));
  const double text_width = c.text_width(header, 12), arrow_width = 60;
  const double x = std::clamp(slot.right() - text_width - arrow_width, slot.x, std::max(slot.x, a.x));
  c.text({x, a.y - 9}, header, 12, ink::text);
  draw_incidence(c, {x + text_width + 26, a.y - 13}, panel.cut, o.propagation_particle);
  if (const auto centre = beam_centre(o)) draw_beam(c, a, scale, panel.cut, *centre);
}

}  // namespace

void field_panel(Canvas& c, const Rect& slot, const Outcome& o) {
  // The cut in which the wave shows most of its direction.
  const auto& k = o.propagation_particle;
  const Cut cut = std::abs(k[0]) <= std::abs(k[1]) ? Cut{1, 0} : Cut{0, 1};
  const std::vector<Panel> panels{{"|E|²", cut, cut_values(o, cut), true}};
  const auto range = color_range(panels);
  draw_panel(c, slot, o, panels[0], range);
  draw_color_bar(c, {slot.right() + 22, slot.y, 14, slot.height}, ColorMap::inferno, range.low, range.high,
                 "|E|² / |E₀|²", range.gamma);
}

void internal_field_picture(const Outcome& o, const MieComparison* mie, const std::string& path) {
  const bool compare = mie && mie->intensity;
  std::vector<Panel> panels;
  for (const Cut cut : {Cut{1, 0}, Cut{0, 1}})
    panels.push_back({"discrete dipoles", cut, cut_values(o, cut), !compare});
  if (compare)
    for (int i = 0; i < 2; ++i)
      panels.push_back(
          {mie->label, panels[i].cut, exact_values(o, *mie, panels[i].cut, panels[i].values), true});
  const auto range = color_range(panels);
  const int rows = compare ? 2 : 1;
  const double slot = 330, row_height = slot + 46;
  Canvas c(960, int(112 + rows * row_height + 24));
  title(c, fmt::format("Internal field, incidence {}{}", o.polarizations[0].label, unconverged_note(o)),
        particle_caption(o));
  for (std::size_t i = 0; i < panels.size(); ++i)
    draw_panel(c, {80 + double(i % 2) * (slot + 80), 108 + double(i / 2) * row_height, slot, slot}, o,
               panels[i], range);
  draw_color_bar(c, {848, 108, 16, rows * row_height - 46}, ColorMap::inferno, range.low, range.high,
                 "|E|² / |E₀|²", range.gamma);
  c.write_png(path);
}

}  // namespace umov::dda
