// The time of every stage of a run stands in the log and the results of every family, under the same names.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "results/hdf5_reader.hpp"
#include "support/log_times.hpp"
#include "support/shell.hpp"

using namespace umov;
using test::TemporaryFolder;

namespace {

struct Timed {
  std::string name, words, file;
  std::vector<std::string> stages;
};

class StageTimes : public testing::TestWithParam<Timed> {};

}  // namespace

TEST_P(StageTimes, StandInLogAndResults) {
  const TemporaryFolder folder;
  const Timed& timed = GetParam();
  const std::string cases = (test::repository() / "tests/memcheck/").string();
  std::string words = timed.words;
  if (const auto at = words.find("CASES/"); at != words.npos) words.replace(at, 6, cases);
  const auto ended = test::run(folder, words + " --no-pictures --quiet --output-dir out");
  ASSERT_EQ(ended.code, 0) << ended.err;
  const auto times = test::times_of(test::text_of(folder / "out/log"));
  EXPECT_GT(times.total, 0);
  EXPECT_NEAR(times.sum(), times.total, 0.0005 * double(times.parts.size() + 1))
      << "each is rounded to a millisecond";
  const auto file = results::list_hdf5((folder / "out" / timed.file).string());
  for (const std::string& stage : timed.stages) {
    EXPECT_EQ(times.parts.count(stage), 1u) << stage;
    if (stage == "output" || stage == "files") continue;  // under way while the file is written
    const auto stored = std::ranges::find(file.arrays, "timings/" + stage, &results::StoredArray::name);
    ASSERT_NE(stored, file.arrays.end()) << stage;
    EXPECT_EQ(stored->unit, "s");
    // the stages before are over when the file is written; the log rounds to a millisecond
    EXPECT_NEAR(stored->value, times.parts.at(stage), 0.001) << stage;
  }
}

INSTANTIATE_TEST_SUITE_P(
    Of, StageTimes,
    testing::Values(
        Timed{"dda", "dda --cpu --shape-grid 8 --m 1.5", "results.vtkhdf", {"start", "solve", "files"}},
        Timed{"ddaList",
              "dda --cpu --shape-grid 8 --m 1.5 --lambda 0.5,0.6 --size 0.3",
              "results.h5",
              {"start", "solve", "files"}},
        Timed{"fdtd",
              "fdtd --cpu CASES/plane_te.toml",
              "results.vtkhdf",
              {"model", "painting", "steps", "output"}},
        Timed{"harmonic", "harmonic --cpu CASES/harmonic.toml", "results.h5", {"set-up", "output"}},
        Timed{"eqs", "eqs --cpu CASES/layers.toml", "results.h5", {"mesh", "set-up", "steps", "output"}},
        Timed{"modes", "modes CASES/guide.toml --at out", "results.h5", {"model", "output"}}),
    [](const auto& info) { return info.param.name; });
