// Monitors of kind near_to_far: a surface around everything that radiates, and what it sends to far away.
#include "fdtd/monitors/near_to_far.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "fdtd/monitors/kind.hpp"
#include "fdtd/monitors/names.hpp"
#include "fdtd/monitors/plot.hpp"
#include "fdtd/monitors/spectrum_errors.hpp"
#include "fdtd/monitors/tables.hpp"
#include "fdtd/observables/part.hpp"
#include "fdtd/spelled.hpp"

namespace umov::fdtd {
namespace {

using cases::item;
using results::Along;
using results::Section;
using std::string;

void add_cross_sections(results::Result& r, const Outcome& o, const FarFieldResult& f, const string& name) {
  if (f.power.empty() && f.scattering_cross_section.empty() && f.extinction.empty() && f.absorption.empty())
    return;
  const string group = "far_field/" + name + "/", area = fdtd_unit::cross_section(o.grid);
  Section s(r, group, results::add_table(r, {"cross_sections-" + name, {grid_error_unknown}}));
  s.again(group + "frequency", "frequency");
  s.again(group + "wavelength", "wavelength");
  s.add("power", fdtd_unit::flux(o.grid), "flux out of the surface", f.power);
  s.add("scattering_cross_section", area, "scattered power / incident irradiance", f.scattering_cross_section,
        {.heading = "scattering"});
  s.add("extinction_cross_section", area, "scattering and absorption", f.extinction,
        {.heading = "extinction"});
  s.add("absorption_cross_section", area, "absorbed power / incident irradiance", f.absorption,
        {.heading = "absorption"});
  add_errors(s, "scattering", area, f.scattering_errors);
  add_errors(s, "extinction", area, f.extinction_errors);
  add_errors(s, "absorption", area, f.absorption_errors);
}

void add_far_field(results::Result& r, const Outcome& o, const FarFieldResult& f, const string& name) {
  const std::vector<std::size_t> shape{f.frequency.size(), f.theta.size()};
  Section s = f.intensity.empty() ? Section(r, "far_field/" + name + "/") : with_table(r, "far_field", name);
  s.rows(f.frequency.size(), f.theta.size());
  add_frequencies(s, f.frequency, true);
  s.add("theta", fdtd_unit::degree, "angle from +z of each direction", f.theta, {.along = Along::inner});
  s.add("phi", fdtd_unit::degree, "angle from +x around z of each direction", f.phi, {.along = Along::inner});
  s.add("intensity", fdtd_unit::flux(o.grid), "radiant intensity per angle, frequencies x directions",
        f.intensity, {.shape = shape});
  s.add("E_theta", "1", "amplitude along e_theta, of E exp(ikr) / r or / sqrt(r), frequencies x directions",
        f.e_theta, {.shape = shape});
  s.add("E_phi", "1", "amplitude along e_phi, of E exp(ikr) / r or / sqrt(r), frequencies x directions",
        f.e_phi, {.shape = shape});
  add_cross_sections(r, o, f, name);
}

string line_of(const FarFieldResult& f) {
  if (f.scattering_cross_section.empty()) return "";
  string out = fmt::format("far field '{}': Csca = {:.6g}", f.name, f.scattering_cross_section.front());
  if (!f.extinction.empty()) out += fmt::format(", Cext = {:.6g}", f.extinction.front());
  out += fmt::format(" at frequency {:.6g}", f.frequency.front());
  return out + errors_text(f.scattering_errors) + "\n";
}

class NearToFarKind : public MonitorKind {
 public:
  NearToFarKind()
      : MonitorKind({.title = "far field",
                     .reads = {"center", "size", "frequencies", "interval"},
                     .spectrum = true,
                     .uncertainty = true,
                     .on_nodes = true,
                     .dashed = true}) {}  // where its incident wave is looked for, its faces are checked

  void declare(ParameterTable<MonitorCase>& t) const override {
    t.add(item("theta", "deg", "near_to_far: directions from +z; none is 90 for all.", "every degree"),
          numbers(), UMOV_OWN(NearToFarSpec, theta));
    t.add(item("phi", "deg", "near_to_far: directions from +x.", "every degree"), numbers(),
          UMOV_OWN(NearToFarSpec, phi));
  }

  Part make(const MonitorSpec& m, const MonitorSite& at) const override {
    return make_near_to_far(m, at.sim, at.scene, at.problem);
  }

  void add_results(results::Result& r, const Outcome& o) const override {
    UniqueNames unique;
    for (const auto& f : o.of<FarFieldResult>()) add_far_field(r, o, f, unique(f.name));
  }

  std::vector<Plot> plots(const Outcome& o) const override {
    std::vector<Plot> plots;
    const string unit[] = {"cross section", "cross section (units)", "cross section (units²)"};
    for (const auto& f : o.of<FarFieldResult>()) {
      Plot p{.file = "cross_sections-" + f.name,
             .title = "Cross sections: " + f.name,
             .quantity = unit[dimensions(o.grid.mode) - 1],
             .frequency = f.frequency,
             .says = Says::powers};
      const auto add = [&](const char* name, const std::vector<double>& values, std::size_t color) {
        if (!values.empty()) p.curves.push_back({name, f.frequency, values, color});
      };
      add("extinction", f.extinction, 0);
      add("scattering", f.scattering_cross_section, 1);
      add("absorption", f.absorption, 2);
      if (!p.curves.empty() && f.frequency.size() > 1) plots.push_back(std::move(p));
    }
    return plots;
  }

  string lines(const Outcome& o) const override {
    string out;
    for (const auto& f : o.of<FarFieldResult>()) out += line_of(f);
    return out;
  }

  bool lacks_grid_error(const Outcome& o) const override {
    return std::ranges::any_of(o.of<FarFieldResult>(),
                               [](const FarFieldResult& f) { return f.scattering_errors.grid.empty(); });
  }
};

}  // namespace

const MonitorKind& near_to_far_monitor() {
  static const NearToFarKind kind;
  return kind;
}

}  // namespace umov::fdtd
