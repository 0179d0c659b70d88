// Goals of pmaxwell that rounding keeps from being reached.
#include <gtest/gtest.h>

#include <cmath>

#include "core/types.hpp"
#include "pmaxwell/iterate.hpp"

namespace umov::pmaxwell {
namespace {

/// Changes of its last step as a function of the steps so far; no fields.
class Told final : public Engine {
 public:
  explicit Told(double (*change)(long)) : change_(change) {}
  void step(double) override { ++steps_; }
  void keep(Moment) override {}
  Changes changes(double, int) override { return {change_(steps_), change_(steps_), 1}; }
  std::vector<float> norm(bool) override { return {}; }
  std::vector<Value> field(int) override { return {}; }
  std::string device_name() const override { return "none"; }
  const TimerTable& times() const override { return times_; }

 private:
  double (*change_)(long);
  long steps_ = 0;
  TimerTable times_;
};

IterateOptions many_steps_a_period() {
  IterateOptions o;
  o.iterations = 1000000;
  o.tolerance = 1e-7;
  o.turn = 2 * pi / 1000;
  return o;
}

TEST(PmaxwellRounding, AChangeThatRoundingHoldsUpEndsTheRun) {
  // falls to 2e-5, what rounding makes of waves that do not leave the grid, and stays
  Told told([](long n) { return std::max(std::exp(-1e-3 * double(n)), 2e-5) * (n % 50 == 0 ? 1 : 0.9); });
  const auto report = iterate(told, many_steps_a_period());
  EXPECT_EQ(report.ending, Ending::rounding);
  EXPECT_LT(report.iterations, 10000 + 40 * 1000 + 1000);
  EXPECT_GT(report.iterations, 40 * 1000);
}

TEST(PmaxwellRounding, AChangeThatStandsStillFarAboveItIsNoRounding) {
  Told told([](long) { return 0.05; });
  IterateOptions o = many_steps_a_period();
  o.iterations = 200000;
  EXPECT_EQ(iterate(told, o).ending, Ending::steps);
}

TEST(PmaxwellRounding, AChangeThatFallsReachesItsGoal) {
  Told told([](long n) { return std::exp(-2e-5 * double(n)); });
  EXPECT_EQ(iterate(told, many_steps_a_period()).ending, Ending::tolerance);
}

TEST(PmaxwellRounding, AChangeThatFallsSlowlyNearRoundingFallsOn) {
  // by e in 60000 steps, with 33 of them a period: 5e-5 and below is where rounding holds others up
  Told told([](long n) { return 1e-4 * std::exp(-double(n) / 60000); });
  IterateOptions o = many_steps_a_period();
  o.turn = 2 * pi / 33;
  o.tolerance = 1e-5;
  EXPECT_EQ(iterate(told, o).ending, Ending::tolerance);
}

TEST(PmaxwellRounding, WhereNothingIsTheGoalIsReached) {
  Told told([](long) { return 0.0; });
  EXPECT_EQ(iterate(told, many_steps_a_period()).ending, Ending::tolerance);
}

TEST(PmaxwellRounding, TheStrideIsAnOddPartOfAPeriod) {
  EXPECT_EQ(phasor_stride(2 * pi / 4), 1);
  EXPECT_EQ(phasor_stride(2 * pi / 20), 5);
  EXPECT_EQ(phasor_stride(-2 * pi / 32.1), 9);
  EXPECT_EQ(phasor_stride(2 * pi / 1000), 333);
  // half a unit, times 3 for the thirds of a period, over |1 - e^(2 pi i / 3)| = sqrt(3)
  EXPECT_NEAR(least_phasor_change(2 * pi / 1000), 0x1p-24 * std::sqrt(3.0), 1e-9);
}

}  // namespace
}  // namespace umov::pmaxwell
