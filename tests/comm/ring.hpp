// A test of halos on any backend: rows of a ring over ranks.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "comm/halo.hpp"
#include "comm/ranks.hpp"

namespace umov::comm {

/// Rows of a ring over ranks: each needs the first two values of the next rank that has any, and the last of
/// the one before; ranks have unequally many, one none.
template <class Device, class... Options>
void ring(Communicator& comm, const Options&... options) {
  Device device(options...);
  const auto count = [&](int r) { return r == 1 ? 0 : 3 + r; };
  std::vector<int> ranks;
  for (int r = 0; r < comm.size(); ++r)
    if (count(r)) ranks.push_back(r);
  std::vector<Neighbour> neighbours;
  const auto me = std::find(ranks.begin(), ranks.end(), comm.rank()) - ranks.begin();
  const int n = count(comm.rank()), others = int(ranks.size());
  if (n) {
    const int next = ranks[std::size_t((me + 1) % others)],
              last = ranks[std::size_t((me + others - 1) % others)];
    neighbours = {{last, {0, 1}, 1}, {next, {n - 1}, 2}};
  }
  const auto channel = comm.open(queue_of(device));
  Halo<Device, double> halo(device, *channel, neighbours);
  ASSERT_EQ(halo.received(), n ? 3 : 0);
  auto values = device.template allocate<double>(std::size_t(n) + 3);
  for (int round = 0; round < 5; ++round) {
    std::vector<double> own(std::size_t(n), 0.0), got(3);
    for (int i = 0; i < n; ++i) own[std::size_t(i)] = 1000 * round + 100 * comm.rank() + i;
    device.upload(values.data(), own.data(), own.size());
    halo.start(values.data(), values.data() + n);
    device.fill_zero(values.data(), std::size_t(n));  // own values may change at once
    halo.finish();
    if (!n) continue;
    device.download(got.data(), values.data() + n, 3);
    const int next = neighbours[1].rank, last = neighbours[0].rank;
    EXPECT_EQ(got, (std::vector<double>{1000.0 * round + 100 * last + count(last) - 1,
                                        1000.0 * round + 100 * next, 1000.0 * round + 100 * next + 1}));
  }
}

}  // namespace umov::comm
