// The progress line, the interruption flag and the timers.
#include "core/progress.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmath>
#include <csignal>
#include <cstdio>

#include "core/signals.hpp"
#include "core/timer.hpp"

namespace {

using namespace umov;

/// A residual that falls by `rate` per iteration under jumps of a factor three, as QMR's and Bi-CG's do.
double jumping(long iteration, double rate) {
  return std::exp(-rate * double(iteration)) * (iteration % 7 == 0 ? 3.0 : 1.0);
}

TEST(ResidualTrend, FindsTheIterationsLeftUnderJumps) {
  ResidualTrend trend(1e-8);
  for (long i = 0; i <= 1000; ++i) trend.add(i, jumping(i, 0.01));
  // log(1e8) / 0.01 = 1842 in all, 842 to go. A jump shifts the last point by log(3) / 0.01 = 110.
  ASSERT_TRUE(trend.iterations_left());
  EXPECT_NEAR(*trend.iterations_left(), 842, 120);
}

TEST(ResidualTrend, FollowsAChangeOfPace) {
  ResidualTrend trend(1e-12);
  double log_residual = 0;
  for (long i = 0; i < 400; ++i) trend.add(i, std::exp(log_residual -= i < 100 ? 0.001 : 0.05));
  // The later half falls by 0.05 throughout.
  EXPECT_NEAR(*trend.iterations_left(), (log_residual - std::log(1e-12)) / 0.05, 1);
}

TEST(ResidualTrend, PromisesNothingForAStandstill) {
  ResidualTrend trend(1e-5);
  EXPECT_FALSE(trend.iterations_left());
  for (long i = 0; i < 500; ++i) trend.add(i, 0.3 + 0.1 * std::sin(double(i)));
  EXPECT_FALSE(trend.iterations_left());
  trend.add(500, std::nan(""));
  EXPECT_FALSE(trend.iterations_left());
}

TEST(ResidualTrend, KeepsPointsOfWhateverNumbersIterationsHave) {
  // as pseudo-time tells: every 128 steps after 437 iterations of another solver, passes a half off the next
  ResidualTrend trend(1e-6);
  long step = 437;
  double log_residual = 0;
  for (int told = 0; told < 1000; step += ++told % 300 == 0 ? 192 : 128)
    trend.add(step, std::exp(log_residual = -1e-4 * double(step - 437)));
  ASSERT_TRUE(trend.iterations_left());
  EXPECT_NEAR(*trend.iterations_left(), (log_residual - std::log(1e-6)) / 1e-4, 1);
}

TEST(ResidualTrend, PromisesNothingWhileTheResidualRisesAgain) {
  // as the estimated distance of pseudo-time does: most of the later half falls, the last quarter rises
  ResidualTrend trend(1e-5);
  for (int i = 0; i < 100; ++i) trend.add(128 * i, std::exp(i < 80 ? -0.1 * i : -8 + 0.1 * (i - 80)));
  EXPECT_FALSE(trend.iterations_left());
}

TEST(Progress, TellsTheTimeLeftOfTheSolverThatIsAtIt) {
  std::FILE* file = std::tmpfile();
  double now = 0;
  {
    Progress progress({1e-5, "p", false, file, true, [&now] { return now; }});
    // 400 iterations of 1 s that stall, then steps of 0.01 s, told every 128, e^-1 in 1280
    for (long i = 0; i < 400; ++i, now += 1) progress.update(i, 0.5);
    for (long i = 1; i <= 100; ++i, now += 1.28) progress.update(400 + 128 * i, std::exp(-0.1 * double(i)));
  }
  std::rewind(file);
  std::string text;
  for (int c; (c = std::fgetc(file)) != EOF;) text += char(c);
  std::fclose(file);
  // at step 6400, e^-5: log(1e5) - 5 = 6.51 to go, 83 s of 100 steps each
  EXPECT_NE(text.find("iteration 6800  100/s  1:23 left"), std::string::npos) << text;
}

/// Runs 100 iterations, one per `seconds`, and returns what was written.
std::string written(bool terminal, bool quiet, double seconds) {
  std::FILE* file = std::tmpfile();
  double now = 0;
  {
    Progress progress({1e-5, "qmr Y", quiet, file, terminal, [&now] { return now; }});
    for (long i = 0; i < 100; ++i, now += seconds) progress.update(i, std::exp(-0.1 * double(i)));
  }
  std::rewind(file);
  std::string text;
  for (int c; (c = std::fgetc(file)) != EOF;) text += char(c);
  std::fclose(file);
  return text;
}

long count(const std::string& text, char c) { return std::count(text.begin(), text.end(), c); }

TEST(Progress, RewritesOneLineOnATerminal) {
  const std::string text = written(true, false, 1);
  EXPECT_EQ(count(text, '\n'), 1);
  EXPECT_GT(count(text, '\r'), 50);
  EXPECT_NE(text.find("qmr Y ["), std::string::npos);
  EXPECT_NE(text.find("1/s"), std::string::npos);
  // At iteration 50 the residual is e^-5: log(1e5) / 0.1 = 115 iterations in all, 65 to go, one per second.
  EXPECT_NE(text.find("iteration 50  1/s  1:05 left"), std::string::npos) << text;
}

TEST(Progress, WritesALineEveryTenSecondsElsewhere) {
  const std::string text = written(false, false, 1);
  EXPECT_EQ(count(text, '\r'), 0);
  EXPECT_EQ(count(text, '\n'), 10);  // at 10, 20, ..., 90 s and at the end
}

TEST(Progress, IsSilentWhenQuietAndForShortSolvesInFiles) {
  EXPECT_EQ(written(true, true, 1), "");
  EXPECT_EQ(written(false, false, 0.01), "");
}

TEST(Signals, TheFirstRaisesTheFlagAndHandlersAreRestored) {
  {
    SignalGuard guard;
    EXPECT_FALSE(interrupted());
    std::raise(SIGTERM);
    EXPECT_TRUE(interrupted());
  }
  struct sigaction now {};
  sigaction(SIGTERM, nullptr, &now);
  EXPECT_EQ(now.sa_handler, SIG_DFL);
}

TEST(Signals, TheSecondEndsTheProgramWith130) {
  const pid_t child = fork();
  if (child == 0) {
    SignalGuard guard;
    std::raise(SIGINT);
    std::raise(SIGINT);
    _exit(0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 130);
}

TEST(Signals, AreIgnoredFromTheEndOfAGuardOnWhereThatWasAskedFor) {
  const pid_t child = fork();
  if (child == 0) {
    ignore_signals_after_guards();
    { SignalGuard guard; }
    std::raise(SIGTERM);
    std::raise(SIGINT);
    _exit(7);
  }
  int status = 0;
  waitpid(child, &status, 0);
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 7);
}

TEST(Timer, AddsCallsAndSecondsUnderAName) {
  TimerTable table;
  table.add("solve", 1.5);
  table.add("far field", 0.25);
  table.add("solve", 0.5, 3);
  { ScopedTimer timer(table, "tensor"); }
  const auto rows = table.rows();
  ASSERT_EQ(rows.size(), 3u);
  EXPECT_EQ(rows[0].name, "solve");
  EXPECT_EQ(rows[0].calls, 4);
  EXPECT_DOUBLE_EQ(rows[0].seconds, 2.0);
  EXPECT_EQ(rows[2].calls, 1);
  EXPECT_GE(table.seconds("tensor"), 0);
}

}  // namespace
