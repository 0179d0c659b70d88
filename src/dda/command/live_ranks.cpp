// What ranks that share a particle do while rank 0 looks at it.
#include "dda/command/live_ranks.hpp"

#include "comm/collect.hpp"
#include "dda/engine.hpp"
#include "dda/run/prepare.hpp"
#include "dda/run/solve.hpp"

namespace umov::dda {

LiveOrder tell(comm::Communicator& group, LiveOrder order) { return comm::all_gather(group, order).front(); }

comm::Communicator* looked_at(const Prepared& p, bool looks) {
  comm::Communicator* const group = p.ranks.group;
  return group && comm::any(*group, looks) ? group : nullptr;
}

void LiveFollower::begin(const Prepared& p) {
  engine_ = nullptr;
  group_ = looked_at(p, false);
  follow();
}

void LiveFollower::solving(const Prepared&, std::span<const Incident>, const Engine& engine) {
  engine_ = &engine;
}

void LiveFollower::solved(const Prepared&, const Solution& solution) {
  engine_ = &solution.engine;
  follow();
}

/// Only rank 0 has room for the whole: others give what is theirs.
void LiveFollower::follow() const {
  while (group_) {
    switch (tell(*group_, LiveOrder::go_on)) {
      case LiveOrder::incident:
        engine_->get_incident({});
        break;
      case LiveOrder::polarization:
        engine_->get_polarization({});
        break;
      case LiveOrder::go_on:
        return;
    }
  }
}

}  // namespace umov::dda
