// Frequencies and quality factors of the decaying oscillations in a short signal.
#pragma once

#include <span>
#include <vector>

#include "fdtd/outcome.hpp"

namespace umov::fdtd {

/// What tells a line from noise.
struct InversionFilter {
  double error = 1e-2;       ///< largest Resonance::error
  double resolution = 1e-3;  ///< largest error of the frequency in units of 1 / duration
  double amplitude = 1e-6;   ///< smallest amplitude, relative to the largest found
  double quality = 2;        ///< smallest quality factor; a growing oscillation has a negative one
  double growth = 1e-7;  ///< decay rates nearer to zero than this (or the error) times 2 pi f are taken as it
};

/// Writes a signal as a sum of A exp(-pi f t / Q) cos(2 pi f t - phase), t from the first sample, by filter
/// diagonalisation with a Fourier basis in the band (Mandelshtam and Taylor 1997, J. Chem. Phys. 107, 6756,
/// eqs. 2.15 to 2.23). Lines nearer than 1 / duration are told apart as far as noise allows: by about
/// (duration times bandwidth) / 2 lines there are as many unknowns as data.
///
/// `samples` are equally spaced by `step`; `from` < `to` are frequencies (1 / time) below 1 / (2 step).
/// Returned by increasing frequency: amplitude A (for complex signals that of exp(-2 pi i f t)), phase in
/// degrees, error = relative change of the complex frequency when it is found from two steps at a time
/// instead of one. Throws BadInput for a band that is empty or above half the sampling rate; fewer than 8
/// samples have no lines.
std::vector<Resonance> harmonic_inversion(std::span<const double> samples, double step, double from,
                                          double to, const InversionFilter& = {});
std::vector<Resonance> harmonic_inversion(std::span<const cplx> samples, double step, double from, double to,
                                          const InversionFilter& = {});

}  // namespace umov::fdtd
