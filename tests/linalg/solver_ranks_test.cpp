// The linear solver on several ranks beside one: solutions, iterations, histories, checks, and how rows are
// cut.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <map>
#include <numeric>

#include "comm/in_process.hpp"
#include "core/error.hpp"
#include "linalg/amg/solver.hpp"
#include "linalg/ranks/deal_out.hpp"
#include "linalg/ranks/part_graph.hpp"
#include "linalg/ranks/solver_team.hpp"
#include "linalg/sparse/wide.hpp"
#include "support/backends_here.hpp"
#include "support/sparse_cases.hpp"

namespace umov {
namespace {

using sparse::HostCsr;

/// Matrices one behind another, with no entry between them.
HostCsr side_by_side(const std::vector<HostCsr>& blocks) {
  test::Rows rows;
  for (const auto& a : blocks) {
    const int first = int(rows.size());
    for (int i = 0; i < a.rows; ++i) {
      auto& row = rows.emplace_back();
      for (int k = a.start[i]; k < a.start[i + 1]; ++k) row[first + a.column[k]] = a.value[k];
    }
  }
  const int n = int(rows.size());
  return test::to_csr(rows, n);
}

HostCsr diagonal(int n) {
  test::Rows rows{std::size_t(n)};
  for (int i = 0; i < n; ++i) rows[std::size_t(i)][i] = 1 + i % 5;
  return test::to_csr(rows, n);
}

HostCsr changed(HostCsr a, const std::function<double(int row, int column, double value)>& f) {
  for (int i = 0; i < a.rows; ++i)
    for (int k = a.start[i]; k < a.start[i + 1]; ++k) a.value[k] = f(i, a.column[k], a.value[k]);
  return a;
}

/// Cubes of 4 x 4 x 4 cells, in turn, conduct so much better.
HostCsr jumps(int m, double much) {
  return test::diffusion(m, [much](int x, int y, int z, int) {
    return (std::max(x, 0) / 4 + std::max(y, 0) / 4 + std::max(z, 0) / 4) % 2 ? much : 1.0;
  });
}

/// A grid of which one unknown touches every fourth node: a row of hundreds of entries.
HostCsr with_conductor(int m) {
  const auto grid = test::poisson(m);
  test::Rows rows(std::size_t(grid.rows) + 1);
  for (int i = 0; i < grid.rows; ++i)
    for (int k = grid.start[i]; k < grid.start[i + 1]; ++k)
      rows[std::size_t(i)][grid.column[k]] = grid.value[k];
  auto& own = rows.back();
  own[grid.rows] = 0.5;
  for (int i = 0; i < grid.rows; i += 4) {
    rows[std::size_t(i)][grid.rows] = own[i] = -0.3;
    rows[std::size_t(i)][i] += 0.3, own[grid.rows] += 0.3;
  }
  return test::to_csr(rows, grid.rows + 1);
}

/// Whatever ranks do, with shares small enough that they have levels between them.
class SolverTeam : public testing::Test {
 protected:
  void SetUp() override { setenv("UMOV_LEAST_SHARE", "100", 1); }
  void TearDown() override { unsetenv("UMOV_LEAST_SHARE"); }

