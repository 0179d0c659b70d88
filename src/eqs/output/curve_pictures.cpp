#include "eqs/output/curve_pictures.hpp"

#include <fmt/format.h>

#include <utility>

#include "eqs/output/picture_parts.hpp"
#include "eqs/output/results.hpp"
#include "pictures/panels.hpp"
#include "pictures/sheet.hpp"

namespace umov::eqs {

using namespace pictures;

using std::string;

namespace {

std::vector<double> times(const Outcome& o, double factor) {
  std::vector<double> t;
  for (const Record& r : o.history) t.push_back(r.time * factor);
  return t;
}

template <class F>
LinePlot over_time(const Outcome& o, const std::vector<string>& names, const string& quantity,
                   const string& unit, const F& f) {
  LinePlot plot;
  const Scaled time = prefixed(o.end, "s");
  plot.x.label = fmt::format("time ({})", time.unit);
  plot.x.from = 0;
  plot.x.to = o.end * time.factor;
  for (std::size_t i = 0; i < names.size(); ++i) {
    Series s;
    s.name = names[i];
    s.color = color_of(i);
    s.x = times(o, time.factor);
    for (const Record& r : o.history) s.y.push_back(f(r, i));
    plot.series.push_back(std::move(s));
  }
  plot.legend = LinePlot::Legend::below;
  scale(plot, quantity, unit);
  return plot;
}

}  // namespace

LinePlot peaks_plot(const Outcome& o) {
  auto plot = over_time(o, o.material_names, "largest |E|", "V/m", [](const Record& r, std::size_t m) {
    return m < r.seen.peaks.size() ? r.seen.peaks[m].field : 0;
  });
  plot.y.from = 0;
  return plot;
}

LinePlot currents_plot(const Outcome& o) {
  return over_time(o, o.electrode_names, "current", "A",
                   [](const Record& r, std::size_t e) { return at(r.seen.current, e); });
}

LinePlot potentials_plot(const Outcome& o) {
  return over_time(o, o.electrode_names, "potential", "V",
                   [](const Record& r, std::size_t e) { return at(r.seen.potential, e); });
}

LinePlot power_plot(const Outcome& o) {
  return over_time(o, o.material_names, "lost power", "W",
                   [](const Record& r, std::size_t m) { return at(r.seen.material_power, m); });
}

void write_plots(const Outcome& o, const string& heading, const std::vector<LinePlot>& plots,
                 const string& path) {
  constexpr double left = 100, right = 36, top = 92, height = 230;
  const double width = 940;
  double total = top;
  std::vector<double> heights;
  {
    Canvas measure(int(width), 10);
    for (const auto& plot : plots) {
      heights.push_back(height + 62 + 19 * legend_rows(measure, width - left - right, plot));
      total += heights.back();
    }
  }
  Canvas c(int(width), int(total + 12));
  title(c, heading + unfinished(o), caption(o));
  double y = top;
  for (std::size_t i = 0; i < plots.size(); ++i) {
    draw(c, {left, y, width - left - right, height}, plots[i]);
    y += heights[i];
  }
  c.write_png(path);
}

namespace {

std::vector<double> row(const std::vector<float>& list, std::size_t time, std::size_t n) {
  return {list.begin() + std::ptrdiff_t(time * n), list.begin() + std::ptrdiff_t((time + 1) * n)};
}

}  // namespace

void write_line(const Outcome& o, const LineResult& l, const string& path) {
  const std::size_t n = l.length.size(), peak = peak_index(o);
  if (l.potential.size() < (peak + 1) * n) return;
  const Scaled length = length_unit(l.length.back());
  std::vector<double> x;
  for (const double s : l.length) x.push_back(s * length.factor);
  const auto plot = [&](std::vector<std::pair<string, std::vector<double>>> curves, const string& quantity,
                        const string& unit) {
    LinePlot p;
    p.x.label = fmt::format("length along the path ({})", length.unit);
    for (std::size_t i = 0; i < curves.size(); ++i)
      p.series.push_back({curves[i].first, x, std::move(curves[i].second), color_of(i), 2, {}});
    p.legend = LinePlot::Legend::below;
    scale(p, quantity, unit);
    return p;
  };
  auto fields = plot({{"|E|", row(l.magnitude, peak, n)},
                      {"along the path", row(l.tangential, peak, n)},
                      {"across the path", row(l.normal, peak, n)}},
                     "field strength", "V/m");
  auto potential = plot({{"", row(l.potential, peak, n)}}, "potential", "V");
  write_plots(o, fmt::format("Line {}, {}", l.name, moment(o, o.saved_times[peak])), {fields, potential},
              path);
}

}  // namespace umov::eqs
