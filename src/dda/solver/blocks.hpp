// How many right-hand sides a dipole run solves for together.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "dda/simulation.hpp"

namespace umov::dda {

/// Right-hand sides of a block, at most; 1 = one by one. `why` in words, empty where nobody asked.
struct BlockChoice {
  int columns = 1;
  std::string why;
};

/// What the choice depends on besides the case.
struct BlockFacts {
  bool several = true;   ///< there is more than one right-hand side
  std::size_t room = 0;  ///< bytes that are free beside the rest of the run; 0 = unknown
  std::size_t bytes_a_column = 0;
  std::size_t dipoles = 0;
};

/// Blocks are for averages over orientations, of which many right-hand sides have one polarizability. Throws
/// BadInput where the case asks for blocks that it cannot have.
BlockChoice choose_blocks(const Simulation&, const BlockFacts&);

/// Numbers of right-hand sides in groups of one polarizability, in the order of the first of each; groups
/// have at most `columns`, and are of like sizes where there are more.
std::vector<std::vector<std::size_t>> equal_groups(std::span<const std::vector<CVec3>> alphas, int columns);

/// Whether polarizabilities are the same but for rounding: the same matrix then serves both.
bool same_polarizability(std::span<const CVec3> a, std::span<const CVec3> b);

}  // namespace umov::dda
