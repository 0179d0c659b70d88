// Waveforms of electrodes.
#include "eqs/waveform.hpp"

#include <algorithm>

#include "core/error.hpp"
#include "core/text.hpp"
#include "eqs/read_columns.hpp"

namespace umov::eqs {

namespace {

struct Value {
  double value, slope;
};
using Kind = WaveformSpec::Kind;
using Ramp = WaveformSpec::Ramp;

double ramp_length(const WaveformSpec& w) {
  if (w.ramp_time > 0) return w.ramp_time;
  return w.ramp == Ramp::linear ? 0.5 / w.frequency : 1 / w.frequency;
}

Value ramp(const WaveformSpec& w, double t) {
  if (w.ramp == Ramp::none) return {1, 0};
  const double length = ramp_length(w);
  if (t > length) return {1, 0};
  if (t < 0) return {0, 0};
  if (w.ramp == Ramp::linear) return {t / length, 1 / length};
  return {(1 - std::cos(pi * t / length)) / 2, pi / (2 * length) * std::sin(pi * t / length)};
}

Value sine(const WaveformSpec& w, double t) {
  const double omega = 2 * pi * w.frequency, angle = omega * t + w.phase * pi / 180;
  return {std::sin(angle), omega * std::cos(angle)};
}

Value table(const WaveformSpec& w, double t) {
  if (t < w.time.front()) return {w.values.front(), 0};
  if (t > w.time.back()) return {w.values.back(), 0};
  std::size_t i = std::lower_bound(w.time.begin(), w.time.end(), t) - w.time.begin();
  i = std::max<std::size_t>(i, 1);
  const double slope = (w.values[i] - w.values[i - 1]) / (w.time[i] - w.time[i - 1]);
  return {w.values[i - 1] + slope * (t - w.time[i - 1]), slope};
}

/// Finding the constants takes a millisecond, and the same pair is asked for at every stage.
const DoubleExponential& remembered_impulse(double front, double tail) {
  struct Last {
    double front = 0, tail = 0;
    DoubleExponential found{};
  };
  thread_local Last last;
  if (last.front != front || last.tail != tail) last = {front, tail, lightning_impulse(front, tail)};
  return last.found;
}

/// Of amplitude 1.
Value shape(const WaveformSpec& w, double t) {
  switch (w.kind) {
    case Kind::sine:
      return sine(w, t);
    case Kind::step:
      if (t < 0 || (t == 0 && w.rise > 0)) return {0, w.rise > 0 && t == 0 ? 1 / w.rise : 0};
      return t <= w.rise && w.rise > 0 ? Value{t / w.rise, 1 / w.rise} : Value{1, 0};
    case Kind::impulse: {
      if (t < 0) return {0, 0};
      const DoubleExponential d = remembered_impulse(w.front, w.tail);
      const double slow = std::exp(-t / d.tail), fast = std::exp(-t / d.front);
      return {d.scale * (slow - fast), d.scale * (fast / d.front - slow / d.tail)};
    }
    case Kind::table:
      return table(w, t);
    default:
      return {1, 0};
  }
}

Value value(const WaveformSpec& w, double t) {
  const double amplitude = w.kind == Kind::table && w.amplitude == 0 ? 1 : w.amplitude;
  const Value s = shape(w, t);
  if (w.ramp == Ramp::none) return {amplitude * s.value, amplitude * s.slope};
  const Value r = ramp(w, t);
  return {amplitude * r.value * s.value, amplitude * (r.slope * s.value + r.value * s.slope)};
}

/// The normalised impulse of time constants 1 (tail) and `ratio` < 1: what its T1 and T2 are.
struct Times {
  double front, half;
};
double crossing(double ratio, double level, double low, double high, bool rising) {
  for (int k = 0; k < 200 && high - low > 1e-16 * high; ++k) {
    const double t = (low + high) / 2;
    (((std::exp(-t) - std::exp(-t / ratio)) < level) == rising ? low : high) = t;
  }
  return (low + high) / 2;
}
Times times_of(double ratio) {
  const double at = std::log(1 / ratio) / (1 / ratio - 1);
  const double peak = std::exp(-at) - std::exp(-at / ratio);
  const double t30 = crossing(ratio, 0.3 * peak, 0, at, true), t90 = crossing(ratio, 0.9 * peak, 0, at, true);
  const double t50 = crossing(ratio, 0.5 * peak, at, at + 20, false);
  const double front = (t90 - t30) / 0.6;
  return {front, t50 - (t30 - 0.3 * front)};
}

}  // namespace

DoubleExponential lightning_impulse(double front_time, double half_value_time) {
  // T2 / T1 falls as the two time constants come together: bisect their ratio in its logarithm
  const double wanted = half_value_time / front_time;
  double low = std::log(1e-9), high = std::log(0.999);
  const auto quotient = [](double log_ratio) {
    const Times t = times_of(std::exp(log_ratio));
    return t.half / t.front;
  };
  if (!(wanted > quotient(high)) || !(wanted < quotient(low)))
    throw BadInput("an impulse " + shortest(front_time * 1e6) + "/" + shortest(half_value_time * 1e6) +
                   " us is no double exponential (T2 must be " +
                   shortest(std::ceil(10 * quotient(high)) / 10) + " T1 or longer); use a table");
  for (int k = 0; k < 60; ++k) (quotient((low + high) / 2) > wanted ? low : high) = (low + high) / 2;
  const double ratio = std::exp((low + high) / 2), tail = front_time / times_of(ratio).front;
  const double at = std::log(1 / ratio) / (1 / ratio - 1);
  return {tail, ratio * tail, 1 / (std::exp(-at) - std::exp(-at / ratio))};
}

double waveform(const WaveformSpec& w, double t) { return value(w, t).value; }
double waveform_slope(const WaveformSpec& w, double t) { return value(w, t).slope; }

double largest_value(const WaveformSpec& w) {
  if (w.kind != Kind::table) return std::abs(w.amplitude);
  double most = 0;
  for (const double v : w.values) most = std::max(most, std::abs(v));
  return most * (w.amplitude == 0 ? 1 : std::abs(w.amplitude));
}

std::vector<double> bends(const WaveformSpec& w, double end) {
  std::vector<double> list;
  if (w.ramp != Ramp::none) list.push_back(ramp_length(w));
  if (w.kind == Kind::step && w.rise > 0) list.push_back(w.rise);
  if (w.kind == Kind::table) list = w.time;
  std::erase_if(list, [&](double t) { return t <= 0 || t >= end; });
  return list;
}

void check_waveform(WaveformSpec& w, const std::string& what) {
  const auto need = [&](bool ok, const std::string& why) {
    if (!ok) throw BadInput(what + ": " + why);
  };
  for (const double v : {w.amplitude, w.frequency, w.phase, w.ramp_time, w.rise, w.front, w.tail})
    need(std::isfinite(v), "a number of the waveform is infinite or no number");
  need(w.kind != Kind::sine || w.frequency > 0,
       "frequency " + shortest(w.frequency) + " Hz must be positive");
  need(w.ramp == Ramp::none || w.ramp_time > 0 || w.frequency > 0, "a ramp needs a frequency or a ramp time");
  need(w.ramp_time >= 0 && w.rise >= 0, "ramp and rise times must not be negative");
  if (w.kind == Kind::impulse) {
    need(w.front > 0 && w.tail > 0, "front and tail times of an impulse must be positive");
    lightning_impulse(w.front, w.tail);
  }
  if (w.kind != Kind::table) return;
  if (w.time.empty()) {
    need(!w.file.empty(), "a waveform table needs a file of times and values");
    const auto columns = read_columns(w.file, 2, what);
    w.time = columns[0];
    w.values = columns[1];
  }
  need(w.time.size() == w.values.size() && w.time.size() >= 2,
       "a waveform table needs two points or more, one value per time");
  for (std::size_t i = 1; i < w.time.size(); ++i)
    need(w.time[i] > w.time[i - 1], "time " + shortest(w.time[i]) + " s after " + shortest(w.time[i - 1]) +
                                        " s in the waveform's table (times must ascend)");
}

}  // namespace umov::eqs
