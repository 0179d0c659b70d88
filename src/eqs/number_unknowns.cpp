// Electrodes' nodes, and the numbers of the unknowns.
#include <algorithm>

#include "core/error.hpp"
#include "core/text.hpp"
#include "eqs/model_parts.hpp"

namespace umov::eqs {

namespace {

int find_edge(const mesh::EdgeList& edges, int a, int b) {
  const mesh::Edge key{std::min(a, b), std::max(a, b)};
  const auto it = std::lower_bound(edges.ends.begin(), edges.ends.end(), key);
  if (it == edges.ends.end() || *it != key)
    throw BadInput("a triangle of a surface is no face of an element (its edge is missing)");
  return int(it - edges.ends.begin());
}

Vec3 node_place(const Problem& p, int node) {
  const int vertices = int(p.mesh.nodes.size());
  if (node < vertices) return p.mesh.nodes[node];
  const auto& e = p.edges.ends[node - vertices];
  return 0.5 * (p.mesh.nodes[e[0]] + p.mesh.nodes[e[1]]);
}

void claim(Problem& p, int node, int electrode) {
  int& owner = p.node_electrode[node];
  if (owner >= 0 && owner != electrode)
    throw BadInput("'" + p.mesh.source + "': electrodes '" + p.electrodes[owner].name + "' and '" +
                   p.electrodes[electrode].name + "' meet at node " + std::to_string(node) + " at " +
                   place(node_place(p, node)) +
                   " (one node cannot have two potentials); leave a gap or make them one electrode");
  owner = electrode;
}

}  // namespace

std::string place(const Vec3& x) {
  return "(" + shortest(x[0]) + ", " + shortest(x[1]) + ", " + shortest(x[2]) + ") m";
}

void number_unknowns(Problem& p, const ElectrodeSurfaces& surfaces) {
  const int vertices = int(p.mesh.nodes.size());
  p.nodes = vertices + int(p.edges.ends.size());
  p.node_electrode.assign(p.nodes, -1);
  std::vector<std::vector<int>> electrodes_of(p.mesh.surfaces.size());
  for (std::size_t e = 0; e < surfaces.size(); ++e)
    for (const int g : surfaces[e]) electrodes_of[g].push_back(int(e));
  for (std::size_t k = 0; k < p.mesh.triangles.size(); ++k)
    for (const int e : electrodes_of[p.mesh.triangle_group[k]]) {
      const auto& t = p.mesh.triangles[k];
      for (int i = 0; i < 3; ++i) {
        claim(p, t[i], e);
        if (p.order == 2) claim(p, vertices + find_edge(p.edges, t[i], t[(i + 1) % 3]), e);
      }
    }
  renumber(p);
}

void renumber(Problem& p) {
  const int vertices = int(p.mesh.nodes.size());
  p.patterns.reset();  // of another numbering
  for (auto& e : p.electrodes) e.unknown = -1;
  p.unknown.assign(p.nodes, 0);
  int next = 0;
  for (int n = 0; n < p.nodes; ++n) {
    if (n == vertices) p.vertex_unknowns = next;
    const int e = p.node_electrode[n];
    if (e < 0) {
      p.unknown[n] = next++;
    } else if (p.electrodes[e].kind == ElectrodeSpec::Kind::floating) {
      // a floating conductor's vertices come before its mid-edge nodes, so its unknown is a vertex unknown
      if (p.electrodes[e].unknown < 0) p.electrodes[e].unknown = next++;
      p.unknown[n] = p.electrodes[e].unknown;
    } else {
      p.unknown[n] = -1 - e;
    }
  }
  if (p.nodes == vertices) p.vertex_unknowns = next;
  p.unknowns = next;
  if (next == 0)
    throw BadInput(
        "'" + p.mesh.source +
        "': every node is on an electrode (nothing to solve); take two elements between electrodes, "
        "mesh.refine = 1 or mesh.order = 2");
  find_bodies(p);
}

}  // namespace umov::eqs
