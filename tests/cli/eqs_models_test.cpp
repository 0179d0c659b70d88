// Explicit steps against implicit ones on the models of the examples; the models' sizes.
#include <gtest/gtest.h>

#include <cmath>
#include <regex>

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

/// A model of Richter 2019 and its millions of unknowns in his table 7.2, first and second order.
struct Size {
  const char* model;
  double millions[2];
};

/// Meshing takes a minute a model: with `make validate`.
class EqsModelSize : public testing::TestWithParam<Size> {};

TEST_P(EqsModelSize, IsThatOfTheDissertation) {
  const auto& [model, millions] = GetParam();
  const test::TemporaryFolder folder;
  const auto file = (test::repository() / "examples" / model / "case.toml").string();
  ASSERT_EQ(test::run(folder, "eqs " + file + " --save-mesh m.msh").code, 0);
  for (const int order : {1, 2}) {
    const auto end = test::run(
        folder, "eqs " + file + " --mesh m.msh --refine 2 --dry-run --order " + std::to_string(order));
    ASSERT_EQ(end.code, 0) << end.err;
    std::smatch found;
    ASSERT_TRUE(std::regex_search(end.out, found, std::regex("(\\d+) unknowns"))) << end.out;
    // Lengths that the text does not give are chosen: within a tenth is all that is claimed.
    EXPECT_NEAR(std::stod(found[1]) * 1e-6 / millions[order - 1], 1, .1) << "order " << order;
  }
}

INSTANTIATE_TEST_SUITE_P(
    Validate, EqsModelSize,
    testing::Values(Size{"eqs_model1_insulator", {1.47, 12.04}}, Size{"eqs_model2_bushing", {1.41, 11.63}},
                    Size{"eqs_model3_drops_fine", {2.92, 23.46}}, Size{"eqs_model4_layer1", {2.15, 17.34}},
                    Size{"eqs_model5_layer2", {2.04, 16.51}}, Size{"eqs_model6_drops1", {2.69, 21.53}},
                    Size{"eqs_model7_drops2", {2.65, 21.21}}),
    [](const auto& info) { return std::string(info.param.model); });

}  // namespace
