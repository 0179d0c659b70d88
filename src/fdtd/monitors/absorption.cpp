// Monitors of kind absorption: what tables, maps, curves and the log say of them.
#include "fdtd/monitors/absorption.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "fdtd/monitors/names.hpp"
#include "fdtd/monitors/plot.hpp"
#include "fdtd/monitors/tables.hpp"
#include "fdtd/observables/normalized_flux.hpp"
#include "fdtd/observables/part.hpp"
#include "fdtd/spelled.hpp"

namespace umov::fdtd {
namespace {

using results::Section;
using std::string;

/// "unit^2 (unit/c)^2", of a power of the length.
string with_length(int power) {
  return power == 0   ? "(unit/c)^2"
         : power == 1 ? "unit (unit/c)^2"
         : power < 0  ? "(unit/c)^2/unit"
                      : fmt::format("unit^{} (unit/c)^2", power);
}

/// Shares of the flux that is 1; nan where there is next to nothing of it.
std::vector<double> shares_of(const AbsorptionResult& r, const std::vector<double>& power) {
  double brightest = 0;
  for (const double v : r.incident) brightest = std::max(brightest, std::abs(v));
  std::vector<double> out;
  for (std::size_t f = 0; f < std::min(r.incident.size(), power.size()); ++f)
    out.push_back(std::abs(r.incident[f]) > no_incident * brightest ? power[f] / std::abs(r.incident[f])
                                                                    : std::nan(""));
  return out;
}

/// What stands for all: shares where they are known, else cross sections, else powers.
struct Shown {
  std::vector<double> values;
  const char* quantity;
};
Shown shown(const AbsorptionResult& r) {
  if (!r.incident.empty()) return {shares_of(r, r.absorbed), "absorbed fraction of the incident flux"};
  if (!r.cross_section.empty()) return {r.cross_section, "absorption cross section (units)"};
  return {r.absorbed, "absorbed power (arbitrary)"};
}

/// Names of columns: two materials may be called alike.
std::vector<string> columns_of(const AbsorptionResult& r) {
  UniqueNames unique;
  std::vector<string> names;
  for (const auto& m : r.materials) names.push_back(unique(m));
  return names;
}

void add_totals(results::Result& out, const AbsorptionResult& r, const string& name) {
  const string power = with_length(r.extents - 1), energy = with_length(r.extents);
  Section s = with_table(out, "absorption", name, {"power absorbed in " + r.name, grid_error_unknown});
  add_frequencies(s, r.frequency);
  s.add("absorbed", power, "power of the Fourier transforms that media of the region absorb", r.absorbed);
  if (const auto names = columns_of(r); names.size() > 1)
    for (std::size_t m = 0; m < names.size(); ++m)
      s.add("absorbed_by_" + names[m], power, "what " + r.materials[m] + " takes of it", r.by_material[m]);
  s.add("incident", power, "flux of the monitor '" + r.normalized_by + "', by which it is divided",
        r.incident);
  s.add("A", "1", "absorbed / |incident|; nan where |incident| is next to nothing", shares_of(r, r.absorbed));
  s.add("cross_section",
        r.extents == 1   ? "1"
        : r.extents == 2 ? "unit"
                         : "unit^2",
        "absorbed / irradiance of the plane wave", r.cross_section);
  s.add("electric_energy", energy, "mean energy of E and of what it polarizes", r.electric);
  s.add("magnetic_energy", energy, "mean energy of H", r.magnetic);
}

void add_maps(results::Result& out, const AbsorptionResult& r, const string& name) {
  const std::vector<std::size_t> shape{r.frequency.size(), std::size_t(r.size[2]), std::size_t(r.size[1]),
                                       std::size_t(r.size[0])};
  Section s(out, "absorption/" + name + "/");
  s.add("origin", fdtd_unit::length, "place of the first node of the maps",
        std::vector<double>(r.origin.begin(), r.origin.end()));
  const results::Form map{.shape = shape, .column = false};
  s.add("density", with_length(-1), "absorbed power per volume, frequency x z x y x x", r.density, map);
  s.add("electric_energy_density", with_length(0), "mean energy of E per volume", r.electric_density, map);
  s.add("magnetic_energy_density", with_length(0), "mean energy of H per volume", r.magnetic_density, map);
}

string line_of(const AbsorptionResult& r) {
  const Shown s = shown(r);
  if (s.values.empty()) return "";
  const auto largest = [](double a, double b) { return std::isnan(a) || a < b; };
  const auto at = std::size_t(std::ranges::max_element(s.values, largest) - s.values.begin());
  string out = fmt::format("absorption '{}': {} {:.6g} at frequency {:.6g}", r.name, s.quantity, s.values[at],
                           r.frequency[at]);
  if (r.materials.size() > 1 && r.absorbed[at] > 0) {
    out += ", of which";
    for (std::size_t m = 0; m < r.materials.size(); ++m)
      out += fmt::format("{} {} {:.4g}", m ? "," : "", r.materials[m], r.by_material[m][at] / r.absorbed[at]);
  }
  return out + "\n";
}

class AbsorptionKind : public MonitorKind {
 public:
  AbsorptionKind()
      : MonitorKind({.title = "absorption",
                     .reads = {"center", "size", "reference", "frequencies", "interval"},
                     .spectrum = true,
                     .on_nodes = true,
                     .dashed = true,
                     .fields_at = FieldsAt::nodes}) {}

