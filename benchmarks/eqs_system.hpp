// The systems of the rod mesh for benchmarks: eps_r stiffness of first or second order, electrode nodes left
// out.
#pragma once

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "linalg/sparse/csr.hpp"
#include "mesh/eqm_file.hpp"
#include "mesh/tet_mesh.hpp"

namespace umov::bench {

struct RodSystem {
  mesh::TetMesh mesh;
  mesh::EdgeList edges;
  int order = 1;
  std::vector<int> unknown;        // per space node (mesh nodes, then edges of second order); fixed: -1
  std::vector<double> fixed;       // per space node: its potential where fixed
  int unknowns = 0, vertices = 0;  // unknowns of mesh nodes come first
  std::vector<int> parents;        // two per edge unknown
  std::vector<int> dofs;           // nodes_of() per element
  int nodes_of() const { return order == 1 ? 4 : 10; }
};

inline RodSystem number_rod(mesh::TetMesh mesh, int order) {
  RodSystem s;
  s.order = order;
  s.mesh = std::move(mesh);
  const int nodes = int(s.mesh.nodes.size());
  s.edges = mesh::find_edges(s.mesh);
  const int edges = order == 2 ? int(s.edges.ends.size()) : 0;
  std::vector<signed char> electrode(nodes + edges, -1);
  const auto edge_of = [&](int a, int b) {
    const mesh::Edge e{std::min(a, b), std::max(a, b)};
    return int(std::lower_bound(s.edges.ends.begin(), s.edges.ends.end(), e) - s.edges.ends.begin());
  };
  for (std::size_t t = 0; t < s.mesh.triangles.size(); ++t) {
    const bool high = s.mesh.surfaces[s.mesh.triangle_group[t]].name == "high";
    const auto& n = s.mesh.triangles[t];
    for (int k = 0; k < 3; ++k) {
      electrode[n[k]] = high;
      if (order == 2) electrode[nodes + edge_of(n[k], n[(k + 1) % 3])] = high;
    }
  }
  s.unknown.resize(nodes + edges);
  s.fixed.assign(nodes + edges, 0.0);
  for (int i = 0; i < nodes + edges; ++i) {
    if (i == nodes) s.vertices = s.unknowns;
    s.unknown[i] = electrode[i] < 0 ? s.unknowns++ : -1;
    s.fixed[i] = electrode[i] == 1;
  }
  if (order == 1) s.vertices = s.unknowns;
  for (int e = 0; e < edges; ++e)
    if (s.unknown[nodes + e] >= 0)
      for (const int end : s.edges.ends[e]) s.parents.push_back(s.unknown[end]);
  const int width = s.nodes_of();
  s.dofs.resize(s.mesh.tets.size() * width);
  for (std::size_t t = 0; t < s.mesh.tets.size(); ++t)
    for (int k = 0; k < width; ++k)
      s.dofs[t * width + k] = s.unknown[k < 4 ? s.mesh.tets[t][k] : nodes + s.edges.of_tet[t][k - 4]];
  return s;
}

/// Relative permittivity of an element.
inline double permittivity(const RodSystem& s, std::size_t tet) {
  const std::string& name = s.mesh.volumes[s.mesh.tet_group[tet]].name;
  return name == "air" ? 1 : name == "layer" ? 12 : 4;
}

/// eps_r V grad(lambda_i) . grad(lambda_j) for (i, j) = 11, 22, 33, 12, 13, 23.
inline std::array<double, 6> gram(const RodSystem& s, std::size_t tet) {
  const auto& t = s.mesh.tets[tet];
  const Vec3 a = s.mesh.nodes[t[1]] - s.mesh.nodes[t[0]], b = s.mesh.nodes[t[2]] - s.mesh.nodes[t[0]],
             c = s.mesh.nodes[t[3]] - s.mesh.nodes[t[0]];
  const Vec3 p = cross(b, c), q = cross(c, a), r = cross(a, b);
  const double f = permittivity(s, tet) / (6 * dot(a, p));
  return {f * dot(p, p), f * dot(q, q), f * dot(r, r), f * dot(p, q), f * dot(p, r), f * dot(q, r)};
}

/// First-order matrix: rows from the edges, which are sorted.
inline sparse::HostCsr assemble_first(const RodSystem& s) {
  const int n = s.vertices, edges = int(s.edges.ends.size());
  std::vector<double> off(edges, 0.0), diagonal(s.mesh.nodes.size(), 0.0);
#pragma omp parallel sections
  {
#pragma omp section
    for (std::size_t t = 0; t < s.mesh.tets.size(); ++t) {
      const auto g = gram(s, t);
      const double g01 = -(g[0] + g[3] + g[4]), g02 = -(g[3] + g[1] + g[5]), g03 = -(g[4] + g[5] + g[2]);
      const double value[6] = {g01, g[3], g02, g03, g[4], g[5]};
      for (int e = 0; e < 6; ++e) off[s.edges.of_tet[t][e]] += value[e];
    }
#pragma omp section
    for (std::size_t t = 0; t < s.mesh.tets.size(); ++t) {
      const auto g = gram(s, t);
      diagonal[s.mesh.tets[t][0]] += g[0] + g[1] + g[2] + 2 * (g[3] + g[4] + g[5]);
      for (int k = 1; k < 4; ++k) diagonal[s.mesh.tets[t][k]] += g[k - 1];
    }
  }
  sparse::HostCsr a;
  a.rows = a.columns = n;
  a.start.assign(n + 1, 0);
  for (const auto& [i, j] : s.edges.ends)
    if (s.unknown[i] >= 0 && s.unknown[j] >= 0) ++a.start[s.unknown[i] + 1], ++a.start[s.unknown[j] + 1];
  for (int i = 0; i < n; ++i) a.start[i + 1] += a.start[i] + 1;
  a.column.resize(a.start[n]), a.value.resize(a.start[n]);
  std::vector<int> next(a.start.begin(), a.start.end() - 1);
  const auto put = [&](int row, int column, double v) {
    a.column[next[row]] = column;
    a.value[next[row]++] = v;
  };
  // edges sorted by lower end: first all lower neighbours of a row arrive, then (its turn) the upper ones
  int e = 0;
  for (int node = 0; node < int(s.mesh.nodes.size()); ++node) {
    const int i = s.unknown[node];
    if (i >= 0) put(i, i, diagonal[node]);
    for (; e < edges && s.edges.ends[e][0] == node; ++e) {
      const int j = s.unknown[s.edges.ends[e][1]];
      if (i < 0 || j < 0) continue;
      put(i, j, off[e]);
      put(j, i, off[e]);
    }
  }
  return a;
}

}  // namespace umov::bench
