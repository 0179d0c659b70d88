#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "core/error.hpp"
#include "core/large_memory.hpp"
#include "mesh/round/round_skin.hpp"
#include "mesh/tet_mesh.hpp"

namespace umov::mesh {
namespace {

double distance2(const Vec3& a, const Vec3& b) {
  const Vec3 d = a - b;
  return dot(d, d);
}

/// An order of an element's vertices in which the inner octahedron's shortest diagonal joins the middles of
/// edges 02 and 13, and whether it turns the element about.
struct Order {
  std::array<int, 4> at;
  bool turned;
};

Order diagonal_first(const Tet& t, const std::vector<Vec3>& x) {
  // Twice the diagonal between the middles of ab and cd is a + b - c - d.
  const auto diagonal = [&](int a, int b, int c, int d) {
    return distance2(x[t[a]] + x[t[b]], x[t[c]] + x[t[d]]);
  };
  const double bey = diagonal(0, 2, 1, 3), second = diagonal(0, 3, 1, 2), third = diagonal(0, 1, 2, 3);
  const double tie = 1 - 1e-9;  // as long, but for rounding
  if (bey * tie <= std::min(second, third)) return {{0, 1, 2, 3}, false};
  if (second * tie <= third) return {{0, 1, 3, 2}, true};
  return {{0, 2, 1, 3}, true};
}

/// Number of the edge between two local vertices.
constexpr int edge_between[4][4] = {{-1, 0, 2, 3}, {0, -1, 1, 4}, {2, 1, -1, 5}, {3, 4, 5, -1}};

/// Bey's eight children: vertices 0..3, then the middles of the edges in the order of tet_edges. The last
/// four share the diagonal 02-13; two of them have the other orientation.
constexpr int children[8][4] = {{0, 4, 6, 7}, {4, 1, 5, 8}, {6, 5, 2, 9}, {7, 8, 9, 3},
                                {4, 6, 7, 8}, {4, 6, 5, 8}, {6, 7, 8, 9}, {6, 5, 8, 9}};
constexpr bool child_turned[8] = {false, false, false, false, false, true, false, true};

/// Exchanging vertices 1 and 3 restores the orientation and leaves the pairs 02 and 13, from which the
/// children's own diagonals follow.
void cut_in_eight(const Tet& t, const std::array<int, 6>& edges, int corners, const Order& order, Tet* out) {
  std::array<int, 10> node;
  for (int k = 0; k < 4; ++k) node[k] = t[order.at[k]];
  for (int e = 0; e < 6; ++e)
    node[4 + e] = corners + edges[edge_between[order.at[tet_edges[e][0]]][order.at[tet_edges[e][1]]]];
  for (int c = 0; c < 8; ++c) {
    for (int k = 0; k < 4; ++k) out[c][k] = node[children[c][k]];
    if (child_turned[c] != order.turned) std::swap(out[c][1], out[c][3]);
  }
}

void cut_triangles(const TetMesh& mesh, const EdgeList& edges, TetMesh& fine) {
  const auto middle = [&](std::size_t i, int a, int b) {
    const Edge wanted{std::min(a, b), std::max(a, b)};
    const auto at = std::lower_bound(edges.ends.begin(), edges.ends.end(), wanted);
    if (at == edges.ends.end() || *at != wanted)
      throw BadInput(
          fmt::format("{}: triangle {} of surface '{}' is no face of an element (its edge is none of "
                      "theirs); mesh volumes and surfaces together",
                      mesh.source, i + 1, mesh.surfaces[mesh.triangle_group[i]].name));
    return int(mesh.nodes.size() + (at - edges.ends.begin()));
  };
  fine.triangles.reserve(4 * mesh.triangles.size());
  fine.triangle_group.reserve(4 * mesh.triangles.size());
  for (std::size_t i = 0; i < mesh.triangles.size(); ++i) {
    const auto& [a, b, c] = mesh.triangles[i];
    const int ab = middle(i, a, b), bc = middle(i, b, c), ca = middle(i, c, a);
    for (const Tri& child : {Tri{a, ab, ca}, Tri{ab, b, bc}, Tri{ca, bc, c}, Tri{ab, bc, ca}})
      fine.triangles.push_back(child);
    fine.triangle_group.insert(fine.triangle_group.end(), 4, mesh.triangle_group[i]);
  }
}

}  // namespace

TetMesh refine(const TetMesh& mesh, std::vector<Edge>* middles) {
  const std::size_t limit = std::size_t(1) << 31;
  if (mesh.tets.size() * 8 * 4 >= limit || mesh.triangles.size() * 4 * 3 >= limit)
    throw BadInput(
        fmt::format("{}: {} elements cannot be refined again (element entries would not fit in 31 bits) "
                    "set a smaller refine",
                    mesh.source, mesh.tets.size()));
  EdgeList edges = find_edges(mesh);
  const int corners = int(mesh.nodes.size());
  if (mesh.nodes.size() + edges.ends.size() >= limit)
    throw BadInput(
        fmt::format("{}: {} nodes cannot be refined again (their number would not fit in 31 bits); set a "
                    "smaller refine",
                    mesh.source, mesh.nodes.size()));
  TetMesh fine;
  fine.volumes = mesh.volumes;
  fine.surfaces = mesh.surfaces;
  fine.source = mesh.source;
  fine.second_order = mesh.second_order;
  fine.warnings = mesh.warnings;

  resize_large(fine.nodes, std::size_t(corners) + edges.ends.size());
#pragma omp parallel for schedule(static)
  for (std::size_t n = 0; n < mesh.nodes.size(); ++n) fine.nodes[n] = mesh.nodes[n];
#pragma omp parallel for schedule(static)
  for (std::size_t e = 0; e < edges.ends.size(); ++e)
    fine.nodes[corners + e] = 0.5 * (mesh.nodes[edges.ends[e][0]] + mesh.nodes[edges.ends[e][1]]);

  resize_large(fine.tets, 8 * mesh.tets.size());
  resize_large(fine.tet_group, fine.tets.size());
#pragma omp parallel for schedule(static)
  for (std::size_t i = 0; i < mesh.tets.size(); ++i) {
    const Tet& t = mesh.tets[i];
    cut_in_eight(t, edges.of_tet[i], corners, diagonal_first(t, mesh.nodes), &fine.tets[8 * i]);
    std::fill_n(&fine.tet_group[8 * i], 8, mesh.tet_group[i]);
  }
  cut_triangles(mesh, edges, fine);
  if (middles) *middles = std::move(edges.ends);
  return fine;
}

Lineage refine_and_sort(TetMesh& mesh, int times) { return refine_and_sort(mesh, times, nullptr); }

Lineage refine_and_sort(TetMesh& mesh, int times, RoundSkin* skin) {
  Lineage out;
  if (times > 0) out.nodes.push_back(int(mesh.nodes.size()));
  for (int k = 0; k < times; ++k) {
    std::vector<Edge> middles;
    TetMesh fine = refine(mesh, &middles);
    if (skin) skin->follow(mesh, middles, fine);
    mesh = std::move(fine);
    out.nodes.push_back(int(mesh.nodes.size()));
    out.parents.insert(out.parents.end(), middles.begin(), middles.end());
  }
  out.number = sort_by_place(mesh);
  return out;
}

}  // namespace umov::mesh
