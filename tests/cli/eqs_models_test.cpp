// Explicit steps against implicit ones on the models of the examples.
#include <gtest/gtest.h>

#include <cmath>

#include "support/eqs_runs.hpp"
#include "support/places.hpp"
#include "support/program.hpp"

namespace {

using namespace umov;

/// Takes minutes a model: with `make validate`.
class EqsModel : public testing::TestWithParam<std::tuple<std::string, int>> {};

TEST_P(EqsModel, HasTheSamePotentialsByExplicitAndByImplicitSteps) {
  const auto& [name, order] = GetParam();
  const test::TemporaryFolder folder;
  const auto file = test::repository() / "examples" / name / "case.toml";
  // H: sdirk3, the reference of J, rkc: both with `tolerance`. The whole models up to the peak of their ramp.
  const std::string part = name.starts_with("eqs_model") ? " --periods 0.375" : "";
  const auto end =
      test::run(folder, "eqs " + file.string() + part + " --compare --methods H,J --no-errors --order " +
                            std::to_string(order) + " --cpu --quiet --no-pictures --output-dir out");
  ASSERT_EQ(end.code, 0) << end.err;
  const auto methods = test::columns(folder / "out/methods.csv");
  const auto &stages = methods.at("stages"), &difference = methods.at("difference");
  ASSERT_EQ(difference.size(), 2u);
  EXPECT_EQ(stages[0], 0);
  EXPECT_GT(stages[1], 0);
  // a step's error is controlled, to 1e-3; those of the some 40 steps add up (docs/guide/eqs.md: 0.5 to 5 of
  // it)
  EXPECT_LT(difference[1], 5e-3);
  EXPECT_GT(difference[1], 0);
}

INSTANTIATE_TEST_SUITE_P(Validate, EqsModel,
                         testing::Combine(testing::Values("eqs_cable_end", "eqs_model1_insulator",
                                                          "eqs_model4_layer1", "eqs_model2_bushing"),
                                          testing::Values(1, 2)),
                         [](const auto& info) {
                           return std::get<0>(info.param) + "_" + std::to_string(std::get<1>(info.param));
                         });

}  // namespace
