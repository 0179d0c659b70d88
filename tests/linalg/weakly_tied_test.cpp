// Good conductors that are tied weakly to the rest, rows of very different size: what is said of x must hold.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
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

/// A chain between two grounds with 3 everywhere but a link of 3 2^p in the middle, and a b of size 1 whose
/// solution is `thirds` / 3 without rounding: multiples of 2^-46 below 16, which b = A x / 3 holds exactly.
struct ChainWithOneLink {
  sparse::HostCsr a;
  std::vector<double> b, thirds;
};
ChainWithOneLink chain_with_one_link(int n, int p, unsigned seed) {
  std::mt19937_64 random(seed);
  std::uniform_int_distribution<std::int64_t> any(-(std::int64_t(1) << 49), std::int64_t(1) << 49);
  std::vector<std::int64_t> x(n);
  for (auto& v : x) v = any(random);
  const int middle = n / 2;
  x[middle + 1] = x[middle] + (std::int64_t(3) << (46 - p));  // a flux of 3
  ChainWithOneLink c;
  test::Rows rows(n);
  c.b.assign(n, 0.0);
  for (int i = 0; i <= n; ++i) {  // the link from i - 1 to i
    const bool good = i == middle + 1;
    const double w = good ? std::ldexp(1.0, p) : 1;
    const std::int64_t before = i > 0 ? x[i - 1] : 0, after = i < n ? x[i] : 0;
    const double flux = std::ldexp(double(after - before), good ? p - 46 : -46);
    if (i < n) rows[i][i] += 3 * w, c.b[i] += flux;
    if (i > 0) rows[i - 1][i - 1] += 3 * w, c.b[i - 1] -= flux;
    if (i > 0 && i < n) rows[i][i - 1] = rows[i - 1][i] = -3 * w;
  }
  c.a = test::to_csr(rows, n);
  for (const auto v : x) c.thirds.push_back(std::ldexp(double(v), -46));
  return c;
}

/// What x rounded to double is off by is known to the digits of extended precision; it was stated from the
/// rounding alone, while the elimination had lost the condition number of them.
TEST(WeaklyTied, EliminationStatesTheErrorThatItsXHas) {
  for (const int p : {13, 24, 27, 33, 40, 46})
    for (const unsigned seed : {1u, 2u, 3u}) {
      const auto c = chain_with_one_link(60, p, seed);
      const auto s = amg::solve(c.a, c.b, on_cpu());
      ASSERT_NE(s.note.find("elimination"), std::string::npos) << p << " " << s.note;
      sparse::Wide e(c.thirds.begin(), c.thirds.end()), x = e;
      for (std::size_t i = 0; i < e.size(); ++i) x[i] /= 3, e[i] = s.x[i] - x[i];
      const auto energy = [&](const sparse::Wide& v) {
        return std::sqrt(sparse::dot_wide(v, sparse::times_wide(c.a, v)));
      };
      const double in_energy = double(energy(e) / energy(x)),
                   in_length = double(sparse::norm(e) / sparse::norm(x));
      // x / 3 in extended precision is right to 2000th of a rounding of double
      EXPECT_NEAR(in_energy / s.error, 1, 0.01) << p << " " << seed;
      EXPECT_LT(in_length, 0x1p-53) << p << " " << seed;
      EXPECT_GE(s.error_of_length, 0.99 * in_length) << p << " " << seed;
    }
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
