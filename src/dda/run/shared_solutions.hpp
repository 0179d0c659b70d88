// Solutions of groups of ranks, each wave's for all ranks.
#pragma once

#include <functional>
#include <span>

#include "dda/run/solve.hpp"

namespace umov::dda {

/// A solve of one wave, which leaves the polarizations in the engine; does not throw where it was stopped.
struct OwnSolve {
  SolveReport report;
  SolveOptions options;  ///< with its checkpoint
  bool stopped = false;  ///< by the observer
};

/// What a group does with a wave.
struct GroupSolves {
  std::function<OwnSolve(std::size_t)> solve;
  std::function<void(const Incident&)> set_incident;  ///< in the engine
  std::function<void(SolveReport&)> settle;           ///< tells of what a report has to say
};

/// Of every rank: each group solves for a wave of its own by `solve`, one round of groups after the other;
/// then every engine is given the field and polarizations of each wave in turn, and use(i, solution) is
/// called on all ranks alike. Directions of far fields are shared out among the groups. Throws Interrupted.
void solve_in_groups(const Prepared&, std::span<const Incident>, Engine&, const GroupSolves&,
                     const std::function<void(std::size_t, const Solution&)>& use);

}  // namespace umov::dda
