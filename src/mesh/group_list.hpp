// Groups by name.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "mesh/tet_mesh.hpp"

namespace umov::mesh {

/// Index of the group called `name`; a new one, with the next tag, when there is none.
inline int group_index(std::vector<Group>& groups, const std::string& name) {
  int tag = 0;
  for (std::size_t i = 0; i < groups.size(); ++i) {
    if (groups[i].name == name) return int(i);
    tag = std::max(tag, groups[i].tag);
  }
  groups.push_back({name, tag + 1});
  return int(groups.size() - 1);
}

}  // namespace umov::mesh
