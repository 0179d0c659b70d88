// Resonance monitors on cavities whose modes are known.
#include <gtest/gtest.h>

#include "core/error.hpp"
#include "fdtd/monitors/resonance.hpp"
#include "fdtd/run/run.hpp"
#include "fdtd/sources/waveform.hpp"
#include "support/fdtd_cases.hpp"
#include "support/machines.hpp"
#include "support/monitor_runs.hpp"

using namespace umov;
using namespace umov::fdtd;
using Kind = MonitorSpec::Kind;

namespace {

/// A rectangular cavity, 1 by 0.7, filled with eps 2 and a conductivity.
Simulation cavity(double resolution, double sigma) {
  Simulation s;
  s.size = {1, 0.7, 0};
  s.resolution = resolution;
  s.walls = test::all_walls(WallKind::pec);
  s.materials = {test::constant("filling", 2)};
  s.materials[0].constants.sigma = {sigma, sigma, sigma};
  s.background = "filling";
  s.sources = {test::pulse(Ez, {-0.21, 0.12, 0}, 0.8)};
  MonitorSpec m = test::monitor(Kind::resonance, {0.17, -0.11, 0}, {0, 0, 0});
  m.frequency_from = 0.5;
  m.frequency_to = 1.0;
  s.monitors = {m};
  return s;
}

/// Frequencies of Ez ~ sin(m pi x / 1) sin(n pi y / 0.7) in the band, on a grid with these steps (0:
/// continuum).
std::vector<double> cavity_modes(double dx, double dt) {
  std::vector<double> list;
  for (int m = 1; m < 8; ++m)
    for (int n = 1; n < 8; ++n) {
      const double kx = pi * m, ky = pi * n / 0.7;
      double w = std::sqrt((kx * kx + ky * ky) / 2);
      if (dx > 0) {
        const double Kx = 2 / dx * std::sin(kx * dx / 2), Ky = 2 / dx * std::sin(ky * dx / 2);
        w = 2 / dt * std::asin(dt / 2 * std::sqrt((Kx * Kx + Ky * Ky) / 2));
      }
      if (w > pi && w < 2 * pi) list.push_back(w / (2 * pi));
    }
  std::sort(list.begin(), list.end());
  return list;
}

}  // namespace

TEST(FdtdResonanceRuns, OfALosslessCavityAreThoseOfTheGridToRounding) {
  test::MonitoredRun run(cavity(20, 0));
  run.until(300);
  const auto found = run.outcome().of<ResonanceResult>().at(0).modes;
  const auto expected = cavity_modes(run.problem.grid.dx, run.problem.grid.dt);
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    EXPECT_NEAR(found[i].frequency / expected[i], 1, 1e-10);
    EXPECT_GT(found[i].quality, 1e5);
  }
}

TEST(FdtdResonanceRuns, OfALossyCavityHaveItsQuality) {
  constexpr double sigma = 0.05;
  test::MonitoredRun run(cavity(40, sigma));
  run.until(300);
  const auto found = run.outcome().of<ResonanceResult>().at(0).modes;
  const auto exact = cavity_modes(0, 0);
  ASSERT_EQ(found.size(), exact.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    // w^2 eps + i w sigma = c^2 k^2: Q = w eps / sigma; the grid's second order, (k dx)^2 / 24, at 28 cells
    // per wavelength in the medium and above: 0.2 %.
    EXPECT_NEAR(found[i].frequency / exact[i], 1, 2.5e-3);
    EXPECT_NEAR(found[i].quality / (2 * pi * exact[i] * 2 / sigma), 1, 5e-3);
    EXPECT_LT(found[i].error, 1e-8);
  }
}

TEST(FdtdResonanceRuns, SinglePrecisionFindsTheSameLines) {
  test::MonitoredRun run(cavity(20, 0.02), false, Precision::single_), precise(cavity(20, 0.02));
  run.until(200);
  precise.until(200);
  const auto single = run.outcome().of<ResonanceResult>().at(0).modes,
             twice = precise.outcome().of<ResonanceResult>().at(0).modes;
  ASSERT_EQ(single.size(), twice.size());
  for (std::size_t i = 0; i < single.size(); ++i) {
    EXPECT_NEAR(single[i].frequency / twice[i].frequency, 1, 1e-6);
    EXPECT_NEAR(single[i].quality / twice[i].quality, 1, 1e-3);
  }
}

