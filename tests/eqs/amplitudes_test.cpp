// Static analyses without a moment: every waveform at its amplitude, and a warning where no instant has all.
#include <gtest/gtest.h>

#include "support/eqs_cases.hpp"

namespace umov::eqs::test {
namespace {

/// Between `w` below and ground, or a second driven electrode, above.
Simulation plates(const WaveformSpec& w, const WaveformSpec* other = nullptr) {
  Simulation s = column({layer("a", 1e-3, 2)}, {material("a", constant(3), constant(1e-9))}, w);
  s.analysis = Analysis::electrostatic;
  if (other) s.electrodes[1] = driven("top", *other);
  return s;
}

WaveformSpec amplitude_table(std::vector<double> values, double factor = 0) {
  WaveformSpec w;
  w.kind = WaveformSpec::Kind::table;
  w.time = {0, 1e-3, 2e-3};
  w.values = std::move(values);
  w.amplitude = factor;
  return w;
}

TEST(EqsAmplitudes, AreThoseOfEveryWaveformWhateverItsPhaseOrRamp) {
  WaveformSpec step = steady(40);
  step.kind = WaveformSpec::Kind::step;
  step.rise = 1e-6;
  WaveformSpec impulse = steady(-50);
  impulse.kind = WaveformSpec::Kind::impulse;
  const std::pair<WaveformSpec, double> cases[] = {{sine(10, 50), 10},
                                                   {sine(10, 50, 0.001), 10},
                                                   {sine(10, 50, -120), 10},
                                                   {sine(-10, 50, 90), -10},
                                                   {sine(10, 50, 30, WaveformSpec::Ramp::linear), 10},
                                                   {step, 40},
                                                   {impulse, -50},
                                                   {amplitude_table({0, -7, 5}), -7},
                                                   {amplitude_table({0, -7, 5}, -2), 14},
                                                   {steady(3), 3}};
  for (const Analysis analysis : {Analysis::electrostatic, Analysis::conduction})
    for (const auto& [w, expected] : cases) {
      Simulation s = plates(w);
      s.analysis = analysis;
      const auto e = make_engine(make_problem(s), on("serial"));
      ASSERT_TRUE(e->solve_static(std::numeric_limits<double>::quiet_NaN()).converged);
      EXPECT_EQ(e->observe().potential[0], expected) << int(w.kind) << " " << w.phase;
    }
}

/// Of the amplitudes, in the problem's warnings.
bool warned(const Simulation& s) {
  for (const auto& w : make_problem(s).warnings)
    if (w.find("set time.end") != std::string::npos) return true;
  return false;
}

TEST(EqsAmplitudes, ThatNoInstantHasAreWarnedOf) {
  const WaveformSpec phase_b = sine(10, 50, -120), other_height = sine(20, 50, 360), fixed = steady(5),
                     faster = sine(10, 60), off = sine(0, 50, 90);
  EXPECT_TRUE(warned(plates(sine(10, 50), &phase_b)));
  EXPECT_TRUE(warned(plates(sine(10, 50), &faster)));
  EXPECT_FALSE(warned(plates(sine(10, 50), &other_height)));
  EXPECT_FALSE(warned(plates(sine(10, 50), &fixed)));
  EXPECT_FALSE(warned(plates(sine(10, 50), &off)));
  WaveformSpec impulse = steady(50);
  impulse.kind = WaveformSpec::Kind::impulse;
  EXPECT_TRUE(warned(plates(sine(10, 50), &impulse)));
  const WaveformSpec rows = amplitude_table({0, 1, 0}), doubled = amplitude_table({0, 1, 0}, 2),
                     others = amplitude_table({1, 0, 0});
  EXPECT_FALSE(warned(plates(rows, &doubled)));
  EXPECT_TRUE(warned(plates(rows, &others)));
  // with a moment, and where there is time
  Simulation s = plates(sine(10, 50), &phase_b);
  s.time.end = 1e-3;
  EXPECT_FALSE(warned(s));
  s.analysis = Analysis::transient;
  EXPECT_FALSE(warned(s));
}

}  // namespace
}  // namespace umov::eqs::test
