// A problem on several ranks against the same on one: everything that an engine answers, bit for bit.
#include <gtest/gtest.h>

#include <algorithm>

#include "comm/in_process.hpp"
#include "fdtd/ranks/rank_engine.hpp"
#include "support/backends_here.hpp"
#include "support/fdtd_everything.hpp"

namespace umov::fdtd::trial {
namespace {

/// What an engine says after some steps.
struct Answers {
  std::vector<std::vector<double>> fields, samples, products;
  std::vector<std::vector<cplx>> transforms;
  std::vector<float> means, shared_means;  ///< of cells, of boxes that several ranks share
  FieldWatch watch;
  std::vector<std::byte> state;
};

Answers answers(const Problem& p, Engine& e) {
  Answers a;
  for (int c = 0; c < components; ++c) {
    if (!has_component(p.grid.mode, c)) continue;
    const FieldBlock block = values(e, p, Component(c));
    a.fields.push_back(block.real);
    a.fields.push_back(block.imag);
  }
  for (std::size_t r = 0; r < p.recorders.size(); ++r) a.samples.push_back(e.drain(int(r)));
  for (std::size_t f = 0; f < p.fouriers.size(); ++f) a.transforms.push_back(e.fourier(int(f)));
  for (const auto& q : some_products(p)) a.products.push_back(product(e, q));
  a.products.push_back(lateral_sums(e, p));
  a.means = e.sample({1u << Ez | 1u << Hz, true, {0, 0, 0}, p.grid.cells, p.grid.cells});
  // one row of boxes that all ranks share; boxes of two or three cells, which borders cut, of a part of the
  // grid
  const Int3 n = p.grid.cells;
  FieldSample some{1u << Ez | 1u << Hz, true, {0, 0, 0}, n, {n[0], 1, 1}};
  for (int which = 0; which < 2; ++which) {
    const auto means = e.sample(some);
    a.shared_means.insert(a.shared_means.end(), means.begin(), means.end());
    for (const int axis : {1, 2}) {
      some.lo[axis] = n[axis] / 3;
      some.size[axis] = (n[axis] - some.lo[axis] + 1) / 2;
    }
  }
  a.watch = e.watch();
  a.state = e.save();
  return a;
}

/// `before` from step 0; then on from `state`, if there is one, for `steps` steps in pieces.
Answers run(const Problem& p, const std::string& backend, comm::Communicator& comm, int steps,
            const std::vector<std::byte>& state = {}, int between_exchanges = 0,
            std::array<int, 2> blocks_of_ranks = {0, 0}) {
  EngineRequest request;
  request.backend = backend;
  request.threads = 1;
  request.tuned = backend != "cuda";  // ranks on GPUs take the simple kernels
  ranks::PartOptions options{false, between_exchanges};
  options.cut = RankCut::slabs;
  options.parts = blocks_of_ranks;
  const auto e = ranks::make_engine(p, request, comm, options);
  if (state.empty())
    set_noise(*e, p, 3);
  else
    e->restore(state);
  for (const int n : {1, 7, steps - 8}) e->advance(n);
  return answers(p, *e);
}

/// Bits of numbers; both zeros are one.
template <class List>
bool same(const List& a, const List& b) {
  return a == b;
}

void expect_same(const Answers& found, const Answers& right, const std::string& where) {
  for (std::size_t i = 0; i < right.fields.size(); ++i)
    EXPECT_TRUE(same(found.fields[i], right.fields[i])) << where << ", field " << i / 2;
  for (std::size_t i = 0; i < right.samples.size(); ++i)
    EXPECT_TRUE(same(found.samples[i], right.samples[i])) << where << ", recorder " << i;
  for (std::size_t i = 0; i < right.transforms.size(); ++i)
    EXPECT_TRUE(same(found.transforms[i], right.transforms[i])) << where << ", transform " << i;
  EXPECT_TRUE(same(found.products, right.products)) << where;
  EXPECT_TRUE(same(found.means, right.means)) << where;
  // floats that several ranks gave a part of
  ASSERT_EQ(found.shared_means.size(), right.shared_means.size()) << where;
  const double largest = *std::ranges::max_element(right.shared_means);
  for (std::size_t i = 0; i < right.shared_means.size(); ++i)
    EXPECT_NEAR(found.shared_means[i], right.shared_means[i], 1e-6 * largest) << where;
  EXPECT_EQ(found.watch.max_abs, right.watch.max_abs) << where;
  // in one dimension: sums over the ranks' cells, in double, of fewer than 1e4 terms
  const double apart = right.watch.planes.empty() ? 1e-12 : 0;
  EXPECT_NEAR(found.watch.electric_energy, right.watch.electric_energy, apart * right.watch.electric_energy)
      << where;
  EXPECT_NEAR(found.watch.magnetic_energy, right.watch.magnetic_energy, apart * right.watch.magnetic_energy)
      << where;
}

std::vector<Everything> cases() {
  std::vector<Everything> list;
  for (const Precision t : {Precision::single_, Precision::double_}) {
    list.push_back({Mode::one, {1009, 1, 1}, t});
    list.push_back({Mode::one, {9, 1, 1}, t, {periodic, pec, pec}, true, true});
    list.push_back({Mode::one, {1, 1, 1}, t, {periodic, pec, pec}, true, true});
    list.push_back({Mode::tm, {67, 43, 1}, t});
    list.push_back({Mode::te, {31, 7, 1}, t});
    list.push_back({Mode::te, {37, 1, 1}, t, {pmc, periodic, pec}});
    list.push_back({Mode::te, {31, 26, 1}, t, {pec, pmc, pec}, false});
    list.push_back({Mode::te, {41, 29, 1}, t, {periodic, periodic, pec}, true, true, 300});
    list.push_back({Mode::tm, {41, 5, 1}, t, {periodic, periodic, pec}, true, true});
    list.push_back({Mode::full, {23, 17, 31}, t});
    list.push_back({Mode::full, {17, 14, 13}, t, {periodic, pmc, pec}, true, false, 300});
    list.push_back({Mode::full, {13, 11, 9}, t, {pec, periodic, pmc}});
    list.push_back({Mode::full, {9, 7, 11}, t, {periodic, periodic, periodic}, true, true});
    list.push_back({Mode::full, {9, 7, 11}, t, {pec, pmc, periodic}});
    list.push_back({Mode::full, {9, 7, 2}, t, {pec, periodic, periodic}, true, true});
    list.push_back({Mode::full, {8, 5, 7}, t, {pec, periodic, pec}, false});
    // planes of more than 4096 values travel without being packed
    list.push_back({Mode::full, {71, 61, 9}, t, {pec, pec, periodic}});
  }
  return list;
}

class FdtdRanks : public testing::TestWithParam<Everything> {
 protected:
  static constexpr int steps = 21;
};

TEST_P(FdtdRanks, AnswerAsOneRankDoes) {
  const Problem p = everything(GetParam());
  const auto alone = comm::one_rank();
  for (const std::string& backend : umov::test::backends_here()) {
    const Answers right = run(p, backend, *alone, steps);
    for (const int ranks : {2, 3, 4})
      comm::run_in_process(ranks, [&](comm::Communicator& comm) {
        const Answers found = run(p, backend, comm, steps);
        expect_same(found, right,
                    backend + " rank " + std::to_string(comm.rank()) + " of " + std::to_string(ranks));
      });
  }
}

TEST_P(FdtdRanks, AnswerAsOneRankDoesWithDeepCopiesAndFewExchanges) {
  const Problem p = everything(GetParam());
  const auto alone = comm::one_rank();
  for (const std::string backend : {"serial", "cpu"}) {
    const Answers right = run(p, backend, *alone, steps);
    for (const int between : {2, 8})
      for (const int ranks : {2, 3, 4})
        comm::run_in_process(ranks, [&](comm::Communicator& comm) {
          const Answers found = run(p, backend, comm, steps, {}, between);
          expect_same(found, right,
                      backend + " rank " + std::to_string(comm.rank()) + " of " + std::to_string(ranks) +
                          ", " + std::to_string(between) + " steps between exchanges");
        });
  }
}

/// Parts across rows and planes, and ranks, of which some have nothing.
struct Blocks {
  std::array<int, 2> parts;
  int ranks;
  int between = 0;
  std::string text() const {
    return std::to_string(parts[0]) + " x " + std::to_string(parts[1]) + " blocks on " +
           std::to_string(ranks) + " ranks, " + std::to_string(between) + " steps between exchanges, ";
  }
};
const Blocks all_blocks[] = {{{2, 1}, 2}, {{2, 1}, 3, 2}, {{3, 1}, 3}, {{2, 2}, 4}, {{2, 2}, 4, 8},
                             {{3, 2}, 6}, {{2, 3}, 7, 2}, {{4, 2}, 8}, {{2, 4}, 8}};
/// More parts than rows, than planes, than either.
const Blocks many_blocks[] = {{{9, 1}, 9}, {{3, 12}, 3 * 12, 2}, {{8, 3}, 8 * 3}};

class FdtdBlocks : public testing::TestWithParam<Everything> {};

TEST_P(FdtdBlocks, AnswerAsOneRankDoes) {
  const Problem p = everything(GetParam());
  const Int3 n = p.grid.cells;
  const auto alone = comm::one_rank();
  for (const std::string backend : {"serial", "cpu"}) {
    const Answers right = run(p, backend, *alone, 21);
    const auto expect_same_in = [&](const Blocks& b, int ranks) {
      comm::run_in_process(ranks, [&](comm::Communicator& comm) {
        expect_same(run(p, backend, comm, 21, {}, b.between, b.parts), right,
                    b.text() + backend + ", rank " + std::to_string(comm.rank()));
      });
    };
    for (const Blocks& b : all_blocks)
      if (n[0] < 40 || b.between == 0) expect_same_in(b, b.ranks);
    if (n[1] < 9 && n[2] < 12)  // one rank more than have something
      for (const Blocks& b : many_blocks)
        expect_same_in(b, std::min(b.parts[0], n[1]) * std::min(b.parts[1], n[2]) + 1);
  }
}

/// One rank, slabs and blocks write one state, and each goes on from it.
TEST_P(FdtdBlocks, GoOnFromEachOthersStates) {
  const Problem p = everything(GetParam());
  const auto alone = comm::one_rank();
  const auto saved = [&](const Blocks& b) {
    std::vector<std::byte> state;
    comm::run_in_process(b.ranks, [&](comm::Communicator& comm) {
      const Answers a = run(p, "cpu", comm, 21, {}, 0, b.parts);
      if (comm.first()) state = a.state;
    });
    return state;
  };
  const Blocks one{{0, 0}, 1}, slabs{{0, 0}, 3}, blocks_of_ranks{{2, 2}, 4}, others{{3, 2}, 7};
  const Answers right = run(p, "cpu", *alone, 15, saved(one));
  for (const auto& [before, after] :
       {std::pair(one, blocks_of_ranks), std::pair(blocks_of_ranks, one), std::pair(slabs, blocks_of_ranks),
        std::pair(blocks_of_ranks, slabs), std::pair(blocks_of_ranks, others)}) {
    const auto state = saved(before);
    comm::run_in_process(after.ranks, [&, after = after](comm::Communicator& comm) {
      expect_same(run(p, "cpu", comm, 15, state, 0, after.parts), right,
                  before.text() + "then " + after.text());
    });
  }
}

std::vector<Everything> cases_in_space() {
  std::vector<Everything> list = cases();
  std::erase_if(list, [](const Everything& e) { return e.mode != Mode::full; });
  for (const Precision t : {Precision::single_, Precision::double_}) {
    list.push_back({Mode::full, {9, 17, 15}, t, {periodic, periodic, periodic}, true, true});
    list.push_back({Mode::full, {9, 2, 3}, t, {pec, periodic, periodic}, true, true});
    list.push_back({Mode::full, {9, 5, 1}, t, {pec, periodic, periodic}});
    list.push_back({Mode::full, {11, 31, 7}, t, {pmc, pec, pmc}});
    // stretches of more than 4096 values travel without being packed
    list.push_back({Mode::full, {250, 37, 9}, t, {pec, periodic, pec}});
  }
  return list;
}
INSTANTIATE_TEST_SUITE_P(InSpace, FdtdBlocks, testing::ValuesIn(cases_in_space()));

/// A part with room for fewer samples prepares fewer steps at a time than the part beside it.
TEST(FdtdRanksOfUnequalLists, ExchangeAfterTheSameSteps) {
  Problem p = everything({Mode::full, {11, 9, 13}, Precision::single_});
  constexpr std::size_t many = 300'000;  // room for 2^21 / 300,000 = 6 samples
  const auto far = std::ranges::find(p.recorders, Ex, &Recorder::component);
  ASSERT_NE(far, p.recorders.end());
  Recorder crowd;
  crowd.component = Ex;
  crowd.cells.assign(many, Layout(p.grid).at(4, 4, 2));
  crowd.weights.assign(many, 0.5);
  for (std::size_t n = 0; n <= many; ++n) crowd.first.push_back(index_t(n));
  p.recorders = {crowd, *far};
  const auto alone = comm::one_rank();
  const Answers right = run(p, "cpu", *alone, 22);
  for (const int between : {2, 8})
    comm::run_in_process(2, [&](comm::Communicator& comm) {
      expect_same(run(p, "cpu", comm, 22, {}, between), right,
                  std::to_string(between) + " steps between exchanges");
    });
}

TEST_P(FdtdRanks, GoOnFromTheStateOfAnotherNumberOfRanks) {
  const Problem p = everything(GetParam());
  const auto alone = comm::one_rank();
  const auto saved = [&](int ranks) {
    std::vector<std::byte> state;
    comm::run_in_process(ranks, [&](comm::Communicator& comm) {
      const Answers a = run(p, "cpu", comm, steps);
      if (comm.first()) state = a.state;
    });
    return state;
  };
  const Answers right = run(p, "cpu", *alone, 15, saved(1));
  for (const int before : {1, 3})
    for (const int after : {1, 2, 4}) {
      const auto state = saved(before);
      comm::run_in_process(after, [&](comm::Communicator& comm) {
        expect_same(run(p, "cpu", comm, 15, state), right,
                    std::to_string(before) + " ranks, then " + std::to_string(after));
      });
    }
}

INSTANTIATE_TEST_SUITE_P(AllModes, FdtdRanks, testing::ValuesIn(cases()));

}  // namespace
}  // namespace umov::fdtd::trial
