// The progress line of a run through simulated time.
#include "core/time_progress.hpp"

#include <gtest/gtest.h>

#include "core/text.hpp"

namespace {

using namespace umov;

std::string written(bool terminal, bool quiet) {
  std::FILE* file = std::tmpfile();
  double now = 0;
  {
    TimeProgress progress({"eqs", quiet, file, terminal, [&now] { return now; }});
    for (int ms = 0; ms <= 10; ++ms, now += 5) progress.update(1e-3 * ms, 0.04, "step " + std::to_string(ms));
  }
  std::rewind(file);
  std::string text;
  for (int c; (c = std::fgetc(file)) != EOF;) text += char(c);
  std::fclose(file);
  return text;
}

TEST(TimeProgress, TellsTheTimeAndWhatIsLeft) {
  const std::string text = written(true, false);
  // A millisecond in five seconds: after 10 ms of 40 there are 150 s left.
  EXPECT_NE(text.find("eqs [######..................] 10 ms of 40 ms  step 10  2:30 left"), std::string::npos)
      << text;
}

TEST(TimeProgress, IsSilentWhenAsked) { EXPECT_EQ(written(true, true), ""); }

TEST(Text, TimesHaveAPrefix) {
  EXPECT_EQ(format_time(0), "0 s");
  EXPECT_EQ(format_time(0.04), "40 ms");
  EXPECT_EQ(format_time(1.2e-6), "1.2 µs");
  EXPECT_EQ(format_time(2.5), "2.5 s");
}

}  // namespace
