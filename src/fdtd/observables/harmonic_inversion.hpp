// Frequencies and quality factors of the decaying oscillations in a short signal.
#pragma once

#include <span>
#include <vector>

#include "fdtd/monitors/resonance.hpp"
#include "fdtd/outcome.hpp"

namespace umov::fdtd {

/// What tells a line from noise.
struct InversionFilter {
  double amplitude = 1e-6;  ///< smallest amplitude, relative to the largest found
  double quality = 1;       ///< smallest quality factor
  double spread = 0.1;  ///< largest uncertainty of a frequency, in units of 1 / duration or of the decay rate
};

struct Inversion {
  std::vector<Resonance> lines;  ///< in the band, by increasing frequency
  double noise = 0;  ///< standard deviation per sample of what the lines leave in and around the band
  /// The largest amplitude in the spectrum of what the lines leave in the band, where it is, and the standard
  /// deviation that noise has there.
  double rest = 0, rest_at = 0, rest_noise = 0;
  double strongest = 0;  ///< largest amplitude in the spectrum of the signal in the band
  Resonance beside;      ///< the strongest line found just outside the band; amplitude 0: none
};

/// Writes a signal as a sum of A exp(-pi f t / Q) cos(2 pi f t - phase), t from the first sample, by filter
/// diagonalisation of the record and of its first quarter and sixteenth, in which lines of low quality are.
/// A line is believed when it stays where it is in copies of the signal with as much noise again as the
/// lines leave; its `error` is twice the standard deviation there, of the complex frequency, relative, and
/// larger in proportion where more than noise is left around it. Lines that noise does not let it tell apart
/// are one line; its `error` covers the nearer of two where what it leaves tells of a pair (left_over.hpp).
/// Where the decay is less than its error, or than what a pair would make of it that noise hides, the quality
/// is a lower bound.
///
/// `samples` are equally spaced by `step`; `from` < `to` are frequencies (1 / time) below 1 / (2 step).
/// Amplitude A is (for complex signals) that of exp(-2 pi i f t), phase in degrees. Throws BadInput for a
/// band that is empty or above half the sampling rate; fewer than 8 samples have no lines.
Inversion invert(std::span<const double> samples, double step, double from, double to,
                 const InversionFilter& = {});
Inversion invert(std::span<const cplx> samples, double step, double from, double to,
                 const InversionFilter& = {});

/// The lines alone.
std::vector<Resonance> harmonic_inversion(std::span<const double> samples, double step, double from,
                                          double to);
std::vector<Resonance> harmonic_inversion(std::span<const cplx> samples, double step, double from, double to);

}  // namespace umov::fdtd
