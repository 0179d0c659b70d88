// scattering.png and polar.png: intensity and polarization of the scattered light over the angle.
#include <algorithm>
#include <cmath>

#include "dda/observables/plane_order.hpp"
#include "dda/output/picture_parts.hpp"
#include "pictures/plot.hpp"
#include "pictures/polar_plot.hpp"

namespace umov::dda {

using namespace pictures;

namespace {

constexpr Color our_color = rgb(0x8fc1e8), mie_color = rgb(0x17314a);

std::vector<double> ratio(const std::vector<double>& s12, const std::vector<double>& s11) {
  std::vector<double> r;
  for (std::size_t i = 0; i < std::min(s11.size(), s12.size()); ++i)
    r.push_back(s11[i] != 0 ? -s12[i] / s11[i] : nan);
  return r;
}

/// A pattern over half a circle is that of the other half, too: the program computes only half when the
/// particle and the incidence are symmetric about the plane.
void complete_circle(Series& s) {
  if (s.x.empty()) return;
  if (s.x.back() > 180) {
    s.x.push_back(360 + s.x.front());
    s.y.push_back(s.y.front());
    return;
  }
  for (std::size_t i = s.x.size(); i-- > 0;) {
    s.x.push_back(360 - s.x[i]);
    s.y.push_back(s.y[i]);
  }
}

}  // namespace

void scattering_picture(const Outcome& o, const MieComparison* mie, const std::string& path) {
  Canvas c(820, 700);
  title(c, "Scattered light" + unconverged_note(o), particle_caption(o));
  c.text({left_margin, 79}, efficiency_caption(o, mie), 12, ink::muted);
  Series ours{"discrete dipoles", {}, {}, mie ? our_color : ink::blue, mie ? 4.5 : 2.2, {}};
  Series ours_ratio = ours;
  std::vector<double> s11, s12;
  double last = 180;
  for (const auto& [theta, row] : by_angle_from_incidence(o.plane)) {
    ours.x.push_back(theta);
    s11.push_back(row->mueller[0]);
    s12.push_back(row->mueller[1]);
    last = std::max(last, theta);
  }
  if (last > 180) last = 360;
  ours_ratio.x = ours.x;
  ours.y = s11;
  ours_ratio.y = ratio(s12, s11);
  Axis angle{"scattering angle θ (°)", false, 0.0, last, last > 180 ? 60.0 : 30.0, true}, hidden = angle;
  hidden.show_labels = false;
  const Axis intensity{"S₁₁ (dimensionless)", true, {}, {}, 0, true};
  const Axis polarization{"−S₁₂ / S₁₁", false, -1.05, 1.05, 0.5, true};
  LinePlot top{hidden, intensity, {ours}, mie ? LinePlot::Legend::top_right : LinePlot::Legend::none};
  LinePlot bottom{angle, polarization, {ours_ratio}, LinePlot::Legend::none};
  if (mie) {
    const Series exact{mie->label, mie->theta, mie->s11, mie_color, 1.4, {6, 4}};
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

void polar_panel(Canvas& c, Point center, double radius, const Outcome& o, const MieComparison* mie) {
  Series ours{"discrete dipoles", {}, {}, ink::blue, 2, {}};
  for (const auto& [theta, row] : by_angle_from_incidence(o.plane)) {
    ours.x.push_back(theta);
    ours.y.push_back(row->mueller[0]);
  }
  complete_circle(ours);
  PolarPlot plot{"S₁₁", {ours}, rgb(0xd6e8f6)};
  if (mie) {
    plot.series.push_back({mie->label, mie->theta, mie->s11, mie_color, 1.2, {4, 3}});
    complete_circle(plot.series.back());
  }
  draw(c, center, radius, plot);
}

void polar_picture(const Outcome& o, const MieComparison* mie, const std::string& path) {
  Canvas c(760, 780);
  title(c, "Where the light goes" + unconverged_note(o), particle_caption(o));
  c.text({left_margin, 79}, efficiency_caption(o, mie), 12, ink::muted);
  const Point center{380, 400};
  const double radius = 265;
  polar_panel(c, center, radius, o, mie);
  c.write_png(path);
}

}  // namespace umov::dda
