// Monitors of kind series: a field over time at a point or over a drawn shape.
#include "fdtd/monitors/series.hpp"

#include <fmt/format.h>

#include "fdtd/kind_names.hpp"
#include "fdtd/monitors/kind.hpp"
#include "fdtd/monitors/names.hpp"
#include "fdtd/monitors/tables.hpp"
#include "fdtd/observables/drawn_series.hpp"
#include "fdtd/observables/part.hpp"

namespace umov::fdtd {
namespace {

using results::Section;
using std::string;

void add_series(results::Result& r, const SeriesResult& found, const string& name) {
  std::vector<string> end;
  if (!found.rms.empty())
    end.push_back(fmt::format("root mean square over {}: {:.9g}", rms_span(found), found.rms_total));
  Section s = with_table(r, "series", name, end);
  const string component = word(found.component);
  s.add("time", fdtd_unit::time, "time of each sample", found.time);
  s.add("value", fdtd_unit::field, component + " at the point, or its mean over the drawn shape", found.value,
        {.heading = component});
  s.add("imag", fdtd_unit::field, "imaginary part", found.imag, {.heading = "imaginary part"});
  s.add("rms", fdtd_unit::field, "root mean square over the points of the shape", found.rms);
  s.add("running_rms", fdtd_unit::field, "root of the mean of its squares from the first sample to this one",
        running_rms(found), {.heading = "running rms"});
  s.add("rms_total", fdtd_unit::field, "root mean square over " + rms_span(found), found.rms_total,
        {.column = false});
}

/// One table for all drawn monitors of a normalised run.
void add_amplitudes(results::Result& r, const Outcome& o) {
  const auto all = drawn_amplitudes(o);
  if (all.empty()) return;
  const auto table = results::add_table(
      r, {"amplitudes", {"T = |total| / |incident|, R = |total - incident| / |incident|, of fields"}, true});
  UniqueNames unique;
  for (const DrawnAmplitudes& a : all) {
    Section s(r, "amplitudes/" + unique(a.name) + "/", table);
    s.texts("monitor", std::vector<string>(a.frequency.size(), a.name));
    s.texts("field", std::vector<string>(a.frequency.size(), word(a.component)));
    add_frequencies(s, a.frequency);
    s.add("incident", fdtd_unit::field, "amplitude of the reference run's field, its mean over the shape",
          a.incident);
    s.add("transmission", "1", "amplitude of the field over that of the reference run", a.transmission,
          {.heading = "T"});
    s.add("reflection", "1",
          "amplitude of the field less that of the reference run, over that of the reference run",
          a.reflection, {.heading = "R"});
    s.add("record_error", "1",
          "estimated distance of the amplitudes from those of the steady state, of themselves; 1: not known",
          std::vector<double>(a.frequency.size(), std::min(a.left, 1.0)));
  }
}

class SeriesKind : public MonitorKind {
 public:
  SeriesKind()
      : MonitorKind({.title = "series",
                     .reads = {"fields", "center", "cells", "interval"},
                     .fields_at = FieldsAt::point}) {}

  Part make(const MonitorSpec& m, const MonitorSite& at) const override {
    return make_series(m, at.sim, at.problem);
  }

  void finish(Outcome& out) const override { warn_of_unsteady_amplitudes(out); }

  void add_results(results::Result& r, const Outcome& o) const override {
    const auto names = series_names(o);
    for (std::size_t i = 0; i < o.of<SeriesResult>().size(); ++i)
      add_series(r, o.of<SeriesResult>()[i], names[i]);
    add_amplitudes(r, o);
  }

  string lines(const Outcome& o) const override {
    string out;
    for (const auto& s : o.of<SeriesResult>())
      out += fmt::format("series '{}': root mean square at the end, over {}, {:.6g}\n", s.name, rms_span(s),
                         s.rms_total);
    for (const auto& a : drawn_amplitudes(o))
      for (std::size_t f = 0; f < a.frequency.size(); ++f)
        out += fmt::format(
            "monitor '{}' at frequency {:.6g}, of {}: T = |total| / |incident| = {:.4f}, R = |total - "
            "incident| / "
            "|incident| = {:.4f}\n",
            a.name, a.frequency[f], word(a.component), a.transmission[f], a.reflection[f]);
    return out;
  }
};

}  // namespace

const MonitorKind& series_monitor() {
  static const SeriesKind kind;
  return kind;
}

}  // namespace umov::fdtd
