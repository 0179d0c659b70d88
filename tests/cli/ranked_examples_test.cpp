// Examples of all families on two processes of mpirun and on three ranks of one process: the files of one
// rank. The numbers beside all examples, on ranks, are held by the tests named Validate* of examples_test.cpp
// and family_examples_test.cpp.
#include "support/places.hpp"
#include "support/ranked_tables.hpp"

namespace umov::test {
namespace {

fs::path example(const std::string& name) {
  return umov::test::repository() / "examples" / name / "case.toml";
}

/// An example, cut short where it takes long.
class RankedExample : public testing::Test {
 protected:
  void take(const std::string& name,
            const std::vector<std::pair<std::string, std::string>>& changes = {}) const {
    std::string text = text_of(example(name));
    for (const auto& [from, to] : changes) {
      ASSERT_NE(text.find(from), std::string::npos) << from;
      text.replace(text.find(from), from.size(), to);
    }
    folder_.write("case.toml", text);
  }
  /// On one rank, by processes where an mpirun is here, and by threads: folders "one", "processes",
  /// "threads". Returns those of ranks.
  std::vector<fs::path> run(const std::string& words) const {
    std::vector<fs::path> folders;
    const auto one = [&](const std::string& to, const std::string& more, const std::string& before) {
      const RankedEnd ended =
          umov_in(folder_.path(), words + " --cpu --quiet --no-pictures --output-dir " + to + more, before);
      EXPECT_EQ(ended.code, 0) << to << ": " << ended.text;
      if (to != "one") {
        folders.push_back(folder_ / to);
        EXPECT_NE(text_of(folder_ / (to + "/log")).find("ranks: " + std::string(before.empty() ? "3" : "2")),
                  std::string::npos);
      }
    };
    one("one", "", "");
    one("threads", " --ranks 3", "");
    // where others use the cores, too, small messages of the first one come sooner
    for (const std::string mpi : {"mpich", "openmpi"})
      if (const std::string before = mpirun(mpi, 2); !before.empty() && folders.size() == 1)
        one("processes", "", before);
    return folders;
  }
  fs::path alone() const { return folder_ / "one"; }

  TemporaryFolder folder_;
};

/// Residuals of 1e-10.
TEST_F(RankedExample, OfDiscreteDipoles) {
  take("sphere");
  for (const auto& found : run("dda case.toml --epsilon 1e-10 --split particle --no-hdf5"))
    expect_same_files(alone(), found, 4);
}

/// Nothing is summed over ranks.
TEST_F(RankedExample, OfTheTimeDomain) {
  take("slab_etalon");
  for (const auto& found : run("fdtd case.toml --no-hdf5")) {
    EXPECT_EQ(names_in(alone()), names_in(found));
    for (const std::string table : {"flux-reflected.csv", "flux-transmitted.csv"}) {
      ASSERT_GT(text_of(alone() / table).size(), 1000u);
      EXPECT_EQ(text_of(alone() / table), text_of(found / table));
    }
  }
}

/// Newton to 1e-8, solves to 1e-12; steps are chosen by an error that these change by as little.
TEST_F(RankedExample, OfElectroquasistatics) {
  take("eqs_two_layers", {{"periods = 2", "periods = 0.1"},
                          {"times = [5e-3, 10e-3, 15e-3, 20e-3, 25e-3, 40e-3]", "times = [2e-3]"}});
  for (const auto& found : run("eqs case.toml --no-vtk --no-hdf5")) {
    EXPECT_EQ(names_in(alone()), names_in(found));
    for (const std::string table : {"electrodes.csv", "points.csv"}) {
      const auto [a, words] = parted(text_of(alone() / table));
      const auto [b, other_words] = parted(text_of(found / table));
      ASSERT_GT(a.size(), 100u);
      ASSERT_EQ(a.size(), b.size()) << table;
      EXPECT_EQ(words, other_words);
      double largest = 0;
      for (const double v : a) largest = std::max(largest, std::abs(v));
      for (std::size_t i = 0; i < a.size(); ++i) ASSERT_NEAR(a[i], b[i], 1e-6 * largest) << table;
    }
  }
}

}  // namespace
}  // namespace umov::test
