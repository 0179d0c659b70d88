// Amplitudes on their way to the steady state, of oscillations that are known.
#include "fdtd/observables/steady.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>

namespace umov::fdtd {
namespace {

/// cos(2 pi t) from 0 to `periods`, with an amplitude over time.
template <class Amplitude>
std::vector<double> steady_wave(double periods, const Amplitude& amplitude) {
  std::vector<double> out;
  for (double t = 0; t < periods; t += 0.05)
    out.push_back((amplitude(t) * std::polar(1.0, -2 * pi * t)).real());
  return out;
}

Settling settling_of(const std::vector<double>& samples, const std::vector<double>& frequencies = {1}) {
  const std::array one{Oscillation{0, 0.05, samples, {}}};
  return settling(one, frequencies);
}

/// A resonance of quality Q whose own frequency is off by `detuning` half widths.
cplx resonance(double t, double quality, double detuning) {
  const double decay = pi / quality;
  return 1.0 - std::exp(-decay * t * cplx(1, detuning));
}

// D, q D, q^2 D ... sum up to q D / (1 - q); where the resonance is off the wave's frequency the terms turn,
// and their sum is at most that, at least q D / (1 + q). The window's amplitude is that of its middle, half a
// period before the end: 3 % of a time constant of 16 periods. The estimate is never below q D, either.
TEST(FdtdSettling, WhatAResonanceStillBuildsUpIsForeseen) {
  for (const double quality : {20.0, 50.0, 200.0})
    for (const double detuning : {0.0, 0.5, 1.5}) {
      const double periods = 2 * quality / pi;
      const auto now =
          settling_of(steady_wave(periods, [&](double t) { return resonance(t, quality, detuning); }));
      const cplx end = resonance(periods, quality, detuning);
      const double left = std::abs(1.0 - end) / std::abs(end);
      EXPECT_GT(now.left, 0.95 * left) << quality << ' ' << detuning;
      EXPECT_LT(now.left, detuning == 0 ? 1.15 * left : 3 * left) << quality << ' ' << detuning;
      EXPECT_NEAR(now.halves, std::log(2.0) * quality / pi, 0.05 * quality / pi)
          << quality << ' ' << detuning;
      // a thirtieth of what it is lies log2(30) halvings ahead
      EXPECT_NEAR(now.time_to(now.left / 30), now.halves * std::log2(30.0), 1e-9);
      EXPECT_EQ(now.time_to(2 * now.left), 0);
    }
}

TEST(FdtdSettling, AWaveThatHasStoodForAThirdOfTheRunIsSteady) {
  const auto stepped = [](double since) { return [=](double t) { return cplx(t < since ? 0.3 : 1.0); }; };
  EXPECT_LT(settling_of(steady_wave(30, stepped(15))).left, 1e-9);
  EXPECT_GT(settling_of(steady_wave(30, stepped(27))).left, 0.5) << "an echo has only just come";
  EXPECT_EQ(settling_of(steady_wave(30, stepped(27))).time_to(0.01), std::numeric_limits<double>::infinity());
}

// The changes grow: nothing says where that ends.
TEST(FdtdSettling, GrowthHasNoEnd) {
  const auto now = settling_of(steady_wave(30, [](double t) { return cplx(std::exp(t / 30)); }));
  EXPECT_GT(now.left, 1);
  EXPECT_EQ(now.halves, std::numeric_limits<double>::infinity());
}

// Two waves that beat need a window of the beat; a record shorter than three of them says nothing.
TEST(FdtdSettling, RecordsThatAreTooShortSayNothing) {
  const auto beat = [](double t) { return 1.0 + std::polar(0.5, -2 * pi * 0.25 * t); };
  EXPECT_EQ(settling_of(steady_wave(11, beat), {1, 1.25}).left, std::numeric_limits<double>::infinity());
  EXPECT_LT(settling_of(steady_wave(13, beat), {1, 1.25}).left, 1e-9);
  EXPECT_EQ(settling_of({}, {1}).left, std::numeric_limits<double>::infinity());
  EXPECT_EQ(settling_of(steady_wave(13, beat), {}).left, std::numeric_limits<double>::infinity());
  EXPECT_EQ(settling_of(std::vector<double>(300, 0.0)).left, std::numeric_limits<double>::infinity())
      << "no wave";
}

}  // namespace
}  // namespace umov::fdtd
