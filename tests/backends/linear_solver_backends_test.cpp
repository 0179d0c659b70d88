// The multigrid solver gives the same levels on every backend, also where rows are long.
#include <gtest/gtest.h>

#include <cmath>

#include "backend/registry.hpp"
#include "linalg/amg/solver.hpp"
#include "support/sparse_cases.hpp"

namespace umov {
namespace {

bool cuda_is_missing(std::string& why) {
  for (const auto& b : backend::list_backends())
    if (b.name == "cuda") {
      why = b.why_not;
      return !b.available;
    }
  return true;
}

/// A grid of which one unknown (a conductor) touches every `every`-th node, and the diagonal grows with it.
sparse::HostCsr with_conductor(int m, int every) {
  const auto grid = test::poisson(m);
  test::Rows rows(grid.rows + 1);
  for (int i = 0; i < grid.rows; ++i)
    for (int k = grid.start[i]; k < grid.start[i + 1]; ++k) rows[i][grid.column[k]] = grid.value[k];
  auto& own = rows[grid.rows];
  own[grid.rows] = 0.5;
  for (int i = 0; i < grid.rows; i += every) {
    rows[i][grid.rows] = own[i] = -0.3;
    rows[i][i] += 0.3, own[grid.rows] += 0.3;
  }
  return test::to_csr(rows, grid.rows + 1);
}

struct SolvedSystem {
  amg::SetupInfo setup;
  amg::SolveInfo info;
  std::vector<double> x;
  amg::SolveInfo again;  // after new values
  std::vector<double> x_again;
};

SolvedSystem solve(const sparse::HostCsr& a, const std::vector<double>& b, const std::string& backend,
                   bool single, amg::Refresh how) {
  amg::SolveRequest request;
  request.backend = backend;
  request.options.single_precision = single;
  const auto s = amg::make_linear_solver(request);
  SolvedSystem out;
  s->setup(a);
  out.setup = s->setup_info();
  out.x.assign(b.size(), 0.0);
  out.info = s->solve(b, out.x);
  auto changed = a;
  for (int i = 0; i < a.rows; ++i)
    for (int k = a.start[i]; k < a.start[i + 1]; ++k)
      if (a.column[k] == i) changed.value[k] *= 1 + 0.1 * (i % 3);
  s->refresh(changed, how);
  out.x_again.assign(b.size(), 0.0);
  out.again = s->solve(b, out.x_again);
  return out;
}

void expect_alike_solutions(const SolvedSystem& a, const SolvedSystem& b) {
  ASSERT_EQ(a.setup.levels.size(), b.setup.levels.size());
  for (std::size_t l = 0; l < a.setup.levels.size(); ++l) {
    EXPECT_EQ(a.setup.levels[l].unknowns, b.setup.levels[l].unknowns) << "level " << l;
    EXPECT_EQ(a.setup.levels[l].entries, b.setup.levels[l].entries) << "level " << l;
  }
  ASSERT_TRUE(a.info.converged && b.info.converged) << b.info.why_not;
  ASSERT_TRUE(a.again.converged && b.again.converged) << b.again.why_not;
  // rounding in the preconditioner may move the end by one iteration, two where the host looks at every
  // second
  EXPECT_NEAR(a.info.iterations, b.info.iterations, 2);
  EXPECT_NEAR(a.again.iterations, b.again.iterations, 2);
  double size = 0;
  for (const double v : a.x) size = std::max(size, std::abs(v));
  // residuals of 1e-12 times a condition of some hundreds
  for (std::size_t i = 0; i < a.x.size(); ++i) {
    ASSERT_NEAR(a.x[i], b.x[i], 1e-9 * size);
    ASSERT_NEAR(a.x_again[i], b.x_again[i], 1e-9 * size);
  }
}

TEST(LinearSolverBackends, CudaHasTheLevelsAndSolutionsOfSerial) {
  std::string why;
  if (cuda_is_missing(why)) GTEST_SKIP() << why;
  const sparse::HostCsr cases[] = {test::poisson(7), test::poisson(30), with_conductor(24, 3),
                                   with_conductor(40, 2)};
  for (const auto& a : cases)
    for (const bool single : {true, false})
      for (const auto how : {amg::Refresh::finest, amg::Refresh::galerkin}) {
        SCOPED_TRACE(std::to_string(a.rows) + (single ? " single" : " double"));
        const auto b = test::random_vector(a.rows, 3);
        const auto cuda = solve(a, b, "cuda", single, how), again = solve(a, b, "cuda", single, how);
        EXPECT_TRUE(cuda.x == again.x && cuda.x_again == again.x_again) << "the bits differ from run to run";
        expect_alike_solutions(solve(a, b, "serial", single, how), cuda);
      }
}

}  // namespace
}  // namespace umov
