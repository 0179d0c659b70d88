// Good conductors that are tied weakly to the rest, rows of very different size: what is said of x must hold.
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "linalg/amg/dense.hpp"
#include "linalg/amg/solver.hpp"
#include "linalg/sparse/wide.hpp"
#include "support/sparse_cases.hpp"

namespace umov {
namespace {

amg::SolveRequest on_cpu() {
  amg::SolveRequest request;
  request.backend = "cpu";
  return request;
}

double true_residual(const sparse::HostCsr& a, const std::vector<double>& x, const std::vector<double>& b) {
  return double(sparse::norm(sparse::difference(b, sparse::times_wide(a, x))) / sparse::norm(b));
}
double error_of(const std::vector<double>& x, const std::vector<double>& exact) {
  return double(sparse::norm(sparse::difference(x, exact)) / sparse::norm(exact));
}

TEST(WeaklyTied, FourUnknownsAreSolvedToWhatTheDigitsOfTheMatrixSay) {
  for (const double e : {0.1, 0.01, 1e-3, 1e-4}) {
    const auto a = test::to_csr({{{0, 2.0}, {1, -1.0}},
                                 {{0, -1.0}, {1, 1 + e}, {2, -e}},
                                 {{1, -e}, {2, 1e9 + e}, {3, -1e9}},
                                 {{2, -1e9}, {3, 1e9}}},
                                4);
    const std::vector<double> b{0, 1, 0, 0.5};
    const auto s = amg::solve(a, b, on_cpu());
    // by hand from the entries as doubles: what the tie is in row 3 is 1e9 + e, rounded, less 1e9
    const long double tie = static_cast<long double>(1e9 + e) - 1e9L, own = 1 + e;
    const long double x1 = (1 + 0.5L * e / tie) / (own - 0.5L - static_cast<long double>(e) * e / tie),
                      x2 = (e * x1 + 0.5L) / tie;
    const std::vector<double> exact{double(x1 / 2), double(x1), double(x2), double(x2 + 0.5e-9L)};
    // extended precision, 5e-20, times the condition number, some 4e9 / e
    EXPECT_LT(error_of(s.x, exact), 1e-9 / e) << e;
    EXPECT_NEAR(true_residual(a, s.x, b) / s.info.residual, 1, 1e-3) << e;
    // x in double makes a residual of some 1e-16 1e9 |x|: --tol cannot be reached, and that is the reason
    EXPECT_FALSE(s.info.converged);
    EXPECT_NE(s.info.why_not.find("rounding of x alone"), std::string::npos) << s.info.why_not;
    // rounding of 1e9 is up to 1.2e-7 of the tie, half of it at random
    EXPECT_GT(s.error_of_length, 1e-9 / e) << e;
    EXPECT_LT(s.error_of_length, 1e-6 / e) << e;
    EXPECT_GT(s.condition, 1e9 / e);
    EXPECT_LT(s.condition, 1e10 / e);
  }
}

/// A grounded chain of ten and one of ten that conducts 1e9 times better, tied by e.
sparse::HostCsr two_chains(int n, double e, unsigned seed, bool grounded = true) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> decade(-1, 1);
  test::Rows rows(2 * n);
  const auto tie = [&](int i, int j, double c) {
    rows[i][i] += c, rows[j][j] += c;
    rows[i][j] -= c, rows[j][i] -= c;
  };
  if (grounded) rows[0][0] += 1;
  for (int i = 0; i + 1 < n; ++i) {
    tie(i, i + 1, std::pow(10, decade(random)));
    tie(n + i, n + i + 1, 1e9 * std::pow(10, decade(random)));
  }
  tie(n - 1, n, e);
  return test::to_csr(rows, 2 * n);
}

TEST(WeaklyTied, ChainsStateNoSmallerErrorThanTheyHave) {
  int solved = 0, all = 0;
  for (const int n : {10, 400})  // the longer ones are beyond elimination
    for (const double e : {1.0, 1e-2, 1e-4, 1e-6, 1e-8})
      for (const unsigned seed : {1u, 2u, 3u}) {
        const auto a = two_chains(n, e, seed);
        const auto x = test::random_vector(a.rows, seed);
        const auto b = test::times(a, x);
        const auto s = amg::solve(a, b, on_cpu());
        ++all;
        EXPECT_NEAR(true_residual(a, s.x, b) / s.info.residual, 1, 1e-2) << n << " " << e;
        if (!s.info.converged) {
          EXPECT_FALSE(s.info.why_not.empty());
          continue;
        }
        ++solved;
        if (s.note.find("the matrix is singular") != std::string::npos) {
          // every entry of the better chain, up to 2e10, is rounded to 1.1e-16 of itself; the roundings of
          // its n rows add up to a tie to ground at worst
          EXPECT_LE(e, 2 * n * 1.1e-16 * 2e10)
              << "the digits of the entries do not hide this tie: " << s.note;
          continue;
        }
        // b is rounded, too; what the digits leave open is estimated by random changes
        EXPECT_LT(error_of(s.x, x), 5 * s.error_of_length + 1e-14) << n << " " << e << " " << seed;
      }
  EXPECT_GE(solved, all / 3);
}

TEST(WeaklyTied, EliminationTellsRegularFromSingularInDigits) {
  using Kind = amg::DenseFactors::Kind;
  EXPECT_EQ(amg::DenseFactors(two_chains(10, 1e-3, 1), 1).kind(), Kind::definite);
  EXPECT_EQ(amg::DenseFactors(two_chains(10, 1e-9, 1), 1).kind(), Kind::singular_in_digits);
  EXPECT_EQ(amg::DenseFactors(two_chains(10, 1e-3, 1, false), 1).kind(), Kind::singular_in_digits);
  EXPECT_EQ(amg::DenseFactors(test::to_csr({{{0, 1.0}, {1, 2.0}}, {{0, 2.0}, {1, 1.0}}}, 2), 1).kind(),
            Kind::not_definite);
}

TEST(ScaledRows, TheResidualIsThatOfTheNumbersAsGivenAndXTheBestByIt) {
  auto a = test::poisson(9);
  std::mt19937 random(5);
  std::uniform_real_distribution<double> decade(-8, 8);
  std::vector<double> d(a.rows);
  for (double& v : d) v = std::pow(10, decade(random));
  for (int i = 0; i < a.rows; ++i)
    for (int k = a.start[i]; k < a.start[i + 1]; ++k) a.value[k] *= d[i] * d[a.column[k]];
  const auto b = test::random_vector(a.rows, 3);
  for (const int iterations : {3, 500}) {
    auto request = on_cpu();
    request.max_iterations = iterations;
    const auto s = amg::solve(a, b, request);
    EXPECT_NEAR(true_residual(a, s.x, b) / s.info.residual, 1, 1e-3) << iterations;
    EXPECT_LE(s.info.residual, 1) << "x = 0 is nearer";
    EXPECT_FALSE(s.info.converged);
    EXPECT_FALSE(s.info.why_not.empty());
  }
}

}  // namespace
}  // namespace umov
