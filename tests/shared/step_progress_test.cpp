// The progress line of a run in time.
#include "core/step_progress.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace {

using namespace umov;

/// Takes 500 of 1000 steps on 2e6 cells, ten steps a second, and returns what was written.
std::string written(bool terminal, bool quiet, bool fixed) {
  std::FILE* file = std::tmpfile();
  double now = 0;
  {
    StepProgress progress({"fdtd", 2e6, quiet, file, terminal, [&now] { return now; }});
    for (long step = 0; step <= 500; step += 10, now += 1)
      progress.update(step, 1000, fixed, fixed ? "" : "energy 1e-03 -> 1e-06");
  }
  std::rewind(file);
  std::string text;
  for (int c; (c = std::fgetc(file)) != EOF;) text += char(c);
  std::fclose(file);
  return text;
}

TEST(StepProgress, TellsSpeedAndTimeLeftOfAFixedRun) {
  const std::string text = written(true, false, true);
  // Ten steps a second on two million cells; at step 500 the other half takes fifty seconds.
  EXPECT_NE(text.find("[############............] step 500 of 1000  20 Mcells/s  0:50 left"),
            std::string::npos)
      << text;
  EXPECT_EQ(text.back(), '\n');
}

TEST(StepProgress, TellsTheMeasureOfARunThatEndsByACriterion) {
  const std::string text = written(true, false, false);
  EXPECT_NE(text.find("step 500, at most 1000  energy 1e-03 -> 1e-06  20 Mcells/s"), std::string::npos)
      << text;
  EXPECT_EQ(text.find("left"), std::string::npos);
}

TEST(StepProgress, WritesLinesTenSecondsApartIntoAFile) {
  const std::string text = written(false, false, true);
  EXPECT_EQ(text.find('\r'), std::string::npos);
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 6);  // at 10, 20, 30, 40 and 50 s, and at the end
}

TEST(StepProgress, IsSilentWhenAsked) { EXPECT_EQ(written(true, true, true), ""); }

}  // namespace
