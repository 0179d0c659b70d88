// Records of a harmonic inversion: their spectra, what lines leave of them, copies with noise.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "fdtd/observables/filter_diagonalisation.hpp"

namespace umov::fdtd::inversion {

using Record = std::vector<cplx>;

/// The transform of a signal with a window (cos^6) whose side lobes fall as the seventh power, so that what
/// oscillates outside the band does not reach into it.
class WindowedSpectrum {
 public:
  WindowedSpectrum(std::size_t samples, double step, const Band& band) : step_(step) {
    for (std::size_t n = 0; n < samples; ++n) {
      window_.push_back(std::pow(std::sin(pi * (double(n) + 0.5) / double(samples)), 6));
      sum_ += window_.back();
      squares_ += window_.back() * window_.back();
    }
    const double spacing = 1 / (double(samples) * step);
    const int count = std::max(3, int(std::ceil((band.to - band.from) / spacing)));
    for (int i = 0; i <= count; ++i) frequency.push_back(band.from + (band.to - band.from) * i / count);
  }

  /// Amplitudes per frequency.
  std::vector<cplx> of(const Record& c) const {
    std::vector<cplx> values;
    for (const double f : frequency) {
      const double angle = 2 * pi * f * step_;
      const cplx turn = std::polar(1.0, angle);
      cplx power = 1, sum = 0;
      for (std::size_t n = 0; n < c.size(); ++n) {
        if (n % 256 == 0) power = std::polar(1.0, std::fmod(angle * double(n), 2 * pi));
        sum += window_[n] * c[n] * power;
        power *= turn;
      }
      values.push_back(sum / sum_);
    }
    return values;
  }
  /// Standard deviation of an amplitude by that of a sample.
  double per_sample() const { return std::sqrt(squares_) / sum_; }

  std::vector<double> frequency;

 private:
  double step_, sum_ = 0, squares_ = 0;
  std::vector<double> window_;
};

/// A signal without these lines.
inline Record without(const Record& c, const std::vector<Line>& lines) {
  Record rest = c;
  for (const Line& line : lines)
    for (std::size_t n = 0; n < c.size(); ++n)
      rest[n] -= line.amplitude * std::exp(cplx(0, -1) * line.angular * double(n));
  return rest;
}

inline double length(const std::vector<cplx>& v) {
  double sum = 0;
  for (const cplx& x : v) sum += std::norm(x);
  return std::sqrt(sum);
}

/// Evenly distributed noise of a standard deviation, the same in every run.
class Noise {
 public:
  explicit Noise(std::uint64_t seed) : state_(seed * 0x9e3779b97f4a7c15u + 1) {}
  double operator()() {
    state_ = state_ * 6364136223846793005u + 1442695040888963407u;
    return std::sqrt(12.0) * (double(state_ >> 11) * 0x1p-53 - 0.5);
  }

 private:
  std::uint64_t state_;
};

inline Record noisy(Record c, double deviation, int copy, bool real) {
  Noise noise(copy + 1);
  const double part = real ? deviation : deviation / std::sqrt(2.0);
  for (cplx& v : c) {
    const double a = noise(), b = noise();
    v += real ? cplx(part * a, 0) : cplx(part * a, part * b);
  }
  return c;
}

}  // namespace umov::fdtd::inversion
