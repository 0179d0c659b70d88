// A rank's device whose sums and maxima are those of all ranks: what is written for one device and steers by
// sums alone runs on many.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "backend/reduce.hpp"
#include "comm/collect.hpp"
#include "comm/queue.hpp"

namespace umov::comm {

namespace ranked {

/// Most sums that are formed at once.
inline constexpr int most_sums = 16;

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

/// Ranks that a device's sums go over, and the smaller groups of them.
class Group {
 public:
  /// All of them. `comm` outlives it.
  Group(Communicator& comm, const Queue& queue) : comm_(&comm), queue_(queue) { open(); }

  Communicator& comm() const { return *comm_; }
  Channel& channel() const { return channel_ ? *channel_ : *comm_; }
  /// Whether this rank is one of them.
  bool here() const { return comm_ != nullptr; }
  /// See Channel::settle; of the smaller groups, too.
  void settle() const {
    if (channel_) channel_->settle();
    for (const auto& [step, group] : fewer_) group->settle();
  }
  /// Every `step`-th rank of this group, the first among them; made once. Of every rank of this group.
  Group& fewer(int step) {
    auto& group = fewer_[step];
    if (!group) group.reset(new Group(comm_->split(comm_->rank() % step == 0 ? 0 : -1), queue_));
    return *group;
  }

 private:
  Group(std::unique_ptr<Communicator> comm, const Queue& queue)
      : own_(std::move(comm)), comm_(own_.get()), queue_(queue) {
    if (comm_ && comm_->size() > 1) open();  // one rank sends nothing
  }
  void open() {
    if (!queue_.of_host()) channel_ = comm_->open(queue_);
  }
  std::unique_ptr<Communicator> own_;
  Communicator* comm_;
  Queue queue_;
  std::unique_ptr<Channel> channel_;  // none: host memory's
  std::map<int, std::unique_ptr<Group>> fewer_;
};

/// Arrays, loops and scans are the rank's own; map_max, map_reduce and reduce_to are called by every rank of
/// the group in one order and give all of them the same bits.
template <class Device>
class RankedDevice : public Device {
 public:
  /// `comm` outlives it.
  template <class... Args>
  explicit RankedDevice(Communicator& comm, Args&&... device)
      : Device(std::forward<Args>(device)...),
        all_ranks_(comm, queue_of(static_cast<const Device&>(*this))),
        group_(&all_ranks_) {
    gathered_ = this->template allocate<double>(std::size_t(comm.size() + 1) * most_sums);
  }

  Communicator& comm() const { return group_->comm(); }
  /// For the memory of the device.
  Channel& channel() const { return group_->channel(); }
  Group& group() const { return *group_; }
  Device& alone() { return *this; }

  /// While it lives the device is one of `group`, which this rank belongs to.
  class Within {
   public:
    Within(RankedDevice& dev, Group& group) : dev_(dev), before_(std::exchange(dev.group_, &group)) {}
    ~Within() { dev_.group_ = before_; }
    Within(const Within&) = delete;
    Within& operator=(const Within&) = delete;

   private:
    RankedDevice& dev_;
    Group* before_;
  };

  template <class F>
  double map_max(index_t n, const F& f) const {
    std::uint64_t most = 0;
    for (const double v : all_gather(comm(), Device::map_max(n, f)))
      most = std::max(most, backend::ordered_bits(v));
    return backend::from_ordered_bits(most);
  }
  template <int K, class A, class F>
  backend::Sums<A, K> map_reduce(index_t n, const F& f) const {
    auto s = Device::template map_reduce<K, A>(n, f);
    sum(comm(), std::span<A>(s.v, K));
    return s;
  }
  template <int K, class F>
  void reduce_to(index_t n, const F& f, double* sums) const {
    Device::template reduce_to<K>(n, f, own_sums());
    add_ranks<K>(sums);
  }
  /// The same of sums that something else has left in own_sums(): K on every rank of the group.
  double* own_sums() const {
    return const_cast<double*>(gathered_.data()) + std::size_t(comm().size()) * most_sums;
  }
  template <int K>
  void add_ranks(double* sums) const {
    static_assert(K <= most_sums);
    if (channel().sum(own_sums(), K, sums)) return;
    double* all = const_cast<double*>(gathered_.data());
    channel().all_gather(own_sums(), K * sizeof(double), all);
    Device::for_each(K, ranked::AddRanks{all, sums, comm().size(), K});
  }

  /// Where messages can be recorded (Channel::recordable) as the device's own; else every launch is made
  /// anew.
  class Sequence {
    using Own = typename Device::Sequence;

   public:
    template <class F>
    void run(const RankedDevice& dev, const F& body) {
      if (!dev.channel().recordable()) return body();
      dev.comm().check();
      Traffic& traffic = *dev.comm().traffic_counter();
      const double before = traffic.bytes;
      bool made = false;
      own_.run(static_cast<const Device&>(dev), [&] {
        body();
        made = true;
      });
      if (made)
        bytes_ = traffic.bytes - before;
      else
        traffic.bytes += bytes_;
      dev.group().settle();
    }
    void forget() requires requires(Own own) { own.forget(); }
    { own_.forget(); }

   private:
    Own own_;
    double bytes_ = 0;  ///< sent in each run
  };

 private:
  static constexpr int most_sums = ranked::most_sums;
  Group all_ranks_;
  Group* group_;
  typename Device::template Array<double> gathered_;  // what the ranks gave, then this rank's own
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
