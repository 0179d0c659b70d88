// A share of a problem as bytes, from rank 0 to the rank that computes it.
#pragma once

#include <cstddef>
#include <vector>

#include "eqs/model/rank_share.hpp"

namespace umov::eqs {

struct Problem;

/// What an engine reads of a problem, and its share but for neighbours and the map of the whole.
std::vector<std::byte> bytes_of(const Problem&);
Problem problem_of(const std::vector<std::byte>&, RankShare&);

}  // namespace umov::eqs
