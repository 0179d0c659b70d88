// Conjugate gradients: against dense solutions, and what they say when they cannot.
#include "linalg/pcg.hpp"

#include <gtest/gtest.h>

#include "backend/cpu/cpu.hpp"
#include "backend/serial/serial.hpp"
#include "support/sparse_cases.hpp"

namespace umov {
namespace {

using backend::Serial;

template <class P>
struct NoPreconditioner {
  std::size_t n;
  P scale = 1;
  void apply(const P* r, P* z) const {
    for (std::size_t i = 0; i < n; ++i) z[i] = scale * r[i];
  }
};

sparse::HostCsr small_spd(int n) {
  const Eigen::MatrixXd g = test::dense(test::random_matrix(n, n, 0.5, 7).view());
  const Eigen::MatrixXd a = g * g.transpose() + 0.5 * Eigen::MatrixXd::Identity(n, n);
  test::Rows rows(n);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) rows[i][j] = (a(i, j) + a(j, i)) / 2;
  return test::to_csr(rows, n);
}

template <class P, class Prec>
amg::SolveInfo solve(const sparse::HostCsr& a, Prec prec, const std::vector<double>& b,
                     std::vector<double>& x, linalg::PcgSettings settings = {}) {
  Serial dev;
  sparse::RowsOperator<Serial, double> op(dev, a.view());
  linalg::Pcg<Serial, P> pcg(dev, a.rows);
  return pcg.solve(op, prec, b.data(), x.data(), settings);
}

TEST(ConjugateGradients, SolveWhatADenseFactorisationSolves) {
  const int n = 40;
  const auto a = small_spd(n);
  const auto b = test::random_vector(n, 1);
  std::vector<double> x(n, 0.3);  // the start counts
  const auto info = solve<double>(a, NoPreconditioner<double>{40}, b, x);
  ASSERT_TRUE(info.converged) << info.why_not;
  const Eigen::VectorXd exact =
      test::dense(a.view()).ldlt().solve(Eigen::Map<const Eigen::VectorXd>(b.data(), n));
  // error <= condition number (about 500) times the residual
  for (int i = 0; i < n; ++i) EXPECT_NEAR(x[i], exact[i], 1e-9);
}

TEST(ConjugateGradients, TakeResidualsFarBelowSinglePrecisionsSmallestNumber) {
  // right-hand side 1e-40, to 1e-12 of it, through a single-precision preconditioner: it sees scaled
  // residuals
  const auto a = test::poisson(8);
  auto b = test::random_vector(a.rows, 1);
  for (double& v : b) v *= 1e-40;
  std::vector<double> x(a.rows, 0.0);
  const auto info = solve<float>(a, NoPreconditioner<float>{std::size_t(a.rows)}, b, x);
  EXPECT_TRUE(info.converged) << info.why_not;
  EXPECT_LE(info.residual, 1e-12);
}

TEST(ConjugateGradients, AnswerDoesNotDependOnHowOftenTheHostLooks) {
  const auto a = test::poisson(9);
  const auto b = test::random_vector(a.rows, 1);
  std::vector<double> once(a.rows, 0.0), seldom(a.rows, 0.0);
  linalg::PcgSettings settings;
  const auto one = solve<float>(a, NoPreconditioner<float>{std::size_t(a.rows)}, b, once, settings);
  settings.check_every = 7;
  const auto seven = solve<float>(a, NoPreconditioner<float>{std::size_t(a.rows)}, b, seldom, settings);
  EXPECT_EQ(one.iterations, seven.iterations);
  EXPECT_EQ(once, seldom);
}

TEST(ConjugateGradients, ZeroRightHandSideGivesZero) {
  const auto a = test::poisson(4);
  std::vector<double> x(a.rows, 5.0);
  const auto info =
      solve<double>(a, NoPreconditioner<double>{std::size_t(a.rows)}, std::vector<double>(a.rows, 0.0), x);
  EXPECT_TRUE(info.converged);
  EXPECT_EQ(x, std::vector<double>(a.rows, 0.0));
}

TEST(ConjugateGradients, NameAnIndefiniteMatrix) {
  auto a = test::poisson(5);
  for (double& v : a.value) v = -v;
  std::vector<double> x(a.rows, 0.0);
  const auto info =
      solve<double>(a, NoPreconditioner<double>{std::size_t(a.rows)}, test::random_vector(a.rows, 1), x);
  EXPECT_FALSE(info.converged);
  EXPECT_NE(info.why_not.find("matrix is not positive definite"), std::string::npos) << info.why_not;
}

TEST(ConjugateGradients, NameAnIndefinitePreconditioner) {
  const auto a = test::poisson(5);
  std::vector<double> x(a.rows, 0.0);
  const auto info =
      solve<double>(a, NoPreconditioner<double>{std::size_t(a.rows), -1}, test::random_vector(a.rows, 1), x);
  EXPECT_FALSE(info.converged);
  EXPECT_NE(info.why_not.find("preconditioner is not positive definite"), std::string::npos) << info.why_not;
}

TEST(ConjugateGradients, NameWhatIsNotANumber) {
  auto a = test::poisson(5);
  auto b = test::random_vector(a.rows, 1);
  std::vector<double> x(a.rows, 0.0);
  a.value[17] = std::nan("");
  auto info = solve<double>(a, NoPreconditioner<double>{std::size_t(a.rows)}, b, x);
  EXPECT_FALSE(info.converged);
  EXPECT_NE(info.why_not.find("NaN"), std::string::npos) << info.why_not;
  b[3] = std::nan("");
  info = solve<double>(test::poisson(5), NoPreconditioner<double>{std::size_t(a.rows)}, b, x);
  EXPECT_FALSE(info.converged);
  EXPECT_NE(info.why_not.find("right-hand side"), std::string::npos) << info.why_not;
}

TEST(ConjugateGradients, SayWhenTheLimitOfIterationsOrOfPrecisionIsReached) {
  const auto a = test::poisson(10);
  const auto b = test::random_vector(a.rows, 1);
  linalg::PcgSettings settings;
  settings.max_iterations = 3;
  std::vector<double> x(a.rows, 0.0);
  auto info = solve<double>(a, NoPreconditioner<double>{std::size_t(a.rows)}, b, x, settings);
  EXPECT_FALSE(info.converged);
  EXPECT_EQ(info.iterations, 3);
  EXPECT_NE(info.why_not.find("limit"), std::string::npos) << info.why_not;
  settings.max_iterations = 2000, settings.tolerance = 1e-18;
  info = solve<double>(a, NoPreconditioner<double>{std::size_t(a.rows)}, b, x, settings);
  EXPECT_FALSE(info.converged);
  EXPECT_NE(info.why_not.find("stagnates"), std::string::npos) << info.why_not;
  EXPECT_LT(info.residual, 1e-14);
}

}  // namespace
}  // namespace umov
