// What a run says of its stages, how they end at a signal, and their times.
#include "command/stage_watch.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <sstream>

#include "core/signals.hpp"

namespace umov::command {
namespace {

/// Waits as long as the machine is busy.
template <class Condition>
bool comes(const Condition& condition) {
  for (int n = 0; n < 6000 && !condition(); ++n) std::this_thread::sleep_for(std::chrono::milliseconds(10));
  return condition();
}

struct Heard {
  std::mutex mutex;
  std::vector<std::string> lines;
  std::atomic<int> code{0};

  StageWatch::Options options() {
    return {"fdtd", false, true, [this](const std::string& line, int with) { say(line), code = with; },
            [this](const std::string& line) { say(line); }};
  }
  void say(const std::string& line) {
    const std::lock_guard lock(mutex);
    lines.push_back(line);
  }
  bool has(const std::string& line) {
    const std::lock_guard lock(mutex);
    return std::find(lines.begin(), lines.end(), line) != lines.end();
  }
};

TEST(StageWatch, TellsAStageThatLastsAndHowFarItIs) {
  const SignalGuard guard;  // no signal so far
  Heard heard;
  StageWatch watch(heard.options());
  watch.begin("painting");
  EXPECT_TRUE(comes([&] { return heard.has("fdtd: painting"); }));
  watch.begin("painting: 5 of 9");
  EXPECT_TRUE(comes([&] { return heard.has("fdtd: painting: 5 of 9"); }));
}

TEST(StageWatch, ASignalEndsAStageAndSavesWhatWasBefore) {
  const SignalGuard guard;
  Heard heard;
  StageWatch watch(heard.options());
  std::atomic<int> saved{0};
  watch.begin("engine");
  watch.save_at_end([&] { ++saved; });
  std::raise(SIGTERM);
  EXPECT_TRUE(comes([&] { return heard.code == 143; }));
  EXPECT_EQ(saved, 1);
}

TEST(StageWatch, ARunThatLooksForSignalsEndsByItself) {
  const SignalGuard guard;
  Heard heard;
  StageWatch watch(heard.options());
  watch.begin("engine");
  watch.looks_itself("steps");
  std::raise(SIGINT);
  std::this_thread::sleep_for(std::chrono::milliseconds(1200));  // the watch would have acted
  EXPECT_EQ(heard.code, 0);
  watch.begin("results");
  EXPECT_TRUE(comes([&] { return heard.code == 130; })) << "the next stage is not waited for";
}

TEST(StageWatch, ASignalDoesNotCutResultsShort) {
  const SignalGuard guard;
  Heard heard;
  StageWatch watch(heard.options());
  watch.finish("output");
  std::raise(SIGINT);
  std::this_thread::sleep_for(std::chrono::milliseconds(1200));  // the watch would have acted
  EXPECT_EQ(heard.code, 0);
}

TEST(StageWatch, TimesAddUpToTheWhole) {
  const SignalGuard guard;  // no signal so far
  Heard heard;
  StageWatch watch(heard.options());
  for (const char* stage : {"model", "painting", "painting: 1 of 2", "sources"}) watch.begin(stage);
  watch.looks_itself("steps");
  watch.looks_itself("steps");
  watch.begin("painting");
  std::istringstream table(watch.table());
  std::string line, names;
  double sum = 0, all = 0;
  std::getline(table, line);
  while (std::getline(table, line)) {
    const auto number = line.find_last_of(' ') + 1;
    const double seconds = std::stod(line.substr(number));
    names += line.substr(2, line.find("  ", 2) - 2) + ",";
    (line.starts_with("  all ") ? all : sum) += seconds;
  }
  EXPECT_EQ(names, "model,painting,sources,steps,the rest,all,");
  EXPECT_NEAR(sum, all, 0.0005 * 7) << "each is rounded to a millisecond";
}

}  // namespace
}  // namespace umov::command
