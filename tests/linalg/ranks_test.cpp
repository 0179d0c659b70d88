// Matrices that lie with several ranks: products and transposes against the whole, and multigrid across them
// against multigrid on one.
#include <gtest/gtest.h>

#include <atomic>

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

TEST(RankedRows, ProductsAndTransposesAreThoseOfTheWhole) {
  const auto a = test::random_matrix(97, 61, 0.1, 1), b = test::random_matrix(61, 43, 0.1, 2);
  Serial dev;
  const auto ua = sparse::upload<double>(dev, a), ub = sparse::upload<double>(dev, b);
  const auto product = sparse::multiply(dev, ua.view(), ub.view());
  const auto turned = sparse::transpose(dev, ua.view());
  const auto host = [](const auto& m) {
    sparse::HostCsr h;
    h.rows = m.rows, h.columns = m.columns;
    h.start.assign(m.start.data(), m.start.data() + m.rows + 1);
    h.column.assign(m.column.data(), m.column.data() + m.column.size());
    h.value.assign(m.value.data(), m.value.data() + m.value.size());
    return h;
  };
  const auto whole = host(product), whole_turned = host(turned);
  for (int ranks = 1; ranks <= 4; ++ranks) {
    const auto rows = stretches(97, ranks), middle = stretches(61, ranks), columns = stretches(43, ranks);
    comm::run_in_process(ranks, [&](comm::Communicator& comm) {
      const auto mine = cut(comm, a, rows, middle);
      const auto c = ranks::multiply(comm, mine, cut(comm, b, middle, columns), 1);
      const auto t = ranks::transpose(comm, mine);
      const auto all_c = ranks::gather(comm, c), all_t = ranks::gather(comm, t);
      const auto back = ranks::gather(comm, ranks::transpose(comm, t));
      if (!comm.first()) return;
      expect_equal(all_c, by_rank(whole, rows, columns, ranks));
      expect_equal(all_t, by_rank(whole_turned, middle, rows, ranks));
      expect_equal(back, by_rank(a, rows, middle, ranks));
    });
  }
}

struct Solved {
  amg::SolveInfo info;
  amg::SetupInfo setup;
  std::vector<double> x;
  double seconds = 0;
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
                const amg::Nested* nested = nullptr, index_t one_rank_at = 300,
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
    ranks::Hierarchy<Device, T> hierarchy(dev, options, 1, &levels, one_rank_at);
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
    if (comm.first()) s.info = info, s.setup = hierarchy.info();
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
                  on_ranks<Cpu, double>(ranks, a, b, stretches(a.rows, ranks), {}, nullptr, 300, how, 2.0),
                  ranks);
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
