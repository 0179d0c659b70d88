// A dipole run on several ranks while viewers look at it: rank 0 looks, and those who share the particle with
// it give their part.
#pragma once

#include "comm/communicator.hpp"
#include "dda/run/observer.hpp"

namespace umov::dda {

/// What rank 0 tells the ranks that share its particle, at each iteration and around solves.
enum class LiveOrder { incident, polarization, go_on };

/// The order of rank 0, on every rank; what the others give does not count.
LiveOrder tell(comm::Communicator&, LiveOrder);
/// Of every rank of a run with a view: the ranks that share a particle with rank 0 where this is one of them
/// and there are any, else nullptr. `looks`: this is rank 0.
comm::Communicator* looked_at(const Prepared&, bool looks);

/// The watcher of the other ranks. Groups that solve for waves of their own are not looked at.
class LiveFollower final : public SolveWatcher {
 public:
  void begin(const Prepared&) override;
  void solving(const Prepared&, std::span<const Incident>, const Engine&) override;
  void solved(const Prepared&, const Solution&) override;
  /// For RunObserver::iteration.
  void iterate() const { follow(); }

 private:
  void follow() const;

  comm::Communicator* group_ = nullptr;
  const Engine* engine_ = nullptr;
};

}  // namespace umov::dda
