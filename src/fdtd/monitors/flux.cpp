// Monitors of kind flux: Poynting flux through lines, planes and boxes.
#include "fdtd/monitors/flux.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "fdtd/monitors/kind.hpp"
#include "fdtd/monitors/names.hpp"
#include "fdtd/monitors/plot.hpp"
#include "fdtd/monitors/spectrum_errors.hpp"
#include "fdtd/monitors/tables.hpp"
#include "fdtd/observables/normalized_flux.hpp"
#include "fdtd/observables/part.hpp"
#include "fdtd/observables/references.hpp"

namespace umov::fdtd {
namespace {

using results::Section;
using std::string;

std::vector<string> comments_of(const FluxResult& f) {
  std::vector<string> comments{"flux spectrum of " + f.name};
  if (std::isfinite(f.record_error))
    comments.push_back(fmt::format("error of the record {:.2g} of the largest flux", f.record_error));
  if (f.errors.grid.empty()) comments.push_back(grid_error_unknown);
  if (!f.incident.empty()) comments.push_back("divided by the flux of " + f.normalized_by);
  return comments;
}

void add_flux(results::Result& r, const Outcome& o, const FluxResult& f, const string& name) {
  const string unit = fdtd_unit::flux(o.grid);
  const auto quotients = normalized(f);
  Section s = with_table(r, "flux", name, comments_of(f));
  add_frequencies(s, f.frequency);
  s.add("flux", unit, "Poynting flux of the Fourier transforms through the monitor", f.flux);
  s.add("reference", unit, "the same in the reference run", f.reference);
  s.add("scattered", unit, "flux of the fields less those of the reference run", f.scattered);
  s.add("incident", unit, "flux of the monitor '" + f.normalized_by + "', by which it is divided",
        f.incident);
  const char* by = f.incident.empty() ? "reference" : "|incident|";
  s.add("T", "1", fmt::format("flux / {0}; nan where {0} is next to nothing", by), quotients.transmission);
  if (shows_reflection(f))
    s.add("R", "1", fmt::format("-scattered / {0}; nan where {0} is next to nothing", by),
          quotients.reflection);
  add_errors(s, "", unit, f.errors);
  s.add("largest_record_error", "1",
        "largest error of the record over the largest flux that passes, in or out, or that plane waves "
        "offer; "
        "nan where it is not known",
        f.record_error, {.column = false});
}

/// "R = 0.25 at 0.1, ..." is for spectra; here only where the flux is largest.
string line_of(const FluxResult& f) {
  if (f.flux.empty()) return "";
  const auto larger = [](double a, double b) { return std::abs(a) < std::abs(b); };
  const bool named = f.incident.size() == f.flux.size();
  const bool relative = !f.balanced && (named || f.reference.size() == f.flux.size());
  const auto& by = named ? f.incident : relative ? f.reference : f.flux;
  const auto at = std::size_t(std::max_element(by.begin(), by.end(), larger) - by.begin());
  string out = fmt::format("flux '{}': {:.6g} at frequency {:.6g}", f.name, f.flux[at], f.frequency[at]);
  double unit = 1;
  if (relative && !without_incident(f)[at]) {
    unit = named ? std::abs(by[at]) : by[at];
    out += fmt::format(", {:.6g} of {}", f.flux[at] / unit,
                       named ? "'" + f.normalized_by + "'" : "the reference");
    if (const auto quotients = normalized(f);
        quotients.reflection.size() == f.flux.size() && shows_reflection(f))
      out += fmt::format(", R = {:.6g}", quotients.reflection[at]);
  }
  return out + errors_text(f.errors, std::abs(unit)) + "\n";
}

/// Errors of records as shares of what passes there or, in the dark, of a millionth of what the brightest
/// monitor sees.
void relate_errors(Outcome& out) {
  constexpr double dark = 1e-6;
  double brightest = 0;
  for (const FluxResult& f : out.of<FluxResult>()) brightest = std::max(brightest, f.scale);
  for (FluxResult& f : out.of<FluxResult>()) {
    f.scale = std::max(f.scale, dark * brightest);
    const auto& errors = f.errors.record;
    const double worst = errors.empty() ? std::nan("") : *std::ranges::max_element(errors);
    f.record_error = worst == 0 ? 0 : worst / f.scale;
  }
}

bool is_closed(const Outcome& o, const FluxResult& f) {
  const auto* m = find_monitor(o.simulation, f.name);
  return m && m->box;
}

/// Far below the largest value a quotient is noise.
std::vector<double> where_lit(const std::vector<double>& quotient, const std::vector<double>& reference) {
  double largest = 0;
  for (const double v : reference) largest = std::max(largest, std::abs(v));
  auto shown = quotient;
  for (std::size_t i = 0; i < shown.size(); ++i)
    if (std::abs(reference[i]) < 1e-6 * largest) shown[i] = std::nan("");
  return shown;
}

/// A flux as a fraction of the incident one.
struct NormalizedCurve {
  bool reflection = false;
  string label;
  std::vector<double> values;
};

/// Nothing without a flux to divide by, for closed boxes, and where the reference run sends nothing. A
/// transmission against the monitor's normal is drawn upright, and says so.
std::optional<NormalizedCurve> normalized_curve(const Outcome& o, const FluxResult& f) {
  const auto& one = f.incident.empty() ? f.reference : f.incident;
  if (one.empty() || is_closed(o, f) || f.unlit || f.normalized_by == f.name) return {};
  const auto quotients = normalized(f);
  NormalizedCurve c;
  c.reflection = !quotients.reflection.empty() && shows_reflection(f);
  c.values = where_lit(c.reflection ? quotients.reflection : quotients.transmission, one);
  double sum = 0;
  for (const double v : c.values) sum += std::isfinite(v) ? v : 0;
  const bool against = !c.reflection && sum < 0;
  if (against)
    for (double& v : c.values) v = -v;
  c.label = fmt::format("{} ({}{})", c.reflection ? "R" : "T", f.name, against ? ", against its normal" : "");
  return c;
}

/// 1 - R - T of one reflection and one transmission of the same frequencies; else nothing.
std::vector<double> what_is_missing(const std::vector<NormalizedCurve>& curves) {
  if (curves.size() != 2 || curves[0].reflection == curves[1].reflection ||
      curves[0].values.size() != curves[1].values.size())
    return {};
  std::vector<double> rest;
  for (std::size_t i = 0; i < curves[0].values.size(); ++i)
    rest.push_back(1 - curves[0].values[i] - curves[1].values[i]);
  return rest;
}

/// Slightly beyond 0 and 1 is rounding; far beyond is worth seeing, up to a limit.
void set_range_of_fractions(Plot& p) {
  double low = 0, high = 1;
  for (const auto& c : p.curves)
    for (const double v : c.y)
      if (std::isfinite(v)) low = std::min(low, v), high = std::max(high, v);
  p.from = std::max(-1.0, low - 0.03 * (high - low));
  p.to = std::min(3.0, high + 0.03 * (high - low));
}

/// Reflection, transmission and, with one of each, absorption; nothing without a reference run. A monitor
/// whose scattered flux runs against the incident one shows reflection, any other transmission.
std::vector<Plot> normalized_plot(const Outcome& o) {
  Plot p{.file = "spectrum",
         .title = "Reflection and transmission",
         .quantity = "fraction of the incident power",
         .says = Says::most};
  std::vector<NormalizedCurve> curves;
  for (const auto& f : o.of<FluxResult>())
    if (auto c = normalized_curve(o, f); c && curves.size() + 1 < most_curves) {
      p.add(c->label, f.frequency, c->values);
      curves.push_back(std::move(*c));
    }
  if (curves.empty()) return {};
  p.frequency = p.curves[0].x;
  if (const auto rest = what_is_missing(curves); !rest.empty())
    p.add("1 − R − T", p.frequency, rest, Curve::Line::faint);
  set_range_of_fractions(p);
  return {p};
}

class FluxKind : public MonitorKind {
 public:
  FluxKind()
      : MonitorKind(
            {.title = "flux",
             .reads = {"center", "size", "box", "direction", "port", "reference", "frequencies", "interval"},
             .spectrum = true,
             .uncertainty = true,
             .on_nodes = true,
             .fields_at = FieldsAt::surface}) {}

