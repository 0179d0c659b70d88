// Messages between the memories of GPUs: ranks that are threads, under mpirun processes. Ranks share GPUs
// where there are fewer of them.
#include <gtest/gtest.h>

#include <memory>
#include <vector>

#include "backend/cuda/cuda.hpp"
#include "comm/leave.hpp"
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
