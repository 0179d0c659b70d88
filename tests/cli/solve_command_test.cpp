// `umov solve` as a user meets it.
#include <gtest/gtest.h>

#include <cmath>

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
  EXPECT_TRUE(says(ended.out, "not converged: the iteration limit was reached; raise --max-iter"))
      << ended.out;
  EXPECT_EQ(sparse::read_vector(folder / "x.mtx").size(), 1728u);
}

/// The seven-point Laplacian without a wall at a value: ones are what it maps to 0.
sparse::HostCsr natural_poisson(int n) {
  sparse::HostCsr a = test::poisson(n);
  for (int i = 0; i < a.rows; ++i) {
    double others = 0;
    int diagonal = 0;
    for (int k = a.start[i]; k < a.start[i + 1]; ++k) {
      if (a.column[k] == i)
        diagonal = k;
      else
        others += a.value[k];
    }
    a.value[diagonal] = -others;
  }
  return a;
}

/// The number behind |b - A x| / |b| = in the output.
double printed_residual(const std::string& out) {
  const auto at = out.find("|b - A x| / |b| = ");
  return at == std::string::npos ? NAN : std::strtod(out.c_str() + at + 18, nullptr);
}

TEST_F(SolveCommand, SingularSystemsWithoutASolutionSaySoAndKeepTheXOfTheLeastResidual) {
  const auto a = natural_poisson(9);
  sparse::write_matrix(folder / "A.mtx", a);
  auto b = test::random_vector(a.rows, 5);
  for (double& v : b) v += 0.3;
  sparse::write_vector(folder / "b.mtx", b);
  double sum = 0, square = 0;
  for (const double v : b) sum += v, square += v * v;
  const double least = std::abs(sum) / std::sqrt(a.rows * square);  // of b along ones
  for (const char* options : {"--cpu", "--serial --precision double", "--cpu --max-iter 60"}) {
    const auto ended = solve(std::string("A.mtx b.mtx -o x.mtx ") + options);
    EXPECT_EQ(ended.code, 3) << ended.out;
    EXPECT_TRUE(says(ended.out, "the matrix is singular (1 independent vector found")) << ended.out;
    // three digits and the sign of rounding are printed
    EXPECT_NEAR(printed_residual(ended.out), least, 1e-3 * least);
    // what is left over is constant: the residual of least squares
    const auto x = sparse::read_vector(folder / "x.mtx");
    const auto ax = test::times(a, x);
    for (int i = 0; i < a.rows; ++i) ASSERT_NEAR(b[i] - ax[i], sum / a.rows, 1e-9);
  }
  // with a solution it is found, as ever
  for (double& v : b) v -= sum / a.rows;
  sparse::write_vector(folder / "b.mtx", b);
  EXPECT_EQ(solve("A.mtx b.mtx --cpu").code, 0);
}

TEST_F(SolveCommand, BlocksThatAreSingularEachAreAllFound) {
  folder.write(
      "A.mtx",
      "%%MatrixMarket matrix coordinate real symmetric\n5 5 8\n1 1 1\n2 1 -1\n2 2 1\n3 3 2\n4 3 -2\n4 4 2\n"
      "5 5 3\n3 1 0\n");
  folder.write("b.mtx", "%%MatrixMarket matrix array real general\n5 1\n1\n1\n2\n0\n6\n");
  const auto ended = solve("A.mtx b.mtx --serial -o x.mtx");
  EXPECT_EQ(ended.code, 3) << ended.out;
  EXPECT_TRUE(says(ended.out, "2 independent vectors found")) << ended.out;
  const auto x = sparse::read_vector(folder / "x.mtx");
  EXPECT_NEAR(x[0] - x[1], 0, 1e-10);    // of (1, 1) nothing is reached
  EXPECT_NEAR(x[2] - x[3], 0.5, 1e-10);  // (1, -1) of (2, 0) is
  EXPECT_NEAR(x[4], 2, 1e-10);
}

