// What two resolved cases say differently, by section, item and key.
#include "run/case_differences.hpp"

#include <gtest/gtest.h>

namespace umov::run {
namespace {

TEST(CaseDifferences, AreNamedWithTheirItemAndBothValues) {
  const std::string there =
      "# a case\nx = 1\n[time]\nend = 0.5  # s\n[[layer]]\nd = 2\n[[layer]]\nd = 3\nold = true\n";
  const std::string now = "x = 1\n[time]\nend = 0.4\n\n[[layer]]\nd = 2\n[[layer]]\nd = 4\nnew = 1\n";
  const auto all = case_differences(there, now);
  ASSERT_EQ(all.size(), 4u);
  EXPECT_EQ(all[0].place(), "[[layer]] 2 d");
  EXPECT_EQ(all[0].parameter(), "layer.d");
  EXPECT_EQ(all[0].there, "3");
  EXPECT_EQ(all[0].now, "4");
  EXPECT_EQ(all[1].place(), "[[layer]] 2 new");
  EXPECT_EQ(CaseDifference::words(all[1].there), "nothing");
  EXPECT_EQ(all[2].place(), "[[layer]] 2 old");
  EXPECT_FALSE(all[2].now);
  EXPECT_EQ(all[3].place(), "[time] end");
  EXPECT_EQ(all[3].parameter(), "time.end");
  EXPECT_EQ(all[3].there, "0.5") << "without its unit";
}

TEST(CaseDifferences, AnItemWithANameIsNamed) {
  const auto all =
      case_differences("[[material]]\nname = \"oil\"\nm = 2\n", "[[material]]\nname = \"oil\"\nm = 3\n");
  ASSERT_EQ(all.size(), 1u);
  EXPECT_EQ(all[0].place(), "[[material]] 1 \"oil\" m");
  EXPECT_EQ(all[0].parameter(), "material.m");
}

TEST(CaseDifferences, RemarksAndUnitsAreNone) {
  EXPECT_TRUE(case_differences("a = 1  # um\n", "# of now\na = 1\n").empty());
  EXPECT_EQ(case_differences("", "a = 1\n").front().place(), "a");
}

TEST(CaseDifferences, ALineThatIsNoEntryIsOne) {
  const auto all = case_differences("[disk]\nr = 1\ncontents of a.csv: 1f\n", "[disk]\nr = 1\n");
  ASSERT_EQ(all.size(), 1u);
  EXPECT_EQ(all[0].line(*all[0].there), "contents of a.csv: 1f");
  EXPECT_FALSE(all[0].now);
}

}  // namespace
}  // namespace umov::run
