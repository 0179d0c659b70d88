// Elements in patches whose unknowns have short local numbers: what a matrix-free product streams.
#pragma once

#include <cstdint>
#include <vector>

#include "core/types.hpp"

namespace umov::eqs::cpu {

/// Stretches of elements that follow one another in memory (and so in space, in a mesh sorted by place).
/// Local number 0 is a place for fixed nodes; then come the unknowns of this patch alone, then those it
/// shares.
struct ElementPatches {
  static constexpr int width = 10;  ///< nodes of an element
  struct Patch {
    int first_element = 0, elements = 0;  ///< the last group of lanes is filled up with empty elements
    int first_unknown = 0;                ///< in `unknown`: local number 1
    int inner = 0, shared = 0;
    int first_group = 0;  ///< in `place`, groups of `lanes` elements
    int first_part = 0;   ///< of its shared unknowns' sums
  };
  int unknowns = 0, lanes = 16;
  std::vector<Patch> patches;
  std::vector<int> unknown;          ///< of a patch: inner ones, then shared ones
  std::vector<std::uint16_t> place;  ///< [group][node][lane]
  /// Shared unknowns: parts[part_start[s] .. part_start[s + 1]] are the places of its sums, patch by patch.
  std::vector<int> shared, part_start, parts;
  int part_count = 0, most_local = 0;

  std::size_t bytes() const {
    return unknown.size() * 4 + place.size() * 2 + (shared.size() + part_start.size() + parts.size()) * 4;
  }
};

/// `dofs`: ten unknowns per element, -1 where fixed. Every unknown belongs to an element. `group` elements
/// make a vector register in the widest arithmetic used.
ElementPatches make_patches(const int* dofs, int elements, int unknowns, int lanes, int patch_elements);

}  // namespace umov::eqs::cpu
