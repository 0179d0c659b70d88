// Messages that kernels write into the memory of other GPUs of the process: nothing of them passes the host.
#pragma once

#include <memory>
#include <span>

#include "backend/cuda/memory.hpp"
#include "comm/cuda/lane.hpp"
#include "comm/cuda/meter.hpp"

namespace umov::comm::direct {

/// A word that ends the waits of this rank's kernels once a rank has failed.
class Stop {
 public:
  explicit Stop(Communicator&);
  /// Ends them at once.
  void set() const;
  bool is_set() const;
  const int* word() const { return word_->data(); }

 private:
  std::shared_ptr<backend::PinnedArray<int>> word_;
  std::shared_ptr<void> told_;
};

/// What exchanges of a channel share; outlives them.
struct Post {
  Communicator& host;
  Lane& lane;
  Stop stop;
  Meter meter;
  Post(Communicator& of, Lane& on) : host(of), lane(on), stop(of) {}
  /// Throws where a rank has failed, so that what arrived is void.
  void require_all() const;
};

/// See Channel::persistent. Ranks have GPUs of their own, which reach each other's memory.
std::unique_ptr<PersistentExchange> make_exchange(Post&, std::span<const Link>, const int* places,
                                                  std::size_t element);

/// See Channel::sum.
class Sums {
 public:
  explicit Sums(Post&);
  ~Sums();
  Sums(const Sums&) = delete;
  Sums& operator=(const Sums&) = delete;
  void add(const double* mine, int n, double* sums);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace umov::comm::direct
