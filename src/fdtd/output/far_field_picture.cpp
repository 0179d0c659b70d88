// far_field-NAME.png: polar patterns, or a map over both angles.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "fdtd/monitors/near_to_far.hpp"
#include "fdtd/output/pictures.hpp"
#include "pictures/polar_plot.hpp"
#include "pictures/sheet.hpp"

namespace umov::fdtd {

using namespace pictures;

namespace {

bool same_angle(double a, double b) { return std::abs(std::remainder(a - b, 360)) < 1e-6; }

/// One angle around a circle for every direction: phi where theta does not change, theta where phi takes
/// one value (and the opposite one). Empty where the directions do not lie on one circle.
std::vector<double> circle_angle(const FarFieldResult& f) {
  std::vector<double> angle;
  const auto constant_theta = [&](double t) { return same_angle(t, f.theta[0]); };
  if (std::all_of(f.theta.begin(), f.theta.end(), constant_theta)) return f.phi;
  for (std::size_t d = 0; d < f.theta.size(); ++d) {
    if (same_angle(f.phi[d], f.phi[0]))
      angle.push_back(f.theta[d]);
    else if (same_angle(f.phi[d], f.phi[0] + 180))
      angle.push_back(-f.theta[d]);
    else
      return {};
  }
  return angle;
}

/// Directions in the order of their angle, closed where they go all around.
Series pattern(const FarFieldResult& f, const std::vector<double>& angle, std::size_t frequency) {
  std::vector<std::size_t> order(angle.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::sort(order.begin(), order.end(), [&](auto a, auto b) { return angle[a] < angle[b]; });
  Series s;
  for (const auto i : order) {
    s.x.push_back(angle[i]);
    s.y.push_back(f.intensity[frequency * angle.size() + i]);
  }
  const double span = s.x.back() - s.x.front();
  if (span < 360 - 1e-9 && span > 360 - 2.5 * 360 / double(s.x.size())) {
    s.x.push_back(s.x.front() + 360);
    s.y.push_back(s.y.front());
  }
  return s;
}

/// At most `most` frequencies, evenly chosen.
std::vector<std::size_t> chosen(std::size_t count, std::size_t most) {
  std::vector<std::size_t> index;
  for (std::size_t i = 0; i < std::min(count, most); ++i)
    index.push_back(count <= most ? i : i * (count - 1) / (most - 1));
  return index;
}

void polar_sheet(const FarFieldResult& f, const std::vector<double>& angle, const std::string& path) {
  static constexpr Color colors[] = {ink::blue, ink::orange,   ink::green,
                                     ink::gold, rgb(0x8a5fb5), rgb(0x16a3a8)};
  PolarPlot plot;
  plot.quantity = "intensity";
  plot.decades = 4;
  for (const auto k : chosen(f.frequency.size(), std::size(colors))) {
    Series s = pattern(f, angle, k);
    s.name = "f = " + pretty_number(f.frequency[k]);
    s.color = colors[plot.series.size()];
    plot.series.push_back(std::move(s));
  }
  Canvas c(820, 720);
  title(c, "Far field: " + f.name,
        same_angle(f.theta[0], f.theta.back()) && f.theta.size() > 1
            ? fmt::format("angle φ from +x, θ = {}°", pretty_number(f.theta[0], 3))
            : fmt::format("angle θ from +z, φ = {}°", pretty_number(f.phi[0], 3)));
  draw(c, {410, 336}, 232, plot);
  c.write_png(path);
}

/// Given angles as cells of a map: each reaches half-way to its neighbours, the outermost ones as far
/// outwards.
class AngleCells {
 public:
  AngleCells(const std::vector<double>& angles, double lowest, double highest) {
    for (const double a : std::set<double>(angles.begin(), angles.end())) at_.push_back(a);
    if (at_.size() < 2) return;
    const std::size_t n = at_.size();
    from_ = std::max(lowest, at_[0] - (at_[1] - at_[0]) / 2);
    to_ = std::min(highest, at_[n - 1] + (at_[n - 1] - at_[n - 2]) / 2);
  }
  std::size_t count() const { return at_.size(); }
  double from() const { return from_; }
  double to() const { return to_; }
  std::size_t index(double angle) const {
    return std::size_t(std::lower_bound(at_.begin(), at_.end(), angle) - at_.begin());
  }
  /// The cells of so many equal steps from one end to the other.
  std::vector<std::size_t> cells(int steps) const {
    std::vector<std::size_t> list;
    std::size_t i = 0;
    for (int s = 0; s < steps; ++s) {
      const double angle = from_ + (s + 0.5) / steps * (to_ - from_);
      while (i + 1 < at_.size() && angle > (at_[i] + at_[i + 1]) / 2) ++i;
      list.push_back(i);
    }
    return list;
  }

 private:
  std::vector<double> at_;
  double from_ = 0, to_ = 0;
};

/// theta over phi, where the directions are a full grid of both.
bool map_sheet(const FarFieldResult& f, const std::string& path) {
  const AngleCells thetas(f.theta, 0, 180), phis(f.phi, -1e300, 1e300);
  if (thetas.count() < 2 || phis.count() < 2 || thetas.count() * phis.count() != f.theta.size()) return false;
  const std::size_t k = f.frequency.size() / 2;
  std::vector<double> given(f.theta.size());
  for (std::size_t d = 0; d < f.theta.size(); ++d)
    given[thetas.index(f.theta[d]) * phis.count() + phis.index(f.phi[d])] =
        f.intensity[k * f.theta.size() + d];
  ImagePlot plot;
  plot.columns = plot.rows = 720;  // fine enough for edges anywhere
  const auto columns = phis.cells(plot.columns);
  for (const std::size_t row : thetas.cells(plot.rows))
    for (const std::size_t column : columns) plot.values.push_back(given[row * phis.count() + column]);
  const auto scale = intensity_scale(given);
  plot.low = 0;
  plot.high = scale.high;
  plot.gamma = scale.gamma;
  plot.x = {"φ (°)", false, phis.from(), phis.to(), 0, true};
  plot.y = {"θ (°)", false, thetas.from(), thetas.to(), 0, true};
  Canvas c(920, 540);
  title(c, "Far field: " + f.name, "f = " + pretty_number(f.frequency[k]));
  draw(c, {86, 92, 680, 390}, plot);
  draw_color_bar(c, {790, 92, 15, 390}, ColorMap::inferno, 0, scale.high, "intensity", scale.gamma);
  c.write_png(path);
  return true;
}

}  // namespace

bool far_field_picture(const FarFieldResult& f, const std::string& path) {
  const std::size_t directions = f.theta.size();
  if (directions < 4 || f.frequency.empty() || f.intensity.size() < directions * f.frequency.size())
    return false;
  const auto angle = circle_angle(f);
  if (angle.empty()) return map_sheet(f, path);
  polar_sheet(f, angle, path);
  return true;
}

}  // namespace umov::fdtd
