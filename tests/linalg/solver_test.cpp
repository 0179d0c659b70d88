// The linear solver as a library: checks, solutions, many right-hand sides, the way back to double precision.
#include "linalg/amg/solver.hpp"

#include <gtest/gtest.h>

#include "core/error.hpp"
#include "support/sparse_cases.hpp"

namespace umov {
namespace {

std::string refusal(const sparse::HostCsr& a) {
  try {
    amg::check_system(a, "A");
  } catch (const BadInput& e) {
    return e.what();
  }
  return "accepted";
}

TEST(LinearSystem, NamesWhatMakesItUnfit) {
  using test::to_csr;
  EXPECT_EQ(refusal(test::poisson(4)), "accepted");
  EXPECT_NE(refusal(to_csr({{{0, 1.0}}, {{1, 1.0}}}, 3)).find("2 rows but 3 columns"), std::string::npos);
  EXPECT_NE(refusal(to_csr({}, 0)).find("no rows"), std::string::npos);
  EXPECT_NE(refusal(to_csr({{{0, 1.0}, {1, 0.5}}, {{0, 0.4}, {1, 1.0}}}, 2))
                .find("not symmetric (entry (1, 2) is 0.5, entry (2, 1) is 0.4)"),
            std::string::npos);
  EXPECT_NE(refusal(to_csr({{{0, 1.0}, {2, 0.5}}, {{1, 1.0}}, {{2, 1.0}}}, 3)).find("(1, 3) is 0.5"),
            std::string::npos);
  EXPECT_NE(refusal(to_csr({{{0, 1.0}}, {{1, 1.0}}, {{0, 0.5}, {2, 1.0}}}, 3)).find("(3, 1) is 0.5"),
            std::string::npos);
  EXPECT_NE(refusal(to_csr({{{0, 1.0}}, {{1, -2.0}}}, 2)).find("diagonal entry (2, 2) is -2"),
            std::string::npos);
  EXPECT_NE(refusal(to_csr({{{0, 1.0}}, {}}, 2)).find("diagonal entry (2, 2) is 0"), std::string::npos);
  EXPECT_NE(refusal(to_csr({{{0, 1.0}}, {{1, std::nan("")}}}, 2)).find("entry (2, 2) is nan"),
            std::string::npos);
  auto unsorted = test::poisson(3);
  std::swap(unsorted.column[0], unsorted.column[1]);
  EXPECT_NE(refusal(unsorted).find("row 1 are out of order"), std::string::npos);
}

TEST(LinearSystem, IsSolvedOnEveryHostBackendInBothPrecisions) {
  const auto a = test::poisson(18);
  const auto exact = test::random_vector(a.rows, 2);
  const auto b = test::times(a, exact);
  for (const char* backend : {"serial", "cpu"})
    for (const bool single : {false, true}) {
      amg::SolveRequest request;
      request.backend = backend;
      request.options.single_precision = single;
      const auto s = amg::solve(a, b, request);
      ASSERT_TRUE(s.info.converged) << s.info.why_not;
      EXPECT_TRUE(s.note.empty()) << s.note;
      EXPECT_GT(s.bytes, a.column.size() * 12);
      EXPECT_EQ(int(s.history.size()), s.info.iterations + 1);
      // the condition number is about 150
      for (int i = 0; i < a.rows; ++i) ASSERT_NEAR(s.x[i], exact[i], 1e-9);
    }
}

TEST(LinearSystem, TakesEntriesFarOutsideSinglePrecision) {
  auto a = test::poisson(12);
  for (const double scale : {1e-60, 1e60}) {
    auto scaled = a;
    for (double& v : scaled.value) v *= scale;
    const auto exact = test::random_vector(a.rows, 2);
    amg::SolveRequest request;
    request.backend = "cpu";
    const auto s = amg::solve(scaled, test::times(scaled, exact), request);
    ASSERT_TRUE(s.info.converged) << s.info.why_not;
    EXPECT_TRUE(s.note.empty()) << s.note;
    for (int i = 0; i < a.rows; ++i) ASSERT_NEAR(s.x[i], exact[i], 1e-9);
  }
}

TEST(LinearSystem, OneMatrixServesManyRightHandSidesAndNewValues) {
  auto a = test::poisson(16);
  amg::SolveRequest request;
  request.backend = "cpu";
  const auto solver = amg::make_linear_solver(request);
  solver->setup(a);
  for (int k = 0; k < 3; ++k) {
    if (k == 2) {
      for (double& v : a.value) v *= 2.5;
      solver->refresh(a, amg::Refresh::galerkin);
    }
    const auto exact = test::random_vector(a.rows, k);
    std::vector<double> x(a.rows, 0.0);
    const auto info = solver->solve(test::times(a, exact), x);
    ASSERT_TRUE(info.converged) << info.why_not;
    for (int i = 0; i < a.rows; ++i) ASSERT_NEAR(x[i], exact[i], 1e-9);
  }
  EXPECT_THROW(solver->refresh(test::poisson(5), amg::Refresh::finest), BadInput);
}

TEST(LinearSystem, AnIndefiniteMatrixIsNamedAndNotSolved) {
  // positive diagonal, but eigenvalues 1 +- 2
  const auto a = test::to_csr({{{0, 1.0}, {1, 2.0}}, {{0, 2.0}, {1, 1.0}}}, 2);
  amg::SolveRequest request;
  request.backend = "serial";
  const auto s = amg::solve(a, {1, -1}, request);
  EXPECT_FALSE(s.info.converged);
  EXPECT_NE(s.info.why_not.find("not positive definite"), std::string::npos) << s.info.why_not;
}

TEST(LinearSystem, RefusesUnknownBackendsAndWrongRightHandSides) {
  const auto a = test::poisson(3);
  amg::SolveRequest request;
  request.backend = "abacus";
  EXPECT_THROW(amg::solve(a, std::vector<double>(a.rows, 1.0), request), BadInput);
  request.backend = "serial";
  EXPECT_THROW(amg::solve(a, {1, 2}, request), BadInput);
  std::vector<double> b(a.rows, 1.0);
  b[4] = INFINITY;
  EXPECT_THROW(amg::solve(a, b, request), BadInput);
}

}  // namespace
}  // namespace umov
