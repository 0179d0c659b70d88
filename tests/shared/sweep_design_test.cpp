// Designs of experiments and the surfaces fitted over them.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <set>

#include "support/adding_family.hpp"
#include "support/temp_folder.hpp"
#include "sweep/responses.hpp"
#include "sweep/state.hpp"
#include "sweep/table.hpp"

namespace umov::sweep {
namespace {

namespace fs = std::filesystem;

TEST(SweepDesign, AHypercubeHasEveryIntervalOfEveryParameterOnce) {
  const auto points = latin_hypercube(12, 3, 7);
  ASSERT_EQ(points.size(), 12u);
  for (int d = 0; d < 3; ++d) {
    std::set<int> intervals;
    for (const auto& x : points) intervals.insert(int(std::floor(12 * x[d])));
    EXPECT_EQ(intervals.size(), 12u);
  }
  EXPECT_EQ(points, latin_hypercube(12, 3, 7));
  EXPECT_NE(points, latin_hypercube(12, 3, 8));
}

Sweep designed(cases::DesignSpec design, std::vector<Axis> axes) {
  return make_sweep("adding", numbers_table(), tree_of_toml("a = 1", "case.toml"), std::move(axes), design);
}

TEST(SweepDesign, AHypercubeSpreadsBetweenTheEndsOfEveryAxis) {
  cases::DesignSpec design;
  design.design = cases::Design::latin_hypercube, design.variants = 4;
  const std::vector<Axis> axes{parse_axis("a=1,3", "--set"), parse_axis("b=1:100:2:log", "--set")};
  const Sweep s = designed(design, axes);
  ASSERT_EQ(s.cases, 4u);
  std::vector<double> a, b;
  for (const auto& point : s.points) a.push_back(point[0]), b.push_back(std::log10(point[1]));
  std::sort(a.begin(), a.end()), std::sort(b.begin(), b.end());
  for (int i = 0; i < 4; ++i) {  // the middles of four intervals
    EXPECT_NEAR(a[std::size_t(i)], 1.25 + 0.5 * i, 1e-15);
    EXPECT_NEAR(b[std::size_t(i)], 0.25 + 0.5 * i, 1e-14);
  }
  const Sweep again = sweep_of(identity_of(s, 0), "state");
  EXPECT_EQ(again.points, s.points) << "the state says the design";
  EXPECT_NE(refusal([&] { designed(design, {parse_axis("a=gold,silver", "--set")}); }).find("no numbers"),
            std::string::npos);
  EXPECT_NE(refusal([&] { designed(design, {parse_axis("a=2", "--set")}); }).find("has one value"),
            std::string::npos);
  design.variants = 1;
  EXPECT_NE(refusal([&] { designed(design, axes); }).find("at least 2"), std::string::npos);
}

TEST(SweepDesign, RowsOfATableAreCasesWhoseFileIsNotNeededAgain) {
  const test::TempFolder folder;
  std::ofstream(folder / "t.csv") << "b [mm],a\n3,1\n5,2\n3,2\n";
  Tree base = tree_of_toml("[[vary]]\nparameter = \"a\"\n[[vary]]\nparameter = \"b\"\n", "case.toml");
  Tree twice_varied = base;
  cases::DesignSpec design;
  design.design = cases::Design::table, design.table = folder / "t.csv";
  const Sweep s = designed(design, take_axes(base));
  ASSERT_EQ(s.cases, 3u);
  EXPECT_EQ(s.describe(1), "a = 2, b = 5000") << "b is in um";
  std::ofstream(folder / "twice.csv") << "b [mm],a\n3,1\n5,2\n3,1\n";
  cases::DesignSpec twice = design;
  twice.table = folder / "twice.csv";
  EXPECT_NE(
      refusal([&] { designed(twice, take_axes(twice_varied)); }).find("line 4 has the values of line 2"),
      std::string::npos);
  fs::remove(folder / "t.csv");
  const Sweep again = sweep_of(identity_of(s, 0), "state");
  ASSERT_EQ(again.cases, 3u);
  for (std::size_t k = 0; k < 3; ++k) EXPECT_EQ(again.describe(k), s.describe(k));
  EXPECT_NE(refusal([&] { designed(design, {parse_axis("a=1,2", "--set")}); }).find("values of its own"),
            std::string::npos);
}

TEST(SweepResponses, ASurfaceOfSumsIsExactAndOneOverWordsIsNone) {
  cases::DesignSpec design;
  design.surface = cases::SurfaceChoice::linear, design.goal = cases::Goal::maximum;
  Sweep s = designed(design, {parse_axis("a=1,2,4", "--set"), parse_axis("b=1,2,5", "--set")});
  const Rows rows = computed(s, 1);
  const auto r = fit_responses(s, rows, {{"sum", "1", ""}});
  ASSERT_EQ(r.size(), 1u);
  ASSERT_TRUE(r[0].surface) << r[0].why_not;
  EXPECT_NEAR(r[0].predicted, 9, 1e-12);  // rounding of least squares
  EXPECT_EQ(r[0].cases[r[0].best], 8u);
  s.axes[1].values = {Value{std::string("gold")}, Value{std::string("silver")}, Value{std::string("iron")}};
  const auto none = fit_responses(s, rows, {{"sum", "1", ""}});
  EXPECT_FALSE(none[0].surface);
  EXPECT_NE(none[0].why_not.find("'b' has values that are no numbers"), std::string::npos) << none[0].why_not;
  EXPECT_NE(refusal([] {
              require_columns({"sun"}, {{"sum", "1", ""}}, "sweep.csv");
            }).find("did you mean 'sum'"),
            std::string::npos);
}

/// Forty points of exp(a) + b^2 + strength * c. The third power of a, which a parabola lacks, leaves an error
/// of 1e-2 or so: 1e-6 * c is less, 0.5 * c more.
TEST(SweepResponses, AHypercubesIdleParameterHasNoPartAndAnActiveOneHas) {
  cases::DesignSpec design;
  design.design = cases::Design::latin_hypercube, design.variants = 40;
  for (const auto choice :
       {cases::SurfaceChoice::quadratic, cases::SurfaceChoice::rbf, cases::SurfaceChoice::automatic})
    for (const double strength : {0.0, 1e-6, 0.5}) {
      design.surface = choice;
      Sweep s = designed(design, {parse_axis("a=0,1", "--set"), parse_axis("b=0,1", "--set")});
      s.axes.push_back(parse_axis("c=0,1", "--set"));
      s.points = points_of(design, s.axes);
      Rows rows;
      for (const auto& x : s.points) {
        Row row;
        row.status = Status::done;
        row.scalars = {{"y", "1", "", std::exp(x[0]) + x[1] * x[1] + strength * x[2]}};
        rows.push_back(row);
      }
      const auto r = fit_responses(s, rows, {{"y", "1", ""}});
      ASSERT_TRUE(r[0].surface) << r[0].why_not;
      EXPECT_GT(r[0].importance[0], 1);
      EXPECT_GT(r[0].importance[1], 0.5);
      if (strength > 0.1) {
        EXPECT_NEAR(r[0].importance[2], strength, 0.1);
      } else {
        EXPECT_EQ(r[0].importance[2], 0) << int(choice) << ' ' << strength;
      }
    }
}

}  // namespace
}  // namespace umov::sweep
