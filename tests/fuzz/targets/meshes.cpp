// Tetrahedral meshes in Gmsh's formats 2 and 4.1, text and binary.
#include <cmath>
#include <stdexcept>

#include "fuzz/target.hpp"
#include "mesh/gmsh_file.hpp"
#include "mesh/tet_mesh.hpp"

namespace umov {

FUZZ_TARGET(msh, ".msh") {
  auto m = mesh::read_gmsh(path, 1);
  mesh::check(m);
  for (const auto& [a, b, c, d] : m.tets) {
    const Vec3 &x = m.nodes.at(a), u = m.nodes.at(b) - x, v = m.nodes.at(c) - x, w = m.nodes.at(d) - x;
    const double volume = dot(u, cross(v, w)) / 6;
    if (!(volume > 0 && std::isfinite(volume))) throw std::logic_error("a checked element has no volume");
  }
}

}  // namespace umov
