// The real program on several ranks: under mpirun and with --ranks its files are those of one rank.
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cstdlib>

#include "support/fdtd_pulse.hpp"

namespace umov::fdtd::test {
namespace {

namespace fs = std::filesystem;

using umov::test::pulse_case;
using umov::test::tables;

/// Words that make it short.
const std::string case_words = "case.toml --cpu --steps 300 ", quiet_case = case_words + "--quiet ";

struct Mpi {
  std::string name, version, options;
};
void PrintTo(const Mpi& mpi, std::ostream* to) { *to << mpi.name; }
const Mpi open_mpi{"openmpi", "Open MPI",
                   "OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 "
                   "OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_mpi_yield_when_idle=1"};
const Mpi mpich{"mpich", "HYDRA", ""};

/// Its mpirun; "" where it is not here, or umov was built without it.
std::string launcher(const Mpi& mpi) {
  if (!fs::exists(fs::path(UMOV_BINARY).parent_path() / ("libumov_" + mpi.name + ".so"))) return "";
  for (const std::string& name : {"mpirun." + mpi.name, std::string("mpirun")})
    if (std::system((name + " --version 2>/dev/null | grep -q '" + mpi.version + "'").c_str()) == 0)
      return name;
  return "";
}

/// Exit code of a command line in a folder; what it says goes to `said`.
int shell(const fs::path& folder, const std::string& line, std::string* said = nullptr) {
  const int status =
      std::system(("cd " + folder.string() + " && " + line + " > said 2>&1 < /dev/null").c_str());
  if (said) *said = umov::test::text_of(folder / "said");
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

class FdtdMpirun : public testing::TestWithParam<Mpi> {
 protected:
  void SetUp() override {
    if (launcher(GetParam()).empty()) GTEST_SKIP() << "its mpirun is not here, or umov was built without it";
    folder_.write("case.toml", pulse_case);
    ASSERT_EQ(shell(folder_.path(), umov("--output-dir one")), 0);
  }
  static std::string umov(const std::string& rest) {
    return "OMP_NUM_THREADS=1 " + std::string(UMOV_BINARY) + " fdtd " + quiet_case + rest;
  }
  std::string mpirun(int ranks, const std::string& rest) const {
    return GetParam().options + " OMP_NUM_THREADS=1 timeout 100 " + launcher(GetParam()) + " -n " +
           std::to_string(ranks) + " " + UMOV_BINARY + " fdtd " + rest;
  }
  umov::test::TemporaryFolder folder_;
};
INSTANTIATE_TEST_SUITE_P(Of, FdtdMpirun, testing::Values(open_mpi, mpich),
                         [](const auto& test) { return test.param.name; });

TEST_P(FdtdMpirun, WritesTheFilesOfOneRank) {
  std::string said;
  ASSERT_EQ(shell(folder_.path(), mpirun(3, quiet_case + "--output-dir three"), &said), 0) << said;
  const auto right = tables(folder_ / "one");
  ASSERT_FALSE(right.empty());
  EXPECT_TRUE(tables(folder_ / "three") == right);
  EXPECT_NE(umov::test::text_of(folder_ / "three/log").find("ranks: 3 ("), std::string::npos);
}

TEST_P(FdtdMpirun, TakesBothRunsOfAPairSideBySide) {
  std::string said;
  ASSERT_EQ(shell(folder_.path(), umov("--normalize --output-dir pair")), 0);
  for (const auto& [ranks, split] : {std::pair(2, "runs"), std::pair(3, "runs"), std::pair(2, "grid")}) {
    const std::string out = std::to_string(ranks) + split;
    const std::string words = quiet_case + "--normalize --split " + split + " --output-dir " + out;
    ASSERT_EQ(shell(folder_.path(), mpirun(ranks, words), &said), 0) << said;
    EXPECT_TRUE(tables(folder_ / out) == tables(folder_ / "pair")) << out;
    EXPECT_EQ(umov::test::text_of(folder_ / out / "log").find("pair: side by side") != std::string::npos,
              split == std::string("runs"));
  }
}

TEST_P(FdtdMpirun, ABadCaseIsRefusedOnce) {
  folder_.write("bad.toml", "[domain]\nsize = [3, 2.3]\nresolution = 20\n");
  std::string said;
  EXPECT_EQ(shell(folder_.path(), mpirun(3, "bad.toml --output-dir bad"), &said), 2) << said;
  std::size_t times = 0;
  for (auto at = said.find("umov: "); at != std::string::npos; at = said.find("umov: ", at + 1)) ++times;
  EXPECT_EQ(times, 1u) << said;
  EXPECT_FALSE(fs::exists(folder_ / "bad"));
}

TEST_P(FdtdMpirun, WhatOneRankComputesIsRefusedByName) {
  std::string said;
  EXPECT_EQ(shell(folder_.path(), mpirun(2, case_words + "--view"), &said), 2) << said;
  EXPECT_NE(said.find("a run with a view cannot be computed on several ranks"), std::string::npos) << said;
}

TEST(FdtdRanksOption, WritesTheFilesOfOneRank) {
  const umov::test::TemporaryFolder folder;
  folder.write("case.toml", pulse_case);
  const std::string umov = "OMP_NUM_THREADS=1 " + std::string(UMOV_BINARY) + " fdtd ";
  std::string said;
  ASSERT_EQ(shell(folder.path(), umov + quiet_case + "--output-dir one", &said), 0) << said;
  ASSERT_EQ(shell(folder.path(), umov + quiet_case + "--ranks 4 --output-dir four", &said), 0) << said;
  EXPECT_TRUE(tables(folder / "four") == tables(folder / "one"));
  EXPECT_NE(umov::test::text_of(folder / "four/log").find("ranks: 4 (threads)"), std::string::npos);
  EXPECT_EQ(shell(folder.path(), umov + case_words + "--dry-run --ranks 4", &said), 0);
  EXPECT_NE(said.find("# rank 3: planes "), std::string::npos) << said;
  EXPECT_EQ(shell(folder.path(), umov + case_words + "--ranks 2 --view", &said), 2);
  EXPECT_NE(said.find("a run with a view cannot be computed on several ranks"), std::string::npos) << said;
}

}  // namespace
}  // namespace umov::fdtd::test