TEST_F(SolveCommand, TinyAndHugeNumbersNeitherVanishNorOverflow) {
  const auto exact = test::random_vector(512, 7);
  for (const double of_a : {1e-300, 1e-160, 1e160, 1e300})
    for (const double of_x : {1e-8, 1.0, 1e5}) {
      auto a = test::poisson(8);
      for (double& v : a.value) v *= of_a;
      auto x = exact;
      for (double& v : x) v *= of_x;
      sparse::write_matrix(folder / "A.mtx", a);
      sparse::write_vector(folder / "b.mtx", test::times(a, x));
      const auto ended = solve("A.mtx b.mtx --cpu -o x.mtx");
      EXPECT_EQ(ended.code, 0) << of_a << " " << of_x << ended.out << ended.err;
      // numbers of 1e-308 have fewer digits
      EXPECT_LT(printed_residual(ended.out), 1e-12) << of_a << " " << of_x;
      EXPECT_GT(printed_residual(ended.out), 0) << of_a << " " << of_x;
      const auto found = sparse::read_vector(folder / "x.mtx");
      for (int i = 0; i < 512; ++i) ASSERT_NEAR(found[i], x[i], 1e-9 * of_x) << of_a;
    }
  // a solution that no double holds is said, not called converged
  for (const auto& [of_a, of_b, word] : {std::tuple{1e300, 1e-300, "below"}, {1e-300, 1e300, "beyond"}}) {
    auto a = test::poisson(8);
    auto b = exact;
    for (double& v : a.value) v *= of_a;
    for (double& v : b) v *= of_b;
    sparse::write_matrix(folder / "A.mtx", a);
    sparse::write_vector(folder / "b.mtx", b);
    const auto ended = solve("A.mtx b.mtx --cpu");
    EXPECT_EQ(ended.code, 3) << ended.out;
    EXPECT_TRUE(says(ended.out, std::string("the solution is ") + word + " what a double holds"))
        << ended.out;
  }
  // an unsolved one says so with a residual, not with 0
  auto a = test::poisson(8);
  sparse::write_matrix(folder / "A.mtx", a);
  auto b = exact;
  for (double& v : b) v *= 1e-300;
  sparse::write_vector(folder / "b.mtx", b);
  const auto ended = solve("A.mtx b.mtx --cpu --max-iter 1");
  EXPECT_EQ(ended.code, 3) << ended.out;
  EXPECT_GT(printed_residual(ended.out), 1e-6) << ended.out;
  EXPECT_LE(printed_residual(ended.out), 1) << ended.out;  // x = 0 has 1
}

TEST_F(SolveCommand, SaysHowExactTheSolutionIs) {
  sparse::write_matrix(folder / "A.mtx", test::poisson(8));
  EXPECT_TRUE(says(solve("A.mtx --cpu").out, "accuracy   x is off by about "));
  // Rows over 16 decades: small elements of x are found, too, as far as the digits of b hold them, and that
  // is said.
  auto a = test::poisson(8);
  for (int i = 0; i < a.rows; ++i)
    for (int k = a.start[i]; k < a.start[i + 1]; ++k)
      a.value[k] *= std::pow(10, (i * 7 % 17 - 8) + (a.column[k] * 7 % 17 - 8));
  sparse::write_matrix(folder / "D.mtx", a);
  const auto ended = solve("D.mtx --cpu");
  EXPECT_EQ(ended.code, 0) << ended.out;
  EXPECT_TRUE(says(ended.out, "rows and columns are scaled to unit diagonal")) << ended.out;
  EXPECT_TRUE(says(ended.out, "condition  number about ")) << ended.out;
  const auto number = [&](const std::string& before) {
    const auto at = ended.out.find(before);
    return at == std::string::npos ? NAN : std::strtod(ended.out.c_str() + at + before.size(), nullptr);
  };
  const double error = number("|x_known| = "), expected = number("determine x to about ");
  EXPECT_LT(error, 0.1) << ended.out;
  EXPECT_LT(error, 100 * expected) << ended.out;  // an estimate with random signs
  // what the digits leave open by more than a hundredth stands at the end, where it is seen
  EXPECT_EQ(says(ended.err, "warning: the residual is below --tol, but x may be off by"), expected > 1e-2)
      << ended.err;
  EXPECT_GT(expected, 1e-2) << ended.out;
  EXPECT_FALSE(says(solve("A.mtx --cpu").err, "warning"));
  // of x = 0 no share can be told: nothing is said, not 0
  sparse::write_vector(folder / "zero.mtx", std::vector<double>(a.rows, 0.0));
  const auto nothing = solve("D.mtx zero.mtx --cpu");
  EXPECT_EQ(nothing.code, 0) << nothing.out;
  EXPECT_TRUE(says(nothing.out, "condition  number about ")) << nothing.out;
  EXPECT_FALSE(says(nothing.out, "determine x to about")) << nothing.out;
}

