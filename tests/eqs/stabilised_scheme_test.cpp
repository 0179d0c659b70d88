// Stabilised explicit methods on equations whose solutions and spectra are known.
#include "eqs/integrators/stabilised_scheme.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

namespace umov::eqs::test {
namespace {

using Rhs = std::function<double(double, double)>;

/// One step of y' = f(t, y), and the estimate of its error.
struct Step {
  double y, error;
};
Step step(const StabilisedScheme& m, const Rhs& f, double t, double y, double h) {
  const double f0 = f(t, y);
  double last = y, before = y, slope = f0;
  for (const StabilisedStage& s : m.stages) {
    const double now = (1 - s.last - s.before) * y + s.last * last + s.before * before +
                       h * (s.slope * slope + s.first_slope * f0);
    before = last;
    last = now;
    slope = f(t + s.c * h, now);
  }
  return {last, 0.8 * (y - last) + 0.4 * h * (f0 + slope)};
}

/// R(-x): what a step makes of y' = -x y, h = 1.
double decay(const StabilisedScheme& m, double x) {
  return step(
             m, [x](double, double y) { return -x * y; }, 0, 1, 1)
      .y;
}

struct Method {
  const char* name;
  Scheme scheme;
  std::vector<int> stages;
};
void PrintTo(const Method& m, std::ostream* os) { *os << m.name; }
class EqsStabilisedScheme : public testing::TestWithParam<Method> {};

TEST_P(EqsStabilisedScheme, HasOrderTwoAndEstimatesItsError) {
  // y' = -2 t y^2, y = 1 / (1 + t^2): nonlinear, with time
  const Rhs f = [](double t, double y) { return -2 * t * y * y; };
  for (const int stages : GetParam().stages) {
    const auto m = stabilised_scheme(GetParam().scheme, stages);
    ASSERT_EQ(int(m.stages.size()), stages);
    double before = 0, before_local = 0, before_estimate = 0;
    for (const int steps : {40, 80, 160}) {
      double y = 1, t = 0;
      for (int k = 0; k < steps; ++k, t += 1.0 / steps) y = step(m, f, t, y, 1.0 / steps).y;
      const double error = std::abs(y - 0.5);
      const Step one = step(m, f, 0.5, 0.8, 1.0 / steps);
      const double t1 = 0.5 + 1.0 / steps, local = std::abs(one.y - 1 / (1 + t1 * t1));
      if (steps == 160) {
        EXPECT_NEAR(std::log2(before / error), 2, 0.1) << stages;
        EXPECT_NEAR(std::log2(before_local / local), 3, 0.2) << stages;
        EXPECT_NEAR(std::log2(before_estimate / std::abs(one.error)), 3, 0.2) << stages;
      }
      before = error, before_local = local, before_estimate = std::abs(one.error);
    }
  }
}

TEST_P(EqsStabilisedScheme, EstimatesAreOnTheSafeSideOfTheError) {
  for (const int stages : GetParam().stages) {
    const auto m = stabilised_scheme(GetParam().scheme, stages);
    const double x = 1e-2;  // h rate; what is left are terms of the next order
    const Step one = step(
        m, [x](double, double y) { return -x * y; }, 0, 1, 1);
    const double ratio = std::abs(one.error / (std::exp(-x) - one.y));
    // R = 1 + z + z^2/2 + c z^3: (0.2 - 0.8 c) / (1/6 - c), where c is 0 to 1/10 (rkc), 1/15 to 1/9 (rkl2)
    const bool rkc = GetParam().scheme == Scheme::rkc;
    EXPECT_GT(ratio, (rkc ? 1.2 : 0.44 / 0.3) * 0.98) << stages;
    EXPECT_LT(ratio, (rkc ? 1.8 : 2.0) * 1.02) << stages;
  }
}

TEST_P(EqsStabilisedScheme, IsStableOverItsReachAndNotFarBeyond) {
  for (const int stages : GetParam().stages) {
    const auto m = stabilised_scheme(GetParam().scheme, stages);
    double most = 0;
    const int places = 40 * stages;
    for (int k = 1; k <= places; ++k) most = std::max(most, std::abs(decay(m, m.reach * k / places)));
    EXPECT_LE(most, 1 + 1e-12) << stages;
    // the interval that is there, by bisection
    double low = m.reach, high = 2 * m.reach;
    while (high - low > 1e-9 * high)
      (std::abs(decay(m, 0.5 * (low + high))) <= 1 ? low : high) = 0.5 * (low + high);
    const double s = stages;
    if (GetParam().scheme == Scheme::rkc) {
      // 2/3 (s^2 - 1) (1 - 2/15 eps), eps = 2/13: 0.653 s^2; an expansion in eps / s^2, and of odd numbers of
      // stages R ends on the damped side, from where it goes on to -1
      const double formula = (s * s - 1) * 2 / 3 * (1 - 2.0 / 15 * 2 / 13);
      EXPECT_GT(low, 0.995 * formula) << stages;
      EXPECT_LT(low, 1.2 * formula) << stages;
      if (stages >= 20) {
        EXPECT_NEAR(low / (s * s), 0.653, 0.004) << stages;
      }
      EXPECT_LT(m.reach, low) << stages;
    } else {
      // R is 1/3 and less in size at the end of the reach, and soon 1 beyond it
      EXPECT_GE(low, m.reach * (1 - 1e-9)) << stages;
      EXPECT_LT(low, m.reach + 1) << stages;
    }
  }
}

TEST_P(EqsStabilisedScheme, ItsStagesRiseToTheEndOfTheStep) {
  for (const int stages : GetParam().stages) {
    const auto m = stabilised_scheme(GetParam().scheme, stages);
    double before = 0;
    for (const auto& s : m.stages) {
      EXPECT_GT(s.c, before) << stages;
      before = s.c;
    }
    EXPECT_EQ(m.stages.back().c, 1);
    if (stages > 2) {
      EXPECT_LT(m.stages[m.stages.size() - 2].c, 1);
    }
  }
}

TEST_P(EqsStabilisedScheme, NumbersOfStagesAreTheFewestThatReach) {
  const Scheme scheme = GetParam().scheme;
  for (double h_rho = 1e-3; h_rho < 1e5; h_rho *= 1.07) {
    const int s = stages_for(scheme, h_rho, 1000);
    EXPECT_GE(reach_of(scheme, s), h_rho * (1 - 1e-9)) << h_rho;
    const int fewer = s - (scheme == Scheme::rkc ? 1 : 2);
    if (fewer >= (scheme == Scheme::rkc ? 2 : 3)) {
      EXPECT_LE(reach_of(scheme, fewer), h_rho * (1 + 1e-9)) << h_rho;
    }
    EXPECT_EQ(stabilised_scheme(scheme, s).stages.size(), std::size_t(s));
  }
  EXPECT_EQ(stages_for(Scheme::rkc, 1e30, 1000), 1000);
  EXPECT_EQ(stages_for(Scheme::rkl2, 1e30, 1000), 999);
  EXPECT_EQ(stages_for(Scheme::rkc, INFINITY, 64), 64);
}

INSTANTIATE_TEST_SUITE_P(Both, EqsStabilisedScheme,
                         testing::Values(Method{"rkc", Scheme::rkc, {2, 3, 4, 5, 8, 21, 100, 454}},
                                         Method{"rkl2", Scheme::rkl2, {3, 5, 7, 21, 101, 455}}));

}  // namespace
}  // namespace umov::eqs::test
