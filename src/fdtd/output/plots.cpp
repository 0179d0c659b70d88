// Which curves the spectra and series of a time-domain run become.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "fdtd/monitors/kind.hpp"
#include "fdtd/monitors/names.hpp"
#include "fdtd/monitors/series.hpp"
#include "fdtd/observables/drawn_series.hpp"
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

Series drawn(const Curve& c) {
  switch (c.line) {
    case Curve::Line::solid:
      return {c.name, c.x, c.y, color_of(c.color), 2, {}};
    case Curve::Line::dashed:
      return {c.name, c.x, c.y, color_of(c.color), 2, {6, 3}};
    case Curve::Line::faint:
      return {c.name, c.x, c.y, ink::muted, 1.4, {5, 4}};
  }
  return {};
}

/// A plot whose legend covers no curve.
LinePlot below() {
  LinePlot plot;
  plot.legend = LinePlot::Legend::below;
  return plot;
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

TitledPlot titled(const Plot& p) {
  TitledPlot t{p.title, below(), true};
  for (const Curve& c : p.curves) t.plot.series.push_back(drawn(c));
  t.plot.x = frequency_axis(p.frequency);
  t.plot.y.label = p.quantity;
  t.plot.y.from = p.from;
  t.plot.y.to = p.to;
  if (!p.from && !p.to) open_range(t.plot);
  return t;
}

std::vector<Plot> plots_of(const Outcome& o) {
  std::vector<Plot> all;
  for (const MonitorKind* kind : monitor_kinds())
    for (Plot& p : kind->plots(o)) all.push_back(std::move(p));
  return all;
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

}  // namespace umov::fdtd
