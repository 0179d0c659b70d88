// Messages between the memories of GPUs: ranks that are threads, under mpirun processes. Ranks share GPUs
// where there are fewer of them.
#include <gtest/gtest.h>

#include <memory>
#include <vector>

#include "backend/cuda/cuda.hpp"
#include "comm/leave.hpp"
#include "comm/ranked_device.hpp"
#include "comm/ring.hpp"

namespace umov::comm {
namespace {

using backend::Cuda;

Cuda::Options seat(const Communicator& comm) {
  int count = 1;
  UMOV_CUDA_CHECK(cudaGetDeviceCount(&count));
  Cuda::Options options;
  options.device = comm.rank() % count;
  return options;
}

struct Fill {
  double* data;
  double first;
  UMOV_HD void operator()(index_t i) const { data[i] = first + double(i); }
};
/// Work that takes a while, so that what should wait for it is seen not to.
struct Churn {
  double* data;
  UMOV_HD void operator()(index_t i) const {
    for (int k = 0; k < 2000; ++k) data[i] = data[i] * 1.0000001 + 1e-9;
  }
};

std::size_t count_of(int from, int to) { return std::size_t((3 * from + 2 * to) % 5) * 1000; }
double first_of(int from, int to, int round) { return 1e6 * round + 1e5 * from + 1e4 * to; }

TEST(GpuMessages, AHaloIsTheOneOfHostMemory) {
  run_in_process(4, [](Communicator& comm) { ring<Cuda>(comm, seat(comm)); });
  run_in_process(5, [](Communicator& comm) { ring<Cuda>(comm, seat(comm)); });
}

TEST(GpuMessages, GroupsOfUnequalMessagesArriveInTheOrderOfTheStream) {
  on_ranks([](Communicator& comm) {
    Cuda device(seat(comm));
    const auto channel = comm.open(queue_of(device));
    std::vector<Cuda::Array<double>> sent, got;
    for (int r = 0; r < comm.size(); ++r) {
      sent.push_back(device.allocate<double>(count_of(comm.rank(), r)));
      got.push_back(device.allocate<double>(count_of(r, comm.rank())));
    }
    auto load = device.allocate<double>(100000);
    device.for_each(100000, Fill{load.data(), 0});
    for (int round = 0; round < 10; ++round) {
      // Nothing of this is waited for on the host: what is sent is written late, and written over at once
      // after.
      device.for_each(100000, Churn{load.data()});
      std::vector<Out> outs;
      std::vector<In> ins;
      for (int r = 0; r < comm.size(); ++r) {
        const auto at = std::size_t(r);
        device.for_each(index_t(sent[at].size()), Fill{sent[at].data(), first_of(comm.rank(), r, round)});
        outs.push_back(out(r, sent[at].data(), sent[at].size()));
        ins.push_back(in(r, got[at].data(), got[at].size()));
      }
      auto pending = channel->start(outs, ins);
      device.for_each(100000, Churn{load.data()});
      pending.finish();
      for (auto& s : sent) device.fill_zero(s.data(), s.size());
      if (round % 3) continue;
      for (int r = 0; r < comm.size(); ++r) {
        const auto at = std::size_t(r);
        std::vector<double> host(got[at].size());
        device.download(host.data(), got[at].data(), host.size());
        for (std::size_t i = 0; i < host.size(); ++i)
          ASSERT_EQ(host[i], first_of(r, comm.rank(), round) + double(i)) << "round " << round;
      }
    }
  });
}

TEST(GpuMessages, TwoExchangesMayBeUnderWay) {
  on_ranks([](Communicator& comm) {
    Cuda device(seat(comm));
    const auto channel = comm.open(queue_of(device));
    const int right = (comm.rank() + 1) % comm.size(), left = (comm.rank() + comm.size() - 1) % comm.size();
    auto a = device.allocate<double>(4000), b = device.allocate<double>(4000);
    device.for_each(2000, Fill{a.data(), 1000.0 * comm.rank()});
    device.for_each(2000, Fill{b.data(), 5e5 + 1000.0 * comm.rank()});
    const Out first[] = {out(right, a.data(), 2000)}, second[] = {out(left, b.data(), 2000)};
    const In first_in[] = {in(left, a.data() + 2000, 2000)}, second_in[] = {in(right, b.data() + 2000, 2000)};
    auto one = channel->start(first, first_in);
    auto two = channel->start(second, second_in);
    one.finish();
    two.finish();
    std::vector<double> host(4000);
    device.download(host.data(), a.data(), 4000);
    EXPECT_EQ(host[2007], 1000.0 * left + 7);
    device.download(host.data(), b.data(), 4000);
    EXPECT_EQ(host[2007], 5e5 + 1000.0 * right + 7);
  });
}

TEST(GpuMessages, ScalarsOfAllRanksAreGatheredOnTheDevice) {
  on_ranks([](Communicator& comm) {
    Cuda device(seat(comm));
    const auto channel = comm.open(queue_of(device));
    auto mine = device.allocate<double>(2), all = device.allocate<double>(2 * std::size_t(comm.size()));
    for (int round = 0; round < 20; ++round) {
      device.for_each(2, Fill{mine.data(), 100.0 * round + 10 * comm.rank()});
      channel->all_gather(mine.data(), 2 * sizeof(double), all.data());
      std::vector<double> host(all.size());
      device.download(host.data(), all.data(), host.size());
      for (int r = 0; r < comm.size(); ++r)
        for (int i = 0; i < 2; ++i) EXPECT_EQ(host[std::size_t(2 * r + i)], 100.0 * round + 10 * r + i);
    }
  });
}

/// A ring's halo: each rank gets the first values of the next.
std::vector<Neighbour> next_and_last(const Communicator& comm, int n) {
  const int next = (comm.rank() + 1) % comm.size(), last = (comm.rank() + comm.size() - 1) % comm.size();
  std::vector<int> places(std::size_t(n), 0);
  for (int i = 0; i < n; ++i) places[std::size_t(i)] = n - 1 - i;
  if (next == last) return {{next, places, n}};
  return {{last, places, 0}, {next, {}, n}};
}
struct KeepRound {
  const double* from;
  double* to;
  UMOV_HD void operator()(index_t i) const { to[i] = from[i]; }
};

TEST(GpuMessages, ExchangesOfTheSamePlacesRepeatAtAnyPace) {
  // 3 values in one block, 100000 in as many blocks as there are, in turn more than once
  for (const int n : {3, 5000, 100000})
    on_ranks([n](Communicator& comm) {
      constexpr int rounds = 12;
      Cuda device(seat(comm));
      const auto channel = comm.open(queue_of(device));
      Halo<Cuda, double> halo(device, *channel, next_and_last(comm, n));
      auto own = device.allocate<double>(std::size_t(n)), got = device.allocate<double>(std::size_t(n)),
           all = device.allocate<double>(std::size_t(rounds * n));
      auto load = device.allocate<double>(100000);
      device.for_each(100000, Fill{load.data(), 0});
      for (int round = 0; round < rounds; ++round) {
        // a rank that is late at each round, another one each time: on the device, the host runs ahead
        if (round % comm.size() == comm.rank()) device.for_each(100000, Churn{load.data()});
        device.for_each(n, Fill{own.data(), first_of(comm.rank(), 0, round)});
        halo.start(own.data(), got.data());
        device.fill_zero(own.data(), own.size());
        halo.finish();
        device.for_each(n, KeepRound{got.data(), all.data() + round * n});
      }
      std::vector<double> host(all.size());
      device.download(host.data(), all.data(), host.size());
      const int next = (comm.rank() + 1) % comm.size();
      for (int round = 0; round < rounds; ++round)
        for (int i = 0; i < n; ++i)
          ASSERT_EQ(host[std::size_t(round * n + i)], first_of(next, 0, round) + double(n - 1 - i))
              << "round " << round << " on " << comm.size() << " ranks";
    });
}

struct Tenths {
  double first;
  template <class S>
  UMOV_HD void operator()(index_t i, S& sums) const {
    sums.v[0] += 0.1 * first;
    sums.v[1] += double(i);
    sums.v[2] += first;
  }
};

TEST(GpuMessages, SumsOnTheDeviceAreThoseOfTheHost) {
  on_ranks([](Communicator& comm) {
    if (comm.size() == 1) return;
    RankedDevice<Cuda> device(comm, seat(comm));
    auto sums = device.allocate<double>(3);
    for (int round = 0; round < 20; ++round) {
      const Tenths f{double(round * 10 + comm.rank())};
      device.reduce_to<3>(1000 + comm.rank(), f, sums.data());
      const auto host = device.map_reduce<3, double>(1000 + comm.rank(), f);
      std::vector<double> got(3);
      device.download(got.data(), std::as_const(sums).data(), 3);
      for (int k = 0; k < 3; ++k) ASSERT_EQ(got[std::size_t(k)], host.v[k]) << round;
    }
  });
}

struct Grow {
  const double *halo, *sum;
  double* own;
  UMOV_HD void operator()(index_t i) const { own[i] = halo[i] + 1e-3 * *sum; }
};
struct AddOwn {
  const double* own;
  template <class S>
  UMOV_HD void operator()(index_t i, S& sums) const {
    sums.v[0] += own[i];
  }
};

TEST(GpuMessages, RecordedExchangesAndSumsAreRepeated) {
  on_ranks([](Communicator& comm) {
    if (comm.size() == 1) return;
    constexpr int n = 700, rounds = 15;
    std::vector<std::vector<double>> results;
    std::vector<double> bytes;
    int gpus = 0;
    UMOV_CUDA_CHECK(cudaGetDeviceCount(&gpus));
    for (const bool recorded : {false, true}) {
      RankedDevice<Cuda> device(comm, seat(comm));
      // GPUs that are shared, and older NCCL, pass messages in other ways; this test is of the machines that
      // have a GPU for each rank
      if (comm.in_process() && comm.size() <= gpus) EXPECT_TRUE(device.channel().recordable());
      RecordProperty("way", comm.traffic().way);
      Halo<RankedDevice<Cuda>, double> halo(device, device.channel(), next_and_last(comm, n));
      auto own = device.allocate<double>(n), got = device.allocate<double>(n),
           sum = device.allocate<double>(1);
      device.for_each(n, Fill{own.data(), 100.0 * comm.rank()});
      RankedDevice<Cuda>::Sequence sequence;
      const double before = comm.traffic().bytes;
      for (int round = 0; round < rounds; ++round) {
        const auto body = [&] {
          halo.start(own.data(), got.data());
          device.reduce_to<1>(n, AddOwn{own.data()}, sum.data());
          halo.finish();
          device.for_each(n, Grow{got.data(), sum.data(), own.data()});
        };
        if (recorded)
          sequence.run(device, body);
        else
          body();
      }
      bytes.push_back(comm.traffic().bytes - before);
      results.emplace_back(n);
      device.download(results.back().data(), std::as_const(own).data(), n);
    }
    EXPECT_EQ(results[0], results[1]);
    EXPECT_GT(bytes[0], 0);
    EXPECT_EQ(bytes[0], bytes[1]);
  });
}

TEST(GpuMessages, AFailedRankEndsTheWaitsOfOthers) {
  EXPECT_THROW(run_in_process(2,
                              [](Communicator& comm) {
                                RankedDevice<Cuda> device(comm, seat(comm));
                                Halo<RankedDevice<Cuda>, double> halo(device, device.channel(),
                                                                      next_and_last(comm, 100));
                                auto own = device.allocate<double>(100), got = device.allocate<double>(100),
                                     sum = device.allocate<double>(1);
                                device.fill_zero(own.data(), 100);
                                for (int round = 0; round < 5; ++round) {
                                  if (round == 3 && comm.first()) throw BadInput("bad");
                                  halo.start(own.data(), got.data());
                                  halo.finish();
                                  device.reduce_to<1>(100, AddOwn{own.data()}, sum.data());
                                  device.synchronize();
                                }
                              }),
               BadInput);
}

TEST(GpuMessages, AFailedRankLeavesNoGpuWaiting) {
  EXPECT_THROW(run_in_process(2,
                              [](Communicator& comm) {
                                Cuda device(seat(comm));
                                const auto channel = comm.open(queue_of(device));
                                auto data = device.allocate<double>(2000);
                                const int other = 1 - comm.rank();
                                const Out outs[] = {out(other, data.data(), 1000)};
                                const In ins[] = {in(other, data.data() + 1000, 1000)};
                                for (int round = 0; round < 5; ++round) {
                                  if (round == 3 && comm.first()) throw BadInput("bad");
                                  channel->exchange(outs, ins);
                                }
                              }),
               BadInput);
}

}  // namespace
}  // namespace umov::comm