TEST_F(SolveCommand, RepeatedEntriesAreAddedAndThatIsSaid) {
  const std::string head = "%%MatrixMarket matrix coordinate real symmetric\n2 2 ";
  folder.write("twice.mtx", head + "4\n1 1 1\n1 1 1\n2 1 -1\n2 2 2\n");
  folder.write("once.mtx", head + "3\n1 1 2\n2 1 -1\n2 2 2\n");
  folder.write("b.mtx", "%%MatrixMarket matrix array real general\n2 1\n1\n1\n");
  const auto ended = solve("twice.mtx b.mtx --serial -o x.mtx");
  EXPECT_EQ(ended.code, 0) << ended.out;
  EXPECT_TRUE(says(ended.out, "repeated   1 entries")) << ended.out;
  for (const double x : sparse::read_vector(folder / "x.mtx")) EXPECT_NEAR(x, 1, 1e-12);
  EXPECT_FALSE(says(solve("once.mtx b.mtx --serial").out, "repeated"));
}

TEST_F(SolveCommand, ANegativeDefiniteMatrixIsSolved) {
  auto a = test::poisson(8);
  for (double& v : a.value) v = -v;
  sparse::write_matrix(folder / "A.mtx", a);
  const auto ended = solve("A.mtx --cpu");
  EXPECT_EQ(ended.code, 0) << ended.out;
  EXPECT_TRUE(says(ended.out, "the diagonal is negative: -A x = -b is solved")) << ended.out;
}

TEST_F(SolveCommand, BadInputIsNamed) {
  folder.write("complex.mtx", "%%MatrixMarket matrix coordinate complex symmetric\n1 1 1\n1 1 1 0\n");
  folder.write("pattern.mtx", "%%MatrixMarket matrix coordinate pattern symmetric\n1 1 1\n1 1\n");
  folder.write("hermitian.mtx", "%%MatrixMarket matrix coordinate real hermitian\n1 1 1\n1 1 1\n");
  folder.write("empty.mtx", "%%MatrixMarket matrix coordinate real general\n0 0 0\n");
  folder.write("zero.mtx", "%%MatrixMarket matrix coordinate real general\n2 2 1\n1 1 1\n");
  folder.write("cross.mtx", "%%MatrixMarket matrix coordinate real symmetric\n2 2 3\n1 1 1\n2 1 2\n2 2 1\n");
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
               {"complex.mtx", "complex.mtx:1: field 'complex' is not read"},
               {"pattern.mtx", "pattern.mtx:1: field 'pattern' is not read"},
               {"hermitian.mtx", "hermitian.mtx:1: symmetry 'hermitian' is not read"},
               {"empty.mtx", "empty.mtx: no rows"},
               {"zero.mtx", "zero.mtx: diagonal entry (2, 2) is 0, as all of row 2"},
               {"cross.mtx", "cross.mtx: entry (1, 2) is 2, more than the square root"},
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
