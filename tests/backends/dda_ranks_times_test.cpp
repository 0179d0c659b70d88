// Where the time of a run on ranks went: its log has a name for all of it.
#include <gtest/gtest.h>

#include <array>
#include <string>

#include "support/log_times.hpp"
#include "support/ranked_program.hpp"
#include "support/temp_folder.hpp"

namespace umov::dda {
namespace {

/// The table of a run; its parts are the whole.
test::LogTimes times_of_run(const std::string& words) {
  const test::TempFolder folder;
  const auto end =
      test::umov_in(folder.path, "dda --no-pictures --cpu --threads 1 --output-dir out " + words);
  EXPECT_EQ(end.code, 0) << end.text;
  const std::string log = test::text_of(folder.path / "out/log");
  const auto times = test::times_of(log);
  EXPECT_GT(times.total, 0);
  EXPECT_NEAR(times.sum(), times.total, 0.0005 * double(times.parts.size() + 1))
      << "rounded to a millisecond each";
  // glue between what is timed; 0.05 s: another program may have the processor just then
  EXPECT_LT(times.parts.at("the rest"), 0.02 * times.total + 0.05) << log;
  return times;
}

class DdaRanksTimesOf : public testing::TestWithParam<const char*> {};

/// Both polarizations and their fields, 270,000 dipoles: what goes on around the solves is to be seen.
TEST_P(DdaRanksTimesOf, ARunAddUpToTheWhole) {
  const auto times = times_of_run(
      "--shape sphere --shape-grid 80 --dpl 20 --m 1.05 --no-symmetry --epsilon 0.1 --theta-intervals 2 "
      "--preconditioner none " +
      std::string(GetParam()));
  ASSERT_EQ(times.parts.count("fields per dipole"), 1u);
  EXPECT_GT(times.parts.at("fields per dipole"), 0);
  // of ranks that solve side by side each has its own
  const bool together = times.within.count("products, of all ranks") > 0;
  EXPECT_TRUE(!together || std::string(GetParam()).ends_with("solves"))
      << "one solve has no more than its time";
  EXPECT_GT(times.within.at(together ? "products, of all ranks" : "products"), 0);
}

INSTANTIATE_TEST_SUITE_P(Runs, DdaRanksTimesOf,
                         testing::Values("", "--ranks 2 --split particle", "--ranks 2 --split solves",
                                         "--ranks 3 --split solves"),
                         [](const auto& info) {
                           return (std::array{"OneRank", "APart", "AWaveEach", "Groups"}[info.index]);
                         });

TEST(DdaRanksTimes, OfGridsBeforeTheLastHaveARow) {
  const auto times = times_of_run("--shape sphere --size 1 --lambda 6 --m 1.2 --accuracy 0.05 --ranks 2");
  ASSERT_EQ(times.parts.count("coarser grids"), 1u);
  EXPECT_GT(times.parts.at("coarser grids"), 0);
}

}  // namespace
}  // namespace umov::dda
