// Parts of a model that no fixed potential reaches: their matrix would be singular.
#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "core/error.hpp"
#include "core/text.hpp"
#include "eqs/model/disjoint_sets.hpp"
#include "eqs/model/model_parts.hpp"

namespace umov::eqs {

namespace {

bool carries(Analysis a, const Material& m) {
  return a != Analysis::conduction || m.conductivity.nonlinear() || m.conductivity.value > 0;
}

}  // namespace

void check_connected(const Problem& p) {
  // set 0: everything at a fixed potential; set 1 + k: unknown k of a vertex
  DisjointSets sets(p.vertex_unknowns + 1);
  const auto set_of = [&](int node) { return p.unknown[node] < 0 ? 0 : p.unknown[node] + 1; };
  std::vector<char> carrying;
  for (const Material& m : p.materials) carrying.push_back(carries(p.analysis, m));
#pragma omp parallel for schedule(static)
  for (std::size_t t = 0; t < p.mesh.tets.size(); ++t) {
    if (!carrying[p.material[t]]) continue;
    for (int k = 1; k < 4; ++k) sets.unite(set_of(p.mesh.tets[t][0]), set_of(p.mesh.tets[t][k]));
  }
  for (const auto& e : p.electrodes)
    if (e.unknown >= 0 && sets.find(e.unknown + 1) != 0)
      throw BadInput("'" + p.mesh.source + "': conductor '" + e.name +
                     "' is cut off: nothing between it and a fixed potential carries " +
                     (p.analysis == Analysis::conduction ? "current" : "a field") +
                     "; ground it, connect it, or take it out");
  bool whole = true;
#pragma omp parallel for schedule(static) reduction(&& : whole)
  for (std::size_t n = 0; n < p.mesh.nodes.size(); ++n) whole = whole && sets.find(set_of(int(n))) == 0;
  if (whole) return;
  for (std::size_t t = 0; t < p.mesh.tets.size(); ++t)
    for (const int n : p.mesh.tets[t]) {
      if (sets.find(set_of(n)) == 0) continue;
      const Material& m = p.materials[p.material[t]];
      const std::string where = "'" + p.mesh.source + "': element " + std::to_string(t) + " of volume '" +
                                p.mesh.volumes[p.mesh.tet_group[t]].name + "' (material '" + m.name +
                                "') at " + place(p.mesh.nodes[n]);
      if (!carries(p.analysis, m))
        throw BadInput(where +
                       " conducts nothing (its potential is undetermined in a conduction analysis); give '" +
                       m.name + "' a conductivity above 0 or leave the volume out");
      throw BadInput(
          where +
          " belongs to a part cut off from every fixed potential (its surface touches no "
          "electrode, or the volumes' meshes do not share nodes); put an electrode on it or make the "
          "mesh conforming");
    }
}

void note_pieces(Problem& p) {
  DisjointSets sets(int(p.mesh.nodes.size()));
#pragma omp parallel for schedule(static)
  for (std::size_t t = 0; t < p.mesh.tets.size(); ++t)
    for (int k = 1; k < 4; ++k) sets.unite(p.mesh.tets[t][0], p.mesh.tets[t][k]);
  bool one = true;
#pragma omp parallel for schedule(static) reduction(&& : one)
  for (std::size_t n = 0; n < p.mesh.nodes.size(); ++n) one = one && sets.find(int(n)) == 0;
  if (one) return;
  struct Piece {
    std::set<int> volumes, electrodes;
    std::size_t elements = 0;
    Vec3 low{INFINITY, INFINITY, INFINITY}, high{-INFINITY, -INFINITY, -INFINITY};
  };
  std::map<int, Piece> pieces;
  for (std::size_t t = 0; t < p.mesh.tets.size(); ++t) {
    Piece& piece = pieces[sets.find(p.mesh.tets[t][0])];
    piece.volumes.insert(p.mesh.tet_group[t]);
    ++piece.elements;
    for (const int n : p.mesh.tets[t]) {
      if (p.node_electrode[n] >= 0) piece.electrodes.insert(p.node_electrode[n]);
      for (int a = 0; a < 3; ++a) {
        piece.low[a] = std::min(piece.low[a], p.mesh.nodes[n][a]);
        piece.high[a] = std::max(piece.high[a], p.mesh.nodes[n][a]);
      }
    }
  }
  if (pieces.size() < 2) return;
  constexpr int most = 4;
  int count = 0;
  for (const auto& [root, piece] : pieces) {
    if (piece.electrodes.size() > 1 || ++count > most) continue;
    std::vector<std::string> names;
    for (const int v : piece.volumes) names.push_back("'" + p.mesh.volumes[v].name + "'");
    const std::string electrode =
        piece.electrodes.empty() ? "" : " but '" + p.electrodes[*piece.electrodes.begin()].name + "'";
    p.warnings.push_back("'" + p.mesh.source + "': a piece of the mesh, " + std::to_string(piece.elements) +
                         " elements of " + join(names, ", ") + " from " + place(piece.low) + " to " +
                         place(piece.high) + ", shares no node with the rest and touches no electrode" +
                         electrode +
                         " (there is no field in it, and no current through it); make the volumes' meshes "
                         "meet node on node (BooleanFragments or Coherence in Gmsh) if that is not meant");
  }
  if (count > most)
    p.warnings.push_back("'" + p.mesh.source + "': " + std::to_string(count - most) +
                         " more pieces of the mesh touch fewer than two electrodes; make the volumes' meshes "
                         "meet node on node if that is not meant");
}

}  // namespace umov::eqs
