// Monitors of kind mode: amplitudes of a waveguide mode through a plane.
#include "fdtd/monitors/mode.hpp"

#include "fdtd/monitors/kind.hpp"
#include "fdtd/monitors/names.hpp"
#include "fdtd/monitors/plot.hpp"
#include "fdtd/monitors/tables.hpp"
#include "fdtd/observables/part.hpp"
#include "fdtd/spelled.hpp"

namespace umov::fdtd {
namespace {

using results::Section;

class ModeKind : public MonitorKind {
 public:
  ModeKind()
      : MonitorKind({.title = "mode amplitudes",
                     .reads = {"center", "size", "direction", "port", "frequencies", "interval"},
                     .spectrum = true,
                     .on_nodes = true,
                     .keeps_inside = false,  // its plane may reach where the mode has died out
                     .guided_modes = true,
                     .fields_at = FieldsAt::surface}) {}

  void declare(ParameterTable<MonitorCase>& t) const override {
    t.add(cases::item("mode", "", "mode: its number, from 1."), integer<int>(Range::between(1, 1000)),
          UMOV_OWN(ModeSpec, mode));
  }

  Part make(const MonitorSpec& m, const MonitorSite& at) const override {
    return make_mode(m, at.sim, at.problem, at.solved);
  }

  void add_results(results::Result& r, const Outcome& o) const override {
    UniqueNames unique;
    for (const auto& m : o.of<ModeResult>()) {
      Section s = with_table(r, "modes", unique(m.name));
      add_frequencies(s, m.frequency);
      s.add("effective_index", "1", "propagation constant / wave number of vacuum", m.effective_index,
            {.heading = "effective index"});
      s.add("effective_index_im", "1", "imaginary part of it, above 0 where the mode decays",
            m.effective_index_im);
      s.add("forward", "1", "amplitude of the mode along the axis", m.forward);
      s.add("backward", "1", "amplitude of the mode against the axis", m.backward);
    }
  }

  std::vector<Plot> plots(const Outcome& o) const override {
    const auto power = [](const std::vector<cplx>& amplitude) {
      std::vector<double> values;
      for (const auto& a : amplitude) values.push_back(std::norm(a));
      return values;
    };
    std::vector<Plot> plots;
    for (const auto& m : o.of<ModeResult>()) {
      if (m.frequency.size() < 2) continue;
      Plot p{.file = "modes-" + m.name,
             .title = "Power in the mode: " + m.name,
             .quantity = "|amplitude|²",
             .frequency = m.frequency,
             .says = Says::beside};
      p.add("forward", m.frequency, power(m.forward));
      p.add("backward", m.frequency, power(m.backward));
      plots.push_back(std::move(p));
    }
    return plots;
  }

  bool lacks_grid_error(const Outcome& o) const override { return !o.of<ModeResult>().empty(); }
};

}  // namespace

const MonitorKind& mode_monitor() {
  static const ModeKind kind;
  return kind;
}

}  // namespace umov::fdtd
