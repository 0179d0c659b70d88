// `umov solve` on several ranks: threads and mpirun give the same x, say so, and end as one rank does.
#include <gtest/gtest.h>

#include <cmath>

#include "backend/gpus.hpp"
#include "linalg/sparse/matrix_market.hpp"
#include "support/program.hpp"
#include "support/ranked_program.hpp"
#include "support/sparse_cases.hpp"

namespace umov {
namespace {

bool says(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

/// The line that begins so.
std::string line_of(const std::string& text, const std::string& begin) {
  const auto at = text.find("\n" + begin);
  return at == std::string::npos ? "" : text.substr(at + 1, text.find('\n', at + 1) - at - 1);
}

class SolveRanks : public testing::Test {
 protected:
  void SetUp() override {
    const auto a = test::poisson(14);
    sparse::write_matrix(folder / "A.mtx", a);
    exact = test::random_vector(std::size_t(a.rows), 1);
    sparse::write_vector(folder / "b.mtx", test::times(a, exact));
  }
  test::Ended solve(const std::string& arguments) { return test::run(folder, "solve " + arguments); }

  test::TemporaryFolder folder;
  std::vector<double> exact;
};

TEST_F(SolveRanks, WriteTheSolutionOfOneRankAndSayWhatEachDid) {
  for (const std::string options : {"--cpu --ranks 2", "--serial --ranks 3", "--ranks 4 --backend cpu",
                                    "--cpu --ranks 9 --threads 1 --precision double --smoother jacobi"}) {
    const auto ended = solve("A.mtx b.mtx -o x.mtx " + options);
    ASSERT_EQ(ended.code, 0) << options << ended.err;
    for (const char* word : {"2744 unknowns", "level 0", ", on one rank", "iterations, converged",
                             "on the fullest rank", "ranks: ", "(threads)", "  rank 1: ", "written"})
      EXPECT_TRUE(says(ended.out, word)) << word << "\n" << ended.out;
    const auto x = sparse::read_vector(folder / "x.mtx");
    for (std::size_t i = 0; i < exact.size(); ++i) ASSERT_NEAR(x[i], exact[i], 1e-10) << options;
  }
  // one rank is one rank, however it is asked for
  const auto one = solve("A.mtx b.mtx --cpu --ranks 1");
  EXPECT_EQ(one.code, 0);
  EXPECT_FALSE(says(one.out, "ranks: ")) << one.out;
}

TEST_F(SolveRanks, PrintAsManyResidualsAsIterations) {
  const auto ended = solve("A.mtx b.mtx --cpu --ranks 3 --history");
  ASSERT_EQ(ended.code, 0) << ended.err;
  const std::string line = line_of(ended.out, "solve ");
  const int iterations = std::atoi(line.c_str() + line.find(" s, ") + 4);
  EXPECT_GT(iterations, 3) << line;
  EXPECT_TRUE(says(ended.out, "  0  1.000000e+00\n")) << ended.out;
  EXPECT_TRUE(says(ended.out, " " + std::to_string(iterations) + "  ")) << ended.out;
}

TEST_F(SolveRanks, EndWithTheCodesOfOneRank) {
  const auto limited = solve("A.mtx b.mtx --cpu --ranks 3 --max-iter 2 -o x.mtx");
  EXPECT_EQ(limited.code, 3);
  EXPECT_TRUE(says(limited.out, "not converged: the iteration limit was reached; raise --max-iter"))
      << limited.out;
  EXPECT_EQ(sparse::read_vector(folder / "x.mtx").size(), exact.size());
  folder.write("wide.mtx", "%%MatrixMarket matrix coordinate real general\n2 3 1\n1 1 1\n");
  const auto wide = solve("wide.mtx --cpu --ranks 3");
  EXPECT_EQ(wide.code, 2);
  EXPECT_TRUE(says(wide.err, "wide.mtx: 2 rows but 3 columns")) << wide.err;
  EXPECT_EQ(solve("none.mtx --ranks 2").code, 2);
}

TEST_F(SolveRanks, RefuseWhatTheyCannotBe) {
  const struct {
    const char *arguments, *words;
  } cases[] = {{"--ranks 2 --gpus 2", "--ranks and --gpus were both given"},
               {"--ranks 2 --gpu", "--ranks was given with a GPU"},
               {"--ranks 2 --device 0", "--ranks was given with a GPU"},
               {"--gpus 2 --cpu", "--gpus was given with backend 'cpu'"},
               {"--gpus 2 --serial", "--gpus was given with backend 'serial'"},
               {"--gpus 2 --device 1", "--gpus with --device"},
               {"--gpus some", "--gpus some: "},
               {"--gpus -2", "--gpus -2: "},
               {"--ranks -1", "--ranks -1: "},
               {"--ranks 2000", "--ranks 2000: "},
               {"--ranks two", "umov solve --help"}};
  for (const auto& c : cases) {
    const auto ended = solve(std::string("A.mtx b.mtx ") + c.arguments);
    EXPECT_EQ(ended.code, 2) << c.arguments;
    EXPECT_TRUE(says(ended.err, c.words)) << c.arguments << ": " << ended.err;
    EXPECT_EQ(ended.out, "") << c.arguments;
  }
  if (backend::usable_gpus().empty()) {
    const auto ended = solve("A.mtx b.mtx --gpus all");
    EXPECT_EQ(ended.code, 4);
    EXPECT_TRUE(says(ended.err, "there is no GPU to use here")) << ended.err;
  }
}

class SolveMpirun : public SolveRanks, public testing::WithParamInterface<std::string> {
 protected:
  void SetUp() override {
    if (test::mpirun(GetParam(), 2).empty())
      GTEST_SKIP() << "its mpirun is not here, or umov was built without it";
    SolveRanks::SetUp();
  }
  test::RankedEnd on(int ranks, const std::string& words) const {
    return test::umov_in(folder.path(), "solve " + words, test::mpirun(GetParam(), ranks));
  }
};
INSTANTIATE_TEST_SUITE_P(Of, SolveMpirun, testing::Values("openmpi", "mpich"),
                         [](const auto& test) { return test.param; });

TEST_P(SolveMpirun, HasTheBitsOfThreads) {
  ASSERT_EQ(solve("A.mtx b.mtx --cpu --ranks 3 -o threads.mtx").code, 0);
  const auto ended = on(3, "A.mtx b.mtx --cpu -o processes.mtx");
  ASSERT_EQ(ended.code, 0) << ended.text;
  EXPECT_EQ(ended.count("read in "), 1) << ended.text;  // the first rank alone talks
  EXPECT_EQ(ended.count("written "), 1) << ended.text;
  EXPECT_EQ(ended.count("ranks: 3 ("), 1) << ended.text;
  EXPECT_EQ(test::text_of(folder / "threads.mtx"), test::text_of(folder / "processes.mtx"));
}

TEST_P(SolveMpirun, SaysOnceWhyItEnds) {
  const auto limited = on(2, "A.mtx b.mtx --cpu --max-iter 2");
  EXPECT_EQ(limited.code, 3) << limited.text;
  EXPECT_EQ(limited.count("raise --max-iter"), 1) << limited.text;
  for (const auto& [words, why] : {std::pair{"none.mtx --cpu", "no such file"},
                                   {"A.mtx --frequency 3", "umov solve --help"},
                                   {"A.mtx b.mtx --cpu -o nowhere/x.mtx", "nowhere/x.mtx"}}) {
    const auto ended = on(2, words);
    EXPECT_EQ(ended.code, 2) << ended.text;
    EXPECT_EQ(ended.messages(), 1) << ended.text;
    EXPECT_EQ(ended.count(why), 1) << ended.text;
  }
}

}  // namespace
}  // namespace umov
