// Amplitude spectra of a recorded series and of the resonances found in it.
#pragma once

#include <vector>

#include "fdtd/monitors/resonance.hpp"
#include "fdtd/monitors/series.hpp"
#include "fdtd/outcome.hpp"

namespace umov::fdtd {

/// Magnitude of the Fourier transform on frequencies k / (length dt), k = 0 .. length / 2.
struct AmplitudeSpectrum {
  double step = 0;
  std::vector<double> magnitude;
};

/// The second half of the series fades out (squared cosine), because what still rings at the end would leak
/// into all frequencies. The series has at least two samples, even in time.
AmplitudeSpectrum amplitude_spectrum(const SeriesResult&);

/// Magnitude at frequency f of the spectrum of damped oscillations: the sum over modes of
/// (A / 2) exp(i phase) / (pi f0 / Q - 2 pi i (f - f0)).
double amplitude_at(const std::vector<Resonance>& modes, double f);

}  // namespace umov::fdtd
