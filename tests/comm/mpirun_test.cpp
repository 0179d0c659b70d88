// Ranks that mpirun starts: the tests of this folder on them, and how a program ends there. Each test starts
// this very executable under mpirun, with the tests marked DISABLED below as what runs there.
#include <gtest/gtest.h>
#include <omp.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <thread>
#include <vector>

#include "comm/collect.hpp"
#include "comm/leave.hpp"
#include "comm/world.hpp"
#include "core/console.hpp"
#include "core/signals.hpp"
#include "core/timer.hpp"
#include "program/program.hpp"
#include "support/ranked_program.hpp"

namespace umov::comm {
namespace {

struct Result : test::RankedEnd {
  double seconds = 0;
};

/// `filter` of this executable on `ranks` processes; `play` says what the program of DISABLED_Program does.
/// With a `folder`, each writes a file there instead of to the launcher, which may mix what they say.
Result mpirun(const std::string& mpi, int ranks, const std::string& filter, const std::string& play = "",
              const test::TemporaryFolder* folder = nullptr) {
  const std::string program = std::filesystem::read_symlink("/proc/self/exe").string() +
                              " --gtest_also_run_disabled_tests --gtest_color=no --gtest_brief=1 "
                              "--gtest_filter=\"" +
                              filter + "\"";
  const Stopwatch timer;
  Result result{test::shell_line(
      "OMP_NUM_THREADS=1 UMOV_TEST_PLAY='" + play + "' timeout 100 " + test::mpirun(mpi, ranks) + " " +
      (folder ? "sh -c 'exec " + program + " > " + folder->path().string() + "/$$ 2>&1'" : program))};
  result.seconds = timer.seconds();
  if (folder)
    for (const auto& name : folder->names()) result.text += test::text_of(*folder / name);
  return result;
}

// ---- what runs on the ranks

int play(std::span<const std::string> args) {
  World& all = *world();
  const std::string name = args.empty() ? "" : args[0];
  const int failing = args.size() > 1 ? std::stoi(args[1]) : -1;
  const auto fail = [&] { throw BadInput("the case is bad (it is); take another"); };
  if (name == "talk") {
    std::printf("heard from rank %d of %d\n", all.rank(), all.size());
    complain("a warning");
  }
  if (name == "fail everywhere") fail();
  if (name == "fail") {
    // The others wait in all ways there are.
    if (all.rank() == failing) fail();
    std::vector<double> large(1 << 20);
    const Out outs[] = {out(failing, large.data(), large.size())};
    const In ins[] = {in(failing, large.data(), large.size())};
    if (all.rank() % 2) all.exchange(outs, ins);
    sum(all, 1.0);
  }
  if (name == "fail while others compute") {
    if (all.rank() == failing) fail();
    std::this_thread::sleep_for(std::chrono::seconds(60));
  }
  if (name == "die") {
    std::fprintf(stderr, "process %d;", int(getpid()));
    all.barrier();
    if (all.rank() == failing) raise(SIGKILL);
    all.barrier();
  }
  if (name == "stop") {
    const SignalGuard guard;
    if (all.rank() == failing) raise(SIGTERM);
    while (!any(all, interrupted())) all.barrier();
    throw Error(Exit::interrupted, "stopped, the state is saved");  // its code is the one rank's signal
  }
  return name == "end with 3" ? 3 : 0;
}

TEST(DISABLED_Program, OnTheRanks) {
  const char* words = std::getenv("UMOV_TEST_PLAY");
  std::vector<std::string> args;
  std::string rest = words ? words : "";
  for (std::size_t at; (at = rest.find('/')) != std::string::npos; rest = rest.substr(at + 1))
    args.push_back(rest.substr(0, at));
  args.push_back(rest);
  const std::vector<program::Command> commands{{"play", "", play, "", "", true}, {"alone", "", play}};
  const int code = program::run(args, commands);
  std::fflush(nullptr);
  std::_Exit(code);
}

TEST(DISABLED_World, HasTheRanksOfOneMachine) {
  World& all = *world();
  EXPECT_EQ(all.local_rank(), all.rank());
  EXPECT_EQ(all.local_size(), all.size());
  EXPECT_TRUE(all.kind().starts_with("Open MPI v") || all.kind().starts_with("MPICH Version")) << all.kind();
  EXPECT_FALSE(all.in_process());
  EXPECT_EQ(talks(), all.rank() == 0);
}

TEST(DISABLED_World, SendsMoreThanMpiCountsInOneMessage) {
  World& all = *world();
  // A message is cut at 2^30 bytes, an int ends at 2^31; memory of one machine holds two of these.
  std::vector<char> data((std::size_t(1) << 30) + 12345);
  if (all.first()) {
    data.back() = 42;
    const Out outs[] = {out(1, data.data(), data.size())};
    all.exchange(outs, {});
  } else {
    const In ins[] = {in(0, data.data(), data.size())};
    all.exchange({}, ins);
    EXPECT_EQ(data.back(), 42);
  }
}

// ---- the tests

class Mpirun : public testing::TestWithParam<std::string> {
  void SetUp() override {
    if (test::mpirun(GetParam(), 2).empty())
      GTEST_SKIP() << "its mpirun is not here, or umov was built without it";
  }
};
INSTANTIATE_TEST_SUITE_P(Of, Mpirun, testing::Values("openmpi", "mpich"),
                         [](const auto& test) { return test.param; });

TEST_P(Mpirun, RanksPassTheTestsOfRanksInProcess) {
  for (int ranks = 2; ranks <= 4; ++ranks) {
    const test::TemporaryFolder folder;
    const auto r =
        mpirun(GetParam(), ranks,
               "Messages.AllToAll*:Messages.Groups*:Messages.WhatIs*:Messages.AChannel*:Collect.ASumOf*:"
               "Collect.Maxima*:Collect.Lists*:Collect.TheRoots*:Collect.Parts*:DISABLED_World.Has*",
               "", &folder);
    EXPECT_EQ(r.code, 0) << r.text;
    EXPECT_EQ(r.count("[  PASSED  ] 10 tests"), ranks) << r.text;
  }
}

TEST_P(Mpirun, MessagesMayBeLargerThanMpiCounts) {
  const auto r = mpirun(GetParam(), 2, "DISABLED_World.SendsMore*");
  EXPECT_EQ(r.code, 0) << r.text;
}

TEST_P(Mpirun, OnlyTheFirstRankTalks) {
  const auto r = mpirun(GetParam(), 3, "DISABLED_Program.*", "play/talk");
  EXPECT_EQ(r.code, 0) << r.text;
  EXPECT_EQ(r.count("heard from rank 0 of 3"), 1) << r.text;
  EXPECT_EQ(r.count("heard from"), 1) << r.text;
  EXPECT_EQ(r.count("a warning"), 1) << r.text;
}

TEST_P(Mpirun, AnErrorOfEveryRankIsSaidOnce) {
  const auto r = mpirun(GetParam(), 4, "DISABLED_Program.*", "play/fail everywhere");
  EXPECT_EQ(r.code, 2) << r.text;
  EXPECT_EQ(r.count("umov: the case is bad (it is); take another"), 1) << r.text;
  EXPECT_EQ(r.count("umov: "), 1) << r.text;
}

TEST_P(Mpirun, AnErrorOfOneRankEndsAllThatWaitWithItsCode) {
  for (const int failing : {0, 2}) {
    const auto r = mpirun(GetParam(), 4, "DISABLED_Program.*", "play/fail/" + std::to_string(failing));
    EXPECT_EQ(r.code, 2) << r.text;
    EXPECT_EQ(r.count("umov: the case is bad (it is); take another"), 1) << r.text;
    EXPECT_EQ(r.count("umov: "), 1) << r.text;
    EXPECT_LT(r.seconds, 60);
  }
}

TEST_P(Mpirun, RanksThatDoNotListenAreEndedAfterTenSeconds) {
  const auto r = mpirun(GetParam(), 3, "DISABLED_Program.*", "play/fail while others compute/1");
  EXPECT_EQ(r.code, 2) << r.text;
  EXPECT_EQ(r.count("umov: "), 1) << r.text;
  EXPECT_LT(r.seconds, 55) << "less than the others' minute";
}

TEST_P(Mpirun, ARankThatIsKilledLeavesNoOrphan) {
  const auto r = mpirun(GetParam(), 3, "DISABLED_Program.*", "play/die/1");
  EXPECT_NE(r.code, 0) << r.text;  // the launcher's own
  EXPECT_EQ(r.count("umov: "), 0) << r.text;
  EXPECT_LT(r.seconds, 60);
  int processes = 0;
  for (auto at = r.text.find("process "); at != std::string::npos; at = r.text.find("process ", at + 1)) {
    const int process = std::atoi(r.text.c_str() + at + 8);
    if (process < 2) continue;
    ++processes;
    for (int wait = 0; wait < 100 && test::runs(process); ++wait)
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
    EXPECT_FALSE(test::runs(process)) << process;
  }
  EXPECT_GE(processes, 3) << r.text;
}

TEST_P(Mpirun, ASignalToOneRankStopsAllTogether) {
  const auto r = mpirun(GetParam(), 3, "DISABLED_Program.*", "play/stop/2");
  EXPECT_EQ(r.code, 143) << r.text;
  EXPECT_EQ(r.count("umov: stopped, the state is saved"), 1) << r.text;
}

TEST_P(Mpirun, ACommandForOneProcessIsRefusedOnSeveral) {
  const auto r = mpirun(GetParam(), 2, "DISABLED_Program.*", "alone");
  EXPECT_EQ(r.code, 2) << r.text;
  EXPECT_EQ(
      r.count("umov: umov alone was started 2 times by mpirun (it runs as one process); start it alone"), 1)
      << r.text;
}

TEST_P(Mpirun, AnExitCodeWithoutAnErrorStays) {
  EXPECT_EQ(mpirun(GetParam(), 2, "DISABLED_Program.*", "play/end with 3").code, 3);
}

}  // namespace
}  // namespace umov::comm
