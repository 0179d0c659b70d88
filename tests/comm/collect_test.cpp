// Sums, votes, gathered and spread lists, parts of a group.
#include "comm/collect.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "comm/ranks.hpp"
#include "comm/scatter.hpp"

namespace umov::comm {
namespace {

TEST(Collect, ASumOfIntegersIsExactAndTheSameOnEveryRank) {
  on_ranks([](Communicator& comm) {
    std::vector<double> values{double(comm.rank() + 1), 10.0 * comm.rank()};
    sum(comm, std::span<double>(values));
    const int p = comm.size();
    EXPECT_EQ(values, (std::vector<double>{p * (p + 1) / 2.0, 5.0 * p * (p - 1)}));
    EXPECT_EQ(sum(comm, 1L), p);
  });
}

TEST(Collect, ASumHasTheSameBitsFromRunToRunOnEveryRank) {
  for (int ranks = 2; ranks <= 4; ++ranks) {
    std::vector<double> found;
    for (int run = 0; run < 20; ++run)
      run_in_process(ranks, [&](Communicator& comm) {
        // Numbers whose sum depends on the order they are added in.
        const double total = sum(comm, std::pow(10.0, comm.rank() * 8 % 17) / 3);
        const auto all = all_gather(comm, total);
        for (const double other : all) EXPECT_EQ(other, total);
        if (comm.first()) found.push_back(total);
      });
    for (const double total : found) EXPECT_EQ(total, found[0]) << ranks;
  }
}

TEST(Collect, SumsOverRanksArePairwise) {
  std::vector<double> five{1, 2, 3, 4, 5};
  sum_by_rank(five.data(), 5, 1);
  EXPECT_EQ(five[0], 15);
  // (a + c) + (b + d), for four: 1e16 and 1 in one pair lose the 1, the next pair's sum is 2.
  std::vector<double> four{1e16, 1, -1e16, 1};
  sum_by_rank(four.data(), 4, 1);
  EXPECT_EQ(four[0], 2);
}

TEST(Collect, MaximaMinimaAndVotes) {
  on_ranks([](Communicator& comm) {
    EXPECT_EQ(max(comm, 3.0 * comm.rank()), 3.0 * (comm.size() - 1));
    EXPECT_EQ(min(comm, -comm.rank()), 1 - comm.size());
    EXPECT_TRUE(any(comm, comm.rank() == comm.size() - 1));
    EXPECT_FALSE(any(comm, false));
    EXPECT_TRUE(all(comm, true));
    EXPECT_FALSE(all(comm, comm.rank() != comm.size() - 1));
  });
}

TEST(Collect, ListsAreGatheredInTheOrderOfTheRanksEmptyOnesToo) {
  on_ranks([](Communicator& comm) {
    const std::vector<int> mine(std::size_t(comm.rank() == 1 ? 0 : comm.rank() + 1), comm.rank());
    std::vector<std::size_t> counts;
    const int root = comm.size() - 1;
    const auto all = gather(comm, std::span<const int>(mine), root, &counts);
    if (comm.rank() != root) {
      EXPECT_TRUE(all.empty());
      return;
    }
    std::vector<int> expected;
    for (int r = 0; r < comm.size(); ++r) expected.insert(expected.end(), std::size_t(r == 1 ? 0 : r + 1), r);
    EXPECT_EQ(all, expected);
    EXPECT_EQ(counts.size(), std::size_t(comm.size()));
  });
}

TEST(Collect, TheRootsListAndTextReachAll) {
  on_ranks([](Communicator& comm) {
    const int root = comm.size() / 2;
    std::vector<double> list(comm.rank() == root ? 5 : 2, comm.rank());
    broadcast(comm, list, root);
    EXPECT_EQ(list, std::vector<double>(5, root));
    std::string text = comm.rank() == root ? "sunlight" : "?";
    broadcast(comm, text, root);
    EXPECT_EQ(text, "sunlight");
    std::string empty = comm.rank() == root ? "" : "?";
    broadcast(comm, empty, root);
    EXPECT_EQ(empty, "");
  });
}

TEST(Collect, EachRankGetsTheListThatTheRootHasForIt) {
  on_ranks([](Communicator& comm) {
    const int root = comm.size() - 1;
    std::vector<std::vector<int>> lists;
    if (comm.rank() == root)
      for (int r = 0; r < comm.size(); ++r) lists.emplace_back(std::size_t(r), 10 * r);  // none for rank 0
    EXPECT_EQ(scatter(comm, lists, root), std::vector<int>(std::size_t(comm.rank()), 10 * comm.rank()));
  });
}

TEST(Collect, OneAfterAnotherInTheOrderOfTheRanks) {
  for (int ranks = 1; ranks <= 4; ++ranks) {
    std::vector<int> order;
    run_in_process(ranks, [&](Communicator& comm) { in_turn(comm, [&] { order.push_back(comm.rank()); }); });
    std::vector<int> expected;
    for (int r = 0; r < ranks; ++r) expected.push_back(r);
    EXPECT_EQ(order, expected);
  }
}

TEST(Collect, PartsOfAGroupAreGroupsInTheOrderOfTheWhole) {
  on_ranks([](Communicator& comm) {
    // The last rank is in no part; the others in two.
    const bool out = comm.rank() == comm.size() - 1;
    for (int round = 0; round < 3; ++round) {
      const auto part = comm.split(out ? -1 : comm.rank() % 2);
      ASSERT_EQ(part == nullptr, out);
      if (!part) continue;
      EXPECT_EQ(part->rank(), comm.rank() / 2);
      int members = 0, sum_of_ranks = 0;
      for (int r = comm.rank() % 2; r < comm.size() - 1; r += 2) ++members, sum_of_ranks += r;
      EXPECT_EQ(part->size(), members);
      EXPECT_EQ(sum(*part, comm.rank()), sum_of_ranks);
      // Parts have parts.
      const auto lower = part->split(part->rank() == 0 ? 0 : 1);
      EXPECT_EQ(lower->size(), part->rank() == 0 ? 1 : members - 1);
      lower->barrier();
    }
    comm.barrier();
  });
}

}  // namespace
}  // namespace umov::comm
