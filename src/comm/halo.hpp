// Exchange with neighbours by lists of indices: what a rank's rows need of the rows of others.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "comm/queue.hpp"
#include "core/complex.hpp"
#include "core/types.hpp"

namespace umov::comm {

/// What passes between a rank and one other at each exchange.
struct Neighbour {
  int rank = 0;
  std::vector<int> sent;  ///< places in the rank's own values
  int received = 0;       ///< values that come; the neighbour's list has as many
};

namespace halo {

template <class T>
struct Pack {
  const T* from;
  const int* places;
  T* to;
  UMOV_HD void operator()(index_t i) const { to[i] = from[places[i]]; }
};

}  // namespace halo

/// Values of the neighbours, one behind another in the order of the list of neighbours. On any backend.
template <class Device, class T>
class Halo {
 public:
  /// `device` and `channel` outlive it. Of every rank.
  Halo(Device& device, Channel& channel, const std::vector<Neighbour>& neighbours)
      : device_(&device), channel_(&channel) {
    std::vector<int> places;
    for (const auto& n : neighbours) {
      places.insert(places.end(), n.sent.begin(), n.sent.end());
      links_.push_back({n.rank, n.sent.size(), std::size_t(n.received)});
      received_ += n.received;
    }
    places_ = device.template allocate<int>(places.size());
    device.upload(places_.data(), places.data(), places.size());
    persistent_ = channel.persistent(links_, std::as_const(places_).data(), sizeof(T));
    if (!persistent_) packed_ = device.template allocate<T>(places.size());
  }

  index_t received() const { return received_; }

  /// Sends values of `own` and lets received() values arrive at `halo`, which may lie behind them. `own` may
  /// change as soon as this returns (a GPU's: in what is queued then); `halo` is there after finish().
  void start(const T* own, T* halo) {
    if (persistent_) return persistent_->start(own, halo);
    device_->for_each(index_t(places_.size()), halo::Pack<T>{own, places_.data(), packed_.data()});
    std::vector<Out> outs;
    std::vector<In> ins;
    const T* from = packed_.data();
    for (const auto& link : links_) {
      outs.push_back(out(link.rank, from, link.sent));
      ins.push_back(in(link.rank, halo, link.received));
      from += link.sent;
      halo += link.received;
    }
    pending_ = channel_->start(outs, ins);
  }
  void finish() {
    if (persistent_) return persistent_->finish();
    pending_.finish();
  }

 private:
  Device* device_;
  Channel* channel_;
  std::vector<Link> links_;
  index_t received_ = 0;
  typename Device::template Array<int> places_;
  typename Device::template Array<T> packed_;
  Pending pending_;
  std::unique_ptr<PersistentExchange> persistent_;  // none: messages are made anew each time
};

}  // namespace umov::comm
