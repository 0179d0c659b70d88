// Messages between ranks: what is sent arrives, in the order of each pair, while several exchanges are under
// way.
#include <gtest/gtest.h>

#include <chrono>
#include <numeric>
#include <thread>
#include <vector>

#include "comm/collect.hpp"
#include "comm/ranks.hpp"

namespace umov::comm {
namespace {

using Numbers = std::vector<int>;

/// Of a message from one rank to another: as many numbers as nobody else has, none for some pairs.
Numbers content(int from, int to, int group = 0) {
  Numbers out(std::size_t((3 * from + 2 * to + group) % 7));
  std::iota(out.begin(), out.end(), 1000 * group + 100 * from + 10 * to);
  return out;
}

struct AllToAll {
  std::vector<Numbers> sent, received;
  Pending pending;

  AllToAll(Channel& channel, int rank, int size, int group) {
    std::vector<Out> outs;
    std::vector<In> ins;
    for (int r = 0; r < size; ++r) {
      sent.push_back(content(rank, r, group));
      received.emplace_back(content(r, rank, group).size());
    }
    for (int r = 0; r < size; ++r) {
      const auto at = std::size_t(r);
      outs.push_back(out(r, sent[at].data(), sent[at].size()));
      ins.push_back(in(r, received[at].data(), received[at].size()));
    }
    pending = channel.start(outs, ins);
  }
  void check(int rank, int group) {
    for (std::size_t r = 0; r < received.size(); ++r) EXPECT_EQ(received[r], content(int(r), rank, group));
  }
};

TEST(Messages, AllToAllOfUnequalLengthsArrives) {
  on_ranks([](Communicator& comm) {
    AllToAll all(comm, comm.rank(), comm.size(), 0);
    all.pending.finish();
    all.check(comm.rank(), 0);
  });
}

TEST(Messages, GroupsUnderWayAtTheSameTimeDoNotMix) {
  on_ranks([](Communicator& comm) {
    for (int round = 0; round < 20; ++round) {
      AllToAll a(comm, comm.rank(), comm.size(), 0), b(comm, comm.rank(), comm.size(), 1);
      // Ranks finish in different orders: nobody waits for the other's.
      auto& first = comm.rank() % 2 ? b : a;
      auto& second = comm.rank() % 2 ? a : b;
      first.pending.finish();
      AllToAll c(comm, comm.rank(), comm.size(), 2);
      second.pending.finish();
      c.pending.finish();
      a.check(comm.rank(), 0);
      b.check(comm.rank(), 1);
      c.check(comm.rank(), 2);
    }
  });
}

TEST(Messages, OfOnePairArriveInTheirOrder) {
  run_in_process(2, [](Communicator& comm) {
    std::vector<double> values{1, 2, 3}, got(3);
    if (comm.rank() == 0) {
      const Out outs[] = {out(1, &values[0], 1), out(1, &values[1], 2)};
      comm.exchange(outs, {});
    } else {
      const In one[] = {in(0, &got[0], 1)}, other[] = {in(0, &got[1], 2)};
      comm.exchange({}, one);
      comm.exchange({}, other);
      EXPECT_EQ(got, values);
    }
  });
}

TEST(Messages, WhatIsWorkedOnMeanwhileIsNotTouched) {
  on_ranks([](Communicator& comm) {
    const int right = (comm.rank() + 1) % comm.size(), left = (comm.rank() + comm.size() - 1) % comm.size();
    Numbers field(1000, comm.rank());
    for (int step = 0; step < 50; ++step) {
      const Out outs[] = {out(right, &field[900], 100)};
      const In ins[] = {in(left, &field[0], 100)};
      auto halo = comm.start(outs, ins);
      for (int i = 100; i < 900; ++i) ++field[std::size_t(i)];
      halo.finish();
      EXPECT_EQ(field[50], left);
      EXPECT_EQ(field[150], comm.rank() + step + 1);
    }
  });
}

TEST(Messages, AChannelIsAGroupOfItsOwn) {
  on_ranks([](Communicator& comm) {
    const auto channel = comm.open(Queue());
    AllToAll a(comm, comm.rank(), comm.size(), 3), b(*channel, comm.rank(), comm.size(), 4);
    b.pending.finish();
    a.pending.finish();
    a.check(comm.rank(), 3);
    b.check(comm.rank(), 4);
  });
}

TEST(Messages, SentBytesAreCountedWithoutThoseToOneself) {
  run_in_process(3, [](Communicator& comm) {
    std::vector<double> values(10), got(30);
    std::vector<Out> outs;
    std::vector<In> ins;
    for (int r = 0; r < 3; ++r) {
      outs.push_back(out(r, values.data(), 10));
      ins.push_back(in(r, &got[std::size_t(10 * r)], 10));
    }
    comm.split(0)->exchange(outs, ins);
    // The split itself told each of two others an int.
    EXPECT_EQ(comm.traffic().bytes, 2 * 80 + 2 * sizeof(int));
  });
}

TEST(Messages, WaitingForALateRankIsCounted) {
  run_in_process(2, [](Communicator& comm) {
    double value = 0;
    if (comm.rank() == 1) std::this_thread::sleep_for(std::chrono::milliseconds(50));
    const Out outs[] = {out(1 - comm.rank(), &value, 1)};
    double other = 0;
    const In ins[] = {in(1 - comm.rank(), &other, 1)};
    comm.exchange(outs, ins);
    // What a sleep promises, less what the other thread took to begin.
    if (comm.rank() == 0) {
      EXPECT_GT(comm.traffic().seconds, 0.02);
    }
  });
}

}  // namespace
}  // namespace umov::comm
