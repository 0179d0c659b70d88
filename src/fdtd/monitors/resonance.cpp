// Monitors of kind resonance: frequencies and quality factors of what rings after the sources.
#include "fdtd/monitors/resonance.hpp"

#include <fmt/format.h>

#include <type_traits>

#include "fdtd/kind_names.hpp"
#include "fdtd/monitors/kind.hpp"
#include "fdtd/monitors/names.hpp"
#include "fdtd/monitors/spectrum_errors.hpp"
#include "fdtd/monitors/tables.hpp"
#include "fdtd/observables/part.hpp"
#include "fdtd/spelled.hpp"

namespace umov::fdtd {
namespace {

using results::Section;
using std::string;

void add_resonances(Section s, const ResonanceResult& found) {
  const auto each = [&](auto of) {
    std::vector<std::decay_t<decltype(of(Resonance{}))>> values;
    for (const auto& mode : found.modes) values.push_back(of(mode));
    return values;
  };
  const auto member = [&](double Resonance::*of) {
    return each([of](const Resonance& mode) { return mode.*of; });
  };
  s.texts("monitor", std::vector<string>(found.modes.size(), found.name));
  s.texts("field", std::vector<string>(found.modes.size(), word(found.component)));
  s.add("frequency", fdtd_unit::frequency, "resonance frequency", member(&Resonance::frequency));
  s.column("wavelength", fdtd_unit::length, wavelengths(member(&Resonance::frequency)));
  s.add("quality", "1", "quality factor", member(&Resonance::quality), {.heading = "Q"});
  s.add("amplitude", "1", "amplitude at the start of the record", member(&Resonance::amplitude));
  s.add("phase", fdtd_unit::degree, "phase at the start of the record", member(&Resonance::phase));
  s.add("record_error", "1",
        "error of the record: of the frequency, relative, two standard deviations; that of Q: 2 Q times it",
        member(&Resonance::error), {.heading = "relative record error"});
  s.texts("Q is", each([](const Resonance& m) { return string(m.at_least ? "a lower bound" : "a value"); }));
  s.column("relative record error of Q", "1", each([](const Resonance& m) { return m.quality_error(); }));
  s.add("quality_at_least", "1", "1: the quality factor is a lower bound",
        each([](const Resonance& m) { return m.at_least ? 1.0 : 0.0; }), {.column = false});
}

/// With the error of its record where that is seen in six digits; a bound in two digits.
string quality_text(const Resonance& m) {
  if (m.at_least) return fmt::format("{:.2g}", m.quality);
  const double error = m.quality_error() * m.quality;
  return fmt::format("{:.6g}", m.quality) +
         (error > 1e-6 * m.quality ? fmt::format(" +- {:.1g}", error) : "");
}

class ResonanceKind : public MonitorKind {
 public:
  ResonanceKind()
      : MonitorKind({.title = "resonances",
                     .reads = {"fields", "center", "cells", "frequencies", "interval"},
                     .free_fields = true}) {}

  void declare(ParameterTable<MonitorCase>& t) const override {
    t.add(cases::item("start", "unit / c",
                      "resonance: time at which recording begins; 0: when the sources have ended."),
          number(Range::at_least(0)), UMOV_OWN(ResonanceSpec, start));
  }

  Part make(const MonitorSpec& m, const MonitorSite& at) const override {
    return make_resonance(m, at.sim, at.scene, at.problem);
  }

  /// One table for all monitors.
  void add_results(results::Result& r, const Outcome& o) const override {
    UniqueNames unique;
    const auto table = results::add_table(r, {"resonances", {grid_error_unknown}, true});
    for (const auto& found : o.of<ResonanceResult>())
      add_resonances({r, "resonances/" + unique(found.name) + "/", table}, found);
  }

  string lines(const Outcome& o) const override {
    string out;
    for (const auto& r : o.of<ResonanceResult>())
      for (const auto& m : r.modes)
        out += fmt::format(
            "resonance '{}' ({}): f = {:.8g}, Q {} {}, amplitude {:.3g}, error of the record {:.1e}\n",
            r.name, word(r.component), m.frequency, m.at_least ? ">" : "=", quality_text(m), m.amplitude,
            m.error);
    return out;
  }

  bool lacks_grid_error(const Outcome& o) const override { return !o.of<ResonanceResult>().empty(); }
};

}  // namespace

const MonitorKind& resonance_monitor() {
  static const ResonanceKind kind;
  return kind;
}

}  // namespace umov::fdtd
