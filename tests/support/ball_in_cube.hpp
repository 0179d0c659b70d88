// A ball in a cubic cell, meshed by hand.
#pragma once

#include <algorithm>
#include <cmath>
#include <utility>

#include "mesh/tet_mesh.hpp"

namespace umov::eqs::test {

/// An octant of a cube (edge `half`) around a ball of radius R at the origin, n cells an edge: shells that
/// change from cubes to spheres and back, with this power of their distance from the sphere: with 2 and more
/// than 12 cells those below the sphere's corner would reach past it.
inline mesh::TetMesh ball_in_cube(double radius, double half, int n, double power = 2) {
  mesh::TetMesh m;
  m.source = "ball in a cube";
  m.volumes = {{"ball", 1}, {"air", 2}};
  m.surfaces = {{"bottom", 3}, {"top", 4}};
  const int shells = n / 2;
  const auto number = [&](int i, int j, int k) { return (k * (n + 1) + j) * (n + 1) + i; };
  for (int k = 0; k <= n; ++k)
    for (int j = 0; j <= n; ++j)
      for (int i = 0; i <= n; ++i) {
        const int shell = std::max({i, j, k});
        if (shell == 0) {
          m.nodes.push_back({0, 0, 0});
          continue;
        }
        const bool inside = shell <= shells;
        const double t =
            inside ? double(shell) / shells : double(n - shell) / (n - shells);  // 1 on the sphere
        const double size = inside ? radius * t : half + (radius - half) * t;
        const Vec3 s{double(i) / shell, double(j) / shell, double(k) / shell};
        const double round = std::pow(t, power);
        m.nodes.push_back((size * ((1 - round) + round / norm(s))) * s);
      }
  // six tetrahedra around the diagonal of each cell (Kuhn), the same in all
  static constexpr int order[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
  for (int k = 0; k < n; ++k)
    for (int j = 0; j < n; ++j)
      for (int i = 0; i < n; ++i)
        for (const auto& o : order) {
          Int3 at{i, j, k};
          mesh::Tet t{number(i, j, k), 0, 0, 0};
          for (int step = 0; step < 3; ++step) {
            ++at[o[step]];
            t[step + 1] = number(at[0], at[1], at[2]);
          }
          const Vec3 a = m.nodes[t[1]] - m.nodes[t[0]], b = m.nodes[t[2]] - m.nodes[t[0]],
                     c = m.nodes[t[3]] - m.nodes[t[0]];
          if (dot(a, cross(b, c)) < 0) std::swap(t[2], t[3]);
          m.tets.push_back(t);
          m.tet_group.push_back(std::max({i, j, k}) < shells ? 0 : 1);
        }
  for (const int k : {0, n})
    for (int j = 0; j < n; ++j)
      for (int i = 0; i < n; ++i) {
        m.triangles.push_back({number(i, j, k), number(i + 1, j, k), number(i + 1, j + 1, k)});
        m.triangles.push_back({number(i, j, k), number(i + 1, j + 1, k), number(i, j + 1, k)});
        m.triangle_group.insert(m.triangle_group.end(), 2, k == 0 ? 0 : 1);
      }
  return m;
}

}  // namespace umov::eqs::test
