#include "fdtd/run/stop.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/error.hpp"
#include "core/text.hpp"
#include "fdtd/monitors/kind.hpp"
#include "fdtd/sources/plane_wave.hpp"
#include "fdtd/sources/waveform.hpp"

namespace umov::fdtd {

namespace {

constexpr double default_decay = 1e-6, slow_decay = 1e-7, default_steady = 1e-2, resonance_periods = 300,
                 limit_periods = 200, limit_passages = 50, default_periods = 50, default_passages = 8;

/// Largest refractive index at a frequency (c / unit), 1 at least.
double highest_index(const Scene& scene, double frequency) {
  double largest = 1;
  for (const auto& m : scene.materials()) {
    if (m.perfect_conductor) continue;
    for (int a = 0; a < 3; ++a)
      largest = std::max(largest, std::sqrt(m.permittivity(2 * pi * frequency, a) * m.mu[a]).real());
  }
  return largest;
}

/// What the sources say about time.
struct Timing {
  double silent_at = 0;  ///< infinity if one never ends
  double switched = 0;   ///< when the last change of a source is over: its end, or the end of its ramp
  double period = 0;     ///< the longest
  double slowness = 1;   ///< by which oblique waves are slower along the normal of the periods
  std::string endless;   ///< name of a source that never ends
};

Timing timing_of(const Simulation& sim, const Scene& scene, const Grid& grid) {
  Timing t;
  for (const auto& source : sim.sources) {
    const Launch launch = launch_of(source, sim, scene, grid);
    t.silent_at = std::max(t.silent_at, launch.end);
    if (std::isinf(launch.end)) t.endless = source.name;
    t.switched = std::max(t.switched, std::isfinite(launch.end) ? launch.end : launch.settled);
    t.slowness = std::max(t.slowness, launch.slowness());
    t.period = std::max(t.period, 1 / peak_frequency(source.waveform));
  }
  return t;
}

bool asked(const Stop& s) { return s.decay > 0 || s.fourier > 0 || s.steady > 0; }

void refuse_unreachable(const Stop& s, const Timing& t) {
  if (s.decay > 0 && !t.endless.empty())
    throw BadInput(
        fmt::format("stop.decay with source '{}' (which never ends, so that nothing decays); use steady, "
                    "time or steps, or "
                    "give the source an end",
                    t.endless));
  if (s.steady > 0 && t.endless.empty())
    throw BadInput(
        "stop.steady without a continuous source (pulses have no steady state); use decay, fourier, time or "
        "steps");
}

bool has_resonance(const Simulation& sim) {
  return std::any_of(sim.monitors.begin(), sim.monitors.end(),
                     [](const auto& m) { return traits_of(m).free_fields; });
}

/// The criteria in use: those of the case, or the default.
Stop with_default(const Simulation& sim, const Timing& t, bool slow) {
  Stop s = sim.stop;
  if (asked(s)) return s;
  if (!t.endless.empty())
    s.steady = default_steady;
  else if (has_resonance(sim))
    s.time = t.silent_at + resonance_periods * t.period;
  else
    s.decay = slow ? slow_decay : default_decay;
  return s;
}

std::string in_words(const Stop& s) {
  std::vector<std::string> parts;
  if (s.decay > 0) parts.push_back(fmt::format("the energy fell to {:g} of its maximum", s.decay));
  if (s.fourier > 0) parts.push_back(fmt::format("the Fourier monitors change by less than {:g}", s.fourier));
  if (s.steady > 0) parts.push_back(fmt::format("amplitudes are within {:g} of the steady state", s.steady));
  return "when " + join(parts, " and ");
}

long whole_watches(double steps) {
  return watch_interval * std::max(1L, std::lround(std::ceil(steps / double(watch_interval))));
}

}  // namespace

StopPlan plan_stop(const Simulation& sim, const Scene& scene, const Grid& grid, const SlowWaves& slow) {
  StopPlan plan;
  plan.stop = sim.stop;
  const Timing t = timing_of(sim, scene, grid);
  const double frequency = t.period > 0 ? 1 / t.period : 0;
  double passage = 0;
  for (int a = 0; a < 3; ++a) passage += grid.active(a) ? grid.length(a) : 0;
  passage *= highest_index(scene, frequency);
  plan.silent_at = t.silent_at;
  plan.settled_at = t.switched + passage * t.slowness;
  plan.fourier_every = whole_watches(passage * t.slowness / grid.dt / StopPlan::quiet_looks);
  plan.steady_every = whole_watches(t.period / grid.dt);
  if (sim.stop.steps == 0 && sim.stop.time == 0) {
    refuse_unreachable(sim.stop, t);
    plan.stop = with_default(sim, t, slow.looked_at);
  }
  plan.fixed = plan.stop.steps > 0 || plan.stop.time > 0;
  if (plan.fixed) {
    plan.limit = plan.stop.steps > 0 ? plan.stop.steps : std::lround(std::ceil(plan.stop.time / grid.dt));
    plan.text = fmt::format("after {} steps (time {:.6g})", plan.limit, double(plan.limit) * grid.dt);
    return plan;
  }
  plan.lenient = !asked(sim.stop) && plan.stop.steady > 0 && plan.stop.max_time == 0;
  const auto last_step = [&](double periods, double passages, double slower) {
    const double after =
        std::max(periods * t.period * slower, passages * passage * std::max(t.slowness, slower));
    return std::lround(std::ceil((t.switched + after) / grid.dt));
  };
  plan.limit = plan.stop.max_time > 0 ? std::lround(std::ceil(plan.stop.max_time / grid.dt))
                                      : last_step(limit_periods, limit_passages, slow.slowness);
  if (plan.lenient) plan.patience = last_step(default_periods, default_passages, 1);
  plan.text = fmt::format("{}, at most {} steps (time {:.6g})", in_words(plan.stop), plan.limit,
                          double(plan.limit) * grid.dt);
  return plan;
}

std::optional<std::string> StopRule::check(long step, const FieldWatch& watch, Monitors& monitors,
                                           const Engine& engine) {
  const Stop& s = plan_.stop;
  const double time = double(step) * dt_, energy = watch.electric_energy + watch.magnetic_energy;
  state_.largest_energy = std::max(state_.largest_energy, energy);
  state_.energy_left = state_.largest_energy > 0 ? energy / state_.largest_energy : 1;
  if (plan_.fixed) return std::nullopt;
  // all transforms come to the host for that
  if (s.fourier > 0 && step % plan_.fourier_every == 0) {
    state_.fourier = monitors.fourier_change(engine, s.fourier);
    state_.quiet = state_.fourier < s.fourier ? state_.quiet + 1 : 0;
  }
  const bool silent = time > plan_.silent_at, settled = time > plan_.settled_at;
  if (s.steady > 0 && settled && step % plan_.steady_every == 0) {
    const Settling now = monitors.settling();
    state_.steady = now.left;
    if (plan_.lenient && step >= plan_.patience && time + now.time_to(s.steady) > double(plan_.limit) * dt_)
      return not_steady(step);
  }
  const bool decayed = silent && state_.largest_energy > 0 && state_.energy_left <= s.decay;
  if ((s.decay > 0 && !decayed) ||
      (s.fourier > 0 && !((silent || settled) && state_.quiet >= StopPlan::quiet_looks)) ||
      (s.steady > 0 && !(state_.steady < s.steady)))
    return std::nullopt;
  return measure();
}

std::string StopRule::not_steady(long step) const {
  return fmt::format(
      "{} steps are done, not yet steady ({}); ask for `stop.steady`, `stop.time` or `stop.steps` to go on",
      step, measure());
}

std::string StopRule::measure() const {
  const Stop& s = plan_.stop;
  std::vector<std::string> parts;
  const auto add = [&](const char* name, double value, double goal) {
    if (goal <= 0 || plan_.fixed) return;
    parts.push_back(std::isfinite(value) ? fmt::format("{} {:.2e} -> {:.0e}", name, value, goal)
                                         : fmt::format("{} -> {:.0e}", name, goal));
  };
  add("energy", state_.energy_left, s.decay);
  add("Fourier change", state_.fourier, s.fourier);
  add("amplitudes off by", state_.steady, s.steady);
  return join(parts, ", ");
}

}  // namespace umov::fdtd
