// Amplitude spectra, and the fractions that fluxes are given as.
#include "fdtd/observables/amplitude_spectrum.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "fdtd/monitors/flux.hpp"
#include "fdtd/monitors/resonance.hpp"
#include "fdtd/monitors/series.hpp"
#include "fdtd/observables/normalized_flux.hpp"

namespace umov::fdtd {
namespace {

SeriesResult damped(double frequency, double quality, double amplitude) {
  SeriesResult s;
  for (int i = 0; i < 6000; ++i) {
    const double t = 0.05 * i;
    s.time.push_back(t);
    s.value.push_back(amplitude * std::exp(-pi * frequency * t / quality) * std::cos(2 * pi * frequency * t));
  }
  return s;
}

TEST(AmplitudeSpectrum, OfADampedOscillationIsTheClosedForm) {
  // f0 = 0.8, Q = 20: after half of the record, where it begins to fade out, exp(-19) is left. The sum over
  // samples differs from the integral by half the first sample times dt, 0.075 beside a peak of A Q / (2 pi
  // f0) = 12; the image at -f0, which the closed form leaves out, by A / (8 pi f0), 0.15. Together 2 %.
  Resonance mode;
  mode.frequency = 0.8;
  mode.quality = 20;
  mode.amplitude = 3;
  mode.phase = 0;
  const auto s = amplitude_spectrum(damped(mode.frequency, mode.quality, mode.amplitude));
  const double peak = mode.amplitude * mode.quality / (2 * pi * mode.frequency);
  for (double f = 0.7; f < 0.9; f += 0.01) {
    const std::size_t k = std::size_t(std::lround(f / s.step));
    EXPECT_NEAR(s.magnitude[k], amplitude_at({mode}, s.step * double(k)), 0.02 * peak) << f;
  }
  EXPECT_NEAR(amplitude_at({mode}, mode.frequency), peak, 1e-12 * peak);
}

TEST(NormalizedFlux, CountsReflectionAgainstTheReferenceAndTransmissionAlongIt) {
  FluxResult f;
  f.flux = {0.7, 0.5};
  f.reference = {1, 2};
  f.scattered = {-0.3, -1.5};
  const auto n = normalized(f);
  EXPECT_EQ(n.transmission, (std::vector<double>{0.7, 0.25}));
  EXPECT_EQ(n.reflection, (std::vector<double>{0.3, 0.75}));
  EXPECT_TRUE(shows_reflection(f));
  f.scattered = {0.1, 0.1};
  EXPECT_FALSE(shows_reflection(f));
  f.scattered = {0, 0};  // nothing comes back from what is the same in both runs
  EXPECT_TRUE(shows_reflection(f));
  // By a named flux, where the reference run has none: against the monitor's own normal.
  f.incident = {1, 1}, f.reference = {1e-9, -1e-9}, f.scattered = {-0.4, -0.2};
  EXPECT_TRUE(shows_reflection(f));
  f.scattered = {0.4, 0.2};
  EXPECT_FALSE(shows_reflection(f));
  f.incident.clear(), f.reference = {1, 2}, f.scattered = {0.1, 0.1};
  f.reference[1] = 0;
  EXPECT_TRUE(std::isnan(normalized(f).transmission[1])) << "nothing to divide by";
}

}  // namespace
}  // namespace umov::fdtd