  /// `lead` on rank 0 of so many, with a request that has the team.
  static void with_team(int ranks, const amg::SolveRequest& request,
                        const std::function<void(const amg::SolveRequest&)>& lead) {
    comm::run_in_process(ranks, [&](comm::Communicator& comm) {
      ranks::SolverTeam team(comm, request);
      if (!comm.first()) return team.follow();
      amg::SolveRequest own = request;
      own.team = &team;
      lead(own);
    });
  }
  static amg::Solution solve(int ranks, const HostCsr& a, const std::vector<double>& b,
                             const amg::SolveRequest& request) {
    amg::Solution out;
    with_team(ranks, request, [&](const amg::SolveRequest& own) { out = amg::solve(a, b, own); });
    return out;
  }
};

double off(const std::vector<double>& x, const std::vector<double>& y) {
  return double(sparse::norm(sparse::difference(x, y)) / sparse::norm(y));
}

struct Kind {
  const char* name;
  HostCsr a;
};
const std::vector<Kind>& kinds() {
  static const std::vector<Kind> list{
      {"Laplacian", test::poisson(14)},
      {"jumps of 1e6", jumps(14, 1e6)},
      {"much along x", test::diffusion(14, [](int, int, int, int axis) { return axis == 0 ? 1.0 : 1e-3; })},
      {"three parts and single unknowns",
       side_by_side({test::poisson(11), diagonal(7), test::poisson(8), test::poisson(2)})},
      {"diagonal", diagonal(300)},
      {"negative definite", changed(test::poisson(10), [](int, int, double v) { return -v; })},
      {"rows over 8 decades", changed(test::poisson(10),
                                      [](int i, int j, double v) {
                                        return v * std::pow(10, i * 7 % 9 - 4) * std::pow(10, j * 7 % 9 - 4);
                                      })},
      {"a long row", with_conductor(12)},
      {"three rows", test::to_csr({{{0, 2.0}, {1, 1.0}}, {{0, 1.0}, {1, 3.0}}, {{2, 4.0}}}, 3)},
      {"one row", diagonal(1)},
  };
  return list;
}

TEST_F(SolverTeam, SolvesEveryKindOfSystemAsOneRankDoes) {
  for (const auto& [name, a] : kinds()) {
    const auto exact = test::random_vector(std::size_t(a.rows), 2);
    const auto b = test::times(a, exact);
    for (const std::string& backend : test::backends_here()) {
      amg::SolveRequest request;
      request.backend = backend;
      request.options.single_precision = backend != "serial";
      const auto one = amg::solve(a, b, request);
      ASSERT_TRUE(one.info.converged) << name << one.info.why_not;
      for (const int ranks : {2, 3, 4, 9}) {
        const std::string which = name + (", " + backend) + ", ranks " + std::to_string(ranks);
        const auto several = solve(ranks, a, b, request);
        ASSERT_TRUE(several.info.converged) << which << several.info.why_not;
        EXPECT_LE(several.info.residual, request.tolerance) << which;
        EXPECT_EQ(several.note, one.note) << which;
        EXPECT_EQ(several.setup.levels.front().unknowns, a.rows) << which;
        EXPECT_EQ(several.setup.levels.front().entries, index_t(a.column.size())) << which;
        EXPECT_EQ(several.ranks_of_levels.size(), several.setup.levels.size()) << which;
        // the house's bound for hierarchies across ranks: 30 % more, and one for the rounding of that
        EXPECT_LE(several.info.iterations, 1.3 * one.info.iterations + 1) << which;
        EXPECT_EQ(several.history.size(), std::size_t(several.info.iterations) + 1) << which;
        EXPECT_NEAR(several.history.front(), 1, 1e-14) << which;  // sums in another order
        // both estimate what x is off by; ten times that for an estimate
        const double error = std::max({one.error_of_length, several.error_of_length, 1e-15});
        EXPECT_LE(off(several.x, one.x), 10 * error) << which;
      }
    }
  }
}

TEST_F(SolverTeam, HasOneRanksIterationsAndHistoryWhereOneRankHasAllLevels) {
  const auto a = test::poisson(10);
  const auto b = test::random_vector(std::size_t(a.rows), 3);
  amg::SolveRequest request;
  request.backend = "cpu";
  request.options.single_precision = false;
  const auto one = amg::solve(a, b, request);
  setenv("UMOV_LEAST_SHARE", "100000", 1);
  for (const int ranks : {2, 4}) {
    const auto several = solve(ranks, a, b, request);
    EXPECT_EQ(several.ranks_of_levels, std::vector<int>(several.setup.levels.size(), 1));
    ASSERT_EQ(several.history.size(), one.history.size());
    // aggregates follow the numbers of rows, which are others: the same rate, not the same digits
    for (std::size_t k = 0; k < one.history.size(); ++k) {
      EXPECT_LT(several.history[k], 3 * one.history[k]);
      EXPECT_GT(several.history[k], one.history[k] / 3);
    }
  }
}

TEST_F(SolverTeam, SmoothersAndTheirOptionsReachEveryRank) {
  const auto a = test::poisson(12);
  const auto b = test::random_vector(std::size_t(a.rows), 4);
  for (const int degree : {1, 4}) {
    amg::SolveRequest request;
    request.backend = "serial";
    request.options.smoother = amg::Smoother::jacobi;
    request.options.degree = degree;
    request.options.strength = 0.05;
    request.options.coarsest = 40;
    const auto one = amg::solve(a, b, request), three = solve(3, a, b, request);
    ASSERT_TRUE(one.info.converged && three.info.converged);
    EXPECT_LE(std::abs(one.info.iterations - three.info.iterations), 2) << degree;
  }
}

TEST_F(SolverTeam, SaysOfSystemsWithoutASolutionWhatOneRankSays) {
  // without a wall at a value: ones are what it maps to 0
  const auto wall = test::poisson(8);
  std::vector<double> sum(std::size_t(wall.rows), 0.0);
  for (int i = 0; i < wall.rows; ++i)
    for (int k = wall.start[i]; k < wall.start[i + 1]; ++k) sum[std::size_t(i)] += wall.value[k];
  const auto natural =
      changed(wall, [&](int i, int j, double v) { return i == j ? v - sum[std::size_t(i)] : v; });
  const auto both = side_by_side({natural, wall});
  const auto indefinite = changed(wall, [](int i, int j, double v) { return i == j ? v * 0.6 : v; });
  for (const auto& [a, failure] :
       {std::pair{both, amg::Failure::inconsistent}, {indefinite, amg::Failure::matrix_not_definite}}) {
    const std::vector<double> b(std::size_t(a.rows), 1.0);
    amg::SolveRequest request;
    request.backend = "cpu";
    const auto one = amg::solve(a, b, request);
    EXPECT_EQ(one.info.failure, failure) << one.info.why_not;
    for (const int ranks : {2, 3}) {
      const auto several = solve(ranks, a, b, request);
      EXPECT_EQ(several.info.failure, failure) << several.info.why_not;
      if (failure != amg::Failure::inconsistent) continue;
      EXPECT_EQ(several.info.why_not, one.info.why_not);
      EXPECT_LE(off(several.x, one.x), 1e-9);  // least residual and shortest: one vector only
    }
  }
}

TEST_F(SolverTeam, FollowsAChangedMatrixAndManyRightHandSides) {
  const auto a = test::poisson(12);
  const auto more = changed(a, [](int i, int j, double v) { return i == j ? v * (1 + 0.1 * (i % 3)) : v; });
  amg::SolveRequest request;
  request.backend = "cpu";
  for (const auto how : {amg::Refresh::finest, amg::Refresh::galerkin, amg::Refresh::all})
    for (const int ranks : {2, 4})
      with_team(ranks, request, [&](const amg::SolveRequest& own) {
        const auto solver = amg::make_linear_solver(own), other = amg::make_linear_solver(own);
        solver->setup(a);
        other->setup(more);  // two at a time
        for (unsigned seed = 1; seed < 4; ++seed) {
          const auto exact = test::random_vector(std::size_t(a.rows), seed);
          for (const bool after : {false, true}) {
            if (after) solver->refresh(more, how);
            auto x = test::random_vector(std::size_t(a.rows), 9);  // any start
            const auto info = solver->solve(test::times(after ? more : a, exact), x);
            EXPECT_TRUE(info.converged) << info.why_not;
            EXPECT_LE(off(x, exact), 1e-9);  // a condition number of some hundred times 1e-12
          }
          solver->refresh(a, amg::Refresh::finest);
          std::vector<double> x(exact.size(), 0.0);
          EXPECT_TRUE(other->solve(test::times(more, exact), x).converged);
          EXPECT_LE(off(x, exact), 1e-9);
        }
        solver->aim(1e-3, 100);
        std::vector<double> x(std::size_t(a.rows), 0.0);
        const auto info = solver->solve(test::random_vector(x.size(), 5), x);
        EXPECT_GT(info.residual, 1e-8);
        EXPECT_GT(solver->bytes(), 0u);
      });
}

TEST_F(SolverTeam, GivesTheSameBitsFromRunToRun) {
  const auto a = test::poisson(12);
  const auto b = test::random_vector(std::size_t(a.rows), 7);
  amg::SolveRequest request;
  request.backend = "cpu";
  EXPECT_EQ(solve(3, a, b, request).x, solve(3, a, b, request).x);
}

TEST_F(SolverTeam, EndsAllRanksWithTheErrorOfTheFirst) {
  const auto wide = test::to_csr({{{0, 1.0}, {2, 1.0}}, {{1, 1.0}}}, 3);
  EXPECT_THROW(solve(3, wide, {1, 1}, {}), BadInput);
  amg::SolveRequest request;
  request.backend = "abacus";
  EXPECT_THROW(solve(3, test::poisson(3), std::vector<double>(27, 1.0), request), BadInput);
}

TEST_F(SolverTeam, EndsAllRanksWithTheErrorOfAnother) {
  const auto a = test::poisson(6);
  const std::vector<double> b(std::size_t(a.rows), 1.0);
  EXPECT_THROW(comm::run_in_process(3,
                                    [&](comm::Communicator& comm) {
                                      amg::SolveRequest own;
                                      own.backend = comm.rank() == 2 ? "abacus" : "cpu";
                                      ranks::SolverTeam team(comm, own);
                                      if (!comm.first()) return team.follow();
                                      own.team = &team;
                                      amg::solve(a, b, own);
                                    }),
               BadInput);
}

/// Entries of each rank's rows.
std::vector<double> entries_of(const HostCsr& a, const std::vector<int>& owner, int ranks) {
  std::vector<double> out(std::size_t(ranks), 0.0);
  for (int i = 0; i < a.rows; ++i) out[std::size_t(owner[std::size_t(i)])] += a.start[i + 1] - a.start[i];
  return out;
}

/// Entries between rows of different ranks.
int between(const HostCsr& a, const std::vector<int>& owner) {
  int n = 0;
  for (int i = 0; i < a.rows; ++i)
    for (int k = a.start[i]; k < a.start[i + 1]; ++k)
      n += owner[std::size_t(i)] != owner[std::size_t(a.column[k])];
  return n;
}

TEST(PartRows, GivesRanksTheSameShareAndTheSameEveryTime) {
  const auto a = test::poisson(16);
  for (const int ranks : {1, 2, 3, 4, 9}) {
    const auto owner = ranks::part_rows(a, ranks);
    EXPECT_EQ(owner, ranks::part_rows(a, ranks));
    const auto entries = entries_of(a, owner, ranks);
    const double mean = double(a.column.size()) / ranks;
    // METIS allows 3 % above the mean; stretches do better
    EXPECT_LE(std::ranges::max(entries), 1.04 * mean) << ranks;
    EXPECT_GT(std::ranges::min(entries), 0.7 * mean) << ranks;
  }
}

TEST(PartRows, CutsNothingWherePartsHangApart) {
  if (!ranks::can_part_graphs) GTEST_SKIP() << "built without METIS";
  const auto a = side_by_side({test::poisson(7), test::poisson(7)});
  EXPECT_EQ(between(a, ranks::part_rows(a, 2)), 0);
}

TEST(PartRows, LeavesTogetherWhatIsCoupledStrongly) {
  if (!ranks::can_part_graphs) GTEST_SKIP() << "built without METIS";
  const auto a = test::diffusion(12, [](int, int, int, int axis) { return axis == 2 ? 1.0 : 1e-4; });
  const auto owner = ranks::part_rows(a, 4);
  double cut = 0, all = 0;
  for (int i = 0; i < a.rows; ++i)
    for (int k = a.start[i]; k < a.start[i + 1]; ++k)
      if (a.value[k] < -0.5) ++all, cut += owner[std::size_t(i)] != owner[std::size_t(a.column[k])];
  // columns along z stay whole but where shares must be even: 144 of them, 36 a rank
  EXPECT_LT(cut, 0.01 * all);
}

TEST(PartRows, TakesStretchesWhereThereIsNoGraphOrLittle) {
  const auto ascends = [](const std::vector<int>& owner) { return std::ranges::is_sorted(owner); };
  EXPECT_TRUE(ascends(ranks::part_rows(diagonal(100), 3)));
  const auto few = ranks::part_rows(test::poisson(2), 9);
  EXPECT_TRUE(ascends(few));
  EXPECT_LT(few.back(), 9);
  EXPECT_EQ(ranks::part_rows(diagonal(1), 4), std::vector<int>{0});
}

TEST(PartRows, TakesAPatternThatStandsOnOneSideOnly) {
  // zeros that a file names above the diagonal alone
  test::Rows rows(100);
  for (int i = 0; i < 100; ++i) {
    rows[std::size_t(i)][i] = 2;
    if (i < 99) rows[std::size_t(i)][i + 1] = 0;
  }
  const auto owner = ranks::part_rows(test::to_csr(rows, 100), 3);
  EXPECT_EQ(owner.size(), 100u);
  for (const int r : owner) EXPECT_TRUE(r >= 0 && r < 3);
}

}  // namespace
}  // namespace umov
