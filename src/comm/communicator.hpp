// How the ranks of a run reach each other: messages that travel while both sides work, sums in a fixed order.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/error.hpp"

namespace umov::comm {

/// A message to a rank, or from one. What is sent stays unchanged, and what is received untouched, until the
/// exchange is finished. No bytes: no message, on either side.
struct Out {
  int to;
  const void* data;
  std::size_t bytes;
};
struct In {
  int from;
  void* data;
  std::size_t bytes;
};
template <class T>
Out out(int to, const T* data, std::size_t n) {
  return {to, data, n * sizeof(T)};
}
template <class T>
In in(int from, T* data, std::size_t n) {
  return {from, data, n * sizeof(T)};
}

/// The work of a device that messages are ordered with: host memory, or a stream (cudaStream_t) of a GPU.
struct Queue {
  void* stream = nullptr;
  int gpu = -1;
  bool of_host() const { return gpu < 0; }
};

/// An exchange under way. One that is left (by an error) without finish() is withdrawn: its memory may go.
class Pending {
 public:
  struct Work {
    virtual ~Work() = default;
    virtual void finish() = 0;
  };
  Pending() = default;
  explicit Pending(std::unique_ptr<Work> work) : work_(std::move(work)) {}

  bool under_way() const { return work_ != nullptr; }
  /// Host memory: returns when all has arrived and what was sent may change. A GPU's: what is queued from
  /// here on comes after that; the host does not wait. Nothing where nothing is under way.
  void finish() {
    const auto work = std::move(work_);
    if (work) work->finish();
  }

 private:
  std::unique_ptr<Work> work_;
};

/// A neighbour of an exchange that is made again and again: how many values go there and come from there.
struct Link {
  int rank;
  std::size_t sent, received;
};

/// An exchange of values of the same places with the same neighbours, again and again (persistent, in MPI's
/// word): what ranks must know of each other is agreed on once.
class PersistentExchange {
 public:
  virtual ~PersistentExchange() = default;
  /// Sends the values of `own` at the places, which may change in what is queued from here on; the
  /// neighbours' values come to `halo`, one link behind another.
  virtual void start(const void* own, void* halo) = 0;
  /// What is queued from here on finds them there. Once after each start().
  virtual void finish() = 0;
};

/// Messages between the memories of one kind of device. Every rank of the communicator opens its own, all in
/// one order; host memory needs none (a Communicator is one).
class Channel {
 public:
  virtual ~Channel() = default;

  /// Begins an exchange: the messages of one pair of ranks are matched in the order they are given in, over
  /// all exchanges of the channel (of a rank with itself: within one). Several exchanges may be under way,
  /// started in the same order on all ranks that they join. A GPU's: after what was queued before.
  virtual Pending start(std::span<const Out>, std::span<const In>) = 0;
  void exchange(std::span<const Out> outs, std::span<const In> ins) { start(outs, ins).finish(); }

  /// `all` (size() times `bytes`, in the order of the ranks) gets what each rank has in `mine`. Of every
  /// rank.
  virtual void all_gather(const void* mine, std::size_t bytes, void* all) = 0;

  /// Values of `element` bytes (4, 8 or 16) at `places` (in the memory of the device, of one link behind
  /// another; they outlive it). Each rank is in one link at most. nullptr where the channel has nothing
  /// better than start(). Of every rank.
  virtual std::unique_ptr<PersistentExchange> persistent(std::span<const Link>, const int* /*places*/,
                                                         std::size_t /*element*/) {
    return nullptr;
  }
  /// Queues sums[k] = the sum over the ranks of mine[k], k < n <= 16, in the order of sum_by_rank. False, and
  /// nothing done, where the channel has nothing better than all_gather(). Of every rank.
  virtual bool sum(const double* /*mine*/, int /*n*/, double* /*sums*/) { return false; }
  /// Whether persistent exchanges and sums may be recorded in a Sequence of the device, which repeats them.
  virtual bool recordable() const { return false; }
  /// After those that were repeated: counts what is known by now of their waits. Throws as check() does.
  virtual void settle() {}
};

/// What a rank has sent and how long it has waited for others so far, over all channels and parts.
struct Traffic {
  double bytes = 0;
  double seconds = 0;
  std::string way;  ///< that messages between GPUs take, for logs; "": there are none
};

/// Another rank has failed, and this one ends with it: its code and message.
struct OtherRankFailed : Error {
  using Error::Error;
};

/// One rank's view of a group of ranks, which all call the collective members in one order. Used by one
/// thread. Throws OtherRankFailed wherever it waits when a rank has failed. The channel of host memory.
class Communicator : public Channel {
 public:
  virtual int rank() const = 0;
  virtual int size() const = 0;
  bool first() const { return rank() == 0; }

  /// Returns when every rank has come.
  virtual void barrier() = 0;

  /// A communicator of the ranks that give the same `part`, in their order here; nullptr for part < 0. Of
  /// every rank.
  virtual std::unique_ptr<Communicator> split(int part) = 0;

  /// A channel for memory of the device with this queue, of every rank. Throws MachineFailure where the cuda
  /// backend is not there.
  std::unique_ptr<Channel> open(const Queue&);

  /// Throws OtherRankFailed where one has: for those who wait without coming here.
  virtual void check() const {}
  /// `call` is called once when a rank has failed, by whatever thread, and at once when one has already; not
  /// after what is returned has gone. Of ranks that are threads: processes are ended otherwise.
  virtual std::shared_ptr<void> on_failure(std::function<void()> /*call*/) { return nullptr; }

  /// Whether the ranks are threads of one process: they see the same memory and the same GPUs.
  virtual bool in_process() const = 0;
  /// What joins the ranks, for logs: "one rank", "threads", "Open MPI v4.1.4".
  virtual std::string kind() const = 0;

  const Traffic& traffic() const { return *traffic_; }
  /// Where this rank's traffic is counted; parts and channels count in the same place.
  const std::shared_ptr<Traffic>& traffic_counter() const { return traffic_; }

 protected:
  Communicator() : traffic_(std::make_shared<Traffic>()) {}
  explicit Communicator(std::shared_ptr<Traffic> traffic) : traffic_(std::move(traffic)) {}

 private:
  std::shared_ptr<Traffic> traffic_;
};

/// The communicator of a run that is one rank.
std::unique_ptr<Communicator> one_rank();

}  // namespace umov::comm
