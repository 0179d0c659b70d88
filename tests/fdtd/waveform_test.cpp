// Waveforms as functions of time and frequency.
#include "fdtd/sources/waveform.hpp"

#include <gtest/gtest.h>

#include <fstream>

#include "core/error.hpp"
#include "support/temp_folder.hpp"

namespace umov::fdtd {
namespace {

using WaveformKind = Waveform::Kind;

Waveform gaussian() {
  Waveform w;
  w.kind = WaveformKind::gaussian;
  w.frequency = 0.7;
  return w;
}

TEST(FdtdWaveform, GaussianHasNoSpectrumAtZeroFrequency) {
  const auto w = gaussian();
  EXPECT_LT(std::abs(spectrum(w, 0)), 1e-12 * std::abs(spectrum(w, w.frequency)));
}

TEST(FdtdWaveform, GaussianSpectrumHasTheWidthAskedFor) {
  // A derivative of a Gaussian: exp(-1/2) times the ratio of the frequencies; the faded tails (exp(-8)) and
  // the part of negative frequency (exp(-50)) are below the tolerance.
  const auto w = gaussian();
  const double one_up = w.frequency * (1 + w.width);
  EXPECT_NEAR(std::abs(spectrum(w, one_up)) / std::abs(spectrum(w, w.frequency)),
              (1 + w.width) * std::exp(-0.5), 1e-3);
}

TEST(FdtdWaveform, GaussianPeaksAtItsDelayAndEndsAtTwiceThat) {
  auto w = gaussian();
  w.amplitude = 3;
  const double sigma = 1 / (2 * pi * w.width * w.frequency);
  const Signal s(w, "source");
  EXPECT_NEAR(s(w.delay * sigma).real(), 3, 1e-12);
  EXPECT_DOUBLE_EQ(s.end(), 2 * w.delay * sigma);
  EXPECT_EQ(s(s.end() + 1e-9), 0.0);
}

TEST(FdtdWaveform, ContinuousWaveReachesItsAmplitudeAfterTheRamp) {
  Waveform w;
  w.frequency = 0.5;
  w.amplitude = 2;
  w.phase = 30;
  const Signal s(w, "source");
  EXPECT_TRUE(s.endless());
  EXPECT_EQ(s(0), 0.0);
  for (const double t : {6.0, 6.3, 111.7}) {
    EXPECT_NEAR(s(t).real(), 2 * std::cos(pi * t + pi / 6), 1e-12);
    EXPECT_NEAR(s(t).imag(), -2 * std::sin(pi * t + pi / 6), 1e-12);
  }
}

TEST(FdtdWaveform, RampLeavesNoChargeBehindAtAnyPhase) {
  // The integral up to a time of zero dipole moment, not only its mean, vanishes: the moment oscillates about
  // 0.
  Waveform w;
  w.ramp = 2.3;
  w.phase = 70;
  const Signal s(w, "source");
  double charge = 0, mean = 0;
  const int steps = 4000, per_period = 200;
  for (int n = 0; n < steps; ++n) {
    charge += s((n + 0.5) / per_period).real() / per_period;
    if (n >= steps - per_period) mean += charge / per_period;
  }
  EXPECT_NEAR(mean, 0, 1e-5);  // midpoint rule: (pi / 200)^2 / 6 of an amplitude of 1 / 2 pi
}

TEST(FdtdWaveform, EndFallsAsSmoothlyAsTheRampRises) {
  Waveform w;
  w.end = 20;
  const Signal s(w, "source");
  EXPECT_EQ(s.end(), 20);
  EXPECT_NEAR(std::abs(s(16.9)), 1, 1e-12);
  EXPECT_NEAR(std::abs(s(18.5)), 0.5, 0.2);
  const double fall = s.end() - s.steady_from();
  const Signal rise = s.rising(0), drop = s.rising(fall);
  for (double t = 0; t < 22; t += 0.37) EXPECT_LT(std::abs(s(t) - (rise(t) - drop(t - fall))), 1e-12) << t;
}

TEST(FdtdWaveform, SamplesAreInterpolatedFromTheirFile) {
  test::TempFolder folder;
  const auto path = folder / "pulse.csv";
  std::ofstream out(path);
  out << "time, value\n# a comment\n";
  const auto pulse = [](double t) { return std::pow(std::sin(pi * t / 20), 2) * std::cos(pi * t); };
  for (int i = 0; i <= 400; ++i) out << i * 0.05 << ", " << pulse(i * 0.05) << "\n";
  out.close();
  Waveform w;
  w.kind = WaveformKind::samples;
  w.file = path;
  w.amplitude = 2;
  const Signal s(w, "source");
  EXPECT_EQ(s.end(), 20);
  // At an extremum Akima's slopes err in second order: the phase of a step squared / 16, at forty points a
  // period.
  for (const double t : {3.333, 9.96, 15.01}) EXPECT_NEAR(s(t).real(), 2 * pulse(t), 3e-3) << t;
  EXPECT_NEAR(peak_frequency(w), 0.5, 0.02);
}

TEST(FdtdWaveform, BadSamplesAreRefusedWithFileAndLine) {
  test::TempFolder folder;
  const auto path = folder / "bad.csv";
  std::ofstream(path) << "0, 1\n1, 2\n1, 3\n2, 4\n";
  Waveform w;
  w.kind = WaveformKind::samples;
  w.file = path;
  try {
    Signal(w, "source");
    FAIL() << "accepted";
  } catch (const BadInput& e) {
    EXPECT_NE(std::string(e.what()).find("bad.csv:3"), std::string::npos) << e.what();
  }
}

TEST(FdtdWaveform, WaveformsWithoutMeaningAreRefused) {
  Waveform zero;
  zero.frequency = 0;
  EXPECT_THROW(Signal(zero, "source"), BadInput);
  auto flat = gaussian();
  flat.width = 0;
  EXPECT_THROW(Signal(flat, "source"), BadInput);
  Waveform hasty;
  hasty.end = 1;
  EXPECT_THROW(Signal(hasty, "source"), BadInput);
}

TEST(FdtdWaveform, HighestFrequencyIsWhereAHundredthRemains) {
  Simulation sim;
  EXPECT_EQ(highest_driven_frequency(sim), 0);
  sim.sources.resize(2);
  sim.sources[0].waveform.frequency = 1;
  sim.sources[1].waveform = gaussian();
  const double f = highest_driven_frequency(sim);
  // (f / f0) exp(-x^2 / 2): the factor of the derivative, 1.6, stays.
  EXPECT_NEAR(std::abs(spectrum(gaussian(), f)) / std::abs(spectrum(gaussian(), 0.7)), 0.016, 2e-3);
}

}  // namespace
}  // namespace umov::fdtd
