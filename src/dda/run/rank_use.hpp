// What the ranks of a dipole run do: share the particle, or solve for waves of their own.
#pragma once

#include <cstddef>
#include <string>

#include "comm/asked.hpp"
#include "comm/communicator.hpp"
#include "dda/simulation.hpp"

namespace umov::dda {

/// Ranks in groups: those of a group share the particle, and each group solves for waves of its own.
struct RankUse {
  int ranks = 1;  ///< of the run
  int groups = 1;
  std::string why;                      ///< in words; empty for one rank
  comm::Communicator* all = nullptr;    ///< of the run; none where it is one rank, or a plan
  comm::Communicator* group = nullptr;  ///< of those that share the particle with this one; none: alone
  int mine = 0;                         ///< this rank's group

  int group_of(int rank) const { return int(std::size_t(rank) * std::size_t(groups) / std::size_t(ranks)); }
  /// The first rank of a group.
  int leader(int g) const {
    return int((std::size_t(g) * std::size_t(ranks) + std::size_t(groups) - 1) / std::size_t(groups));
  }
  /// Ranks of the smallest group.
  int fewest() const { return ranks / groups; }
  /// Whether ranks of some group share the particle.
  bool shares() const { return ranks > groups; }
  /// Ranks of this process, whose memory is one.
  int together() const { return all && !all->in_process() ? 1 : ranks; }
};

/// Ranks that a case is to run on: those of mpirun, or as many as it asks for.
int ranks_asked(const comm::Asked&);

/// Groups of so many `ranks` where `solves` waves can be solved for at the same time and the whole particle
/// `fits` each of the ranks that would then have it. Throws BadInput where a split is demanded that cannot
/// be.
RankUse choose_rank_use(const Simulation&, RankSplit, int ranks, int solves, bool fits);

}  // namespace umov::dda
