// How `umov dda` starts, and that its log says where the time went.
#include <gtest/gtest.h>

#include <array>

#include "core/process_age.hpp"
#include "support/log_times.hpp"
#include "support/shell.hpp"

using namespace umov;
using test::TemporaryFolder;

namespace {

int count(const std::string& text, const std::string& words) {
  int n = 0;
  for (auto at = text.find(words); at != text.npos; at = text.find(words, at + 1)) ++n;
  return n;
}

}  // namespace

class DdaStarts : public testing::TestWithParam<const char*> {};

TEST_P(DdaStarts, TheLogSaysWhereAllOfTheTimeWent) {
  TemporaryFolder folder;
  const auto ended = test::run(
      folder, std::string("dda --shape-grid 8 --backend cpu --no-pictures --output-dir out ") + GetParam());
  ASSERT_EQ(ended.code, 0) << ended.err;
  const auto times = test::times_of(test::text_of(folder / "out/log"));
  const auto& parts = times.parts;
  for (const char* name : {"start", "particle", "interaction tensor", "solve", "scattered field",
                           "cross sections", "files", "the rest"})
    EXPECT_EQ(parts.count(name), 1u) << name;
  EXPECT_EQ(parts.count("pictures"), 0u) << "none were drawn";
  for (const auto& [name, seconds] : parts) EXPECT_GE(seconds, 0) << name;
  EXPECT_GT(times.total, 0);
  EXPECT_NEAR(times.sum(), times.total, 0.0005 * double(parts.size() + 1)) << "rounded to a millisecond each";
  // Solve, particle and tensor are timed by themselves: what is left is the glue between them.
  EXPECT_LT(parts.at("the rest"), 0.5 * times.total);
}

INSTANTIATE_TEST_SUITE_P(Of, DdaStarts,
                         testing::Values("--m 1.5", "--m 1.5,1.6 --lambda 0.5 --size 0.3",
                                         "--m 1.5 --lambda 0.4,0.5 --size 0.3 --case-folders"),
                         [](const auto& info) {
                           return (std::array{"OneCase", "AList", "AListWithFolders"}[info.index]);
                         });

TEST(DdaStart, PicturesHaveTheirTime) {
  TemporaryFolder folder;
  const auto ended = test::run(folder, "dda --shape-grid 4 --m 1.5 --backend cpu --output-dir out");
  ASSERT_EQ(ended.code, 0) << ended.err;
  const auto parts = test::times_of(test::text_of(folder / "out/log")).parts;
  ASSERT_EQ(parts.count("pictures"), 1u);
  EXPECT_GT(parts.at("pictures"), 0);
}

TEST(DdaStart, TheAgeOfAProcessGrows) {
  const double before = process_age();
  const auto begin = std::chrono::steady_clock::now();
  while (std::chrono::steady_clock::now() - begin < std::chrono::milliseconds(30)) {
  }
  const double grown = process_age() - before;
  EXPECT_GT(before, 0);
  // The kernel keeps the start in hundredths, which the difference loses.
  EXPECT_GE(grown, 0.03 - 1e-3);
  EXPECT_LT(before, 3600) << "seconds, of a test that takes less";
}

// GCC's OpenMP prints its settings once for each program that begins.
TEST(DdaStart, ItIsLoadedOnceWhereTheShellLeavesAPlaceForItsSetting) {
  TemporaryFolder folder;
  const std::string mark = "OPENMP DISPLAY ENVIRONMENT BEGIN", setting = "GOMP_SPINCOUNT = '1000'";
  const auto once = test::shell(folder, "env -i OMP_DISPLAY_ENV=VERBOSE _=/bin/umov $U version");
  ASSERT_EQ(once.code, 0) << once.err;
  if (count(once.err, mark) == 0) GTEST_SKIP() << "this OpenMP does not say its settings";
  EXPECT_EQ(count(once.err, mark), 1);
  EXPECT_EQ(count(once.err, setting), 1);
  const auto twice = test::shell(folder, "env -i OMP_DISPLAY_ENV=VERBOSE $U version");
  ASSERT_EQ(twice.code, 0) << twice.err;
  EXPECT_EQ(count(twice.err, mark), 2) << "no place: it starts itself once more";
  EXPECT_EQ(count(twice.err, setting), 1);
  const auto asked =
      test::shell(folder, "env -i OMP_DISPLAY_ENV=VERBOSE OMP_WAIT_POLICY=passive _=/bin/umov $U version");
  EXPECT_EQ(count(asked.err, mark), 1);
  EXPECT_EQ(count(asked.err, setting), 0) << "what the user says stays";
}
