// The spectrum of a series, and the resonances found in it as sticks and as a table.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "fdtd/monitors/names.hpp"
#include "fdtd/monitors/resonance.hpp"
#include "fdtd/monitors/series.hpp"
#include "fdtd/observables/amplitude_spectrum.hpp"
#include "fdtd/output/pictures.hpp"
#include "pictures/sheet.hpp"

namespace umov::fdtd {

using namespace pictures;

namespace {

/// Index up to which there is something: the last value above 1e-2 of the largest, and a little more.
std::size_t last_of_interest(const AmplitudeSpectrum& s, double largest) {
  std::size_t last = s.magnitude.size();
  while (last > 2 && s.magnitude[last - 1] < 1e-2 * largest) --last;
  return std::min(s.magnitude.size(), last + last / 4 + 2);
}

/// First index with something, from below.
std::size_t first_of_interest(const AmplitudeSpectrum& s, double largest, std::size_t last) {
  std::size_t first = 0;
  while (first + 2 < last && s.magnitude[first] < 1e-2 * largest) ++first;
  return first - std::min(first, (last - first) / 4);
}

void draw_table(Canvas& c, Point at, double height, const std::vector<Resonance>& modes) {
  const double columns[] = {at.x + 50, at.x + 150, at.x + 235};  // a bound of Q is the widest
  const char* const heads[] = {"f", "Q", "record error"};
  for (int i = 0; i < 3; ++i) c.text({columns[i], at.y}, heads[i], 11, ink::muted, Align::right);
  const std::size_t fit = std::size_t(height / 20) - 1, shown = std::min(fit, modes.size());
  double y = at.y + 21;
  for (std::size_t i = 0; i < shown; ++i, y += 20) {
    const std::string cells[] = {fmt::format("{:.5g}", modes[i].frequency),
                                 (modes[i].at_least ? "> " : "") + pretty_number(modes[i].quality),
                                 pretty_number(modes[i].error, 2)};
    for (int k = 0; k < 3; ++k) c.text({columns[k], y}, cells[k], 12, ink::text, Align::right);
  }
  if (shown < modes.size())
    c.text({columns[2], y}, fmt::format("and {} more", modes.size() - shown), 11, ink::muted, Align::right);
}

/// Evenly spaced frequencies around all modes, and more of them where a mode is sharp.
std::vector<double> frequencies_around(const std::vector<Resonance>& modes) {
  const auto [low, high] = std::minmax_element(
      modes.begin(), modes.end(), [](const auto& a, const auto& b) { return a.frequency < b.frequency; });
  const double margin = std::max(0.15 * (high->frequency - low->frequency), 0.02 * high->frequency);
  const double from = std::max(0.0, low->frequency - margin), to = high->frequency + margin;
  std::vector<double> frequencies;
  for (int i = 0; i <= 800; ++i) frequencies.push_back(from + (to - from) * i / 800);
  for (const auto& m : modes)
    for (double width = 0.05; width < 30; width *= 1.3)
      for (const double sign : {-1.0, 1.0})
        frequencies.push_back(m.frequency * (1 + sign * width / std::max(m.quality, 1.0)));
  std::erase_if(frequencies, [&](double f) { return f < from || f > to; });
  std::sort(frequencies.begin(), frequencies.end());
  return frequencies;
}

void add_sticks(LinePlot& plot, const std::vector<Resonance>& modes, double low, double high) {
  for (const auto& m : modes)
    plot.series.push_back({plot.series.empty() ? "resonances" : "",
                           {m.frequency, m.frequency},
                           {low, high},
                           ink::orange,
                           1.3,
                           {4, 3}});
}

}  // namespace

std::optional<TitledPlot> spectrum_plot(const SeriesResult& s, const std::string& name,
                                        const ResonanceResult* found) {
  if (s.value.size() < 8 || !(s.time.back() > s.time.front())) return {};
  const AmplitudeSpectrum spectrum = amplitude_spectrum(s);
  const double largest = *std::max_element(spectrum.magnitude.begin(), spectrum.magnitude.end());
  if (!(largest > 0)) return {};
  const std::size_t last = last_of_interest(spectrum, largest),
                    first = first_of_interest(spectrum, largest, last);
  Series curve{found ? "spectrum" : "", {}, {}, ink::blue, 1.6, {}};
  for (std::size_t k = first; k < last; ++k) {
    curve.x.push_back(spectrum.step * double(k));
    curve.y.push_back(spectrum.magnitude[k]);
  }
  TitledPlot t{fmt::format("Spectrum of {}: {}", word(s.component), name), {}, true};
  t.plot.x = {frequency_label, false, curve.x.front(), curve.x.back()};
  const double floor = *std::min_element(curve.y.begin(), curve.y.end());
  const double low = std::max(1e-5 * largest, 0.7 * floor), high = 2 * largest;
  t.plot.y = {"|amplitude| × time", true, low, high};
  t.plot.legend = found ? LinePlot::Legend::below : LinePlot::Legend::none;
  if (found) add_sticks(t.plot, found->modes, low, high);
  t.plot.series.push_back(std::move(curve));
  return t;
}

std::optional<TitledPlot> resonance_plot(const Outcome& o, const ResonanceResult& r) {
  if (r.modes.empty()) return {};
  for (const auto& s : o.of<SeriesResult>())
    if (s.name == r.name) return spectrum_plot(s, r.name, &r);
  Series curve{"spectrum of these oscillations", frequencies_around(r.modes), {}, ink::blue, 1.6, {}};
  for (const double f : curve.x) curve.y.push_back(amplitude_at(r.modes, f));
  const auto [lowest, highest] = std::minmax_element(curve.y.begin(), curve.y.end());
  if (!(*highest > 0)) return {};
  const double high = 2 * *highest, low = std::max(0.7 * *lowest, 1e-6 * high);
  TitledPlot t{"Resonances: " + r.name, {}, true};
  t.plot.x = {frequency_label, false, curve.x.front(), curve.x.back()};
  t.plot.y = {"|amplitude| × time", true, low, high};
  t.plot.legend = LinePlot::Legend::below;
  add_sticks(t.plot, r.modes, low, high);
  t.plot.series.push_back(std::move(curve));
  return t;
}

void resonance_picture(const Outcome& o, const ResonanceResult& r, const std::string& path) {
  const auto plot = resonance_plot(o, r);
  Canvas c(plot ? 1160 : 640, 520);
  title(c, "Resonances: " + r.name, run_caption(o));
  const double table = plot ? 900 : 60;
  if (plot) draw(c, {92, 112, 770, 320}, *plot);
  auto modes = r.modes;
  std::sort(modes.begin(), modes.end(),
            [](const auto& a, const auto& b) { return a.frequency < b.frequency; });
  draw_table(c, {table, 118}, 340, modes);
  c.write_png(path);
}

}  // namespace umov::fdtd
