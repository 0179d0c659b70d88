// What stabilised steps lose: the integral of the power over a step, against exact ones.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "eqs/integrators/stabilised_scheme.hpp"
#include "eqs/run/run.hpp"
#include "support/eqs_cases.hpp"

namespace umov::eqs::test {
namespace {

TEST(EqsStabilisedEnergy, TheRuleOfStagesIsExactForParabolasAndNeverNegative) {
  for (const Scheme scheme : {Scheme::rkc, Scheme::rkl2})
    for (const int stages : {3, 5, 21, 101}) {
      const auto m = stabilised_scheme(scheme, stages);
      std::vector<double> parabola{2}, falling{1};
      for (const auto& s : m.stages) {
        parabola.push_back(2 - s.c + 3 * s.c * s.c);
        falling.push_back(0);
      }
      // nodes as close as 1 / s^2 in the second differences: some s^2 roundings
      EXPECT_NEAR(integral_over_stages(m, parabola), 2.5, 1e-16 * stages * stages * 10) << stages;
      EXPECT_GE(integral_over_stages(m, falling), 0);
    }
  const auto two = stabilised_scheme(Scheme::rkc, 2);
  const double c = two.stages[0].c;
  EXPECT_NEAR(integral_over_stages(two, {0, c * c, 1}), 1.0 / 3, 1e-14);
  EXPECT_GE(integral_over_stages(two, {1, 0, 0}), 0);
}

/// kappa |E|^2 is known: one material between plates has the field of the voltage, whatever the charges.
TEST(EqsStabilisedEnergy, LossesOfOneMaterialAreThoseOfTheVoltageInThirdOrder) {
  const double kappa = 1e-9, d = 2e-3, width = 1e-3, volts = 1e3, omega = 2 * std::numbers::pi * 50;
  for (const Scheme scheme : {Scheme::rkc, Scheme::rkl2}) {
    double before = 0;
    for (const int steps : {10, 20, 40}) {
      Simulation s =
          column({layer("a", d, 2)}, {material("a", constant(3), constant(kappa))}, sine(volts, 50));
      s.time.scheme = scheme;
      s.time.end = 10e-3;
      s.time.step = 10e-3 / steps;
      s.outputs.interval = 10e-3;
      s.outputs.vtk = s.outputs.pictures = false;
      const Outcome o = run(s, serial);
      ASSERT_TRUE(o.converged) << o.why_not;
      const double scale = kappa * volts * volts * width * width / d;
      double most = 0;
      for (const Record& r : o.history) {
        const double exact = scale * (r.time / 2 - std::sin(2 * omega * r.time) / (4 * omega));
        most = std::max(most, std::abs(r.seen.dissipated - exact) / (scale * 5e-3));
      }
      // a parabola over the step: error h^3 f''' / 72 at most (nodes 0, c, 1) a step, here of up to
      // (2 omega h)^3 / 72 = 0.4 %, of both signs over a half period
      EXPECT_LT(most, std::pow(2 * omega * s.time.step, 3) / 72) << steps;
      if (before > 0) {
        EXPECT_GT(before / most, 7) << steps;
      }
      before = most;
    }
  }
}

/// With the stages' own weights the first losses of a ramped sine were a third too small.
TEST(EqsStabilisedEnergy, FirstLossesAreThoseOfTheRampedVoltage) {
  const double kappa = 1e-9, d = 2e-3, width = 1e-3, volts = 1e3, omega = 2 * std::numbers::pi * 50;
  Simulation s = column({layer("a", d, 2)}, {material("a", constant(3), constant(kappa))},
                        sine(volts, 50, 0, WaveformSpec::Ramp::linear));
  s.time.scheme = Scheme::rkc;
  s.time.end = 5e-3;
  s.time.step = 0.5e-3;
  s.outputs.vtk = s.outputs.pictures = false;
  const Outcome o = run(s, serial);
  ASSERT_TRUE(o.converged) << o.why_not;
  const double scale = kappa * width * width / d;
  for (const Record& r : o.history) {
    if (r.time < 0.9e-3) continue;
    double exact = 0;  // midpoints, 1e-6
    for (int k = 0; k < 1000; ++k) {
      const double t = (k + 0.5) * r.time / 1000, v = volts * 100 * t * std::sin(omega * t);
      exact += scale * v * v * r.time / 1000;
    }
    // one parabola a step, of nodes 0, 1/4, 1: h^4 f''' / 144 too much; of f = t^4 5 / (12 k^3) after k
    // steps, and terms of the next order
    const double k = r.time / s.time.step;
    EXPECT_NEAR(r.seen.dissipated, exact, 1.1 * 5 / (12 * k * k * k) * exact) << r.time;
  }
}

}  // namespace
}  // namespace umov::eqs::test