  const char* title(const MonitorSpec& m) const override { return m.box ? "flux through a box" : "flux"; }

  Part make(const MonitorSpec& m, const MonitorSite& at) const override {
    return make_flux(m, at.sim, at.scene, at.problem);
  }

  void finish(Outcome& out) const override {
    relate_errors(out);
    apply_references(out);
  }

  void add_results(results::Result& r, const Outcome& o) const override {
    UniqueNames unique;
    for (const auto& f : o.of<FluxResult>()) add_flux(r, o, f, unique(f.name));
  }

  /// Fractions of the incident power, then fluxes as they are, at most eight a plot.
  std::vector<Plot> plots(const Outcome& o) const override {
    std::vector<Plot> plots = normalized_plot(o);
    std::size_t in_last = most_curves;
    for (const auto& f : o.of<FluxResult>()) {
      if (f.frequency.size() < 2 || f.flux.empty()) continue;
      if (in_last == most_curves) {
        plots.push_back({.file = "flux",
                         .title = "Flux",
                         .quantity = "flux spectrum (arbitrary)",
                         .frequency = f.frequency});
        in_last = 0;
      }
      plots.back().add(f.name, f.frequency, f.flux);
      ++in_last;
    }
    return plots;
  }

  string lines(const Outcome& o) const override {
    string out;
    for (const auto& f : o.of<FluxResult>()) out += line_of(f);
    return out;
  }

  bool lacks_grid_error(const Outcome& o) const override {
    return std::ranges::any_of(o.of<FluxResult>(), [](const FluxResult& f) { return f.errors.grid.empty(); });
  }
};

}  // namespace

const MonitorKind& flux_monitor() {
  static const FluxKind kind;
  return kind;
}

}  // namespace umov::fdtd
