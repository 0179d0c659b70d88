// What computes a case of the time domain, beside what it is.
#pragma once

#include "run/machine.hpp"

namespace umov::fdtd {

/// What several ranks do with a normalised pair: share the grid of one run after the other, or take both runs
/// side by side.
enum class RankSplit { automatic, grid, runs };

/// How several ranks share a grid: in slabs across its last axis, or in space in blocks across the last two.
enum class RankCut { automatic, slabs, blocks };

/// That of all families, and what ranks share.
struct Machine : run::Machine {
  RankSplit split = RankSplit::automatic;
  RankCut cut = RankCut::automatic;
};

}  // namespace umov::fdtd
