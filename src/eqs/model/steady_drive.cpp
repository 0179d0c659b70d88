// What a periodic steady state asks of the voltages.
#include "eqs/model/steady_drive.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/error.hpp"
#include "core/text.hpp"
#include "eqs/model/waveform.hpp"

namespace umov::eqs {

namespace {

bool is_whole(double x) { return std::abs(x - std::round(x)) <= 1e-9 * std::max(1.0, x) && x > 0.5; }

/// What a table has beyond its first period, if it is not that again.
bool goes_on_otherwise(const WaveformSpec& w, double period) {
  if (w.kind != WaveformSpec::Kind::table) return false;
  return std::any_of(w.time.begin(), w.time.end(), [&](double t) {
    return t > period * (1 + 1e-9) &&
           std::abs(waveform(w, t) - waveform(w, std::fmod(t, period))) > 1e-9 * largest_value(w);
  });
}

bool repeats(const WaveformSpec& w, double period) {
  if (w.kind == WaveformSpec::Kind::sine) return is_whole(w.frequency * period);
  return std::abs(waveform(w, period) - waveform(w, 0)) <= 1e-9 * largest_value(w) &&
         !goes_on_otherwise(w, period);
}

bool changes_sign(const WaveformSpec& w, double period) {
  if (largest_value(w) == 0) return true;
  if (w.kind == WaveformSpec::Kind::sine)
    return is_whole(w.frequency * period) && std::lround(w.frequency * period) % 2 == 1;
  if (w.kind != WaveformSpec::Kind::table) return false;
  // straight lines: their corners tell
  const double half = 0.5 * period;
  std::vector<double> corners = bends(w, period);
  corners.push_back(0);
  return std::all_of(corners.begin(), corners.end(), [&](double t) {
    const double from = t < half ? t : t - half;
    return std::abs(waveform(w, from) + waveform(w, from + half)) <= 1e-9 * largest_value(w);
  });
}

}  // namespace

void take_steady_drive(double period, Problem& p) {
  for (auto& e : p.electrodes) {
    if (e.kind != ElectrodeSpec::Kind::driven) continue;
    e.waveform.ramp = WaveformSpec::Ramp::none;
    if (repeats(e.waveform, period)) continue;
    const bool sine = e.waveform.kind == WaveformSpec::Kind::sine;
    throw BadInput(fmt::format(
        "electrode '{}': its voltage does not repeat itself after time.steady_state's period of {} ({}); {}",
        e.name, format_time(period),
        sine ? fmt::format("it has {} Hz, no multiple of time.frequency", shortest(e.waveform.frequency))
        : goes_on_otherwise(e.waveform, period)
            ? fmt::format("its table goes on to {} with other values", format_time(e.waveform.time.back()))
            : fmt::format("it begins with {:g} V and ends with {:g} V", waveform(e.waveform, 0),
                          waveform(e.waveform, period)),
        "set time.frequency to one over the time after which all voltages repeat themselves"));
  }
}

bool changes_sign_after_half(const Problem& p, double period) {
  return std::all_of(p.electrodes.begin(), p.electrodes.end(), [&](const Electrode& e) {
    if (e.kind == ElectrodeSpec::Kind::floating) return e.charge == 0;
    return e.kind == ElectrodeSpec::Kind::ground || changes_sign(e.waveform, period);
  });
}

}  // namespace umov::eqs
