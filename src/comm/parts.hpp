// How rows, planes or cells in a line are dealt out to ranks.
#pragma once

#include <span>
#include <vector>

#include "core/types.hpp"

namespace umov::comm {

/// Borders of `ranks` stretches of 0 .. n (ranks + 1 numbers, from 0 to n) whose lengths differ by one at
/// most, the longer ones first. More ranks than items: the last ones are empty.
std::vector<index_t> even_parts(index_t n, int ranks);

/// Borders of `ranks` stretches of items with these costs (>= 0) such that the dearest stretch is as cheap as
/// stretches can make it, within a part in 1e9.
std::vector<index_t> balanced_parts(std::span<const double> costs, int ranks);

/// The rank whose stretch item i lies in.
int rank_of(std::span<const index_t> borders, index_t i);

}  // namespace umov::comm
