// The times of an electroquasistatic run: what is saved, what steps must hit, and how long they may be.
#include "eqs/run/schedule.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/text.hpp"

namespace umov::eqs {

namespace {

bool drives(const ElectrodeSpec::Kind kind) { return kind == ElectrodeSpec::Kind::driven; }

/// Ascending, one of those that lie within `margin` of each other.
std::vector<double> unique(std::vector<double> list, double margin) {
  std::sort(list.begin(), list.end());
  std::vector<double> out;
  for (const double x : list)
    if (out.empty() || x - out.back() > margin) out.push_back(x);
  return out;
}

std::vector<double> saved_times(const Simulation& sim, double end) {
  std::vector<double> times = sim.outputs.times;
  double interval = sim.outputs.interval > 0 ? sim.outputs.interval : end / 40;
  // Fixed steps are not cut for the sake of fields that nobody asked for at certain times.
  const double step = sim.time.step;
  if (step > 0 && sim.outputs.interval == 0) interval = step * std::max(1.0, std::round(interval / step));
  for (long k = 0; double(k) * interval < end * (1 + 1e-12); ++k) times.push_back(double(k) * interval);
  times.push_back(end);
  return unique(std::move(times), 1e-9 * end);
}

/// Below so many steps a period (or a front) the third-order schemes are wrong by percents.
constexpr double fewest_steps = 10;

void warn_of_fixed_steps(const Simulation& sim, const Electrode& e, Schedule& s) {
  const auto& w = e.waveform;
  const double step = sim.time.step;
  const auto warn = [&](const char* what, double length, double least) {
    if (step * least <= length * (1 + 1e-9)) return;
    s.warnings.push_back(fmt::format(
        "fixed steps of {} are {:.3g} in {} of electrode '{}', {} (what the voltage does between them is "
        "not seen, and nothing watches the error); set time.step to {} or less, or leave it out",
        format_time(step), length / step, what, e.name, format_time(length),
        format_time(length / (2 * least))));
  };
  if (largest_value(w) == 0) return;
  if (w.kind == WaveformSpec::Kind::sine) warn("a period", 1 / w.frequency, fewest_steps);
  if (w.kind == WaveformSpec::Kind::impulse) warn("the front", w.front, fewest_steps / 2);
  if (w.kind == WaveformSpec::Kind::sine && w.ramp == WaveformSpec::Ramp::smooth)
    warn("the ramp", w.ramp_time > 0 ? w.ramp_time : 1 / w.frequency, fewest_steps / 2);
}

void warn_of_table(const Electrode& e, Schedule& s) {
  if (e.waveform.kind != WaveformSpec::Kind::table) return;
  const auto& time = e.waveform.time;
  const auto held = [&](const char* what, double at, double run) {
    s.warnings.push_back(fmt::format(
        "the table of electrode '{}' {} at {}, the run at {} ({:g} V is held there); complete the "
        "table if that is not meant",
        e.name, what, format_time(at), format_time(run), waveform(e.waveform, at)));
  };
  if (time.front() > 0) held("begins", time.front(), 0);
  if (time.back() < s.end * (1 - 1e-9)) held("ends", time.back(), s.end);
}

void warn_of_many_steps(Schedule& s) {
  double steps = 0;
  for (const StepLimit& l : s.limits) steps = std::max(steps, (std::min(l.to, s.end) - l.from) / l.step);
  constexpr double many = 1e5;
  if (steps > many)
    s.warnings.push_back(fmt::format(
        "the run takes {:.2g} steps at least (its fastest waveform, over {}); a shorter end may be meant",
        steps, format_time(s.end)));
}

void warn_of_interval(const Simulation& sim, Schedule& s) {
  if (sim.outputs.interval <= s.end * (1 + 1e-9)) return;
  s.warnings.push_back(
      fmt::format("output.interval is {} and the run ends at {} (fields are saved at its start, its end{} "
                  "alone); set it to {} "
                  "or less, or leave it out",
                  format_time(sim.outputs.interval), format_time(s.end),
                  sim.outputs.times.empty() ? "" : " and output.times", format_time(s.end / 2)));
}

/// Steps of a run in time.
void plan_steps(const Simulation& sim, const Problem& p, Schedule& s) {
  std::vector<double> stops(s.saved.begin() + 1, s.saved.end());
  constexpr double most_periods = 1e6;
  if (s.period > 0 && s.end / s.period < most_periods)
    for (int k = 1; k * s.period < s.end; ++k) stops.push_back(k * s.period);
  for (const auto& e : p.electrodes) {
    if (!drives(e.kind)) continue;
    for (const double bend : bends(e.waveform, s.end)) stops.push_back(bend);
    for (const StepLimit& l : step_limits(e.waveform, s.end)) s.limits.push_back(l);
    if (sim.time.step > 0) warn_of_fixed_steps(sim, e, s);
    warn_of_table(e, s);
  }
  if (sim.time.steady_state) stops.push_back(0.5 * s.end);
  s.stops = unique(std::move(stops), 1e-12 * s.end);
  if (sim.time.step == 0) warn_of_many_steps(s);
}

}  // namespace

Schedule make_schedule(const Simulation& sim, const Problem& p) {
  Schedule s;
  const auto& t = sim.time;
  s.end = t.moment().value_or(0);
  s.period = common_period(sim.electrodes);
  const bool sines = std::any_of(sim.electrodes.begin(), sim.electrodes.end(), [](const ElectrodeSpec& e) {
    return drives(e.kind) && e.waveform.kind == WaveformSpec::Kind::sine && e.waveform.amplitude != 0;
  });
  if ((t.steady_state && sim.analysis == Analysis::transient) || (!sines && t.periods.value_or(0) > 0))
    s.period = 1 / t.frequency;
  switch (sim.analysis) {
    case Analysis::harmonic: {
      constexpr int phases = 24;
      for (int k = 0; k < phases; ++k) s.saved.push_back(s.period * k / phases);
      break;
    }
    case Analysis::electrostatic:
    case Analysis::conduction:
      s.saved = {s.end};
      break;
    case Analysis::transient:
      s.saved = saved_times(sim, s.end);
      warn_of_interval(sim, s);
      plan_steps(sim, p, s);
      break;
  }
  return s;
}

}  // namespace umov::eqs
