// Runs on several ranks that are killed, stopped, or find the disk full: all ranks end, with one message and
// the right exit code, and another number of ranks goes on.
#include <gtest/gtest.h>
#include <sys/resource.h>

#include "support/rank_runs.hpp"

namespace umov {
namespace {

using test::RankedEnd, test::RankedRun;
namespace fs = std::filesystem;

class RankFaults : public test::RankRuns {};
INSTANTIATE_TEST_SUITE_P(Of, RankFaults,
                         testing::Combine(testing::ValuesIn(test::rank_families),
                                          testing::Values("threads", "openmpi", "mpich")),
                         test::name_of_rank_run);

/// One after the other, on three, two and one rank.
TEST_P(RankFaults, KilledThenStoppedThenContinuedOnOtherRanksTheRunEndsWithItsResults) {
  {
    RankedRun run(folder_, on(3, cut()), before(3));
    ASSERT_TRUE(saves()) << run.wait().text;
    run.send_to_rank(threads() ? 0 : 1, SIGKILL);
    const RankedEnd killed = run.wait();
    EXPECT_NE(killed.code, 0) << killed.text;  // the launcher's own; so are all words
    EXPECT_EQ(killed.messages(), 0) << killed.text;
    EXPECT_TRUE(run.leaves_no_orphan());
  }
  {
    RankedRun run(folder_, on(2, resume()), before(2));
    ASSERT_TRUE(saves()) << run.wait().text;
    run.send_to_rank(threads() ? 0 : 1, SIGTERM);
    const RankedEnd stopped = run.wait();
    EXPECT_EQ(stopped.code, 143) << stopped.text;
    EXPECT_EQ(stopped.messages(), 1) << stopped.text;
    EXPECT_EQ(stopped.count("--resume cut"), 1) << stopped.text;
    EXPECT_TRUE(run.leaves_no_orphan());
    EXPECT_FALSE(fs::exists(folder_ / ("cut/" + family().file)));
  }
  const RankedEnd last = finish(1, resume() + (threads() ? " --ranks 0" : ""));
  ASSERT_EQ(last.code, 0) << last.text;
  expect_undisturbed();
}

/// Ctrl-C reaches what the shell has started.
TEST_P(RankFaults, CtrlCEndsAllRanks) {
  change(family().longer);
  RankedRun run(folder_, on(2, cut()), before(2));
  ASSERT_TRUE(saves()) << run.wait().text;
  run.send_to_launcher(SIGINT);
  const RankedEnd stopped = run.wait();
  EXPECT_TRUE(run.leaves_no_orphan());
  EXPECT_TRUE(fs::exists(state()));
  EXPECT_LE(stopped.messages(), 1) << stopped.text;
  // Open MPI's mpirun has a code of its own then, and gives the ranks a second
  if (kind() == "openmpi") {
    EXPECT_NE(stopped.code, 0) << stopped.text;
  } else {
    EXPECT_EQ(stopped.code, 130) << stopped.text;
    EXPECT_EQ(stopped.count("--resume cut"), 1) << stopped.text;
  }
}

TEST_P(RankFaults, AFullDiskOfTheFirstRankEndsAllWithOneMessage) {
  change(family().shorter);
  RankedRun run(folder_, on(2, family().words + " --output-dir full"), before(2));
  ASSERT_TRUE(test::wait_until([&] { return fs::exists(folder_ / "full/resolved.toml"); }))
      << run.wait().text;
  const rlimit little{4096, 4096};  // bytes: room for words, not for results
  const auto all = run.processes();
  ASSERT_TRUE(all.count(0));
  ASSERT_EQ(::prlimit(all.at(0), RLIMIT_FSIZE, &little, nullptr), 0);
  const RankedEnd ended = run.wait();
  EXPECT_EQ(ended.code, 4) << ended.text;
  EXPECT_EQ(ended.messages(), 1) << ended.text;
  EXPECT_GE(ended.count("full/"), 1) << ended.text;  // the file
  EXPECT_TRUE(run.leaves_no_orphan());
}

TEST_P(RankFaults, ABadCaseIsRefusedWithOneMessage) {
  folder_.write("case.toml", family().toml + "[machine]\nthreads = \"many\"\n");
  const RankedEnd refused = finish(3, family().words + " --output-dir bad");
  EXPECT_EQ(refused.code, 2) << refused.text;
  EXPECT_EQ(refused.messages(), 1) << refused.text;
  EXPECT_FALSE(fs::exists(folder_ / "bad"));
}

}  // namespace
}  // namespace umov
