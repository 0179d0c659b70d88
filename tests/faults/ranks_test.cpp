// Runs on several ranks that are killed, stopped, or find the disk full: all ranks end, with one message and
// the right exit code, and another number of ranks goes on.
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <cmath>
#include <sstream>
#include <vector>

#include "support/program.hpp"
#include "support/ranked_program.hpp"

namespace umov {
namespace {

using test::RankedEnd;
using test::RankedRun;
namespace fs = std::filesystem;

/// A run of about a second on one rank, and what is compared of it.
struct Family {
  std::string name, words, toml, file;
  std::pair<std::string, std::string> longer, shorter;  ///< in `toml`: so that it takes minutes, or a moment
  /// What another number of ranks may change, relative to the largest number of the column.
  double tolerance;
};

const Family families[] = {
    // residuals of 1e-10
    {"dda_waves",
     "dda case.toml --cpu --quiet --no-pictures --no-hdf5 --split solves",
     "wavelength = 1.0\n"
     "[shape]\nname = \"ellipsoid\"\narguments = [0.7, 1.3]\ngrid = 20\ndpl = 13\n"
     "[material]\nm = [1.9, 0.05]\n[source]\npropagation = [1, 2, 3]\n"
     "[solver]\nname = \"bicgstab\"\nepsilon = 1e-10\n",
     "CrossSec-Y",
     {"dpl = 13", "dpl = 4"},
     {"1e-10", "1e-8"},
     1e-7},
    {"dda_slabs",
     "dda case.toml --cpu --quiet --no-pictures --no-hdf5 --split particle",
     "wavelength = 1.0\n"
     "[shape]\nname = \"ellipsoid\"\narguments = [0.7, 1.3]\ngrid = 16\ndpl = 13\n"
     "[material]\nm = [1.9, 0.05]\n[source]\npropagation = [1, 2, 3]\n"
     "[solver]\nname = \"bicgstab\"\nepsilon = 1e-10\n",
     "CrossSec-Y",
     {"dpl = 13", "dpl = 4"},
     {"1e-10", "1e-8"},
     1e-7},
    // nothing is summed over ranks
    {"fdtd",
     "fdtd case.toml --cpu --quiet --no-pictures",
     "[domain]\nsize = [3, 2.3]\nresolution = 40\n"
     "[[source]]\nkind = \"point\"\nwaveform = \"gaussian\"\nfrequency = 1\nwidth = 0.3\ncenter = [-0.6, "
     "0.3]\n"
     "[[monitor]]\nkind = \"series\"\nname = \"probe\"\ncenter = [0.5, 0.2]\n"
     "[stop]\nsteps = 10000\n[output]\ncsv = true\n",
     "series-probe.csv",
     {"steps = 1", "steps = 10000"},
     {"steps = 10000", "steps = 4000"},
     0},
    // solves to 1e-12 of the fluxes, Newton to 1e-8, in steps of one length
    {"eqs",
     "eqs case.toml --cpu --quiet --no-pictures --no-vtk",
     "[mesh]\norder = 1\n"
     "[geometry]\nkind = \"layers\"\nwidth = 0.002\nelements_across = 4\n"
     "[[layer]]\nregion = \"gas\"\nthickness = 0.002\nelements = 5\n"
     "[[layer]]\nregion = \"film\"\nthickness = 0.001\nelements = 4\n"
     "[[material]]\nname = \"gas\"\nconductivity = 1e-12\n"
     "[[material]]\nname = \"film\"\npermittivity = 12\nconductivity_formula = \"1e-10 * (1 + (E / "
     "5e5)^4)\"\n"
     "[[electrode]]\nname = \"bottom\"\namplitude = 2000\n[[electrode]]\nname = \"top\"\nkind = \"ground\"\n"
     "[time]\nperiods = 1\nstep = 1e-4\n[output]\ncsv = true\n",
     "electrodes.csv",
     {"periods = 1", "periods = 1000"},
     {"periods = 1", "periods = 0.3"},
     1e-6}};
void PrintTo(const Family& f, std::ostream* to) { *to << f.name; }

/// How many ranks a run has: as processes of an MPI, or as threads.
class RankFaults : public testing::TestWithParam<std::tuple<Family, std::string>> {
 protected:
  void SetUp() override {
    if (!threads() && test::mpirun(kind(), 2).empty())
      GTEST_SKIP() << "its mpirun is not here, or umov was built without it";
    folder_.write("case.toml", family().toml);
  }
  const Family& family() const { return std::get<0>(GetParam()); }
  const std::string& kind() const { return std::get<1>(GetParam()); }
  bool threads() const { return kind() == "threads"; }

