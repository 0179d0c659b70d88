// Stages and steps by errors alone: the rules of Richter 2019, figures 6.6 and 9.6, and runs by them.
#include "eqs/integrators/stage_count.hpp"

#include <gtest/gtest.h>

#include <set>

#include "core/error.hpp"
#include "eqs/run/run.hpp"
#include "support/eqs_cases.hpp"

namespace umov::eqs::test {
namespace {

using Verdict = StepControl::Verdict;

TEST(EqsStageCount, ARejectedStepHasMoreAndASecondOneInARowTakesThemBack) {
  StageCount c(Scheme::rkc, 1000);
  EXPECT_EQ(c.of_step(8), 8);
  c.tried(0.71);  // "Erhöhe Stufenzahl": line 9
  EXPECT_EQ(c.of_step(0), 12);
  c.tried(5);  // the second one in a row goes back and is shorter, which is more reach: lines 10 to 14
  EXPECT_EQ(c.of_step(0), 8);
  c.tried(INFINITY);
  EXPECT_EQ(c.of_step(0), 12);
  c.tried(0.7);
  c.accepted();  // they stay when they have helped, and the next rejected one is a first one again
  EXPECT_EQ(c.of_step(0), 12);
  c.tried(0.9);
  EXPECT_EQ(c.of_step(0), 18);
}

TEST(EqsStageCount, TenAcceptedStepsInARowTakeATenthAwayOneAtLeast) {
  StageCount c(Scheme::rkc, 1000);
  c.of_step(12);
  for (int k = 0; k < 9; ++k) c.accepted();
  EXPECT_EQ(c.of_step(0), 12);
  c.accepted();
  EXPECT_EQ(c.of_step(0), 11);
  for (int k = 0; k < 9; ++k) c.accepted();
  c.tried(1);
  EXPECT_EQ(c.of_step(0), 17);
  c.accepted();  // a rejected one begins the ten anew
  EXPECT_EQ(c.of_step(0), 17);
  StageCount many(Scheme::rkc, 1000);
  many.of_step(200);
  for (int k = 0; k < 10; ++k) many.accepted();
  EXPECT_EQ(many.of_step(0), 180);
}

TEST(EqsStageCount, NumbersAreThoseOfTheSchemeAndAtMostTheLargest) {
  StageCount rkl2(Scheme::rkl2, 10);
  EXPECT_EQ(rkl2.of_step(4), 5);
  for (const int more : {9, 9}) {
    rkl2.tried(1);
    EXPECT_EQ(rkl2.of_step(0), more);
    rkl2.accepted();
  }
  for (int k = 0; k < 100; ++k) rkl2.accepted();
  EXPECT_EQ(rkl2.of_step(0), 3);
  StageCount rkc(Scheme::rkc, 6);
  EXPECT_EQ(rkc.of_step(50), 6);
  for (int k = 0; k < 100; ++k) rkc.accepted();
  EXPECT_EQ(rkc.of_step(0), 2);
  rkc.tried(1);
  EXPECT_EQ(rkc.of_step(0), 3);
}

TimeSpec by_errors(double tolerance) {
  TimeSpec t;
  t.scheme = Scheme::rkc;
  t.spectral_radius = SpectralRadius::richter;
  t.tolerance = tolerance;
  return t;
}

TEST(EqsStageCount, ErrorsAreKeptBetweenAHundredthAndSevenTenthsOfTheTolerance) {
  StepControl c(by_errors(1e-3), 1, {});
  c.begin_with(1e-3);
  EXPECT_EQ(c.judge(0, 1e-3, 0.011e-3, true, ""), Verdict::accept);
  EXPECT_EQ(c.step(), 1e-3);
  EXPECT_EQ(c.judge(0, 1e-3, 0.699e-3, true, ""), Verdict::accept);
  EXPECT_EQ(c.step(), 1e-3);
  EXPECT_EQ(c.judge(0, 1e-3, 0.009e-3, true, ""), Verdict::accept);
  EXPECT_EQ(c.step(), 2e-3);
  // a step that a stop has cut says nothing of longer ones
  EXPECT_EQ(c.judge(0, 1e-3, 1e-9, true, ""), Verdict::accept);
  EXPECT_EQ(c.step(), 2e-3);
}

TEST(EqsStageCount, AFirstRejectedStepIsRepeatedAsLongASecondOneGoesBackHalfAsLong) {
  StepControl c(by_errors(1e-3), 1, {});
  c.begin_with(1e-3);
  EXPECT_EQ(c.judge(0, 1e-3, 0.71e-3, true, ""), Verdict::repeat);
  EXPECT_EQ(c.step(), 1e-3);
  EXPECT_EQ(c.judge(0, 1e-3, 0.71e-3, true, ""), Verdict::back);
  EXPECT_EQ(c.step(), 5e-4);
  EXPECT_EQ(c.judge(0, 5e-4, 0, false, "no convergence"), Verdict::repeat);
  EXPECT_EQ(c.judge(0, 5e-4, 0.5e-3, true, ""), Verdict::accept);
  EXPECT_EQ(c.judge(0, 5e-4, 0.8e-3, true, ""), Verdict::repeat);  // a first one again
  EXPECT_EQ(c.step(), 5e-4);
  // longer only where ten in a row were accepted: what is small after a rejection may be large at twice the
  // step
  for (int k = 0; k < 9; ++k) EXPECT_EQ(c.judge(0, 5e-4, 1e-9, true, ""), Verdict::accept);
  EXPECT_EQ(c.step(), 5e-4);
  StepControl resumed(by_errors(1e-3), 1, {});
  resumed.recall(c.memory());
  for (StepControl* one : {&c, &resumed}) {
    EXPECT_EQ(one->judge(0, 5e-4, 1e-9, true, ""), Verdict::accept);
    EXPECT_EQ(one->step(), 1e-3);
  }
}

TEST(EqsStageCount, StepsThatFallBelowTheSmallestEndTheRunWithTheReason) {
  StepControl c(by_errors(1e-3), 1, {});
  Verdict v = Verdict::accept;
  for (int k = 0; k < 200 && v != Verdict::give_up; ++k) v = c.judge(0.5, c.step(), 1, true, "");
  ASSERT_EQ(v, Verdict::give_up);
  EXPECT_NE(c.why().find("below the smallest"), std::string::npos) << c.why();
  EXPECT_NE(c.why().find("the estimated error of a step"), std::string::npos) << c.why();
}

/// 2 mm of a curve that switches at 20 kV/m under 2 mm of an insulator, 50 Hz: rates rise by three decades.
Simulation switching(Scheme scheme) {
  Simulation s =
      column({layer("layer", 2e-3, 2), layer("air", 2e-3, 2)},
             {material("layer", constant(12), microvaristor()), material("air", constant(4), constant(0))},
             sine(14e3, 50, 0, WaveformSpec::Ramp::linear));
  s.materials[0].conductivity.parameters = {1e-10, 1864, 2e4, 6.8e4};
  s.time.scheme = scheme;
  s.time.end = 20e-3;
  s.outputs.pictures = s.outputs.vtk = false;
  s.outputs.points = {{"p", {0.3e-3, 0.4e-3, 2e-3}}};
  return s;
}

double potential_at(const Outcome& o, double t) {
  for (const Record& r : o.history)
    if (std::abs(r.time - t) < 1e-9 * o.end) return r.point_potential[0];
  throw std::out_of_range("no record at that time");
}

TEST(EqsStageCount, RunsAgreeWithImplicitOnesWithinTolerances) {
  Simulation reference = switching(Scheme::sdirk3);
  reference.time.tolerance = 1e-6;
  const Outcome exact = run(reference, serial);
  for (const Scheme scheme : {Scheme::rkc, Scheme::rkl2})
    for (const double tolerance : {1e-3, 1e-4}) {
      Simulation s = switching(scheme);
      s.time.spectral_radius = SpectralRadius::richter;
      s.time.tolerance = tolerance;
      const Outcome o = run(s, serial);
      ASSERT_TRUE(o.converged) << o.why_not;
      double most = 0, size = 0;
      for (const double t : exact.saved_times) {
        most = std::max(most, std::abs(potential_at(o, t) - potential_at(exact, t)));
        size = std::max(size, std::abs(potential_at(exact, t)));
      }
      EXPECT_LT(most, 5 * tolerance * size) << int(scheme) << " " << tolerance;
      std::set<int> numbers;
      for (std::size_t k = 1; k < o.history.size(); ++k) {
        const Record& r = o.history[k];
        EXPECT_GT(r.time, o.history[k - 1].time);
        EXPECT_LE(r.error, error_range.most * tolerance * (1 + 1e-9));
        numbers.insert(r.stages);
      }
      EXPECT_GT(o.rejected, 0);       // the switch is seen by errors alone
      EXPECT_GT(numbers.size(), 3u);  // and stages follow
    }
}

/// An undone step leaves nothing: the same state, time and charges as before it.
TEST(EqsStageCount, GoingBackRestoresTheStateBeforeTheLastStep) {
  Simulation s = switching(Scheme::rkc);
  s.time.spectral_radius = SpectralRadius::richter;
  const Problem p = make_problem(s);
  const auto e = make_engine(p, on("serial"));
  ASSERT_TRUE(e->start(0).converged);
  EXPECT_FALSE(e->go_back());
  const auto step = [&] {
    ASSERT_TRUE(e->attempt(1e-4).effort.converged);
    e->accept();
  };
  step();
  step();
  const auto before = e->potential();
  const Observation seen = e->observe();
  const double time = e->time();
  step();
  EXPECT_NE(e->potential(), before);
  const auto saved = e->save();
  EXPECT_TRUE(e->go_back());
  EXPECT_EQ(e->time(), time);
  EXPECT_EQ(e->potential(), before);
  EXPECT_EQ(e->observe().charge, seen.charge);
  EXPECT_EQ(e->observe().dissipated, seen.dissipated);
  EXPECT_FALSE(e->go_back());  // there is one state only
  // a resumed run can do the same, and goes on to the same bits
  const auto resumed = make_engine(p, on("serial"));
  resumed->restore(saved);
  EXPECT_TRUE(resumed->go_back());
  for (Engine* one : {e.get(), resumed.get()}) {
    ASSERT_TRUE(one->attempt(5e-5).effort.converged);
    one->accept();
  }
  EXPECT_EQ(e->potential(), resumed->potential());
  EXPECT_EQ(e->observe().current, resumed->observe().current);
}

TEST(EqsStageCount, OtherSchemesKeepNoStateToGoBackTo) {
  const Problem p = make_problem(switching(Scheme::rkc));
  const auto e = make_engine(p, on("serial"));
  ASSERT_TRUE(e->start(0).converged);
  ASSERT_TRUE(e->attempt(1e-4).effort.converged);
  e->accept();
  EXPECT_FALSE(e->go_back());
}

TEST(EqsStageCount, FixedStepsAreRefused) {
  Simulation s = switching(Scheme::rkc);
  s.time.spectral_radius = SpectralRadius::richter;
  s.time.step = 1e-4;
  try {
    make_problem(s);
    FAIL() << "not refused";
  } catch (const BadInput& e) {
    EXPECT_NE(std::string(e.what()).find("needs steps that are controlled"), std::string::npos) << e.what();
  }
}

/// The power method every 25 steps and after rejected ones (Richter 2019, figure 6.5): the same potentials,
/// with far fewer solves than at every step.
TEST(EqsPowerSteps, SaveIterationsAndChangeNothing) {
  Simulation reference = switching(Scheme::sdirk3);
  reference.time.tolerance = 1e-6;
  const Outcome exact = run(reference, serial);
  long linear[2]{};
  for (const bool rare : {false, true}) {
    Simulation s = switching(Scheme::rkc);
    s.time.spectral_radius = SpectralRadius::power;
    s.time.power_steps = rare ? 25 : 1;
    const Outcome o = run(s, serial);
    ASSERT_TRUE(o.converged) << o.why_not;
    linear[rare] = o.linear;
    double most = 0, size = 0;
    for (const double t : exact.saved_times) {
      most = std::max(most, std::abs(potential_at(o, t) - potential_at(exact, t)));
      size = std::max(size, std::abs(potential_at(exact, t)));
    }
    EXPECT_LT(most, 5e-3 * size) << rare;
  }
  EXPECT_LT(linear[1], linear[0]);
}

/// Nothing tells a fixed step that the rate has grown: each has an iteration, whatever stands there.
TEST(EqsPowerSteps, HaveNoPartInFixedSteps) {
  std::vector<double> end[2];
  for (const bool rare : {false, true}) {
    Simulation s = switching(Scheme::rkc);
    s.time.spectral_radius = SpectralRadius::power;
    s.time.power_steps = rare ? 25 : 1;
    s.time.step = 1e-4;
    s.time.end = 5e-3;
    const Outcome o = run(s, serial);
    ASSERT_TRUE(o.converged) << o.why_not;
    for (const Record& r : o.history) end[rare].push_back(r.point_potential[0]);
  }
  EXPECT_EQ(end[0], end[1]);
}

TEST(EqsPowerSteps, WithoutEffectAreNamed) {
  const auto named = [](const Simulation& s) {
    for (const auto& w : make_problem(s).warnings)
      if (w.find("without effect: time.power_steps") != std::string::npos) return true;
    return false;
  };
  Simulation s = switching(Scheme::rkc);
  s.time.power_steps = 10;
  EXPECT_TRUE(named(s));
  s.time.spectral_radius = SpectralRadius::power;
  EXPECT_FALSE(named(s));
  s.time.step = 1e-4;
  EXPECT_TRUE(named(s));
}

}  // namespace
}  // namespace umov::eqs::test
