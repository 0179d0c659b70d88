// Spectra of waveforms relative to their peaks.
#include "fdtd/sources/band.hpp"

#include <algorithm>
#include <cmath>

#include "fdtd/sources/waveform.hpp"

namespace umov::fdtd {
namespace {

/// Half the width of what a continuous wave lights.
double sharpness(const Waveform& w) {
  const double by_end = w.end ? 2 / *w.end : 0;
  return std::max(0.05 * w.frequency, by_end);
}

/// Farthest frequency from the peak, in one direction, that still has the share.
double reach(const Waveform& w, double share, double factor) {
  double f = peak_frequency(w), last = f;
  for (int i = 0; i < 200 && relative_strength(w, f) >= share; ++i) last = f, f *= factor;
  return last;
}

}  // namespace

double relative_strength(const Waveform& w, double frequency) {
  switch (w.kind) {
    case Waveform::Kind::continuous:
      return std::abs(frequency - w.frequency) <= sharpness(w) ? 1 : 0;
    case Waveform::Kind::gaussian:
      return std::exp(-0.5 * std::pow((frequency - w.frequency) / (w.width * w.frequency), 2));
    case Waveform::Kind::samples:
      break;
  }
  const double peak = std::abs(spectrum(w, peak_frequency(w)));
  return peak > 0 ? std::abs(spectrum(w, frequency)) / peak : 0;
}

std::array<double, 2> band_above(const Waveform& w, double share) {
  if (w.kind == Waveform::Kind::continuous) return {w.frequency - sharpness(w), w.frequency + sharpness(w)};
  if (w.kind == Waveform::Kind::samples) return {reach(w, share, 1 / 1.02), reach(w, share, 1.02)};
  const double half = w.width * w.frequency * std::sqrt(-2 * std::log(share));
  return {std::max(0.0, w.frequency - half), w.frequency + half};
}

}  // namespace umov::fdtd
