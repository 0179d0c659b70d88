// Harmonic inversion on signals whose lines are known.
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "core/error.hpp"
#include "fdtd/monitors/resonance.hpp"
#include "fdtd/observables/harmonic_inversion.hpp"

using namespace umov;
using namespace umov::fdtd;

namespace {

std::vector<double> signal(const std::vector<Resonance>& lines, int samples, double step, double noise = 0) {
  std::mt19937 generator(7);
  std::normal_distribution<double> normal(0, noise > 0 ? noise : 1);
  std::vector<double> values(samples);
  for (int i = 0; i < samples; ++i) {
    const double t = i * step;
    for (const Resonance& l : lines)
      values[i] += l.amplitude * std::exp(-pi * l.frequency * t / l.quality) *
                   std::cos(2 * pi * l.frequency * t - l.phase * pi / 180);
    if (noise > 0) values[i] += normal(generator);
  }
  return values;
}

/// Every line found, nothing else found, all numbers within `tolerance` (frequency, relative) and `rough`
/// times that for what depends on the width of a line rather than on its place.
void expect_lines(const std::vector<Resonance>& expected, const std::vector<Resonance>& found,
                  double tolerance, double rough) {
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    EXPECT_NEAR(found[i].frequency / expected[i].frequency, 1, tolerance);
    EXPECT_NEAR(found[i].quality / expected[i].quality, 1, tolerance * expected[i].quality * 4);
    EXPECT_NEAR(found[i].amplitude / expected[i].amplitude, 1, tolerance * rough);
    EXPECT_NEAR(std::remainder(found[i].phase - expected[i].phase, 360), 0, 60 * tolerance * rough);
  }
}

const std::vector<Resonance> ring{{0.12, 80, 2, 10}, {0.1475, 1600, 1, 30}, {0.1758, 8000, 0.3, -50}};

}  // namespace

TEST(FdtdHarmonicInversion, FindsLinesWithoutNoiseToRounding) {
  // 1000 periods of the sampling at most: rounding 1e-16 grows with the conditioning of the pencil.
  const auto found = harmonic_inversion(std::span<const double>(signal(ring, 2000, 0.5)), 0.5, 0.1, 0.2);
  expect_lines(ring, found, 1e-12, 1e3);
  for (const Resonance& r : found) EXPECT_LT(r.error, 1e-12);
}

TEST(FdtdHarmonicInversion, FindsLinesAtSinglePrecisionNoise) {
  // The least variance of a frequency: noise / (amplitude T^1.5) sqrt(6 step) / pi (Rife and Boorstyn 1974,
  // IEEE Trans. Inf. Theory 20, 591), here 2e-11 for the weakest line; decay and band add a factor of ten.
  const auto found =
      harmonic_inversion(std::span<const double>(signal(ring, 2000, 0.5, 1e-7)), 0.5, 0.1, 0.2);
  expect_lines(ring, found, 2e-9, 1e3);
}

TEST(FdtdHarmonicInversion, RejectsLinesThatNoiseMakes) {
  const auto found =
      harmonic_inversion(std::span<const double>(signal(ring, 2000, 0.5, 1e-4)), 0.5, 0.1, 0.2);
  expect_lines(ring, found, 2e-6, 1e3);
  EXPECT_TRUE(
      harmonic_inversion(std::span<const double>(signal({}, 2000, 0.5, 1e-3)), 0.5, 0.1, 0.2).empty());
}

TEST(FdtdHarmonicInversion, ResolvesLinesNearerThanTheReciprocalOfTheDuration) {
  const std::vector<Resonance> close{{0.15, 500, 1, 0}, {0.1503, 700, 1, 90}};  // 1 / T = 0.001
  const auto found =
      harmonic_inversion(std::span<const double>(signal(close, 2000, 0.5, 1e-7)), 0.5, 0.1, 0.2);
  // Noise is amplified by about (1 / (separation T))^2 = 11 over that of a single line.
  expect_lines(close, found, 2e-8, 1e3);
}

TEST(FdtdHarmonicInversion, IgnoresStrongerLinesOutsideTheBand) {
  auto lines = ring;
  lines.push_back({0.31, 40, 50, 5});
  const auto found = harmonic_inversion(std::span<const double>(signal(lines, 2000, 0.5)), 0.5, 0.1, 0.2);
  expect_lines(ring, found, 1e-8, 1e3);
}

TEST(FdtdHarmonicInversion, SplitsAWideBandIntoWindowsWithoutLosingOrDoublingLines) {
  std::vector<Resonance> comb;
  for (int i = 0; i < 40; ++i) comb.push_back({0.1 + 0.00503 * i, 3000, 1, 9.0 * i - 180});
  const auto found = harmonic_inversion(std::span<const double>(signal(comb, 4000, 0.7)), 0.7, 0.09, 0.31);
  expect_lines(comb, found, 1e-9, 1e3);
}

