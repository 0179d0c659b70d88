// Step control: stops met exactly, tolerances kept, failures named.
#include "eqs/time/step_control.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "core/error.hpp"
#include "support/eqs_cases.hpp"

namespace umov::eqs::test {
namespace {

using Verdict = StepControl::Verdict;

TEST(EqsStepControl, FixedStepsMeetStopsAndTheEnd) {
  TimeSpec t;
  t.step = 1e-3;
  StepControl c(t, 10.5e-3, {2.5e-3, 7e-3, 99.0, -1.0});
  std::vector<double> times;
  double now = 0;
  while (!c.done(now)) {
    const double dt = c.next(now);
    EXPECT_LE(dt, 1e-3 * (1 + 1e-9));
    EXPECT_EQ(c.judge(now, dt, 1, true, ""), Verdict::accept);  // no error is too large for a fixed step
    now = c.after(now, dt);
    times.push_back(now);
  }
  for (const double stop : {2.5e-3, 7e-3, 10.5e-3})
    EXPECT_NE(std::find(times.begin(), times.end(), stop), times.end());
  EXPECT_EQ(times.size(), 3u + 5u + 4u);  // 1, 2, 2.5; 3.5 ... 6.5, 7; 8, 9, 10, 10.5
}

TEST(EqsStepControl, ControlledStepsFollowTheErrorAndMeetStops) {
  // an error that a step of length d(t) makes equal to the tolerance, third power of the step
  TimeSpec t;
  t.tolerance = 1e-4;
  StepControl c(t, 1, {0.3, 0.30000001, 0.77});
  const auto ideal = [](double time) { return 0.002 + 0.02 * time * time; };
  double now = 0;
  int steps = 0, repeats = 0;
  std::vector<double> times;
  while (!c.done(now)) {
    const double dt = c.next(now), error = 1e-4 * std::pow(dt / ideal(now), 3);
    ASSERT_LT(++steps, 1000);
    if (c.judge(now, dt, error, true, "") == Verdict::repeat) {
      EXPECT_GT(error, t.tolerance);
      ++repeats;
      continue;
    }
    EXPECT_LE(error, t.tolerance);
    now = c.after(now, dt);
    times.push_back(now);
  }
  for (const double stop : {0.3, 0.30000001, 0.77, 1.0})
    EXPECT_NE(std::find(times.begin(), times.end(), stop), times.end());
  // the ideal number of steps is the integral of 1 / ideal: 232 here; safety and stops add some
  EXPECT_LT(steps, 1.35 * 232);
  EXPECT_LT(repeats, 0.05 * steps);
}

TEST(EqsStepControl, FailedTriesShortenTheStepUntilItGivesUpWithReasons) {
  TimeSpec t;
  t.min_step = 1e-5;
  t.first_step = 1e-3;
  StepControl c(t, 1, {});
  EXPECT_EQ(c.judge(0.25, 1e-3, 0, false, "stage 2: why"), Verdict::repeat);
  EXPECT_NEAR(c.step(), 2.5e-4, 1e-12);
  EXPECT_EQ(c.judge(0.25, c.step(), NAN, true, ""), Verdict::repeat);
  EXPECT_EQ(c.judge(0.25, c.step(), 0, false, "stage 2: why"), Verdict::repeat);
  EXPECT_EQ(c.judge(0.25, c.step(), 0, false, "stage 2: why"), Verdict::give_up);
  for (const char* word : {"t = 0.25 s", "below the smallest", "stage 2: why", "min_step"})
    EXPECT_NE(c.why().find(word), std::string::npos) << c.why();
  // after a rejection the step does not grow at once
  StepControl d(t, 1, {});
  EXPECT_EQ(d.judge(0, 1e-3, 5e-3, true, ""), Verdict::repeat);
  const double shorter = d.step();
  EXPECT_LT(shorter, 1e-3);
  EXPECT_EQ(d.judge(0, shorter, 1e-9, true, ""), Verdict::accept);
  EXPECT_LE(d.step(), shorter);
  // recalled, it goes on alike
  StepControl e(t, 1, {});
  e.recall(d.memory());
  EXPECT_EQ(e.next(0.5), d.next(0.5));
  EXPECT_EQ(e.judge(0.5, 1e-3, 2e-4, true, ""), d.judge(0.5, 1e-3, 2e-4, true, ""));
  EXPECT_EQ(e.step(), d.step());
}

TEST(EqsStepControl, FastDecaysAtTheStartAllowShorterStepsUnlessTheSmallestIsGiven) {
  const auto tries = [](double min_step, double rate) {
    TimeSpec t;
    t.min_step = min_step;
    StepControl c(t, 100, {});
    c.allow_for(rate);
    double shortest = 1;
    for (int k = 0; k < 200; ++k) {
      const double dt = c.next(0);
      shortest = dt;
      if (c.judge(0, dt, 0, false, "no") == Verdict::give_up) break;
    }
    return shortest;
  };
  EXPECT_GT(tries(0, 0), 1e-7);       // 1e-9 of the end
  EXPECT_LT(tries(0, 1e7), 4.1e-13);  // a quarter of it at most is left untried
  EXPECT_GE(tries(0, 1e7), 1e-13);
  EXPECT_GE(tries(0, 1e19), 1e-13);  // 1e-15 of the end: shorter ones cannot be told from nothing
  EXPECT_GT(tries(1e-5, 1e7), 1e-5);
}

TEST(EqsStepControl, SenselessLengthsAreRefused) {
  TimeSpec t;
  EXPECT_THROW(StepControl(t, 0, {}), BadInput);
  EXPECT_THROW(StepControl(t, NAN, {}), BadInput);
  t.step = -1;
  EXPECT_THROW(StepControl(t, 1, {}), BadInput);
  t.step = 0;
  t.tolerance = 0;
  EXPECT_THROW(StepControl(t, 1, {}), BadInput);
  t.tolerance = 1e-3;
  t.min_step = 1e-3, t.first_step = 1e-4;
  EXPECT_THROW(StepControl(t, 1, {}), BadInput);
}

/// The whole loop: the nonlinear two-layer capacitor over a period, every integrator.
TEST(EqsStepControl, ControlledRunsKeepTheirTolerance) {
  for (const Scheme scheme : {Scheme::sdirk3, Scheme::esdirk3, Scheme::implicit_euler}) {
    double before = 0;
    for (const double tolerance : {1e-3, 1e-4}) {
      if (scheme == Scheme::implicit_euler && tolerance < 1e-3) continue;  // thousands of steps
      Simulation s = column(
          {layer("layer", 2e-3, 1), layer("air", 2e-3, 1)},
          {material("layer", constant(12), microvaristor()), material("air", constant(4), constant(0))},
          sine(10e3 * std::sqrt(2.0), 50, 0, WaveformSpec::Ramp::linear));
      s.time.scheme = scheme;
      s.time.tolerance = tolerance;
      const Problem p = make_problem(s);
      const auto e = make_engine(p, on("serial"));
      ASSERT_TRUE(e->start(0).converged);
      StepControl control(s.time, 0.015, bends(p.electrodes[0].waveform, 0.015));
      int tries = 0;
      while (!control.done(e->time())) {
        const double dt = control.next(e->time());
        const StepTry t = e->attempt(dt);
        ASSERT_LT(++tries, 5000);
        const auto verdict = control.judge(e->time(), dt, t.error, t.effort.converged, t.effort.why_not);
        ASSERT_NE(verdict, Verdict::give_up) << control.why();
        if (verdict == Verdict::accept) e->accept();
      }
      EXPECT_NEAR(e->time(), 0.015, 1e-15);
      const auto v = e->potential();
      double sum = 0, count = 0;
      for (int n = 0; n < p.nodes; ++n)
        if (std::abs(node_place(p, n)[2] - 2e-3) < 1e-9) sum += v[n], count += 1;
      const double drop = waveform(p.electrodes[0].waveform, 0.015) - sum / count;
      const double error = std::abs(drop / 2e-3 - -1.1446998548e6) / 1.1446998548e6;
      // what is controlled is a step's error: the third-order methods' steps hardly add up in a switching
      // layer, Euler's fifty do (measured 0.3 and 5 tolerances)
      EXPECT_LT(error, (scheme == Scheme::implicit_euler ? 10 : 1) * tolerance);
      EXPECT_LT(tries, scheme == Scheme::implicit_euler ? 100 : 40);
      if (before > 0) {
        EXPECT_LT(error, before);
      }
      before = error;
    }
  }
}

TEST(EqsStepControl, StepsOfEachKindGoByErrorsOfTheirOwn) {
  TimeSpec t;
  t.scheme = Scheme::automatic;
  StepControl c(t, 1, {});
  c.begin_with(1e-3);
  EXPECT_EQ(c.judge(0, 1e-3, 0.1 * t.tolerance, true, ""), Verdict::accept);
  // the first one of the other kind has none before it to look ahead by
  c.follow(true);
  const double first = c.step();
  EXPECT_EQ(c.judge(1e-3, first, 0.5 * t.tolerance, true, ""), Verdict::accept);
  EXPECT_NEAR(c.step(), first * 0.8 / std::cbrt(0.5), 1e-15);
  const double next = c.step();
  c.follow(true);
  EXPECT_EQ(c.judge(2e-3, next, 0.5 * t.tolerance, true, ""), Verdict::accept);
  EXPECT_NEAR(c.step(), next * 0.8 / std::cbrt(0.5) * next / first, 1e-15);
  // what a resumed run knows goes on alike
  StepControl resumed(t, 1, {});
  resumed.recall(c.memory());
  for (StepControl* one : {&c, &resumed}) {
    one->follow(true);
    EXPECT_EQ(one->judge(3e-3, one->step(), 0.3 * t.tolerance, true, ""), Verdict::accept);
  }
  EXPECT_EQ(c.step(), resumed.step());
}

TEST(EqsStepControl, AStepOfEulersMethodMayErrByTheSquareOfTheTolerance) {
  TimeSpec t;
  t.scheme = Scheme::implicit_euler;
  for (const double tolerance : {1e-2, 1e-3, 1e-4, 1e-5}) {
    t.tolerance = tolerance;
    const double most = tolerance * std::min(1.0, tolerance / 1e-3);
    StepControl c(t, 1, {});
    EXPECT_EQ(c.judge(0, 1e-3, 1.01 * most, true, ""), Verdict::repeat) << tolerance;
    EXPECT_EQ(c.judge(0, 5e-4, 0.99 * most, true, ""), Verdict::accept) << tolerance;
  }
}

}  // namespace
}  // namespace umov::eqs::test
