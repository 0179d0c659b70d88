// `umov solve` as a user meets it.
#include <gtest/gtest.h>

#include "linalg/sparse/matrix_market.hpp"
#include "support/program.hpp"
#include "support/sparse_cases.hpp"

namespace umov {
namespace {

class SolveCommand : public testing::Test {
 protected:
  test::Ended solve(const std::string& arguments) { return test::run(folder, "solve " + arguments); }
  bool says(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

  test::TemporaryFolder folder;
};

TEST_F(SolveCommand, WritesTheSolutionAndSaysHowItWent) {
  const auto a = test::poisson(12);
  const auto exact = test::random_vector(a.rows, 1);
  sparse::write_matrix(folder / "A.mtx", a);
  sparse::write_vector(folder / "b.mtx", test::times(a, exact));
  const auto ended = solve("A.mtx b.mtx --cpu -o x.mtx");
  ASSERT_EQ(ended.code, 0) << ended.err;
  for (const char* word : {"1728 unknowns", "level 0", "operator complexity", "iterations, converged",
                           "memory", "|b - A x| / |b|", "written"})
    EXPECT_TRUE(says(ended.out, word)) << word << "\n" << ended.out;
  const auto x = sparse::read_vector(folder / "x.mtx");
  for (int i = 0; i < a.rows; ++i) ASSERT_NEAR(x[i], exact[i], 1e-10);
}

TEST_F(SolveCommand, WithoutARightHandSideItChecksItselfAgainstAKnownSolution) {
  sparse::write_matrix(folder / "A.mtx", test::poisson(8));
  for (const char* options : {"--serial", "--cpu --known random --smoother jacobi --degree 2",
                              "--cpu --precision double --theta 0.08"}) {
    const auto ended = solve(std::string("A.mtx ") + options);
    EXPECT_EQ(ended.code, 0) << ended.err;
    EXPECT_TRUE(says(ended.out, "|x - x_known|")) << ended.out;
  }
}

TEST_F(SolveCommand, NotConvergingIsExitCodeThreeAndTheSolutionIsStillWritten) {
  sparse::write_matrix(folder / "A.mtx", test::poisson(12));
  const auto ended = solve("A.mtx --cpu --max-iter 2 -o x.mtx");
  EXPECT_EQ(ended.code, 3);
  EXPECT_TRUE(says(ended.out, "not converged: the iteration limit was reached")) << ended.out;
  EXPECT_EQ(sparse::read_vector(folder / "x.mtx").size(), 1728u);
}

TEST_F(SolveCommand, BadInputIsNamed) {
  folder.write("text.mtx", "hello\n");
  folder.write("wide.mtx", "%%MatrixMarket matrix coordinate real general\n2 3 1\n1 1 1\n");
  folder.write("skew.mtx", "%%MatrixMarket matrix coordinate real general\n2 2 3\n1 1 1\n2 2 1\n1 2 5\n");
  folder.write("minus.mtx", "%%MatrixMarket matrix coordinate real symmetric\n2 2 2\n1 1 1\n2 2 -1\n");
  folder.write("good.mtx", "%%MatrixMarket matrix coordinate real symmetric\n2 2 2\n1 1 1\n2 2 1\n");
  folder.write("b3.mtx", "%%MatrixMarket matrix array real general\n3 1\n1\n2\n3\n");
  const struct {
    const char *arguments, *words;
  } cases[] = {{"text.mtx", "text.mtx:1: not a Matrix Market file"},
               {"wide.mtx", "wide.mtx: 2 rows but 3 columns"},
               {"skew.mtx", "skew.mtx: not symmetric (entry (1, 2) is 5"},
               {"minus.mtx", "minus.mtx: diagonal entry (2, 2) is -1"},
               {"none.mtx", "none.mtx: no such file"},
               {"good.mtx b3.mtx", "b3.mtx: 3 elements, but the matrix has 2 rows"},
               {"good.mtx --tol 2", "--tol 2"},
               {"good.mtx --smoother magic", "--smoother magic"},
               {"good.mtx --cpu --serial", "more than one of"},
               {"good.mtx --frequency 3", "umov solve --help"},
               {"", "umov solve --help"}};
  for (const auto& c : cases) {
    const auto ended = solve(c.arguments);
    EXPECT_EQ(ended.code, 2) << c.arguments;
    EXPECT_TRUE(says(ended.err, c.words)) << c.arguments << ": " << ended.err;
  }
}

TEST_F(SolveCommand, HelpListsTheOptions) {
  const auto ended = solve("--help");
  EXPECT_EQ(ended.code, 0);
  for (const char* option : {"--tol", "--theta", "--smoother", "--degree", "--precision", "--output"})
    EXPECT_TRUE(says(ended.out, option)) << option;
}

}  // namespace
}  // namespace umov