TEST(FdtdResonanceRuns, LinesOfRoundingAreNoLinesOfALeakySlabInSinglePrecision) {
  Simulation s = test::slab_case(4, 100, 36, 0.2, 1, test::pulse(Ez, {0.33, 0, 0}, 0.25));
  MonitorSpec m = test::monitor(Kind::resonance, {-0.11, 0, 0}, {0, 0, 0});
  m.frequency_from = 0.7 / 12;
  m.frequency_to = 5.5 / 12;
  s.monitors = {m};
  for (const Precision precision : {Precision::single_, Precision::double_})
    for (const double time : {300.0}) {
      test::MonitoredRun run(s, false, precision);
      run.until(time);
      const auto found = run.outcome().of<ResonanceResult>().at(0).modes;
      // f = k c / 2 n L, Q = pi k / ln of the inverse of both reflections; the grid's second order.
      ASSERT_EQ(found.size(), 5u) << time;
      for (int k = 1; k <= 5; ++k) {
        EXPECT_NEAR(found[k - 1].frequency * 12 / k, 1, 2e-3);
        EXPECT_NEAR(found[k - 1].quality / (pi * k / (2 * std::log(7.0 / 5))), 1, 5e-3);
      }
    }
}

TEST(FdtdResonanceRuns, FindTheDegenerateModesOfASquareWhereverItLies) {
  // Walls of a perfect conductor off the grid's lines split the pair (1, 2), (2, 1) by next to nothing.
  for (const auto& [time, precision] :
       {std::pair(150.0, Precision::single_), std::pair(300.0, Precision::single_),
        std::pair(150.0, Precision::double_)}) {
    Simulation s;
    s.size = {1.6, 1.6, 0};
    s.resolution = 25;
    s.walls = test::all_walls(WallKind::pec);
    s.materials = {test::constant("hole", 1)};
    s.bodies = {test::body("box", "pec", {0, 0, 0}), test::body("box", "hole", {0.013, -0.007, 0})};
    s.bodies[0].size = {1.5, 1.5, 0};
    s.bodies[1].size = {1.13, 1.13, 0};
    s.sources = {test::pulse(Ez, {0.213, 0.137, 0}, 0.9)};
    MonitorSpec m = test::monitor(Kind::resonance, {-0.187, 0.093, 0}, {0, 0, 0});
    m.frequency_from = 0.5;
    m.frequency_to = 1.3;
    s.monitors = {m};
    test::MonitoredRun run(s, false, precision);
    run.until(time);
    const Outcome out = run.outcome();
    // f = sqrt(m^2 + n^2) / 2a below 1.3, several lines for the degenerate pairs; the grid: within 1 %.
    for (const double sum : {2.0, 5.0, 8.0}) {
      const double exact = std::sqrt(sum) / (2 * 1.13);
      int near = 0;
      for (const Resonance& r : out.of<ResonanceResult>().at(0).modes)
        near += std::abs(r.frequency / exact - 1) < 0.01;
      EXPECT_GE(near, 1) << sum << " at " << time;
      EXPECT_LE(near, 2) << sum << " at " << time;
    }
    EXPECT_TRUE(out.warnings.empty()) << out.warnings.front();
  }
}

TEST(FdtdResonanceRuns, SayWhyThereIsNoLine) {
  Simulation s = cavity(20, 0);
  const auto warning = [&](double time) {
    test::MonitoredRun run(s);
    run.until(time);
    const Outcome out = run.outcome();
    EXPECT_TRUE(out.of<ResonanceResult>().at(0).modes.empty());
    return out.warnings.empty() ? std::string() : out.warnings.back();
  };
  s.monitors[0].frequency_from = 0.63;
  s.monitors[0].frequency_to = 0.66;
  EXPECT_NE(warning(100).find("found no resonance in 0.63 to 0.66"), std::string::npos);
  s.sources[0].waveform.amplitude = 0;
  EXPECT_NE(warning(60).find("its field is zero there"), std::string::npos);
}