  /// A run of the case on so many ranks; `words` beside the family's, or in their place.
  std::string before(int ranks) const { return threads() ? "" : test::mpirun(kind(), ranks); }
  std::string on(int ranks, const std::string& words) const {
    return words + (threads() ? " --ranks " + std::to_string(ranks) : "");
  }
  RankedEnd finish(int ranks, const std::string& words) const {
    return test::umov_in(folder_.path(), ranks == 1 ? words : on(ranks, words),
                         ranks == 1 ? "" : before(ranks));
  }
  std::string cut() const { return family().words + " --output-dir cut --checkpoint 0.01s"; }
  std::string resume() const {
    return family().words.substr(0, family().words.find(' ')) + " --resume cut --quiet";
  }

  void change(const std::pair<std::string, std::string>& words) const {
    std::string toml = family().toml;
    folder_.write("case.toml", toml.replace(toml.find(words.first), words.first.size(), words.second));
  }

  fs::path state() const {
    return folder_ / (family().name.starts_with("dda") ? "cut/checkpoint-Y" : "cut/checkpoint");
  }
  /// Waits for the next state that a run saves.
  bool saves() const {
    std::error_code absent;
    const auto before = fs::last_write_time(state(), absent);
    const bool there = !absent;
    return test::wait_until([&] {
      std::error_code missing;
      const auto now = fs::last_write_time(state(), missing);
      return !missing && (!there || now != before);
    });
  }

  /// The results of the folder `cut` are those of an undisturbed run on one rank.
  void expect_undisturbed() const {
    const RankedEnd one = finish(1, family().words + " --output-dir whole");
    ASSERT_EQ(one.code, 0) << one.text;
    const auto right = rows(folder_ / ("whole/" + family().file)),
               found = rows(folder_ / ("cut/" + family().file));
    ASSERT_GT(right.size(), 2u);
    ASSERT_EQ(right.size(), found.size());
    for (std::size_t c = 0; c < right[0].size(); ++c) {
      double largest = 0;
      for (const auto& row : right) largest = std::max(largest, std::abs(row[c]));
      for (std::size_t i = 0; i < right.size(); ++i)
        ASSERT_NEAR(right[i][c], found[i][c], family().tolerance * largest)
            << "row " << i << ", column " << c;
    }
  }
  /// The lines with the most numbers.
  static std::vector<std::vector<double>> rows(const fs::path& file) {
    std::vector<std::vector<double>> all;
    std::istringstream text(test::text_of(file));
    for (std::string line; std::getline(text, line);) {
      auto row = test::parted(line).first;
      if (!all.empty() && row.size() > all[0].size()) all.clear();
      if (!row.empty() && (all.empty() || row.size() == all[0].size())) all.push_back(std::move(row));
    }
    return all;
  }

  test::TemporaryFolder folder_;
};

INSTANTIATE_TEST_SUITE_P(Of, RankFaults,
                         testing::Combine(testing::ValuesIn(families),
                                          testing::Values("threads", "openmpi", "mpich")),
                         [](const auto& test) {
                           return std::get<0>(test.param).name + "_" + std::get<1>(test.param);
                         });

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
