// The surfaces of a mesh of tetrahedra: what of it can be seen.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "view/stored.hpp"

namespace umov::view {

/// A triangle and the region it bounds.
struct Face {
  std::array<std::uint32_t, 3> corner{};
  std::uint32_t region = 0;
};

/// Faces that belong to one tetrahedron, and those between regions (once for each of the two).
std::vector<Face> surfaces(const std::vector<std::array<std::int64_t, 4>>& tets,
                           const std::vector<int>& region);

/// Adds the surfaces in a mesh file as triangles coloured by its potential. Throws BadInput.
void add_mesh(Shelf&, int case_id, const std::string& name, const std::string& path);

}  // namespace umov::view
