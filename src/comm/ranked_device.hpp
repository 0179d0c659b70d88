// A rank's device whose sums and maxima are those of all ranks: what is written for one device and steers by
// sums alone runs on many.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "backend/reduce.hpp"
#include "comm/collect.hpp"
#include "comm/queue.hpp"

namespace umov::comm {

namespace ranked {

/// sums[k] over the ranks, pairwise as comm::sum_by_rank has it; `ranks` is used up.
struct AddRanks {
  double *ranks, *sums;
  int size, count;
  UMOV_HD void operator()(index_t k) const {
    for (int left = size; left > 1; left = (left + 1) / 2) {
      const int half = (left + 1) / 2;
      for (int r = 0; r + half < left; ++r) ranks[r * count + k] += ranks[(r + half) * count + k];
    }
    sums[k] = ranks[k];
  }
};

}  // namespace ranked

/// Arrays, loops and scans are the rank's own; map_max, map_reduce and reduce_to are called by every rank in
/// one order and give all of them the same bits.
template <class Device>
class RankedDevice : public Device {
 public:
  /// `comm` outlives it.
  template <class... Args>
  explicit RankedDevice(Communicator& comm, Args&&... device)
      : Device(std::forward<Args>(device)...), comm_(&comm) {
    const Queue queue = queue_of(static_cast<const Device&>(*this));
    if (!queue.of_host()) channel_ = comm.open(queue);
    all_ = this->template allocate<double>(std::size_t(comm.size() + 1) * most_sums);
  }

  Communicator& comm() const { return *comm_; }
  /// For the memory of the device.
  Channel& channel() const { return channel_ ? *channel_ : *comm_; }
  Device& alone() { return *this; }

  template <class F>
  double map_max(index_t n, const F& f) const {
    std::uint64_t most = 0;
    for (const double v : all_gather(*comm_, Device::map_max(n, f)))
      most = std::max(most, backend::ordered_bits(v));
    return backend::from_ordered_bits(most);
  }
  template <int K, class A, class F>
  backend::Sums<A, K> map_reduce(index_t n, const F& f) const {
    auto s = Device::template map_reduce<K, A>(n, f);
    sum(*comm_, std::span<A>(s.v, K));
    return s;
  }
  template <int K, class F>
  void reduce_to(index_t n, const F& f, double* sums) const {
    static_assert(K <= most_sums);
    double* mine = const_cast<double*>(all_.data()) + std::size_t(comm_->size()) * most_sums;
    double* all = const_cast<double*>(all_.data());
    Device::template reduce_to<K>(n, f, mine);
    channel().all_gather(mine, K * sizeof(double), all);
    Device::for_each(K, ranked::AddRanks{all, sums, comm_->size(), K});
  }

  /// Messages cannot be recorded: every launch is made anew.
  class Sequence {
   public:
    template <class F>
    void run(const RankedDevice&, const F& body) {
      body();
    }
  };

 private:
  static constexpr int most_sums = 16;
  Communicator* comm_;
  std::unique_ptr<Channel> channel_;
  typename Device::template Array<double> all_;  // what the ranks gave, then this rank's own
};

/// Whether a device computes on one of several ranks.
template <class Device>
inline constexpr bool is_ranked = false;
template <class Device>
inline constexpr bool is_ranked<RankedDevice<Device>> = true;

/// The device without the other ranks: its sums are its own.
template <class Device>
Device& alone(Device& dev) {
  return dev;
}
template <class Device>
Device& alone(RankedDevice<Device>& dev) {
  return dev;
}

}  // namespace umov::comm
