// Waveforms of electrodes.
#include "eqs/model/waveform.hpp"

#include <algorithm>

#include "core/error.hpp"
#include "core/text.hpp"
#include "parameters/columns.hpp"

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

/// In half turns, so that the zeros at their ends are zeros.
Value sine(const WaveformSpec& w, double t) {
  const double turns = 2 * w.frequency * t + w.phase / 180, x = std::remainder(turns, 2);
  double near = std::abs(x) <= 0.5 ? x : std::copysign(1, x) - x;  // to a zero
  if (std::abs(near) < 4e-16 * std::abs(turns)) near = 0;          // the rounding of `turns`
  return {std::sin(pi * near), 2 * pi * w.frequency * std::sin(pi * (0.5 - std::abs(x)))};
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

double amplitude_of(const WaveformSpec& w) {
  if (w.kind != Kind::table) return w.amplitude;
  double most = 0;
  for (const double v : w.values)
    if (std::abs(v) > std::abs(most)) most = v;
  return most * (w.amplitude == 0 ? 1 : w.amplitude);
}

bool reach_amplitudes_together(const WaveformSpec& a, const WaveformSpec& b) {
  const auto stays = [](const WaveformSpec& w, const WaveformSpec& beside) {
    if (w.kind == Kind::constant) return true;
    // a sine comes by its peak again, after every rise
    return w.kind == Kind::step && (w.rise == 0 || beside.kind == Kind::sine || beside.kind == Kind::step);
  };
  if (stays(a, b) || stays(b, a)) return true;
  if (a.kind != b.kind) return false;
  if (a.kind == Kind::impulse) return a.front == b.front && a.tail == b.tail;
  if (a.kind == Kind::table) return a.time == b.time && a.values == b.values;
  return a.frequency == b.frequency && std::abs(std::remainder(a.phase - b.phase, 360)) < 1e-9;
}

namespace {

/// The points of a table where its slope changes, with its ends.
std::vector<std::size_t> corners(const WaveformSpec& w) {
  const auto slope = [&](std::size_t i) {  // of the line that ends in point i
    return (w.values[i] - w.values[i - 1]) / (w.time[i] - w.time[i - 1]);
  };
  std::vector<std::size_t> list;
  for (std::size_t i = 0; i < w.time.size(); ++i) {
    const bool inside = i > 0 && i + 1 < w.time.size();
    if (!inside || std::abs(slope(i + 1) - slope(i)) > 1e-12 * (std::abs(slope(i)) + std::abs(slope(i + 1))))
      list.push_back(i);
  }
  return list;
}

/// Ten steps over the table's full swing, one at least between two bends.
void table_limits(const WaveformSpec& w, std::vector<StepLimit>& out) {
  const auto [low, high] = std::minmax_element(w.values.begin(), w.values.end());
  const double swing = *high - *low;
  const auto list = corners(w);
  for (std::size_t k = 1; k < list.size(); ++k) {
    const double from = w.time[list[k - 1]], to = w.time[list[k]];
    const double part = std::abs(w.values[list[k]] - w.values[list[k - 1]]);
    if (part > 0) out.push_back({from, to, (to - from) / std::max(1.0, std::ceil(10 * part / swing - 1e-9))});
  }
}

bool is_sine(const ElectrodeSpec& e) {
  return e.kind == ElectrodeSpec::Kind::driven && e.waveform.kind == Kind::sine && e.waveform.amplitude != 0;
}

}  // namespace

std::vector<StepLimit> step_limits(const WaveformSpec& w, double end) {
  std::vector<StepLimit> list;
  if (largest_value(w) == 0) return list;
  if (w.kind == Kind::sine) list.push_back({0, end, 0.05 / w.frequency});
  if (w.ramp != Ramp::none) {
    const double length = ramp_length(w);
    list.push_back({0, length, (w.ramp == Ramp::smooth ? 0.05 : 0.1) * length});
  }
  if (w.kind == Kind::step && w.rise > 0) list.push_back({0, w.rise, 0.1 * w.rise});
  if (w.kind == Kind::impulse) {
    list.push_back({0, 2 * w.front, 0.05 * w.front});
    list.push_back({0, 5 * w.tail, 0.1 * w.tail});
  }
  if (w.kind == Kind::table) table_limits(w, list);
  std::erase_if(list, [&](const StepLimit& l) { return l.to <= 0 || l.from >= end; });
  return list;
}

double common_frequency(const std::vector<ElectrodeSpec>& electrodes) {
  const ElectrodeSpec* first = nullptr;
  for (const auto& e : electrodes) {
    if (!is_sine(e)) continue;
    if (!first) first = &e;
    if (std::abs(e.waveform.frequency - first->waveform.frequency) <= 1e-12 * e.waveform.frequency) continue;
    throw BadInput("electrode '" + first->name + "' has " + shortest(first->waveform.frequency) +
                   " Hz, electrode '" + e.name + "' " + shortest(e.waveform.frequency) +
                   " Hz (a harmonic analysis has one frequency); run one analysis for each, with the other "
                   "electrodes at amplitude 0, or a transient one");
  }
  if (first) return first->waveform.frequency;
  for (const auto& e : electrodes)  // all is zero, at any frequency
    if (e.kind == ElectrodeSpec::Kind::driven && e.waveform.kind == WaveformSpec::Kind::sine)
      return e.waveform.frequency;
  return 0;
}

double common_period(const std::vector<ElectrodeSpec>& electrodes) {
  double base = 0, highest = 0;  // a frequency of which all are multiples
  for (const auto& e : electrodes) {
    if (!is_sine(e)) continue;
    const double f = e.waveform.frequency;
    highest = std::max(highest, f);
    if (base == 0) base = f;
    int parts = 1;
    while (parts <= 1000 &&
           std::abs(f * parts / base - std::round(f * parts / base)) > 1e-9 * f * parts / base)
      ++parts;
    base /= parts;
    if (highest > 1000 * base) return 0;
  }
  return base > 0 ? 1 / base : 0;
}

std::vector<double> bends(const WaveformSpec& w, double end) {
  std::vector<double> list;
  if (w.ramp != Ramp::none) list.push_back(ramp_length(w));
  if (w.kind == Kind::step && w.rise > 0) list.push_back(w.rise);
  if (w.kind == Kind::table)
    for (const std::size_t i : corners(w)) list.push_back(w.time[i]);
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
    auto columns = read_columns(w.file, {{{"time", "s"}, {"value", "V"}}, 0, true, 2}, what);
    w.time = std::move(columns.value[0]);
    w.values = std::move(columns.value[1]);
  }
  need(w.time.size() == w.values.size() && w.time.size() >= 2,
       "a waveform table needs two points or more, one value per time");
  for (std::size_t i = 1; i < w.time.size(); ++i)
    need(w.time[i] > w.time[i - 1], "time " + shortest(w.time[i]) + " s after " + shortest(w.time[i - 1]) +
                                        " s in the waveform's table (times must ascend)");
}

}  // namespace umov::eqs
