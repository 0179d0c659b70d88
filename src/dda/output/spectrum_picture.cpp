// spectrum.png: cross sections of many cases over wavelength, size or angle.
#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <iterator>
#include <map>
#include <numeric>

#include "dda/observables/mie_comparison.hpp"
#include "dda/output/many.hpp"
#include "pictures/plot.hpp"
#include "pictures/sheet.hpp"

namespace umov::dda {

using namespace pictures;

namespace {

/// A parameter that may be a list.
struct Parameter {
  std::string name, label, unit;
  std::function<double(const Simulation&)> value;
};

std::vector<double> values_of(const ManyOutcome& o, const Parameter& p) {
  std::vector<double> out;
  for (const Simulation& sim : o.cases) {
    const double x = p.value(sim);
    if (std::find(out.begin(), out.end(), x) == out.end()) out.push_back(x);
  }
  return out;
}

/// Those with several values, wavelengths first.
std::vector<Parameter> varied(const ManyOutcome& o) {
  std::vector<Vec3> directions;
  for (const Simulation& sim : o.cases)
    if (std::find(directions.begin(), directions.end(), sim.propagation) == directions.end())
      directions.push_back(sim.propagation);
  const std::vector<Parameter> all{
      {"wavelength", "wavelength in vacuum (µm)", "µm",
       [](const Simulation& s) { return s.vacuum_wavelength(); }},
      {"size", "size along x (µm)", "µm", [](const Simulation& s) { return s.shape.size.value_or(0); }},
      {"radius", "radius of the sphere of equal volume (µm)", "µm",
       [](const Simulation& s) { return s.shape.eq_radius.value_or(0); }},
      {"alpha", "Euler angle α (°)", "°", [](const Simulation& s) { return s.orientation.alpha; }},
      {"beta", "Euler angle β (°)", "°", [](const Simulation& s) { return s.orientation.beta; }},
      {"gamma", "Euler angle γ (°)", "°", [](const Simulation& s) { return s.orientation.gamma; }},
      {"direction", "number of the direction of incidence", "", [directions](const Simulation& s) {
         return double(std::find(directions.begin(), directions.end(), s.propagation) - directions.begin() +
                       1);
       }}};
  std::vector<Parameter> out;
  for (const Parameter& p : all)
    if (values_of(o, p).size() > 1) out.push_back(p);
  return out;
}

/// What tells the curves apart: all varied parameters but the first.
std::string curve_of(const Simulation& sim, const std::vector<Parameter>& list) {
  std::string out;
  for (std::size_t i = 1; i < list.size(); ++i) {
    if (list[i].name == "direction") {
      const Vec3 n = (1 / norm(sim.propagation)) * sim.propagation;
      out += fmt::format("{}along ({:.3g}, {:.3g}, {:.3g})", i > 1 ? ", " : "", n[0], n[1], n[2]);
      continue;
    }
    const bool close = list[i].unit.empty() || list[i].unit == "°";
    out += fmt::format("{}{} {:.5g}{}{}", i > 1 ? ", " : "", list[i].name, list[i].value(sim),
                       close ? "" : " ", list[i].unit);
  }
  return out;
}

struct Kind {
  std::string name;
  Color color;
  std::function<double(const CrossSections&)> ours;
  std::function<double(const mie::Efficiencies&)> exact;
};

const std::vector<Kind>& kinds() {
  static const std::vector<Kind> list{
      {"extinction", ink::blue, [](const CrossSections& c) { return c.cext; },
       [](const mie::Efficiencies& e) { return e.qext; }},
      {"absorption", ink::orange, [](const CrossSections& c) { return c.cabs; },
       [](const mie::Efficiencies& e) { return e.qabs; }},
      {"scattering", ink::green,
       [](const CrossSections& c) { return c.csca ? *c.csca : c.csca_difference(); },
       [](const mie::Efficiencies& e) { return e.qsca; }}};
  return list;
}

/// For unpolarised light, or the mean over orientations.
double mean(const CaseRow& row, const Kind& kind) {
  double sum = 0;
  for (const auto& p : row.polarizations) sum += kind.ours(p.cross) / double(row.polarizations.size());
  return sum;
}

/// The curve from left to right, whatever the order of the cases.
Series ascending(const Series& line) {
  std::vector<std::size_t> order(line.x.size());
  std::iota(order.begin(), order.end(), std::size_t(0));
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return line.x[a] < line.x[b]; });
  Series out = line;
  for (std::size_t i = 0; i < order.size(); ++i) {
    out.x[i] = line.x[order[i]];
    out.y[i] = line.y[order[i]];
  }
  return out;
}

