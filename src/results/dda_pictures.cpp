// Composition of the pictures: titles, panels, captions.
#include "results/dda_pictures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>

#include "results/plot.hpp"
#include "results/result.hpp"
#include "results/voxel_picture.hpp"

namespace umov::results {
namespace {

using dda::Outcome;
constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double left_margin = 30;

/// 17256 as "17 256".
std::string grouped(std::size_t n) {
  std::string digits = std::to_string(n), out;
  for (std::size_t i = 0; i < digits.size(); ++i) {
    if (i > 0 && (digits.size() - i) % 3 == 0) out += " ";
    out += digits[i];
  }
  return out;
}

std::string show_index(cplx m) {
  if (m.imag() == 0) return fmt::format("{:.5g}", m.real());
  return fmt::format("{:.5g} + {:.4g}i", m.real(), m.imag());
}

/// "m = 1.5" or, for diagonal tensors, the three components.
std::string show_index(const CVec3& m) {
  if (m[0] == m[1] && m[1] == m[2]) return "m = " + show_index(m[0]);
  return fmt::format("m = ({}, {}, {})", show_index(m[0]), show_index(m[1]), show_index(m[2]));
}

std::string shape_name(const Outcome& o) {
  const auto& name = o.simulation.shape.shape;
  return name == "read" ? "particle from file" : name == "coated" ? "coated sphere" : name;
}

std::string particle_caption(const Outcome& o) {
  const double x = 2 * pi * o.particle.eq_radius / o.simulation.wavelength;
  std::string s = fmt::format("{}, size parameter x = {:.4g}", shape_name(o), x);
  if (o.simulation.m.size() == 1) s += ", " + show_index(o.simulation.m[0]);
  return s + fmt::format(", {} dipoles", grouped(o.particle.dipoles()));
}

void title(Canvas& c, std::string main, const std::string& caption) {
  if (!main.empty() && main[0] >= 'a' && main[0] <= 'z') main[0] -= 'a' - 'A';
  c.text({left_margin, 38}, main, 18, ink::text, Align::left, true);
  double size = 12;
  while (size > 8 && c.text_width(caption, size) > c.width() - 2 * left_margin) size -= 0.5;
  c.text({left_margin, 60}, caption, size, ink::muted);
}

std::string unconverged_note(const Outcome& o) { return o.converged ? "" : "  (not converged)"; }

// ---- shape ----

void draw_triad(Canvas& c, Point origin, const VoxelScene& scene) {
  const std::pair<Point, const char*> axes[] = {
      {scene.x_axis, "x"}, {scene.y_axis, "y"}, {scene.z_axis, "z"}};
  for (const auto& [d, name] : axes) {
    const double length = 46;
    c.arrow(origin, {origin.x + length * d.x, origin.y + length * d.y}, 1.5, ink::text);
    c.text({origin.x + (length + 11) * d.x, origin.y + (length + 11) * d.y + 4}, name, 12, ink::text,
           Align::center);
  }
}

void draw_materials(Canvas& c, Point at, const Outcome& o) {
  const std::size_t shown = std::min<std::size_t>(o.simulation.m.size(), 10);
  for (std::size_t i = 0; i < shown; ++i, at.y += 22) {
    c.rectangle({at.x, at.y - 11, 14, 14}, material_color(int(i + 1)));
    c.text({at.x + 22, at.y}, fmt::format("{}: {}", i + 1, show_index(o.simulation.m[i])), 12, ink::text);
  }
}

void shape_picture(const Outcome& o, const std::string& path) {
  Canvas c(760, 700);
  const auto& p = o.particle;
  const auto scene = draw_voxels(c, {120, 90, 520, 470}, p, o.propagation_particle);
  title(c, fmt::format("{}: {} dipoles", shape_name(o), grouped(p.dipoles())),
        fmt::format("{} × {} × {} sites, {:.4g} × {:.4g} × {:.4g} µm, {:.4g} dipoles per wavelength{}",
                    p.box[0], p.box[1], p.box[2], p.box[0] * p.spacing[0], p.box[1] * p.spacing[1],
                    p.box[2] * p.spacing[2], p.dpl, scene.cut ? "; one octant cut away" : ""));
  draw_triad(c, {80, 635}, scene);
  draw_materials(
      c, {c.width() - 190, c.height() - 30 - 22.0 * (std::min<std::size_t>(o.simulation.m.size(), 10) - 1)},
      o);
  c.write_png(path);
}

// ---- scattering ----

/// Signed relative difference in per cent.
std::string difference(double ours, double exact) {
  if (exact == 0) return "";
  const double percent = 100 * (ours - exact) / exact;
  return fmt::format(" ({}{:.2f} %)", percent < 0 ? "−" : "+", std::abs(percent));
}

std::string efficiency_caption(const Outcome& o, const MieComparison* mie) {
  if (o.polarizations.empty() || o.particle.eq_radius <= 0) return "";
  double cext = 0;
  for (const auto& p : o.polarizations) cext += p.cross.cext / double(o.polarizations.size());
  const double qext = cext / (pi * o.particle.eq_radius * o.particle.eq_radius);
  if (!mie || mie->qext <= 0) return fmt::format("Qext = {:.5g}", qext);
  return fmt::format("Qext = {:.5g}, Mie {:.5g}{}", qext, mie->qext, difference(qext, mie->qext));
}

std::vector<double> ratio(const std::vector<double>& s12, const std::vector<double>& s11) {
  std::vector<double> r;
  for (std::size_t i = 0; i < std::min(s11.size(), s12.size()); ++i)
    r.push_back(s11[i] != 0 ? -s12[i] / s11[i] : nan);
  return r;
}

void scattering_picture(const Outcome& o, const MieComparison* mie, const std::string& path) {
  Canvas c(820, 700);
  title(c, "Scattered light" + unconverged_note(o), particle_caption(o));
  c.text({left_margin, 79}, efficiency_caption(o, mie), 12, ink::muted);
  Series ours{"discrete dipoles", {}, {}, mie ? rgb(0x8fc1e8) : ink::blue, mie ? 4.5 : 2.2, {}};
  Series ours_ratio = ours;
  std::vector<double> s11, s12;
  double last = 180;
  for (const auto& row : o.plane) {
    ours.x.push_back(row.theta);
    s11.push_back(row.mueller[0]);
    s12.push_back(row.mueller[1]);
    last = std::max(last, row.theta);
  }
  ours_ratio.x = ours.x;
  ours.y = s11;
  ours_ratio.y = ratio(s12, s11);
  Axis angle{"scattering angle θ (°)", false, 0.0, last, last > 180 ? 60.0 : 30.0, true}, hidden = angle;
  hidden.show_labels = false;
  LinePlot top{hidden, {"S₁₁ (dimensionless)", true, {}, {}, 0, true}, {ours}, LinePlot::Legend::top_right};
  LinePlot bottom{angle, {"−S₁₂ / S₁₁", false, -1.05, 1.05, 0.5, true}, {ours_ratio}, LinePlot::Legend::none};
  if (mie) {
    const Series exact{mie->label, mie->theta, mie->s11, rgb(0x17314a), 1.4, {6, 4}};
    Series exact_ratio = exact;
    exact_ratio.y = ratio(mie->s12, mie->s11);
    top.series.push_back(exact);
    bottom.series.push_back(exact_ratio);
  }
  const double x = 92, width = c.width() - x - 30;
  draw(c, {x, 98, width, 338}, top);
  draw(c, {x, 462, width, 178}, bottom);
  c.write_png(path);
}

// ---- internal field ----

/// Coordinates of a cut through the middle: horizontal axis z, vertical `vertical`, normal `normal`.
struct Cut {
  int vertical, normal;
};

Vec3 site_position(const Outcome& o, const Cut& cut, int across, int along, int middle) {
  Int3 site;
  site[cut.vertical] = across;
  site[2] = along;
  site[cut.normal] = middle;
  return o.particle.position(site[0], site[1], site[2]);
}

/// |E|^2 of every dipole on the cut, NaN in the void.
std::vector<double> cut_values(const Outcome& o, const std::vector<double>& by_site, const Cut& cut) {
  const auto& box = o.particle.box;
  std::vector<double> values;
  for (int across = 0; across < box[cut.vertical]; ++across)
    for (int along = 0; along < box[2]; ++along) {
      Int3 s;
      s[cut.vertical] = across;
      s[2] = along;
      s[cut.normal] = box[cut.normal] / 2;
      values.push_back(by_site[(std::size_t(s[2]) * box[1] + s[1]) * box[0] + s[0]]);
    }
  return values;
}

std::vector<double> exact_values(const Outcome& o, const MieComparison& mie, const Cut& cut,
                                 const std::vector<double>& ours) {
  const auto& box = o.particle.box;
  std::vector<double> values;
  for (int across = 0; across < box[cut.vertical]; ++across)
    for (int along = 0; along < box[2]; ++along) {
      const bool empty = std::isnan(ours[values.size()]);
      values.push_back(empty ? nan
                             : mie.intensity(site_position(o, cut, across, along, box[cut.normal] / 2)));
    }
  return values;
}

std::vector<double> intensity_by_site(const Outcome& o, const std::vector<CVec3>& field) {
  std::vector<double> values;
  values.reserve(o.particle.sites());
  std::size_t dipole = 0;
  for (const auto material : o.particle.material) {
    if (material == 0) {
      values.push_back(nan);
      continue;
    }
    const auto& e = field[dipole++];
    values.push_back(std::norm(e[0]) + std::norm(e[1]) + std::norm(e[2]));
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

struct Panel {
  std::string name;
  Cut cut;
  std::vector<double> values;
  bool last_row;
};

void draw_panel(Canvas& c, const Rect& slot, const Outcome& o, const Panel& panel, double high,
                double gamma) {
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
  image.high = high;
  image.gamma = gamma;
  draw(c, a, image);
  const double depth = site_position(o, panel.cut, 0, 0, p.box[panel.cut.normal] / 2)[panel.cut.normal];
  const std::string header =
      fmt::format("{}, plane {} = {} µm", panel.name, names[panel.cut.normal], pretty_number(depth, 3));
  const double text_width = c.text_width(header, 12), arrow_width = 60;
  const double x = std::clamp(slot.right() - text_width - arrow_width, slot.x, std::max(slot.x, a.x));
  c.text({x, a.y - 9}, header, 12, ink::text);
  draw_incidence(c, {x + text_width + 26, a.y - 13}, panel.cut, o.propagation_particle);
}

/// Square-root colours where a focus would leave everything else black.
double color_gamma(const std::vector<Panel>& panels, double high) {
  std::vector<double> shown;
  for (const auto& panel : panels)
    for (const double v : panel.values)
      if (!std::isnan(v)) shown.push_back(v);
  if (shown.empty()) return 1;
  std::nth_element(shown.begin(), shown.begin() + shown.size() / 2, shown.end());
  return shown[shown.size() / 2] < 0.2 * high ? 0.5 : 1;
}

void internal_field_picture(const Outcome& o, const std::vector<CVec3>& field, const MieComparison* mie,
                            const std::string& path) {
  const bool compare = mie && mie->intensity;
  const auto by_site = intensity_by_site(o, field);
  std::vector<Panel> panels;
  for (const Cut cut : {Cut{1, 0}, Cut{0, 1}})
    panels.push_back({"discrete dipoles", cut, cut_values(o, by_site, cut), !compare});
  if (compare)
    for (int i = 0; i < 2; ++i)
      panels.push_back(
          {mie->label, panels[i].cut, exact_values(o, *mie, panels[i].cut, panels[i].values), true});
  double high = 0;
  for (const auto& panel : panels)
    for (const double v : panel.values)
      if (v > high) high = v;
  if (!(high > 0)) high = 1;
  const double gamma = color_gamma(panels, high);
  const int rows = compare ? 2 : 1;
  const double slot = 330, row_height = slot + 46;
  Canvas c(960, int(112 + rows * row_height + 24));
  title(c, fmt::format("Internal field, incidence {}{}", o.polarizations[0].label, unconverged_note(o)),
        particle_caption(o));
  for (std::size_t i = 0; i < panels.size(); ++i)
    draw_panel(c, {80 + double(i % 2) * (slot + 80), 108 + double(i / 2) * row_height, slot, slot}, o,
               panels[i], high, gamma);
  draw_color_bar(c, {848, 108, 16, rows * row_height - 46}, ColorMap::inferno, 0, high, "|E|² / |E₀|²",
                 gamma);
  c.write_png(path);
}

// ---- convergence ----

void convergence_picture(const Outcome& o, const std::string& path) {
  Canvas c(820, 500);
  LinePlot plot;
  double longest = 1;
  std::string caption = o.simulation.solver.name;
  const Color colors[] = {ink::blue, ink::orange, ink::green};
  for (const auto& p : o.polarizations) {
    const auto& history = p.solve.history;
    if (history.empty()) continue;
    Series s{fmt::format("incidence {}: {} iterations", p.label, p.solve.iterations),
             {},
             history,
             colors[plot.series.size() % 3],
             2,
             {}};
    for (std::size_t i = 0; i < history.size(); ++i) s.x.push_back(double(i));
    longest = std::max(longest, double(history.size() - 1));
    plot.series.push_back(std::move(s));
  }
  const double epsilon = o.simulation.solver.epsilon;
  plot.series.push_back(
      {"goal " + pretty_number(epsilon, 3), {0, longest}, {epsilon, epsilon}, ink::muted, 1.4, {5, 4}});
  plot.x = {"iteration", false, 0.0, longest, 0, true};
  plot.y = {"relative residual norm", true, {}, {}, 0, true};
  title(c, "Convergence of " + caption + unconverged_note(o), particle_caption(o));
  draw(c, {92, 84, c.width() - 122, 350}, plot);
  c.write_png(path);
}

}  // namespace

std::vector<std::string> draw_pictures(const Outcome& o, const std::string& dir, const MieComparison* mie) {
  std::vector<std::string> written;
  const auto place = [&](const char* name) {
    written.push_back((std::filesystem::path(dir) / name).string());
    return written.back();
  };
  if (o.particle.dipoles() > 0) shape_picture(o, place("shape.png"));
  if (o.plane.size() > 1) scattering_picture(o, mie, place("scattering.png"));
  if (!o.polarizations.empty()) {
    const auto field = internal_field(o, o.polarizations[0]);
    if (!field.empty()) internal_field_picture(o, field, mie, place("internal_field.png"));
    const bool has_history = std::any_of(o.polarizations.begin(), o.polarizations.end(),
                                         [](const auto& p) { return p.solve.history.size() > 1; });
    if (has_history) convergence_picture(o, place("convergence.png"));
  }
  return written;
}

}  // namespace umov::results
