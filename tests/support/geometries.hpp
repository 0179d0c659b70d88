// Small geometries for tests, and measures of meshes made of them.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "mesh/geometry.hpp"
#include "mesh/parts.hpp"

namespace umov::test {

/// Leaves a test that needs the Gmsh library where it is not built in.
#define NEEDS_GMSH                                          \
  if (std::string why; !umov::mesh::parts_available(why)) { \
    GTEST_SKIP() << why;                                    \
  }

/// A box of air around the origin.
inline mesh::Geometry air(double half, double mesh_size) {
  mesh::Geometry g;
  g.low = {-half, -half, -half};
  g.high = {half, half, half};
  g.mesh_size = mesh_size;
  return g;
}

inline mesh::Part part(const std::string& region, const std::string& shape) {
  mesh::Part p;
  p.region = region;
  p.shape = shape;
  return p;
}

inline mesh::Part ball(const std::string& region, double radius, double mesh_size = 0) {
  auto p = part(region, "sphere");
  p.radius = radius;
  p.mesh_size = mesh_size;
  return p;
}

inline mesh::Part rod(const std::string& region, double radius, double height, double mesh_size = 0) {
  auto p = part(region, "cylinder");
  p.radius = radius;
  p.height = height;
  p.mesh_size = mesh_size;
  return p;
}

/// m^3, of each volume group.
inline std::map<std::string, double> volumes(const mesh::TetMesh& m) {
  std::map<std::string, double> sum;
  for (std::size_t i = 0; i < m.tets.size(); ++i) {
    const auto& t = m.tets[i];
    const Vec3 a = m.nodes[t[0]];
    sum[m.volumes[m.tet_group[i]].name] +=
        dot(m.nodes[t[1]] - a, cross(m.nodes[t[2]] - a, m.nodes[t[3]] - a)) / 6;
  }
  return sum;
}

/// m^2, of each surface group.
inline std::map<std::string, double> areas(const mesh::TetMesh& m) {
  std::map<std::string, double> sum;
  for (std::size_t i = 0; i < m.triangles.size(); ++i) {
    const auto& t = m.triangles[i];
    sum[m.surfaces[m.triangle_group[i]].name] +=
        norm(cross(m.nodes[t[1]] - m.nodes[t[0]], m.nodes[t[2]] - m.nodes[t[0]])) / 2;
  }
  return sum;
}

/// How many faces of elements belong to one element, and whether any belongs to more than two.
struct FaceCount {
  std::size_t single = 0;
  bool crowded = false;
};
inline FaceCount count_faces(const mesh::TetMesh& m) {
  std::map<mesh::Tri, int> count;
  for (const auto& t : m.tets)
    for (int k = 0; k < 4; ++k) {
      mesh::Tri f{t[(k + 1) % 4], t[(k + 2) % 4], t[(k + 3) % 4]};
      std::sort(f.begin(), f.end());
      ++count[f];
    }
  FaceCount out;
  for (const auto& [f, n] : count) {
    out.single += n == 1;
    out.crowded = out.crowded || n > 2;
  }
  return out;
}

/// Longest edge of the elements of a region, m.
inline double longest_edge(const mesh::TetMesh& m, const std::string& region) {
  double longest = 0;
  for (std::size_t i = 0; i < m.tets.size(); ++i)
    if (m.volumes[m.tet_group[i]].name == region)
      for (const auto& e : mesh::tet_edges)
        longest = std::max(longest, norm(m.nodes[m.tets[i][e[0]]] - m.nodes[m.tets[i][e[1]]]));
  return longest;
}

}  // namespace umov::test