TEST(FdtdHarmonicInversion, CountsOnlyHalfOfARealLineInAComplexSignal) {
  std::vector<cplx> values;
  for (int i = 0; i < 500; ++i) values.push_back(std::polar(0.7 * std::exp(-0.001 * i), -0.9 * i + 0.4));
  const auto found = harmonic_inversion(std::span<const cplx>(values), 1, 0.1, 0.2);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_NEAR(found[0].amplitude, 0.7, 1e-9);
  EXPECT_NEAR(found[0].phase, 0.4 * 180 / pi, 1e-7);
  EXPECT_NEAR(found[0].quality, 0.45 / 0.001, 1e-6);
}

TEST(FdtdHarmonicInversion, LinesThatNoiseMergesAreOneAndNeverNone) {
  // The pair beats, so that a merged line may seem to grow; a record of 150 with noise tells separations from
  // about 1e-3 / T (at 1e-7) on, and none is lost at any.
  for (const double noise : {0.0, 1e-7, 1e-4})
    for (const double apart : {0.0, 1e-7, 1e-5, 1e-4, 1e-3})
      for (const double phase : {20.0, 200.0}) {
        const std::vector<Resonance> lines{{0.98941, 1e12, 1, 0}, {0.98941 * (1 + apart), 1e12, 0.7, phase}};
        const auto found =
            harmonic_inversion(std::span<const double>(signal(lines, 1500, 0.1, noise)), 0.1, 0.7, 1.2);
        ASSERT_GE(found.size(), 1u) << noise << " " << apart;
        ASSERT_LE(found.size(), 2u) << noise << " " << apart;
        if (found.size() == 2) {
          for (int i : {0, 1})
            EXPECT_NEAR(found[i].frequency / lines[i].frequency, 1, 3 * found[i].error + 1e-12);
        } else {
          EXPECT_NEAR(found[0].frequency / 0.98941, 1, 2 * apart + found[0].error);  // the mean of a beat
        }
        if (apart == 1e-3 || (apart == 1e-4 && noise < 1e-6)) {
          EXPECT_EQ(found.size(), 2u) << noise;
        }
      }
}

// A weak line beside a strong one, nearer than the record resolves, moves it and makes it decay or grow: by
// 1e4 times the error that noise has, and its decay was a quality of 1e5 to 1e9 and not infinity.
TEST(FdtdHarmonicInversion, StatesTheErrorOfALineThatMayBeTwo) {
  constexpr int samples = 1500;
  constexpr double step = 0.1, duration = samples * step;
  for (const double noise : {0.0, 1e-7})
    for (const double apart : {1e-4, 3e-4, 1e-3, 1e-2})  // in 1 / duration
      for (const double weak : {0.02, 0.5})
        for (const double phase : {0.0, 70.0, 180.0}) {
          const std::vector<Resonance> lines{{0.98941, 1e14, 1, 0},
                                             {0.98941 + apart / duration, 1e14, weak, phase}};
          const auto found = harmonic_inversion(std::span<const double>(signal(lines, samples, step, noise)),
                                                step, 0.7, 1.2);
          ASSERT_GE(found.size(), 1u);
          // |w1 w2| (2 pi apart)^2 t^2 / 2, of which 1 / 53 is left beside 1 and t in the window of the
          // spectrum (cos^6), is hidden by six deviations of noise; half as much again.
          const double sum = std::abs(1.0 + weak * std::polar(1.0, phase * pi / 180)),
                       hidden = 1.5 *
                                std::sqrt(6 * 53 * std::max(noise, 1e-13) / sum * std::sqrt(2.0 / samples)) /
                                (2 * pi * duration);
          for (const Resonance& r : found) {
            double off = 1;
            for (const Resonance& l : lines) off = std::min(off, std::abs(r.frequency - l.frequency));
            EXPECT_LT(off, 2 * r.error * r.frequency + hidden)
                << noise << " " << apart << " " << weak << " " << phase;
            EXPECT_TRUE(r.at_least) << noise << " " << apart << " " << weak << " " << phase << " Q "
                                    << r.quality;
          }
        }
}

// A line of low quality is looked for in a part of the record, whose rest has the others in it: no second
// line.
TEST(FdtdHarmonicInversion, TakesNoBroadLineAmongNarrowOnesForTwo) {
  const auto found = harmonic_inversion(
      std::span<const double>(
          signal({{0.118, 77, 1, 0}, {0.1465, 5.5, 0.4, 20}, {0.1756, 1646, 1, 50}}, 4000, 0.5, 1e-8)),
      0.5, 0.1, 0.2);
  ASSERT_EQ(found.size(), 3u);
  EXPECT_FALSE(found[1].at_least);
  EXPECT_NEAR(found[1].quality, 5.5, 0.1);
  EXPECT_LT(found[1].error, 0.02);
}

