// Engines that several ranks are together: rank 0 asks, the others follow.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "comm/communicator.hpp"
#include "core/timer.hpp"
#include "eqs/engine.hpp"

namespace umov::eqs {

/// The ranks of a run. What is asked of an engine of rank 0 the others do, too, in follow(); a run is written
/// for one engine and does not know of them.
class Team {
 public:
  /// Of every rank; `request` is the rank's own. `comm` outlives it.
  Team(comm::Communicator& comm, const EngineRequest& request);
  ~Team();
  Team(const Team&) = delete;
  Team& operator=(const Team&) = delete;

  /// Rank 0: an engine of all ranks for a problem, one at a time. Throws as make_engine does.
  std::unique_ptr<Engine> make(const Problem& whole);
  /// Rank 0: the others are free to go; done by the destructor, too.
  void dismiss();
  /// Other ranks: does what rank 0 asks until it dismisses them.
  void follow();

  /// Rank 0: whether a signal had reached any rank when the last engine was asked for something.
  bool interrupted() const { return interrupted_; }
  comm::Communicator& comm() const { return comm_; }
  /// Of this rank's engines: the most that one held, and its device.
  std::size_t peak_bytes() const { return peak_; }
  const std::string& device() const { return device_; }
  /// Since the first engine was there: seconds, and what had been sent and waited for until then. Before it
  /// all ranks but the first wait for the mesh and their shares.
  double seconds() const { return since_made_ ? since_made_->seconds() : 0; }
  const comm::Traffic& before() const { return before_; }
  /// Rank 0: what cutting the problem for its first engine took.
  double share_seconds() const { return share_seconds_; }

 private:
  friend class LeadEngine;
  struct Order;
  Order order(const Order&);
  void take_engine(const Problem* whole);
  bool obey(const Order&);
  void note_peak();

  comm::Communicator& comm_;
  EngineRequest request_;
  std::unique_ptr<Engine> engine_;  ///< this rank's
  std::shared_ptr<const RankShare> share_;
  std::size_t nodes_ = 0, elements_ = 0;  ///< of the share, others' among them
  bool interrupted_ = false, dismissed_ = false;
  std::size_t peak_ = 0;
  std::string device_;
  std::optional<Stopwatch> since_made_;
  double share_seconds_ = 0;
  comm::Traffic before_;
};

}  // namespace umov::eqs
