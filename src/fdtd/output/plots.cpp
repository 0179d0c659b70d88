// Which curves the spectra and series of a time-domain run become.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <tuple>

#include "fdtd/observables/drawn_series.hpp"
#include "fdtd/observables/normalized_flux.hpp"
#include "fdtd/output/names.hpp"
#include "fdtd/output/pictures.hpp"

namespace umov::fdtd {

using namespace pictures;

namespace {

Axis frequency_axis(const std::vector<double>& frequency) {
  Axis axis;
  axis.label = frequency_label;
  if (frequency.empty()) return axis;
  const auto [low, high] = std::minmax_element(frequency.begin(), frequency.end());
  axis.from = *low;
  axis.to = *high > *low ? *high : *low * 1.01;
  return axis;
}

Series curve(std::string name, const std::vector<double>& x, const std::vector<double>& y,
             std::size_t index) {
  return {std::move(name), x, y, color_of(index), 2, {}};
}

/// A plot whose legend covers no curve.
LinePlot below() {
  LinePlot plot;
  plot.legend = LinePlot::Legend::below;
  return plot;
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
  std::string label;
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

/// Minimum and maximum of each of many bins: what an eye sees of a dense oscillation.
Series thinned(Series s, std::size_t bins) {
  if (s.x.size() <= 4 * bins) return s;
  Series out = s;
  out.x.clear();
  out.y.clear();
  for (std::size_t b = 0; b < bins; ++b) {
    const std::size_t from = b * s.x.size() / bins, to = (b + 1) * s.x.size() / bins;
    auto [low, high] =
        std::minmax_element(s.y.begin() + std::ptrdiff_t(from), s.y.begin() + std::ptrdiff_t(to));
    if (low > high) std::swap(low, high);
    for (const auto& at : {low, high}) {
      out.x.push_back(s.x[std::size_t(at - s.y.begin())]);
      out.y.push_back(*at);
    }
  }
  return out;
}

/// Largest value of each of few bins: of an rms that swings with every period only the height says something.
Series envelope(Series s, std::size_t bins) {
  if (s.x.size() <= 4 * bins) return s;
  Series out = s;
  out.x.clear();
  out.y.clear();
  for (std::size_t b = 0; b < bins; ++b) {
    const std::size_t from = b * s.x.size() / bins, to = (b + 1) * s.x.size() / bins;
    out.x.push_back(s.x[(from + to) / 2]);
    out.y.push_back(*std::max_element(s.y.begin() + std::ptrdiff_t(from), s.y.begin() + std::ptrdiff_t(to)));
  }
  return out;
}

/// A curve that is nowhere but zero gets room around it.
void open_range(LinePlot& plot) {
  const bool flat = std::all_of(plot.series.begin(), plot.series.end(), [](const Series& s) {
    return std::all_of(s.y.begin(), s.y.end(), [](double y) { return !(y != 0); });
  });
  if (flat) plot.y.from = -1, plot.y.to = 1;
}

}  // namespace

std::optional<TitledPlot> normalized_plot(const Outcome& o) {
  TitledPlot t{"Reflection and transmission", below(), true};
  std::vector<NormalizedCurve> curves;
  for (const auto& f : o.fluxes)
    if (auto c = normalized_curve(o, f); c && curves.size() + 1 < std::size(curve_colors)) {
      t.plot.series.push_back(curve(c->label, f.frequency, c->values, t.plot.series.size()));
      curves.push_back(std::move(*c));
    }
  if (curves.empty()) return {};
  if (const auto rest = what_is_missing(curves); !rest.empty())
    t.plot.series.push_back({"1 − R − T", t.plot.series[0].x, rest, ink::muted, 1.4, {5, 4}});
  t.plot.x = frequency_axis(t.plot.series[0].x);
  t.plot.y.label = "fraction of the incident power";
  double low = 0, high = 1;
  for (const auto& s : t.plot.series)
    for (const double v : s.y)
      if (std::isfinite(v)) low = std::min(low, v), high = std::max(high, v);
  // Slightly beyond 0 and 1 is rounding; far beyond is worth seeing, up to a limit.
  t.plot.y.from = std::max(-1.0, low - 0.03 * (high - low));
  t.plot.y.to = std::min(3.0, high + 0.03 * (high - low));
  return t;
}

std::vector<TitledPlot> flux_plots(const Outcome& o) {
  std::vector<TitledPlot> plots;
  for (const auto& f : o.fluxes) {
    if (f.frequency.size() < 2 || f.flux.empty()) continue;
    if (plots.empty() || plots.back().plot.series.size() == std::size(curve_colors)) {
      plots.push_back({"Flux", below(), true});
      plots.back().plot.x = frequency_axis(f.frequency);
      plots.back().plot.y.label = "flux spectrum (arbitrary)";
    }
    auto& series = plots.back().plot.series;
    series.push_back(curve(f.name, f.frequency, f.flux, series.size()));
  }
  for (auto& p : plots) open_range(p.plot);
  return plots;
}

TitledPlot series_plot(const SeriesResult& s, const std::string& name) {
  TitledPlot t{fmt::format("{} over time: {}", word(s.component), name), below(), false};
  t.plot.x.label = time_label;
  t.plot.y.label = word(s.component);
  const bool drawn = !s.rms.empty() && s.rms != s.value;
  t.plot.series.push_back(thinned({s.rms.empty() ? "" : "mean", s.time, s.value, ink::blue, 1.4, {}}, 1200));
  if (drawn)
    t.plot.series.push_back(envelope({"largest rms over the shape", s.time, s.rms, ink::gold, 1.8, {}}, 240));
  if (!s.rms.empty())
    t.plot.series.push_back(thinned({"running rms", s.time, running_rms(s), ink::text, 1.4, {5, 4}}, 1200));
  open_range(t.plot);
  return t;
}

std::optional<TitledPlot> cross_section_plot(const Outcome& o, const FarFieldResult& f) {
  TitledPlot t{"Cross sections: " + f.name, below(), true};
  const auto add = [&](const char* name, const std::vector<double>& values, std::size_t index) {
    if (!values.empty()) t.plot.series.push_back(curve(name, f.frequency, values, index));
  };
  add("extinction", f.extinction, 0);
  add("scattering", f.scattering_cross_section, 1);
  add("absorption", f.absorption, 2);
  if (t.plot.series.empty() || f.frequency.size() < 2) return {};
  const int power = dimensions(o.grid.mode) - 1;
  t.plot.x = frequency_axis(f.frequency);
  t.plot.y.label = power == 2   ? "cross section (units²)"
                   : power == 1 ? "cross section (units)"
                                : "cross section";
  return t;
}

std::optional<TitledPlot> order_plot(const Outcome& o, const OrdersResult& r) {
  constexpr double faint = 1e-3;
  const bool space = dimensions(o.grid.mode) == 3;
  std::map<std::tuple<bool, int, int>, Series> curves;
  double largest = 0;
  for (std::size_t i = 0; i < r.size(); ++i) {
    largest = std::max({largest, r.forward[i], r.backward[i]});
    for (const bool forward : {true, false}) {
      Series& s = curves[{!forward, r.m[i], r.n[i]}];
      s.x.push_back(r.frequency[i]);
      s.y.push_back(forward ? r.forward[i] : r.backward[i]);
    }
  }
  std::erase_if(curves, [&](const auto& c) {
    return c.second.x.size() < 2 || *std::max_element(c.second.y.begin(), c.second.y.end()) < faint * largest;
  });
  TitledPlot t{"Diffraction orders: " + r.name, below(), true};
  for (auto& [key, s] : curves) {
    if (t.plot.series.size() == std::size(curve_colors)) break;
    const auto& [backward, m, n] = key;
    s.name =
        fmt::format("{}{} {}", m, space ? fmt::format(", {}", n) : "", backward ? "backward" : "forward");
    s.color = color_of(t.plot.series.size());
    if (backward) s.dashes = {6, 3};
    t.plot.series.push_back(s);
  }
  if (t.plot.series.empty()) return {};
  t.plot.x = frequency_axis(r.frequency);
  t.plot.y.label = r.normalized ? "efficiency" : "flux spectrum (arbitrary)";
  t.plot.y.from = 0;
  return t;
}

std::optional<TitledPlot> mode_plot(const ModeResult& m) {
  if (m.frequency.size() < 2) return {};
  TitledPlot t{"Power in the mode: " + m.name, below(), true};
  const auto power = [](const std::vector<cplx>& amplitude) {
    std::vector<double> values;
    for (const auto& a : amplitude) values.push_back(std::norm(a));
    return values;
  };
  t.plot.series = {curve("forward", m.frequency, power(m.forward), 0),
                   curve("backward", m.frequency, power(m.backward), 1)};
  t.plot.x = frequency_axis(m.frequency);
  t.plot.y.label = "|amplitude|²";
  open_range(t.plot);
  return t;
}

}  // namespace umov::fdtd
