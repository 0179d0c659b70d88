// Signals of sources: smoothly switched derivatives of dipole moments, and their spectra.
#include "fdtd/sources/waveform.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "core/error.hpp"
#include "fdtd/sources/sampled.hpp"
#include "fdtd/sources/smooth_step.hpp"

namespace umov::fdtd {
namespace {

constexpr double forever = std::numeric_limits<double>::infinity();

/// Product of two functions given with their derivatives.
std::array<double, 2> product(const std::array<double, 2>& a, const std::array<double, 2>& b) {
  return {a[0] * b[0], a[0] * b[1] + a[1] * b[0]};
}

/// smooth_step over [start, start + length] as a function of t; length 0 is no step at all.
std::array<double, 2> rise(double t, double start, double length) {
  if (length <= 0) return {t >= start ? 1.0 : 0.0, 0};
  const auto r = smooth_step((t - start) / length);
  return {r[0], r[1] / length};
}

std::array<double, 2> fall(double t, double end, double length) {
  const auto r = rise(end - t, 0, length);
  return {r[0], -r[1]};
}

}  // namespace

Signal::Signal(const Waveform& w, const std::string& source) : waveform_(w) {
  check(source);
  omega_ = 2 * pi * w.frequency;
  phase_ = w.phase * pi / 180;
  rise_ = w.ramp / w.frequency;
  switch (w.kind) {
    case Waveform::Kind::continuous:
      end_ = forever;
      break;
    case Waveform::Kind::gaussian:
      sigma_ = 1 / (w.width * omega_);
      center_ = w.delay * sigma_;
      end_ = 2 * center_;
      break;
    case Waveform::Kind::samples: {
      auto f = read_samples(w.file);
      end_ = f.last;
      omega_ = 2 * pi * f.peak_frequency;
      samples_ = std::move(f.value);
      break;
    }
  }
  if (w.end) end_ = std::min(end_, *w.end);
}

void Signal::check(const std::string& source) const {
  const Waveform& w = waveform_;
  const auto refuse = [&](const char* what, double value, const char* why, const char* advice) {
    throw BadInput(fmt::format("{}: {} is {:g} ({}); {}", source, what, value, why, advice));
  };
  if (!std::isfinite(w.amplitude)) refuse("amplitude", w.amplitude, "not a finite number", "give a number");
  if (!(w.frequency > 0) || !std::isfinite(w.frequency))
    refuse("frequency", w.frequency, "it must be positive", "give it in c / unit, or give a wavelength");
  if (!(w.ramp >= 0)) refuse("ramp", w.ramp, "periods of rising cannot be negative", "give 3 or so");
  if (w.end && !(*w.end > 0)) refuse("end", *w.end, "the source would never act", "give a positive time");
  if (w.kind == Waveform::Kind::continuous && w.end && *w.end < 2 * w.ramp / w.frequency)
    refuse("end", *w.end, "the wave has no time to rise and fall", "give a later end or a shorter ramp");
  if (w.kind != Waveform::Kind::gaussian) return;
  if (!(w.width > 0)) refuse("width", w.width, "a pulse needs a bandwidth", "give 0.2, the relative width");
  if (!(w.delay >= 2))
    refuse("delay", w.delay, "the pulse would start abruptly", "give at least 2, better 5");
}

bool Signal::endless() const { return end_ == forever; }

std::array<double, 2> Signal::envelope(double t) const {
  std::array<double, 2> g{1, 0};
  if (waveform_.kind == Waveform::Kind::continuous) g = rise(t, 0, rise_);
  if (waveform_.kind == Waveform::Kind::gaussian) {
    const double u = (t - center_) / sigma_, bell = std::exp(-u * u / 2);
    g = product({bell, -u / sigma_ * bell}, product(rise(t, 0, sigma_), fall(t, 2 * center_, sigma_)));
  }
  return waveform_.end ? product(g, fall(t, *waveform_.end, rise_)) : g;
}

cplx Signal::operator()(double t) const {
  if (t < 0 || t > end_) return 0;
  const auto [g, slope] = envelope(t);
  if (samples_) return waveform_.amplitude * g * samples_(t);
  return waveform_.amplitude * cplx(g, slope / omega_) * std::polar(1.0, -(omega_ * (t - center_) + phase_));
}

Signal Signal::rising(double later) const {
  Signal s = *this;
  s.waveform_.end.reset();
  s.end_ = forever;
  s.phase_ += omega_ * later;
  return s;
}

cplx Signal::steady(double t) const { return waveform_.amplitude * std::polar(1.0, -(omega_ * t + phase_)); }

double source_end(const SourceSpec& source) {
  return Signal(source.waveform, "source '" + source.name + "'").end();
}

double fall_of(const SourceSpec& source) {
  const Signal signal(source.waveform, "source '" + source.name + "'");
  const double end = signal.end();
  if (signal.continuous() || !std::isfinite(end)) return end - signal.steady_from();
  // Of samples no envelope is known: they swing.
  const double share = source.waveform.kind == Waveform::Kind::samples ? 0.5 : 0.999;
  const long points = std::max(64L, std::lround(std::ceil(end * signal.carrier() / (2 * pi) * 16)));
  std::vector<double> size;
  for (long n = 0; n <= points; ++n) size.push_back(std::abs(signal(end * double(n) / double(points))));
  const double enough = share * *std::ranges::max_element(size);
  long last = points;
  while (last > 0 && !(size[last] >= enough)) --last;
  return end * double(last) / double(points);
}

double peak_frequency(const Waveform& w) {
  return w.kind == Waveform::Kind::samples ? read_samples(w.file).peak_frequency : w.frequency;
}

namespace {

/// Integral of drive(s(t)) exp(2 pi i f t) dt.
template <class Drive>
cplx integral(const Signal& signal, double frequency, double until, Drive&& drive) {
  const double end = std::min(signal.end(), until), top = std::max(frequency, signal.carrier() / (2 * pi));
  if (!std::isfinite(end) || end >= 1e299)
    throw BadInput("spectrum of an endless wave (it has no end); give a source of finite length");
  // The trapezoidal rule converges as fast as the signal is smooth: sixteen points a period of twice the top.
  const long steps = std::max(64L, std::lround(std::ceil(end * top * 32)));
  const double h = end / double(steps);
  cplx sum = 0;
  for (long n = 0; n <= steps; ++n)
    sum += (n == 0 || n == steps ? 0.5 : 1.0) * drive(signal(h * double(n))) *
           std::polar(1.0, 2 * pi * frequency * h * double(n));
  return h * sum;
}

}  // namespace

cplx spectrum(const Signal& signal, double frequency, double until) {
  return integral(signal, frequency, until, [](const cplx& s) { return s.real(); });
}

cplx complex_spectrum(const Signal& signal, double frequency, double until) {
  return integral(signal, frequency, until, [](const cplx& s) { return s; });
}

cplx spectrum(const Waveform& w, double frequency, double until) {
  return spectrum(Signal(w, "waveform"), frequency, until);
}

double highest_driven_frequency(const Simulation& sim) {
  // exp(-x^2 / 2) falls to a hundredth at x = 3.03.
  const double reach = std::sqrt(2 * std::log(100.0));
  double highest = 0;
  for (const auto& source : sim.sources) {
    const Waveform& w = source.waveform;
    double f = w.frequency;
    if (w.kind == Waveform::Kind::gaussian) f *= 1 + reach * w.width;
    if (w.kind == Waveform::Kind::samples) f = read_samples(w.file).highest_frequency;
    highest = std::max(highest, f);
  }
  return highest;
}

}  // namespace umov::fdtd
