// Electrodes' nodes, and the numbers of the unknowns.
#include <algorithm>
#include <atomic>

#include "core/error.hpp"
#include "core/large_memory.hpp"
#include "core/text.hpp"
#include "eqs/model/model_parts.hpp"

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
  p.node_electrode.clear();
  resize_large(p.node_electrode, std::size_t(p.nodes));
#pragma omp parallel for schedule(static)
  for (int n = 0; n < p.nodes; ++n) p.node_electrode[n] = -1;
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
  // A floating conductor's nodes share the unknown of the first of them. Its vertices come before its
  // mid-edge nodes, so that is a vertex unknown.
  std::vector<int> first(p.electrodes.size(), p.nodes);
  const auto floats = [&](int e) { return p.electrodes[e].kind == ElectrodeSpec::Kind::floating; };
#pragma omp parallel for schedule(static)
  for (int n = 0; n < p.nodes; ++n) {
    const int e = p.node_electrode[n];
    if (e < 0 || !floats(e)) continue;
    const std::atomic_ref<int> lowest(first[e]);
    for (int now = lowest.load(std::memory_order_relaxed);
         n < now && !lowest.compare_exchange_weak(now, n, std::memory_order_relaxed);) {
    }
  }
  const auto begins = [&](int n) {
    const int e = p.node_electrode[n];
    return e < 0 || (floats(e) && first[e] == n);
  };
  // blocks of nodes count theirs, and then know where their numbers begin
  constexpr int block = 1 << 15;
  const auto blocks_of = [](int nodes) { return nodes / block + (nodes % block != 0); };
  const int before = blocks_of(vertices), blocks = before + blocks_of(p.nodes - vertices);
  const auto begin_of = [&](int b) { return b < before ? b * block : vertices + (b - before) * block; };
  const auto end_of = [&](int b) {
    const int end = b < before ? vertices : p.nodes;
    return end - begin_of(b) > block ? begin_of(b) + block : end;
  };
  std::vector<int> number(std::size_t(blocks) + 1, 0);
#pragma omp parallel for schedule(static)
  for (int b = 0; b < blocks; ++b)
    for (int n = begin_of(b); n < end_of(b); ++n) number[b + 1] += begins(n);
  for (int b = 0; b < blocks; ++b) number[b + 1] += number[b];
  p.unknown.clear();
  resize_large(p.unknown, std::size_t(p.nodes));
#pragma omp parallel for schedule(static)
  for (int b = 0; b < blocks; ++b)
    for (int n = begin_of(b), next = number[b]; n < end_of(b); ++n)
      p.unknown[n] = begins(n) ? next++ : -1 - p.node_electrode[n];
  p.vertex_unknowns = number[before];
  const int next = number[blocks];
  for (std::size_t e = 0; e < p.electrodes.size(); ++e)
    if (first[e] < p.nodes) p.electrodes[e].unknown = p.unknown[first[e]];
#pragma omp parallel for schedule(static)
  for (int n = 0; n < p.nodes; ++n)
    if (const int e = p.node_electrode[n]; e >= 0 && floats(e)) p.unknown[n] = p.electrodes[e].unknown;
  p.unknowns = next;
  if (next == 0)
    throw BadInput(
        "'" + p.mesh.source +
        "': every node is on an electrode (nothing to solve); take two elements between electrodes, "
        "mesh.refine = 1 or mesh.order = 2");
  find_bodies(p);
}

}  // namespace umov::eqs
