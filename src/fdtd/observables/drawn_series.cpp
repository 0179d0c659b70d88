// Running means and amplitudes of series that are there already.
#include "fdtd/observables/drawn_series.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "fdtd/monitors/series.hpp"
#include "fdtd/observables/steady.hpp"

namespace umov::fdtd {

namespace {

const SeriesResult* find(const Outcome& o, const std::string& name, Component c) {
  const auto found = std::ranges::find_if(
      o.of<SeriesResult>(), [&](const SeriesResult& s) { return s.name == name && s.component == c; });
  return found == o.of<SeriesResult>().end() ? nullptr : &*found;
}

/// Amplitude of each frequency over the last of the windows that fit into a series, or that of `back` before
/// it; nothing where it is too short.
std::vector<double> amplitudes(const SeriesResult& s, const std::vector<double>& frequencies,
                               std::size_t back = 0) {
  if (s.time.size() < 2) return {};
  const double step = s.time[1] - s.time[0];
  const double span = std::max(window_of(frequencies), (s.time.back() - s.time.front()) / 10);
  const auto count = std::size_t(std::ceil(span / step)), from_end = (back + 1) * count;
  if (from_end > s.time.size() || count < 4 * frequencies.size()) return {};
  const std::size_t first = s.time.size() - from_end;
  const auto waves = fit_waves(
      count, [&](std::size_t i) { return s.time[first + i]; },
      [&](std::size_t i) { return cplx(s.value[first + i], s.imag.empty() ? 0 : s.imag[first + i]); },
      frequencies);
  std::vector<double> out;
  for (std::size_t f = 0; f < frequencies.size(); ++f)
    out.push_back(std::sqrt(std::norm(waves[2 * f]) + std::norm(waves[2 * f + 1])));
  return out;
}

/// Largest relative change of an amplitude since the windows before, three of them: echoes come once per
/// round trip, and between them all stands still. 1 where the series is too short to tell.
double change_of(const SeriesResult& s, const std::vector<double>& frequencies) {
  const auto now = amplitudes(s, frequencies);
  double most = 0;
  for (std::size_t back = 1; back <= 3; ++back) {
    const auto before = amplitudes(s, frequencies, back);
    if (before.size() != now.size()) return 1;
    for (std::size_t f = 0; f < now.size(); ++f)
      if (const double larger = std::max(now[f], before[f]); larger > 0)
        most = std::max(most, std::abs(now[f] - before[f]) / larger);
  }
  return most;
}

/// Above this change of amplitudes a run of fixed length is no steady state: twice what ends others.
constexpr double unsteady = 0.02;

/// Square of the field at a sample: its mean over the shape where there is one.
double square(const SeriesResult& r, std::size_t s) {
  if (s < r.rms.size()) return r.rms[s] * r.rms[s];
  return r.value[s] * r.value[s] + (r.imag.empty() ? 0 : r.imag[s] * r.imag[s]);
}

/// Integral of the squares over the last `span` by trapezoids, the first of which is cut where it begins.
double integral_at_end(const SeriesResult& r, double span) {
  const double begin = r.time.back() - span;
  double sum = 0;
  for (std::size_t s = r.value.size() - 1; s > 0 && r.time[s] > begin; --s) {
    const double step = r.time[s] - r.time[s - 1], part = std::min(1.0, (r.time[s] - begin) / step);
    const double last = square(r, s), first = last + part * (square(r, s - 1) - last);
    sum += part * step * (first + last) / 2;
  }
  return sum;
}

}  // namespace

void set_rms_at_end(SeriesResult& r, const std::vector<double>& frequencies) {
  r.rms_windows = 0;
  r.rms_time = r.rms_total = 0;
  const std::size_t count = r.value.size(), tail = (count + 9) / 10;
  if (count == 0) return;
  const double window = window_of(frequencies), all = r.time.back() - r.time.front();
  if (window > 0 && all >= window) {
    r.rms_windows = std::max(1, int(all / 10 / window * (1 + 1e-9)));
    r.rms_time = r.rms_windows * window;
    r.rms_total = std::sqrt(integral_at_end(r, r.rms_time) / r.rms_time);
    return;
  }
  for (std::size_t s = count - tail; s < count; ++s) r.rms_total += square(r, s) / double(tail);
  r.rms_total = std::sqrt(r.rms_total);
}

std::string rms_span(const SeriesResult& r) {
  if (r.rms_windows == 0) return "the last tenth of the run";
  return fmt::format("the last {:.6g} of time, {} of all sources together", r.rms_time,
                     r.rms_windows == 1 ? "a period" : fmt::format("{} periods", r.rms_windows));
}

std::vector<double> running_rms(const SeriesResult& s) {
  std::vector<double> out;
  double sum = 0;
  for (const double rms : s.rms) {
    sum += rms * rms;
    out.push_back(std::sqrt(sum / double(out.size() + 1)));
  }
  return out;
}

std::vector<DrawnAmplitudes> drawn_amplitudes(const Outcome& o) {
  std::vector<DrawnAmplitudes> all;
  const auto frequencies = continuous_frequencies(o.simulation);
  if (frequencies.empty()) return all;
  for (const SeriesResult& total : o.of<SeriesResult>()) {
    const auto* incident = find(o, total.name + incident_ending, total.component);
    const auto* scattered = find(o, total.name + scattered_ending, total.component);
    if (!incident || !scattered) continue;
    DrawnAmplitudes a{total.name,
                      total.component,
                      frequencies,
                      amplitudes(*incident, frequencies),
                      amplitudes(total, frequencies),
                      amplitudes(*scattered, frequencies),
                      std::max(change_of(*incident, frequencies), change_of(total, frequencies))};
    if (a.incident.empty() || a.transmission.empty() || a.reflection.empty()) continue;
    for (std::size_t f = 0; f < frequencies.size(); ++f)
      a.transmission[f] /= a.incident[f], a.reflection[f] /= a.incident[f];
    all.push_back(std::move(a));
  }
  return all;
}

void warn_of_unsteady_amplitudes(Outcome& o) {
  const auto& stop = o.simulation.stop;
  if (!(stop.time > 0) && !(stop.steps > 0)) return;
  for (const DrawnAmplitudes& a : drawn_amplitudes(o))
    if (a.change > unsteady)
      o.warnings.push_back(fmt::format(
          "monitor '{}': amplitudes still change by {:.2g} of themselves at the end of the run "
          "(the wave has only just come, or echoes go on), so T and R are not those of the steady "
          "state; let it run longer, or leave time and steps out: it then ends once they are steady",
          a.name, a.change));
}

}  // namespace umov::fdtd
