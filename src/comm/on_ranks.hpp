// A device whose sums are those of all ranks: solvers run on it upon vectors that lie in parts.
#pragma once

#include <memory>
#include <span>
#include <utility>

#include "backend/reduce.hpp"
#include "comm/collect.hpp"
#include "comm/queue.hpp"

namespace umov::comm {

/// Where a rank's items lie among those of all: they follow each other.
struct Places {
  index_t own = 0, all = 0;  ///< items of this rank, of all ranks
  index_t first = 0;         ///< number of this rank's first one

  /// Number in a vector [any][all] of element i of this rank's part [any][own].
  UMOV_HD index_t of(index_t i) const {
    const index_t block = own ? i / own : 0;
    return block * all + first + (i - block * own);
  }
};

/// A functor as a rank runs it: specialised for those that make something of an element's number, which
/// then take that in the vector of all.
template <class F>
struct Placed {
  static const F& as(const F& f, const Places&) { return f; }
};

/// A backend's device as one of several ranks: what it sums or compares, it does over all of them, in a
/// fixed order, so that every rank has the same bits; loops, memory and transforms are the rank's own.
/// Every rank calls what sums in one order. `ranks` outlives it.
template <class Dev>
class OnRanks : public Dev {
 public:
  template <class... Args>
  explicit OnRanks(Communicator& ranks, Args&&... args)
      : Dev(std::forward<Args>(args)...),
        ranks_(&ranks),
        channel_(ranks.open(queue_of(static_cast<const Dev&>(*this)))) {}

  Communicator& ranks() const { return *ranks_; }
  /// For messages between the memories of the devices.
  Channel& channel() const { return *channel_; }
  bool any(bool mine) const { return comm::any(*ranks_, mine); }

  /// Of the items whose vectors are summed.
  const Places& places() const { return places_; }
  void set_places(const Places& places) { places_ = places; }

  template <int K, class A, class F>
  backend::Sums<A, K> map_reduce(index_t n, const F& f) const {
    auto s = Dev::template map_reduce<K, A>(n, Placed<F>::as(f, places_));
    comm::sum(*ranks_, std::span<A>(s.v, K));
    return s;
  }
  template <int K, class F>
  void reduce_to(index_t n, const F& f, double* sums) const {
    const auto s = map_reduce<K, double>(n, f);
    this->upload(sums, s.v, K);
    this->synchronize();  // s goes
  }
  template <class F>
  double map_max(index_t n, const F& f) const {
    const auto all = comm::all_gather(*ranks_, backend::ordered_bits(Dev::map_max(n, f)));
    return backend::from_ordered_bits(std::ranges::max(all));
  }

 private:
  Communicator* ranks_;
  std::unique_ptr<Channel> channel_;
  Places places_;
};

}  // namespace umov::comm
