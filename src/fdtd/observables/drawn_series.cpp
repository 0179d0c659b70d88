// Running means and amplitudes of series that are there already.
#include "fdtd/observables/drawn_series.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "core/text.hpp"
#include "fdtd/monitors/series.hpp"
#include "fdtd/observables/steady.hpp"

namespace umov::fdtd {

namespace {

const SeriesResult* find(const Outcome& o, const std::string& name, Component c) {
  const auto found = std::ranges::find_if(
      o.of<SeriesResult>(), [&](const SeriesResult& s) { return s.name == name && s.component == c; });
  return found == o.of<SeriesResult>().end() ? nullptr : &*found;
}

/// Amplitude of each frequency over the last tenth of a series, one window at least; nothing where it is too
/// short.
std::vector<double> amplitudes(const SeriesResult& s, const std::vector<double>& frequencies) {
  if (s.time.size() < 2) return {};
  const double step = s.time[1] - s.time[0];
  const double span = std::max(window_of(frequencies), (s.time.back() - s.time.front()) / 10);
  const auto count = std::size_t(std::ceil(span / step));
  if (count > s.time.size() || count < 4 * frequencies.size()) return {};
  const std::size_t first = s.time.size() - count;
  const auto waves = fit_waves(
      count, [&](std::size_t i) { return s.time[first + i]; },
      [&](std::size_t i) { return cplx(s.value[first + i], s.imag.empty() ? 0 : s.imag[first + i]); },
      frequencies);
  std::vector<double> out;
  for (std::size_t f = 0; f < frequencies.size(); ++f)
    out.push_back(std::sqrt(std::norm(waves[2 * f]) + std::norm(waves[2 * f + 1])));
  return out;
}

/// How far both are from the steady state.
double left_of(const SeriesResult& incident, const SeriesResult& total,
               const std::vector<double>& frequencies) {
  const auto of = [](const SeriesResult& s) {
    return Oscillation{s.time[0], s.time[1] - s.time[0], s.value, s.imag};
  };
  const std::array both{of(incident), of(total)};
  return settling(both, frequencies).left;
}

/// Above this distance from the steady state T and R are doubted: twice what ends a run by itself.
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
                      0};
    if (a.incident.empty() || a.transmission.empty() || a.reflection.empty()) continue;
    a.left = left_of(*incident, total, frequencies);
    for (std::size_t f = 0; f < frequencies.size(); ++f)
      a.transmission[f] /= a.incident[f], a.reflection[f] /= a.incident[f];
    all.push_back(std::move(a));
  }
  return all;
}

void warn_of_unsteady_amplitudes(Outcome& o) {
  std::vector<std::string> names;
  double most = 0;
  for (const DrawnAmplitudes& a : drawn_amplitudes(o)) {
    if (!(a.left > unsteady)) continue;
    if (const auto name = "'" + a.name + "'"; std::ranges::find(names, name) == names.end())
      names.push_back(name);
    most = std::max(most, a.left);
  }
  if (names.empty()) return;
  const auto& stop = o.simulation.stop;
  const bool fixed = stop.time > 0 || stop.steps > 0;
  o.warnings.push_back(fmt::format(
      "{} {}: amplitudes are {} from the steady state (the wave has only just come, echoes go on, or a "
      "resonance "
      "is still building up), so that T and R are not its own; {}",
      names.size() == 1 ? "monitor" : "monitors", join(names, ", "),
      most < 1 ? fmt::format("still about {:.2g} of themselves", most) : std::string("still far"),
      fixed ? "let it run longer, or leave time and steps out: it then ends once they are steady"
            : "let it run longer by `stop.max_time` with `stop.steady`, or absorb waves that are sent back"));
}

}  // namespace umov::fdtd