TEST(FdtdHarmonicInversion, StatesTheErrorOfLinesOfAnyQuality) {
  // Twice the standard deviation, from four copies: three times that is hardly ever exceeded.
  for (const double duration : {20.0, 150.0})
    for (const double quality : {3.0, 5.0, 20.0, 1000.0, 1e6})
      for (const double noise : {1e-7, 1e-4})
        for (const double width : {0.01, 0.1, 0.5}) {
          const std::vector<Resonance> line{{1, quality, 1, 70}};
          const auto found =
              harmonic_inversion(std::span<const double>(signal(line, int(duration / 0.1), 0.1, noise)), 0.1,
                                 1 - width, 1 + width);
          ASSERT_EQ(found.size(), 1u) << duration << " " << quality << " " << noise << " " << width;
          EXPECT_LT(std::abs(found[0].frequency - 1), 2 * found[0].error) << duration << " " << quality;
          if (found[0].at_least) {
            EXPECT_LT(found[0].quality, 2 * quality);
          } else {
            EXPECT_LT(std::abs(1 / found[0].quality - 1 / quality) / 2, 2 * found[0].error);
          }
          EXPECT_LT(found[0].error, 0.1 / quality + 0.1 / duration);
        }
}

TEST(FdtdHarmonicInversion, BoundsTheQualityOfALineThatDoesNotDecay) {
  // A decay rate is known to about sqrt(6 step / T^3) noise / A at best (Cramer and Rao).
  for (const double noise : {1e-7, 1e-4}) {
    const std::vector<Resonance> line{{1, 1e15, 1, 70}};
    const auto found =
        harmonic_inversion(std::span<const double>(signal(line, 1500, 0.1, noise)), 0.1, 0.8, 1.2);
    ASSERT_EQ(found.size(), 1u);
    EXPECT_TRUE(found[0].at_least);
    const double known = std::sqrt(6 * 0.1 / std::pow(150.0, 3)) * noise;
    EXPECT_LT(found[0].quality, pi / known);
    EXPECT_GT(found[0].quality, 0.01 * pi / known);
  }
}

TEST(FdtdHarmonicInversion, MakesNoLinesOfNoise) {
  for (const double noise : {1e-5, 1e-1}) {
    EXPECT_TRUE(
        harmonic_inversion(std::span<const double>(signal({}, 1000, 0.1, noise)), 0.1, 0.4, 1.2).empty());
    // A noise of a tenth hides none of the lines: in the spectrum it is 0.1 / sqrt(1000 / 2) = 0.005 of them.
    EXPECT_EQ(harmonic_inversion(
                  std::span<const double>(signal({{0.6, 900, 1, 0}, {1, 200, 1, 0}}, 1000, 0.1, noise)), 0.1,
                  0.4, 1.2)
                  .size(),
              2u)
        << noise;
  }
}

TEST(FdtdHarmonicInversion, FindsABroadLineAmongNarrowOnesAndMakesNoneOfThem) {
  // The narrow ones are nearer to each other than what a record as short as the broad line resolves.
  std::vector<Resonance> lines;
  for (int i = 0; i < 8; ++i) lines.push_back({0.9 + 0.03 * i, 5000, 1, 50.0 * i - 180});
  EXPECT_EQ(harmonic_inversion(std::span<const double>(signal(lines, 1500, 0.1, 1e-7)), 0.1, 0.7, 1.4).size(),
            8u);
  lines.insert(lines.begin() + 4, {1.004, 8, 4, 30});
  const auto found =
      harmonic_inversion(std::span<const double>(signal(lines, 1500, 0.1, 1e-7)), 0.1, 0.7, 1.4);
  ASSERT_EQ(found.size(), 9u);
  for (std::size_t i = 0; i < found.size(); ++i) {
    EXPECT_LT(std::abs(found[i].frequency / lines[i].frequency - 1), 3 * found[i].error) << i;
    EXPECT_LT(found[i].error, 1e-3) << i;
  }
}

TEST(FdtdHarmonicInversion, MonitorsThatSeeOneModeOfAPairEachKnowItsFrequency) {
  for (const double f : {0.98941, 0.98941 * (1 + 1e-4)}) {
    const std::vector<Resonance> line{{f, 1e9, 0.3, 10}};
    const auto found =
        harmonic_inversion(std::span<const double>(signal(line, 1000, 0.1, 1e-7)), 0.1, 0.9, 1.1);
    ASSERT_EQ(found.size(), 1u);
    EXPECT_NEAR(found[0].frequency / f, 1, 1e-8);
  }
}

TEST(FdtdHarmonicInversion, SaysWhatItCouldNotExplain) {
  // Nothing in the band, but a line just outside it; a drift that is no oscillation.
  const auto beside =
      invert(std::span<const double>(signal({{1, 1e6, 1, 0}}, 1000, 0.1, 1e-7)), 0.1, 1.01, 1.05);
  EXPECT_TRUE(beside.lines.empty());
  EXPECT_NEAR(beside.beside.frequency, 1, 1e-6);
  const auto silent = invert(std::span<const double>(std::vector<double>(500, 0.0)), 0.1, 1, 2);
  EXPECT_TRUE(silent.lines.empty());
  EXPECT_EQ(silent.strongest, 0);
}

TEST(FdtdHarmonicInversion, RefusesABandThatIsEmptyOrAboveHalfTheSamplingRate) {
  const std::vector<double> values(100, 1.0);
  EXPECT_THROW(harmonic_inversion(std::span<const double>(values), 1, 0.2, 0.1), BadInput);
  EXPECT_THROW(harmonic_inversion(std::span<const double>(values), 1, 0.2, 0.6), BadInput);
}
