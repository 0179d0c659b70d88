// Ranks that fail while a run is made ready, and while the first one writes its results.
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <optional>
#include <set>

#include "support/rank_runs.hpp"

namespace umov {
namespace {

using test::Family, test::RankedEnd, test::RankedRun;
namespace fs = std::filesystem;

/// What takes long to make ready, in the cases of rank_families.
const std::pair<std::string, std::pair<std::string, std::string>> large[] = {
    {"dda_waves", {"grid = 20", "grid = 72"}},
    {"dda_slabs", {"grid = 16", "grid = 72"}},
    {"fdtd", {"resolution = 40", "resolution = 800"}},
    {"eqs", {"elements_across = 4", "elements_across = 40"}}};

class RankPhases : public test::RankRuns {
 protected:
  /// Starts each rank in a folder of its own where there is one with its name, "rank1" say.
  std::string before_in_own_folders(int ranks) const {
    folder_.write("own_folder.sh",
                  "cd \"rank${OMPI_COMM_WORLD_RANK:-$PMI_RANK}\" 2>/dev/null\nexec \"$@\"\n");
    return before(ranks) + " sh own_folder.sh";
  }
  void other_case_for_rank_1(const std::string& text) const {
    fs::create_directory(folder_ / "rank1");
    folder_.write("rank1/case.toml", text);
  }
};
INSTANTIATE_TEST_SUITE_P(Of, RankPhases,
                         testing::Combine(testing::ValuesIn(test::rank_families),
                                          testing::Values("openmpi", "mpich")),
                         test::name_of_rank_run);

TEST_P(RankPhases, ACaseThatOneRankCannotReadIsSaidOnceAndEndsAll) {
  // the first half of it, in the middle of a word
  other_case_for_rank_1(family().toml.substr(0, family().toml.find("name") + 2));
  const RankedEnd ended =
      test::umov_in(folder_.path(), family().words + " --output-dir bad", before_in_own_folders(3));
  EXPECT_EQ(ended.code, 2) << ended.text;
  EXPECT_EQ(ended.messages(), 1) << ended.text;
  EXPECT_EQ(ended.count("case.toml"), 1) << ended.text;
  EXPECT_FALSE(fs::exists(folder_ / ("bad/" + family().file)));
}

TEST_P(RankPhases, ARankThatIsKilledBeforeTheFirstStepEndsAll) {
  for (const auto& [name, words] : large)
    if (name == family().name) change(words);
  RankedRun run(folder_, cut(), before(2));
  ASSERT_TRUE(test::wait_until([&] { return fs::exists(folder_ / "cut/resolved.toml"); })) << run.wait().text;
  run.send_to_rank(1, SIGKILL);
  const RankedEnd killed = run.wait();
  EXPECT_NE(killed.code, 0) << killed.text;  // the launcher's own; so are all words
  EXPECT_EQ(killed.messages(), 0) << killed.text;
  EXPECT_TRUE(run.leaves_no_orphan());
  EXPECT_FALSE(fs::exists(state())) << "it was under way already";
  EXPECT_FALSE(fs::exists(folder_ / ("cut/" + family().file)));
}

TEST_P(RankPhases, ASignalBeforeTheFirstStepEndsAllWithOneMessage) {
  for (const auto& [name, words] : large)
    if (name == family().name) change(words);
  RankedRun run(folder_, cut(), before(2));
  ASSERT_TRUE(test::wait_until([&] { return fs::exists(folder_ / "cut/resolved.toml"); })) << run.wait().text;
  run.send_to_rank(1, SIGTERM);
  const RankedEnd stopped = run.wait();
  EXPECT_EQ(stopped.code, 143) << stopped.text;
  EXPECT_EQ(stopped.messages(), 1) << stopped.text;
  EXPECT_TRUE(run.leaves_no_orphan());
  EXPECT_FALSE(fs::exists(folder_ / ("cut/" + family().file)));
}

/// The first rank is halted at the first file of its results.
class RankWriting : public RankPhases {
 protected:
  void SetUp() override {
    RankPhases::SetUp();
    if (IsSkipped()) return;
    change(family().shorter);
    std::string words = family().words;
    words.replace(words.find(" --no-pictures"), 14, "");  // so that it takes a while
    run_.emplace(folder_, words + " --output-dir out", before(2));
    ASSERT_TRUE(halts_at_first_file()) << run_->wait().text;
  }
  bool halts_at_first_file() const {
    const auto names = [&] {
      std::set<std::string> found;
      std::error_code gone;
      for (const auto& entry : fs::directory_iterator(folder_ / "out", gone))
        found.insert(entry.path().filename());
      return found;
    };
    if (!test::wait_until([&] { return fs::exists(folder_ / "out/resolved.toml"); })) return false;
    const pid_t first = run_->processes().at(0);
    while (test::runs(first)) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
      for (const auto& name : names())
        if (name != "resolved.toml" && name.front() != '.' && name != "unfinished" &&
            name.find("checkpoint") != 0)
          return ::kill(first, SIGSTOP) == 0;
    }
    return false;
  }
  mutable std::optional<RankedRun> run_;
};
INSTANTIATE_TEST_SUITE_P(Of, RankWriting,
                         testing::Combine(testing::ValuesIn(test::rank_families),
                                          testing::Values("openmpi", "mpich")),
                         test::name_of_rank_run);

TEST_P(RankWriting, ARankThatIsKilledMeanwhileLeavesNoOrphan) {
  run_->send_to_rank(1, SIGKILL);
  run_->send_to_rank(0, SIGCONT);
  const RankedEnd ended = run_->wait();
  EXPECT_NE(ended.code, 0) << ended.text;
  EXPECT_EQ(ended.messages(), 0) << ended.text;
  EXPECT_TRUE(run_->leaves_no_orphan());
}

TEST_P(RankWriting, ASignalToAnotherRankLeavesTheResultsWhole) {
  run_->send_to_rank(1, SIGTERM);
  run_->send_to_rank(0, SIGCONT);
  const RankedEnd ended = run_->wait();
  EXPECT_EQ(ended.code, 0) << ended.text;
  EXPECT_EQ(ended.messages(), 0) << ended.text;
  EXPECT_TRUE(run_->leaves_no_orphan());
  EXPECT_TRUE(fs::exists(folder_ / ("out/" + family().file)));
  EXPECT_TRUE(fs::exists(folder_ / "out/log"));
  EXPECT_FALSE(fs::exists(folder_ / "out/unfinished"));
}

TEST_P(RankWriting, ADiskThatFillsUpMeanwhileIsSaidOnceAndEndsAll) {
  const rlimit little{512, 512};  // bytes
  ASSERT_EQ(::prlimit(run_->processes().at(0), RLIMIT_FSIZE, &little, nullptr), 0);
  run_->send_to_rank(0, SIGCONT);
  const RankedEnd ended = run_->wait();
  EXPECT_EQ(ended.code, 4) << ended.text;
  EXPECT_EQ(ended.messages(), 1) << ended.text;
  EXPECT_GE(ended.count("out/"), 1) << ended.text;  // the file
  EXPECT_TRUE(run_->leaves_no_orphan());
}

}  // namespace
}  // namespace umov
