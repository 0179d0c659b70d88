// A cube of tetrahedra with one thin, sheared layer: flat elements with large positive couplings, and the
// meshes that it is refined from.
#pragma once

#include <cmath>
#include <vector>

#include "linalg/amg/nested.hpp"
#include "mesh/tet_mesh.hpp"
#include "support/sparse_cases.hpp"

namespace umov::test {

/// m^3 cells of six tetrahedra; the middle layer is `thin` times as thick as the others, and its upper side
/// is half a cell aside of its lower one.
inline mesh::TetMesh flat_cube(int m, double thin) {
  mesh::TetMesh out;
  const auto id = [m](int x, int y, int z) { return x + (m + 1) * (y + (m + 1) * z); };
  for (int z = 0; z <= m; ++z)
    for (int y = 0; y <= m; ++y)
      for (int x = 0; x <= m; ++x) {
        const bool above = z > m / 2;
        const double aside = above ? 0.5 : 0;
        out.nodes.push_back({x + aside, y + aside, above ? z - 1 + thin : double(z)});
      }
  const int orders[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
  for (int z = 0; z < m; ++z)
    for (int y = 0; y < m; ++y)
      for (int x = 0; x < m; ++x)
        for (const auto& order : orders) {
          int at[3] = {x, y, z};
          mesh::Tet t{id(x, y, z), 0, 0, 0};
          for (int k = 0; k < 3; ++k) ++at[order[k]], t[k + 1] = id(at[0], at[1], at[2]);
          if ((order[1] - order[0] + 3) % 3 != 1) std::swap(t[2], t[3]);
          out.tets.push_back(t);
          out.tet_group.push_back(z > m / 2);
        }
  return out;
}

/// Laplace's equation with u = 0 on bottom and top, the upper half conducting `jump` times as well.
inline sparse::HostCsr laplace(const mesh::TetMesh& mesh, std::vector<int>& unknown, double jump = 1) {
  double top = 0;
  for (const auto& x : mesh.nodes) top = std::max(top, x[2]);
  int count = 0;
  unknown.clear();
  for (const auto& x : mesh.nodes) unknown.push_back(x[2] == 0 || x[2] == top ? -1 : count++);
  Rows rows(count);
  for (std::size_t e = 0; e < mesh.tets.size(); ++e) {
    const auto& t = mesh.tets[e];
    const Vec3 a = mesh.nodes[t[1]] - mesh.nodes[t[0]], b = mesh.nodes[t[2]] - mesh.nodes[t[0]],
               c = mesh.nodes[t[3]] - mesh.nodes[t[0]];
    Vec3 g[4] = {{0, 0, 0}, cross(b, c), cross(c, a), cross(a, b)};
    g[0] = -1.0 * (g[1] + g[2] + g[3]);
    const double weight = (mesh.tet_group[e] ? jump : 1) / std::abs(6 * dot(a, g[1]));
    for (int i = 0; i < 4; ++i)
      for (int j = 0; j < 4; ++j)
        if (unknown[t[i]] >= 0 && unknown[t[j]] >= 0)
          rows[unknown[t[i]]][unknown[t[j]]] += weight * dot(g[i], g[j]);
  }
  return to_csr(rows, count);
}

/// The cube refined, its matrix on every mesh, and the interpolations between them, the finest first.
struct FlatMeshes {
  std::vector<sparse::HostCsr> matrix;
  amg::Nested nested;

  FlatMeshes(int m, double thin, int times, double jump = 1) {
    mesh::TetMesh mesh = flat_cube(m, thin);
    std::vector<int> coarse;
    matrix.push_back(laplace(mesh, coarse, jump));
    for (int k = 0; k < times; ++k) {
      std::vector<mesh::Edge> middles;
      mesh = mesh::refine(mesh, &middles);
      std::vector<int> fine;
      matrix.insert(matrix.begin(), laplace(mesh, fine, jump));
      Rows rows(matrix[0].rows);
      for (std::size_t i = 0; i < fine.size(); ++i) {
        if (fine[i] < 0) continue;
        const bool old = i < coarse.size();
        const mesh::Edge ends = old ? mesh::Edge{int(i), int(i)} : middles[i - coarse.size()];
        for (const int end : ends)
          if (coarse[end] >= 0) rows[fine[i]][coarse[end]] += 0.5;
      }
      nested.insert(nested.begin(), to_csr(rows, matrix[1].rows));
      coarse = fine;
    }
  }
};

}  // namespace umov::test
