// Waveforms of electrodes against their definitions.
#include "eqs/model/waveform.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>

#include "core/error.hpp"
#include "support/eqs_cases.hpp"

namespace umov::eqs::test {
namespace {

using Kind = WaveformSpec::Kind;
using Ramp = WaveformSpec::Ramp;

/// The slope against a central difference.
void expect_slope(const WaveformSpec& w, double t, double h) {
  const double difference = (waveform(w, t + h) - waveform(w, t - h)) / (2 * h);
  EXPECT_NEAR(waveform_slope(w, t), difference, 1e-5 * (std::abs(difference) + w.amplitude / 0.02)) << t;
}

TEST(EqsWaveform, LinearRampEndsInTheZeroCrossing) {
  const WaveformSpec w = sine(100, 50, 0, Ramp::linear);
  EXPECT_EQ(waveform(w, 0), 0);
  EXPECT_NEAR(waveform(w, 0.0025), 100 * 0.25 * std::sin(pi / 4), 1e-12);
  EXPECT_NEAR(waveform(w, 0.005), 50, 1e-12);
  EXPECT_NEAR(waveform(w, 0.0125), 100 * std::sin(1.25 * pi), 1e-12);
  // value and slope go on smoothly: the factor's jump in slope meets a zero
  EXPECT_NEAR(waveform(w, 0.01), 0, 1e-12);
  EXPECT_NEAR(waveform_slope(w, 0.01 - 1e-9), waveform_slope(w, 0.01 + 1e-9), 1e-2);
  for (const double t : {1e-3, 7e-3, 1.3e-2, 3.1e-2}) expect_slope(w, t, 1e-7);
}

/// sin(2 pi f t) of a rounded angle leaves 6e-12 V of 13 kV.
TEST(EqsWaveform, ASineIsZeroWhereItCrossesZero) {
  for (const double f : {50.0, 60.0, 16.7, 1e6})
    for (int k = 0; k < 200; ++k) {
      EXPECT_EQ(waveform(sine(13e3, f), k / (2 * f)), 0) << f << ' ' << k;
      EXPECT_NEAR(waveform(sine(13e3, f), (2 * k + 0.5) / (2 * f)), 13e3, 1e-9);
      EXPECT_NEAR(waveform_slope(sine(1, f), k / f), 2 * pi * f, 1e-9 * f);
    }
  EXPECT_NE(waveform(sine(1, 50), 1e-18), 0) << "small is not zero";
  EXPECT_NEAR(waveform(sine(1, 50, -120), 1 / 150.0), 0, 1e-15);
}

TEST(EqsWaveform, PhasesShiftAndSmoothRampsBeginAndEndLevel) {
  EXPECT_NEAR(waveform(sine(2, 50, 120), 0), 2 * std::sin(2 * pi / 3), 1e-14);
  const WaveformSpec w = sine(1, 50, 30, Ramp::smooth);
  EXPECT_EQ(waveform(w, 0), 0);
  EXPECT_NEAR(waveform(w, 0.01), 0.5 * std::sin(pi + pi / 6), 1e-14);
  EXPECT_NEAR(waveform(w, 0.03), std::sin(3 * pi + pi / 6), 1e-13);
  EXPECT_NEAR(waveform_slope(w, 1e-9), 0, 1e-4);
  for (const double t : {1e-3, 7e-3, 1.9e-2, 3.1e-2}) expect_slope(w, t, 1e-7);
  WaveformSpec longer = w;
  longer.ramp_time = 0.04;
  EXPECT_NEAR(waveform(longer, 0.02), 0.5 * std::sin(2 * pi + pi / 6), 1e-13);
}

TEST(EqsWaveform, LightningImpulseHasTheTimesOfItsStandard) {
  for (const auto& [front, tail] : {std::pair{1.2e-6, 50e-6}, {250e-6, 2500e-6}, {1e-6, 5e-6}}) {
    WaveformSpec w = steady(325e3);
    w.kind = Kind::impulse;
    w.front = front, w.tail = tail;
    check_waveform(w, "electrode");
    const auto at = [&](double level, double from, double to) {  // by bisection of a monotone stretch
      const bool rising = waveform(w, to) > waveform(w, from);
      for (int k = 0; k < 100; ++k) {
        const double t = (from + to) / 2;
        ((waveform(w, t) < level * w.amplitude) == rising ? from : to) = t;
      }
      return from;
    };
    double peak_time = 0, peak = 0;
    for (double t = 0; t < 5 * front; t += front / 20000)
      if (waveform(w, t) > peak) peak = waveform(w, t), peak_time = t;
    EXPECT_NEAR(peak, w.amplitude, 1e-8 * w.amplitude);
    const double t30 = at(0.3, 0, peak_time), t90 = at(0.9, 0, peak_time),
                 t50 = at(0.5, peak_time, 20 * tail);
    const double t1 = (t90 - t30) / 0.6;
    EXPECT_NEAR(t1, front, 1e-9 * front);
    EXPECT_NEAR(t50 - (t30 - 0.3 * t1), tail, 1e-9 * tail);
    EXPECT_EQ(waveform(w, -1e-9), 0);
    for (const double t : {0.3 * front, 2 * front, tail}) expect_slope(w, t, 1e-5 * front);
  }
  // the textbook's constants of 1.2/50
  const DoubleExponential d = lightning_impulse(1.2e-6, 50e-6);
  EXPECT_NEAR(d.tail, 68.2e-6, 0.05e-6);
  EXPECT_NEAR(d.front, 0.405e-6, 0.0005e-6);
  EXPECT_NEAR(d.scale, 1.037, 0.0005);
}

TEST(EqsWaveform, StepsRiseAndTablesAreStraightBetweenTheirPoints) {
  WaveformSpec w = steady(10);
  w.kind = Kind::step;
  EXPECT_EQ(waveform(w, -1), 0);
  EXPECT_EQ(waveform(w, 0), 10);
  w.rise = 2;
  EXPECT_EQ(waveform(w, 0), 0);
  EXPECT_EQ(waveform(w, 1), 5);
  EXPECT_EQ(waveform_slope(w, 1), 5);
  EXPECT_EQ(waveform(w, 3), 10);
  EXPECT_EQ(bends(w, 10), std::vector<double>{2});

  const std::string file = testing::TempDir() + "waveform.csv";
  std::ofstream(file) << "t, u\n0, 0\n1, 4\n3, 2\n";
  WaveformSpec t;
  t.kind = Kind::table;
  t.file = file;
  check_waveform(t, "electrode 'a'");
  EXPECT_EQ(waveform(t, 0.5), 2);
  EXPECT_EQ(waveform(t, 2), 3);
  EXPECT_EQ(waveform(t, 9), 2);
  EXPECT_EQ(waveform_slope(t, 2), -1);
  EXPECT_EQ(largest_value(t), 4);
  t.amplitude = 3;
  EXPECT_EQ(waveform(t, 0.5), 6);
  EXPECT_EQ(bends(t, 2), std::vector<double>{1});
}

TEST(EqsWaveform, BadOnesAreRefusedByName) {
  const auto refusal = [](WaveformSpec w) {
    try {
      check_waveform(w, "electrode 'phase a'");
    } catch (const BadInput& e) {
      EXPECT_NE(std::string(e.what()).find("electrode 'phase a'"), std::string::npos);
      return std::string(e.what());
    }
    return std::string();
  };
  const auto expect = [&](const WaveformSpec& w, const std::string& word) {
    EXPECT_NE(refusal(w).find(word), std::string::npos) << refusal(w);
  };
  expect(sine(1, 0), "frequency");
  expect(sine(NAN), "no number");
  WaveformSpec w = sine(1);
  w.kind = Kind::table;
  expect(w, "needs a file");
  w.time = {0, 1, 1}, w.values = {0, 1, 2};
  expect(w, "times must ascend");
  const std::string file = testing::TempDir() + "broken.csv";
  std::ofstream(file) << "# t u\n0 0\n1 one\n";
  w.time.clear(), w.values.clear();
  w.file = file;
  expect(w, "broken.csv:3");
  w = sine(1);
  w.kind = Kind::impulse;
  w.tail = 2e-6;
  EXPECT_THROW(check_waveform(w, "electrode"), BadInput);
}

}  // namespace
}  // namespace umov::eqs::test
