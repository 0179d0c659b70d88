// Parts of a model that no fixed potential reaches: their matrix would be singular.
#include <numeric>

#include "core/error.hpp"
#include "eqs/model_parts.hpp"

namespace umov::eqs {

namespace {

/// Disjoint sets with path halving.
struct Sets {
  std::vector<int> parent;
  explicit Sets(int n) : parent(n) { std::iota(parent.begin(), parent.end(), 0); }
  int find(int a) {
    while (parent[a] != a) a = parent[a] = parent[parent[a]];
    return a;
  }
  void unite(int a, int b) {
    a = find(a), b = find(b);
    if (a != b) parent[std::max(a, b)] = std::min(a, b);
  }
};

bool carries(Analysis a, const Material& m) {
  return a != Analysis::conduction || m.conductivity.nonlinear() || m.conductivity.value > 0;
}

}  // namespace

void check_connected(const Problem& p) {
  // set 0: everything at a fixed potential; set 1 + k: unknown k of a vertex
  Sets sets(p.vertex_unknowns + 1);
  const auto set_of = [&](int node) { return p.unknown[node] < 0 ? 0 : p.unknown[node] + 1; };
  for (std::size_t t = 0; t < p.mesh.tets.size(); ++t) {
    if (!carries(p.analysis, p.materials[p.material[t]])) continue;
    for (int k = 1; k < 4; ++k) sets.unite(set_of(p.mesh.tets[t][0]), set_of(p.mesh.tets[t][k]));
  }
  for (const auto& e : p.electrodes)
    if (e.unknown >= 0 && sets.find(e.unknown + 1) != 0)
      throw BadInput("'" + p.mesh.source + "': conductor '" + e.name +
                     "' is cut off: nothing between it and a fixed potential carries " +
                     (p.analysis == Analysis::conduction ? "current" : "a field") +
                     "; ground it, connect it, or take it out");
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

}  // namespace umov::eqs