  void declare(ParameterTable<MonitorCase>& t) const override {
    t.add(cases::item(
              "energy", "",
              "absorption: also the mean energy of the fields (transforms of all E and H of the region, "
              "not of what absorbs alone)."),
          boolean(), UMOV_OWN(AbsorptionSpec, energy));
  }

  Part make(const MonitorSpec& m, const MonitorSite& at) const override {
    return make_absorption(m, at.sim, at.scene, at.problem);
  }

  void add_results(results::Result& out, const Outcome& o) const override {
    UniqueNames unique;
    for (const auto& r : o.of<AbsorptionResult>()) {
      const string name = unique(r.name);
      add_totals(out, r, name);
      add_maps(out, r, name);
    }
  }

  std::vector<Plot> plots(const Outcome& o) const override {
    std::vector<Plot> plots;
    for (const auto& r : o.of<AbsorptionResult>()) {
      if (r.frequency.size() < 2) continue;
      const Shown all = shown(r);
      Plot p{.file = "absorption-" + r.name,
             .title = "Absorption: " + r.name,
             .quantity = all.quantity,
             .frequency = r.frequency,
             .from = 0,
             .says = Says::powers};
      p.add("all", r.frequency, all.values);
      for (std::size_t m = 0; m < r.materials.size() && r.materials.size() > 1; ++m) {
        if (p.curves.size() == most_curves) break;
        std::vector<double> part = all.values;
        for (std::size_t f = 0; f < part.size(); ++f)
          part[f] = r.absorbed[f] > 0 ? part[f] * r.by_material[m][f] / r.absorbed[f] : 0;
        p.add(r.materials[m], r.frequency, part, Curve::Line::dashed);
      }
      plots.push_back(std::move(p));
    }
    return plots;
  }

  std::vector<NodeMap> maps(const Outcome& o) const override {
    std::vector<NodeMap> maps;
    const auto add = [&](const AbsorptionResult& r, const char* file, const char* title, const char* quantity,
                         const std::vector<float>& values) {
      if (!values.empty())
        maps.push_back({file + r.name, title, quantity, r.frequency, r.origin, r.size, values});
    };
    for (const auto& r : o.of<AbsorptionResult>()) {
      add(r, "absorption-", "Absorbed power", "absorbed power per volume (arbitrary)", r.density);
      add(r, "electric-energy-", "Energy of E", "mean energy per volume (arbitrary)", r.electric_density);
      add(r, "magnetic-energy-", "Energy of H", "mean energy per volume (arbitrary)", r.magnetic_density);
    }
    return maps;
  }

  string lines(const Outcome& o) const override {
    string out;
    for (const auto& r : o.of<AbsorptionResult>()) out += line_of(r);
    return out;
  }

  bool lacks_grid_error(const Outcome& o) const override { return !o.of<AbsorptionResult>().empty(); }
};

}  // namespace

const MonitorKind& absorption_monitor() {
  static const AbsorptionKind kind;
  return kind;
}

}  // namespace umov::fdtd
