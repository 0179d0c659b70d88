// Nodes that lie on one another: volumes that touch there without being joined.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "core/types.hpp"

namespace umov::mesh {

struct Coincidence {
  std::size_t count = 0;       ///< nodes that lie on one before them
  std::array<int, 2> first{};  ///< the lowest pair
};

/// Nodes nearer to each other than some 1e-9 of the extent.
Coincidence find_coincident(const std::vector<Vec3>& nodes);

}  // namespace umov::mesh