TEST(FdtdResonanceRuns, BeginAfterTheSourceAndWarnWhenThereIsTooLittle) {
  Simulation s = cavity(20, 0);
  const Outcome out = test::run_monitored(s, 5);
  EXPECT_EQ(out.warnings.size(), 1u);
  s.sources[0].waveform.kind = Waveform::Kind::continuous;
  EXPECT_THROW(test::MonitoredRun{s}, BadInput);
  s.monitors[0].own<ResonanceSpec>().start = 10;
  EXPECT_NO_THROW(test::MonitoredRun{s});
}

TEST(FdtdResonanceRuns, RefuseABandThatIsNone) {
  for (const auto& [from, to] :
       {std::pair(0.0, 0.0), std::pair(1.0, 0.5), std::pair(-1.0, 1.0), std::pair(0.5, 100.0)}) {
    Simulation s = cavity(20, 0);
    s.monitors[0].frequency_from = from;
    s.monitors[0].frequency_to = to;
    EXPECT_THROW(test::MonitoredRun{s}, BadInput);
  }
}

// A pulse that passes after the source's end is no oscillation: taken for a comb of lines of Q 3 to 10 and
// amplitude 10. What is left, 1e-7, layers and the grid's dispersion hold back.
TEST(FdtdResonanceRuns, ARecordBeginsWhenTheLastWaveHasComeByOrWarns) {
  Simulation s;
  s.size = {20, 0, 0};
  s.resolution = 12;
  s.precision = Precision::double_;
  s.sources = {test::pulse(Ez, {-8, 0, 0}, 1, 0.1)};
  s.monitors = {test::monitor(Kind::resonance, {8, 0, 0}, {0, 0, 0})};
  s.monitors[0].frequency_from = 0.7, s.monitors[0].frequency_to = 1.3;
  const double end = source_end(s.sources[0]);
  s.stop.time = end + 60;
  const auto warned = [](const Outcome& out) {
    for (const auto& w : out.warnings)
      if (w.find("the sources' last wave may come by") != std::string::npos) return true;
    return false;
  };
  const auto later = fdtd::run(s, umov::test::on("cpu"));
  EXPECT_FALSE(warned(later));
  for (const auto& line : later.of<ResonanceResult>().at(0).modes) EXPECT_LT(line.amplitude, 1e-5);
  s.monitors[0].own<ResonanceSpec>().start = end;
  EXPECT_TRUE(warned(fdtd::run(s, umov::test::on("cpu"))));
}

TEST(FdtdResonanceRuns, InSpaceIsOfTheFieldThatTheFirstCurrentDrives) {
  Simulation s;
  s.size = {1, 0.8, 0.6};
  s.resolution = 20;
  s.walls = test::all_walls(WallKind::pec);
  s.sources = {test::pulse(Ez, {-0.21, 0.12, 0.07}, 0.8)};
  MonitorSpec m = test::monitor(Kind::resonance, {0.17, -0.11, 0.05}, {0, 0, 0});
  m.frequency_from = 0.5;
  m.frequency_to = 1.2;
  s.monitors = {m};
  s.stop.time = 150;
  const auto lowest = [&](Component c) {
    const Outcome o = fdtd::run(s, umov::test::on("cpu"));
    EXPECT_EQ(o.of<ResonanceResult>()[0].component, c);
    return o.of<ResonanceResult>()[0].modes.empty() ? 0 : o.of<ResonanceResult>()[0].modes[0].frequency;
  };
  // (1, 1, 0): sqrt(1 / 1^2 + 1 / 0.8^2) / 2; the grid of 20 cells is off by 1e-3 of it
  EXPECT_NEAR(lowest(Ez), 0.8004, 0.002);
  s.monitors[0].fields = {Ex};
  // the lowest with Ex that a current along z drives: (1, 1, 1)
  EXPECT_NEAR(lowest(Ex), 1.1554, 0.002);
}