/// Series of one kind of cross section, a curve for each combination of the parameters that are not on the
/// axis; with those of Mie theory after them.
class Curves {
 public:
  Curves(const ManyOutcome& o, const std::vector<Parameter>& list, double unit)
      : o_(o), list_(list), unit_(unit) {}

  void add(LinePlot& plot, const Kind& kind, const std::vector<Color>& colors,
           const std::string& name) const {
    std::vector<Series> ours, exact;
    std::map<std::string, std::size_t> at;
    for (std::size_t i = 0; i < o_.rows.size(); ++i) {
      const Simulation& sim = o_.cases[i];
      const std::string curve = curve_of(sim, list_);
      const auto [found, is_new] = at.emplace(curve, ours.size());
      if (is_new) {
        const Color color = colors[ours.size() % colors.size()];
        ours.push_back({curve.empty() ? name : curve, {}, {}, color, 2.2, {}});
        exact.push_back({"", {}, {}, ink::text, 1.2, {5, 4}});
      }
      Series &line = ours[found->second], &mie = exact[found->second];
      line.x.push_back(list_.front().value(sim));
      line.y.push_back(unit_ * mean(o_.rows[i], kind));
      if (const auto sphere = equivalent_sphere(sim, o_.rows[i].eq_radius)) {
        mie.x.push_back(line.x.back());
        const double radius = o_.rows[i].eq_radius;
        mie.y.push_back(unit_ * pi * radius * radius * kind.exact(mie::efficiencies(*sphere)));
      }
    }
    for (auto& line : ours) plot.series.push_back(ascending(line));
    for (const auto& line : exact)
      if (!line.x.empty()) plot.series.push_back(ascending(line));
  }

 private:
  const ManyOutcome& o_;
  const std::vector<Parameter>& list_;
  double unit_;
};

}  // namespace

bool spectrum_picture(const ManyOutcome& o, const std::string& path) {
  const auto list = varied(o);
  if (list.empty()) return false;
  double largest = 0;
  for (const CaseRow& row : o.rows) largest = std::max(largest, mean(row, kinds()[0]));
  const bool nano = largest < 0.1;
  const Curves curves(o, list, nano ? 1e6 : 1);
  const bool one = list.size() == 1;
  LinePlot plot;
  if (one)
    for (const Kind& kind : kinds()) curves.add(plot, kind, {kind.color}, kind.name);
  else
    curves.add(plot, kinds()[0], {std::begin(curve_colors), std::end(curve_colors)}, "");
  const bool spheres =
      std::any_of(plot.series.begin(), plot.series.end(), [](const Series& s) { return !s.dashes.empty(); });
  if (spheres)  // one entry for all of them
    std::find_if(plot.series.begin(), plot.series.end(), [](const Series& s) {
      return !s.dashes.empty();
    })->name = "Mie theory";
  const auto over = values_of(o, list.front());
  plot.x = {list.front().label,
            false,
            *std::min_element(over.begin(), over.end()),
            *std::max_element(over.begin(), over.end()),
            0,
            true};
  plot.y = {fmt::format("{}cross section ({})", one ? "" : "extinction ", nano ? "nm²" : "µm²"),
            false,
            0.0,
            {},
            0,
            true};
  plot.legend = LinePlot::Legend::below;
  Canvas measure(820, 100);
  const int rows = legend_rows(measure, 820 - 122, plot);
  Canvas c(820, 500 + 19 * rows);
  const CaseRow& first = o.rows.front();
  title(c,
        fmt::format("Cross sections over the {}{}", list.front().name,
                    o.converged() ? "" : "  (not all converged)"),
        fmt::format("{}, {}, {} dipoles, {} cases", o.cases.front().shape.shape,
                    first.orientations > 0 ? "mean over orientations" : "unpolarised light",
                    grouped(first.dipoles), o.cases.size()));
  draw(c, {92, 84, c.width() - 122.0, 350}, plot);
  c.write_png(path);
  return true;
}

}  // namespace umov::dda
