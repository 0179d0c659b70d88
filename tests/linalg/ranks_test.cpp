// Matrices that lie with several ranks: products and transposes against the whole, and multigrid across them
// against multigrid on one.
#include <gtest/gtest.h>

#include <array>

#include "comm/in_process.hpp"
#include "linalg/amg/hierarchy.hpp"
#include "linalg/pcg.hpp"
#include "linalg/ranks/hierarchy.hpp"
#include "support/flat_mesh.hpp"
#include "support/sparse_cases.hpp"

namespace umov {
namespace {

using backend::Cpu;
using backend::Serial;

/// Owners of n rows: stretches of different lengths; of more than two ranks, rank 1 has none.
std::vector<int> stretches(int n, int ranks) {
  std::vector<int> owner(std::size_t(n), 0);
  for (int i = 0; i < n; ++i) {
    owner[std::size_t(i)] = std::min(ranks - 1, int(double(i) / n * i / n * ranks));
    if (ranks > 2 && owner[std::size_t(i)] == 1) owner[std::size_t(i)] = 0;
  }
  return owner;
}

ranks::RankedCsr cut(comm::Communicator& comm, const sparse::HostCsr& whole, const std::vector<int>& row_of,
                     const std::vector<int>& column_of) {
  auto out = ranks::cut_rows(whole, row_of, column_of, comm.rank(), comm.size());
  out.neighbours = ranks::find_neighbours(comm, out.ghosts);
  return out;
}

/// The values of whole row and column vectors that are rank r's.
std::vector<double> part(const std::vector<double>& whole, const std::vector<int>& owner, int rank) {
  std::vector<double> out;
  for (std::size_t i = 0; i < whole.size(); ++i)
    if (owner[i] == rank) out.push_back(whole[i]);
  return out;
}

/// The order of `whole` after gathering: rank by rank.
sparse::HostCsr by_rank(const sparse::HostCsr& a, const std::vector<int>& row_of,
                        const std::vector<int>& column_of, int ranks) {
  const auto places = [&](const std::vector<int>& owner) {
    std::vector<int> place(owner.size());
    int next = 0;
    for (int r = 0; r < ranks; ++r)
      for (std::size_t i = 0; i < owner.size(); ++i)
        if (owner[i] == r) place[i] = next++;
    return place;
  };
  const auto row = places(row_of), column = places(column_of);
  test::Rows out(std::size_t(a.rows));
  for (int i = 0; i < a.rows; ++i)
    for (int k = a.start[i]; k < a.start[i + 1]; ++k)
      out[std::size_t(row[std::size_t(i)])][column[std::size_t(a.column[k])]] = a.value[k];
  return test::to_csr(out, a.columns);
}

void expect_equal(const sparse::HostCsr& a, const sparse::HostCsr& b) {
  ASSERT_EQ(a.start, b.start);
  ASSERT_EQ(a.column, b.column);
  // sums of some ten products of numbers below 1, in another order
  for (std::size_t k = 0; k < a.value.size(); ++k) EXPECT_NEAR(a.value[k], b.value[k], 1e-14);
}

template <class Rows>
sparse::HostCsr host(const Rows& m) {
  sparse::HostCsr h;
  h.rows = m.rows, h.columns = m.columns;
  h.start.assign(m.start.data(), m.start.data() + m.rows + 1);
  h.column.assign(m.column.data(), m.column.data() + m.start.data()[m.rows]);
  h.value.assign(m.value.data(), m.value.data() + m.start.data()[m.rows]);
  return h;
}

/// The whole matrix on rank 0 (empty elsewhere), rows and columns rank by rank.
sparse::HostCsr gather(comm::Communicator& comm, const ranks::RankedMatrix<Serial, double>& a) {
  const auto columns = comm::all_gather(comm, a.own_columns);
  const auto number = [&](int c) {
    const auto owned = ranks::owned_column(a, comm.rank(), c);
    int n = owned.index;
    for (int r = 0; r < owned.rank; ++r) n += columns[std::size_t(r)];
    return n;
  };
  struct Item {
    int row, column;
    double value;
  };
  const auto rows = comm::all_gather(comm, a.rows.rows);
  int first = 0, all = 0, all_columns = 0;
  for (int r = 0; r < comm.size(); ++r) {
    first += r < comm.rank() ? rows[std::size_t(r)] : 0;
    all += rows[std::size_t(r)], all_columns += columns[std::size_t(r)];
  }
  std::vector<Item> mine;
  const auto h = host(a.rows);
  for (int i = 0; i < h.rows; ++i)
    for (int k = h.start[i]; k < h.start[i + 1]; ++k)
      mine.push_back({first + i, number(h.column[k]), h.value[k]});
  const auto items = comm::gather(comm, std::span<const Item>(mine));
  if (!comm.first()) return {};
  test::Rows out = test::Rows(std::size_t(all));
  for (const auto& i : items) {
    EXPECT_EQ(out[std::size_t(i.row)].count(i.column), 0u) << "an entry twice";
    out[std::size_t(i.row)][i.column] = i.value;
  }
  return test::to_csr(out, all_columns);
}

void expect_ascending(const sparse::Csr<Serial, double>& a) {
  for (int i = 0; i < a.rows; ++i)
    for (int k = a.start.data()[i] + 1; k < a.start.data()[i + 1]; ++k)
      EXPECT_LT(a.column.data()[k - 1], a.column.data()[k]);
}

TEST(RankedRows, TransposesAndGalerkinProductsAreThoseOfTheWhole) {
  // of neighbours, so that ranks have columns of others that they meet later only
  const auto a = test::poisson(5), p = test::random_matrix(125, 43, 0.03, 2);
  auto other = a;
  for (std::size_t k = 0; k < other.value.size(); ++k) other.value[k] = std::cos(double(k));
  Serial dev;
  const auto whole_p = sparse::upload<double>(dev, p);
  const auto whole_r = sparse::transpose(dev, whole_p.view());
  const auto product = [&](const sparse::HostCsr& matrix) {
    const auto ap = sparse::multiply(dev, matrix.view(), whole_p.view());
    return host(sparse::multiply(dev, whole_r.view(), ap.view()));
  };
  const auto rap = product(a), rap_other = product(other), turned = host(whole_r);
  for (int ranks = 1; ranks <= 4; ++ranks) {
    const auto rows = stretches(125, ranks), columns = stretches(43, ranks);
    comm::run_in_process(ranks, [&](comm::Communicator& comm) {
      comm::RankedDevice<Serial> ranked(comm);
      const auto mine = ranks::upload<double>(ranked, cut(comm, a, rows, rows));
      const auto mine_other = ranks::upload<double>(ranked, cut(comm, other, rows, rows));
      auto mine_p = ranks::upload<double>(ranked, cut(comm, p, rows, columns));
      const auto t = ranks::transpose(ranked, mine_p);
      expect_ascending(t.rows);
      const auto all_t = gather(comm, t), all_p = gather(comm, ranks::transpose(ranked, t));
      ranks::RankedGalerkin<Serial, double> products;
      auto c = products.make(ranked, mine, mine.rows.view(), std::move(mine_p));
      expect_ascending(c.rows);
      const auto first = gather(comm, c);
      products.again(ranked, mine_other.rows.view(), c);
      const auto second = gather(comm, c);
      if (!comm.first()) return;
      expect_equal(all_t, by_rank(turned, columns, rows, ranks));
      expect_equal(all_p, by_rank(p, rows, columns, ranks));
      expect_equal(first, by_rank(rap, columns, columns, ranks));
      expect_equal(second, by_rank(rap_other, columns, columns, ranks));
    });
  }
}

TEST(RankedRows, ProductsThatOverlapTheirMessagesAreTheOthers) {
  const auto a = test::poisson(12);
  const auto x = test::random_vector(std::size_t(a.rows), 9);
  for (int ranks = 1; ranks <= 4; ++ranks) {
    const auto owner = stretches(a.rows, ranks);
    comm::run_in_process(ranks, [&](comm::Communicator& comm) {
      comm::RankedDevice<Cpu> dev(comm, 1);
      const auto mine = ranks::upload<double>(dev, cut(comm, a, owner, owner));
      const auto own = part(x, owner, comm.rank());
      std::array<std::vector<double>, 2> y;
      for (const bool overlap : {false, true}) {
        ranks::RankedRows<Cpu, double> rows;
        rows.build(dev, mine, mine.rows.view(), overlap ? 0 : 1 << 30);
        // all of a small share may lie at borders
        EXPECT_EQ(rows.overlaps(), overlap && !mine.ghosts.empty() && own.size() > 600) << own.size();
        y[overlap].assign(own.size(), 0);
        rows.apply(own.data(), y[overlap].data());
      }
      // the same additions in the same order
      EXPECT_EQ(y[0], y[1]);
      double sum = 0, expected = 0;
      ranks::RankedRows<Cpu, double> rows;
      rows.build(dev, mine, mine.rows.view());
      rows.apply_dot(own.data(), y[0].data(), &sum);
      for (std::size_t i = 0; i < own.size(); ++i) expected += own[i] * y[1][i];
      expected = comm::sum(comm, expected);
      // sums of 1728 products below 8, in another order
      EXPECT_NEAR(sum, expected, 1e-11);
    });
  }
}

TEST(RankedRows, EveryOtherRankKeepsALevelThatIsTooSmallForAll) {
  EXPECT_EQ(ranks::step_of(16000, 8, 2000), 1);
  EXPECT_EQ(ranks::step_of(15999, 8, 2000), 2);
  EXPECT_EQ(ranks::step_of(7999, 8, 2000), 4);
  EXPECT_EQ(ranks::step_of(3999, 8, 2000), 8);
  EXPECT_EQ(ranks::step_of(5999, 3, 2000), 2);
  EXPECT_EQ(ranks::step_of(3999, 3, 2000), 4);
  EXPECT_EQ(ranks::step_of(1, 1, 2000), 1);
}

struct Solved {
  amg::SolveInfo info;
  amg::SetupInfo setup;
  std::vector<double> x;
  std::vector<int> ranks;  ///< that have each level
};

template <class Device, class T>
Solved on_one(const sparse::HostCsr& a, const std::vector<double>& b, const amg::Options& options,
              const amg::Nested* nested) {
  Device dev;
  amg::Hierarchy<Device, T> hierarchy(dev, options, nested);
  hierarchy.setup(a.view());
  Solved s;
  s.x.resize(std::size_t(a.rows));
  sparse::RowsOperator<Device, double> op(dev, a.view());
  linalg::Pcg<Device, T> pcg(dev, a.rows);
  linalg::PcgSettings settings;
  settings.from_zero = true;
  s.info = pcg.solve(op, hierarchy, b.data(), s.x.data(), settings);
  s.setup = hierarchy.info();
  return s;
}

/// Owners of coarse unknowns: that of the fine unknown which lies where they do.
std::vector<int> owners_of_coarse(const sparse::HostCsr& p, const std::vector<int>& fine) {
  std::vector<int> out(std::size_t(p.columns), 0);
  for (int i = 0; i < p.rows; ++i)
    if (p.start[i + 1] - p.start[i] == 1) out[std::size_t(p.column[p.start[i]])] = fine[std::size_t(i)];
  return out;
}

template <class Device, class T>
Solved on_ranks(int ranks, const sparse::HostCsr& a, const std::vector<double>& b,
                const std::vector<int>& owner, const amg::Options& options,
                const amg::Nested* nested = nullptr, index_t least_share = 150,
                amg::Refresh again = amg::Refresh::finest, double factor = 0) {
  Solved s;
  s.x.resize(std::size_t(a.rows));
  comm::run_in_process(ranks, [&](comm::Communicator& comm) {
    comm::RankedDevice<Device> dev(comm);
    const auto mine = cut(comm, a, owner, owner);
    std::vector<ranks::RankedCsr> levels;
    std::vector<int> fine = owner;
    if (nested)
      for (const auto& p : *nested) {
        const auto coarse = owners_of_coarse(p, fine);
        levels.push_back(cut(comm, p, fine, coarse));
        fine = coarse;
      }
    auto on_device = sparse::upload<double>(dev, mine.rows);
    ranks::Hierarchy<Device, T> hierarchy(dev, options, &levels, least_share);
    hierarchy.setup(mine, std::as_const(on_device).view());
    if (factor != 0) {
      for (std::size_t k = 0; k < on_device.value.size(); ++k) on_device.value.data()[k] *= factor;
      hierarchy.refresh(std::as_const(on_device).view(), again);
    }
    ranks::RankedRows<Device, double> op;
    op.build(dev, mine, std::as_const(on_device).view());
    const auto rhs = part(b, owner, comm.rank());
    std::vector<double> x(rhs.size());
    linalg::Pcg<comm::RankedDevice<Device>, T> pcg(dev, index_t(x.size()));
    linalg::PcgSettings settings;
    settings.from_zero = true;
    const auto info = pcg.solve(op, hierarchy, rhs.data(), x.data(), settings);
    std::size_t next = 0;
    for (std::size_t i = 0; i < owner.size(); ++i)
      if (owner[i] == comm.rank()) s.x[i] = x[next++];
    if (comm.first()) s.info = info, s.setup = hierarchy.info(), s.ranks = hierarchy.ranks_of_levels();
  });
  return s;
}

void expect_same(const Solved& one, const Solved& several, int ranks) {
  ASSERT_TRUE(several.info.converged) << several.info.why_not << ", " << ranks << " ranks";
  // what was asked of several ranks: 30 % more than one rank's, and one for the rounding of that
  EXPECT_LE(several.info.iterations, 1.3 * one.info.iterations + 1) << ranks << " ranks";
  double size = 0, off = 0;
  for (std::size_t i = 0; i < one.x.size(); ++i)
    size = std::max(size, std::abs(one.x[i])), off = std::max(off, std::abs(one.x[i] - several.x[i]));
  // residuals of 1e-12 of b; the matrices' condition numbers are below 1e4
  EXPECT_LE(off, 1e-8 * size) << ranks << " ranks";
}

TEST(RankedHierarchy, TakesTheIterationsOfOneRank) {
  const auto a = test::poisson(24);
  const auto b = test::random_vector(std::size_t(a.rows), 3);
  const auto one = on_one<Cpu, float>(a, b, {}, nullptr);
  ASSERT_TRUE(one.info.converged);
  for (int ranks = 1; ranks <= 4; ++ranks)
    expect_same(one, on_ranks<Cpu, float>(ranks, a, b, stretches(a.rows, ranks), {}), ranks);
}

TEST(RankedHierarchy, StandsJumpsAcrossRanksInDoubleOnTheSerialBackend) {
  // a checkerboard of 4 x 4 x 4 cells that conduct 1e4 times better, which borders of ranks cut
  const auto a = test::diffusion(16, [](int x, int y, int z, int) {
    return (std::max(x, 0) / 4 + std::max(y, 0) / 4 + std::max(z, 0) / 4) % 2 ? 1e4 : 1.0;
  });
  const auto b = test::random_vector(std::size_t(a.rows), 4);
  const auto one = on_one<Serial, double>(a, b, {}, nullptr);
  ASSERT_TRUE(one.info.converged);
  for (int ranks = 1; ranks <= 4; ++ranks)
    expect_same(one, on_ranks<Serial, double>(ranks, a, b, stretches(a.rows, ranks), {}), ranks);
}

TEST(RankedHierarchy, SmoothsFlatElementsAndKnowsNestedLevelsAsOneRankDoes) {
  const test::FlatMeshes m(6, 0.02, 1);
  const auto& a = m.matrix[0];
  const auto b = test::random_vector(std::size_t(a.rows), 5);
  for (const amg::Nested* nested : {static_cast<const amg::Nested*>(nullptr), &m.nested}) {
    const auto one = on_one<Cpu, double>(a, b, {}, nested);
    ASSERT_TRUE(one.info.converged);
    ASSERT_GT(one.setup.levels[0].stiff, 0) << "the mesh is not flat enough for this test";
    for (int ranks = 1; ranks <= 4; ++ranks) {
      const auto several = on_ranks<Cpu, double>(ranks, a, b, stretches(a.rows, ranks), {}, nested);
      expect_same(one, several, ranks);
      EXPECT_EQ(several.setup.levels[0].stiff, one.setup.levels[0].stiff);
    }
  }
}

TEST(RankedHierarchy, FollowsAChangedMatrix) {
  // the same matrix times two: a hierarchy that follows takes the same iterations, one that is left behind
  // does so too (its scale does not count), but not if levels are renewed in part wrongly
  const auto a = test::poisson(16);
  auto twice = a;
  for (double& v : twice.value) v *= 2;
  const auto b = test::random_vector(std::size_t(a.rows), 6);
  const auto one = on_one<Cpu, double>(twice, b, {}, nullptr);
  for (const auto how : {amg::Refresh::galerkin, amg::Refresh::all})
    for (int ranks = 1; ranks <= 3; ++ranks)
      expect_same(one,
                  on_ranks<Cpu, double>(ranks, a, b, stretches(a.rows, ranks), {}, nullptr, 150, how, 2.0),
                  ranks);
}

TEST(RankedHierarchy, MovesCoarseLevelsOntoHalfOfTheRanksAndThenOnToOne) {
  const auto a = test::poisson(24);
  auto twice = a;
  for (double& v : twice.value) v *= 2;
  const auto b = test::random_vector(std::size_t(a.rows), 10);
  const auto one = on_one<Cpu, float>(a, b, {}, nullptr),
             one_twice = on_one<Cpu, float>(twice, b, {}, nullptr);
  const auto owner = stretches(a.rows, 8);
  constexpr index_t share = 30;
  const auto several = on_ranks<Cpu, float>(8, a, b, owner, {}, nullptr, share);
  expect_same(one, several, 8);
  std::string levels;
  for (std::size_t l = 0; l < several.ranks.size(); ++l)
    levels +=
        std::to_string(several.setup.levels[l].unknowns) + " on " + std::to_string(several.ranks[l]) + ", ";
  EXPECT_EQ(several.ranks.front(), 8) << levels;
  EXPECT_TRUE(std::ranges::any_of(several.ranks, [](int r) { return r > 1 && r < 8; })) << levels;
  EXPECT_EQ(several.ranks.back(), 1) << levels;
  for (std::size_t l = 0; l < several.ranks.size(); ++l)
    if (several.ranks[l] > 1) {
      EXPECT_GE(several.setup.levels[l].unknowns, share * several.ranks[l]);
    }
  const auto once_more = on_ranks<Cpu, float>(8, a, b, owner, {}, nullptr, share);
  EXPECT_EQ(once_more.x, several.x) << "other bits";
  for (const auto how : {amg::Refresh::galerkin, amg::Refresh::all})
    expect_same(one_twice, on_ranks<Cpu, float>(8, a, b, owner, {}, nullptr, share, how, 2.0), 8);
}

TEST(RankedHierarchy, GivesTheSameBitsFromRunToRun) {
  const auto a = test::poisson(14);
  const auto b = test::random_vector(std::size_t(a.rows), 7);
  const auto first = on_ranks<Cpu, float>(3, a, b, stretches(a.rows, 3), {});
  const auto second = on_ranks<Cpu, float>(3, a, b, stretches(a.rows, 3), {});
  EXPECT_EQ(first.x, second.x);
}

TEST(RankedHierarchy, LivesOnOneRankWhereTheProblemIsSmall) {
  const auto a = test::poisson(10);
  const auto b = test::random_vector(std::size_t(a.rows), 8);
  const auto one = on_one<Cpu, double>(a, b, {}, nullptr);
  for (int ranks = 1; ranks <= 4; ++ranks) {
    const auto several = on_ranks<Cpu, double>(ranks, a, b, stretches(a.rows, ranks), {}, nullptr, 5000);
    expect_same(one, several, ranks);
    EXPECT_EQ(several.info.iterations, one.info.iterations) << "the same preconditioner";
  }
}

}  // namespace
}  // namespace umov
