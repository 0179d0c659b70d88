// Monitors of kind ldos: what tables, pictures and the log say of them.
#include "fdtd/monitors/ldos.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "fdtd/kind_names.hpp"
#include "fdtd/monitors/names.hpp"
#include "fdtd/monitors/plot.hpp"
#include "fdtd/monitors/tables.hpp"
#include "fdtd/observables/part.hpp"

namespace umov::fdtd {
namespace {

using results::Section;

std::vector<double> factors(const LdosResult& r) {
  std::vector<double> out;
  for (std::size_t i = 0; i < r.power.size(); ++i) out.push_back(r.power[i] / r.homogeneous[i]);
  return out;
}

std::string against(const LdosResult& r) {
  return r.by_reference ? "the reference run" : fmt::format("a homogeneous medium of index {:.4g}", r.index);
}

class LdosKind : public MonitorKind {
 public:
  LdosKind()
      : MonitorKind(
            {.title = "power of the source", .reads = {"frequencies", "interval"}, .spectrum = true}) {}

  Part make(const MonitorSpec& m, const MonitorSite& at) const override {
    return make_ldos(m, at.sim, at.problem);
  }

  void add_results(results::Result& r, const Outcome& o) const override {
    UniqueNames unique;
    for (const auto& found : o.of<LdosResult>()) {
      Section s = with_table(r, "ldos", unique(found.name), {"Purcell factor against " + against(found)});
      add_frequencies(s, found.frequency);
      s.add("purcell", "1", "power over that in " + against(found), factors(found),
            {.heading = "Purcell factor"});
      s.add("power", "1", "power of the current, of transforms", found.power);
      s.add("homogeneous", "1", "power in " + against(found), found.homogeneous);
    }
  }

  std::vector<Plot> plots(const Outcome& o) const override {
    std::vector<Plot> plots;
    for (const auto& r : o.of<LdosResult>()) {
      if (r.frequency.size() < 2) continue;
      Plot p{.file = "ldos-" + r.name,
             .title = "Purcell factor: " + r.name,
             .quantity = "Power / power in " + against(r),
             .frequency = r.frequency,
             .says = Says::powers};
      p.add("Purcell factor", r.frequency, factors(r));
      plots.push_back(std::move(p));
    }
    return plots;
  }

  std::string lines(const Outcome& o) const override {
    std::string out;
    for (const auto& r : o.of<LdosResult>()) {
      const auto f = factors(r);
      const auto most = std::size_t(std::ranges::max_element(f) - f.begin());
      out += fmt::format("ldos '{}': Purcell factor {:.6g} at frequency {:.6g}, against {}\n", r.name,
                         f[most], r.frequency[most], against(r));
    }
    return out;
  }

  bool lacks_grid_error(const Outcome& o) const override { return !o.of<LdosResult>().empty(); }
};

}  // namespace

const MonitorKind& ldos_monitor() {
  static const LdosKind kind;
  return kind;
}

}  // namespace umov::fdtd
