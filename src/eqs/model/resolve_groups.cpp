// Names of a case to groups of the mesh: materials of regions, surfaces of electrodes, conductors cut out.
#include <algorithm>

#include "core/error.hpp"
#include "core/text.hpp"
#include "eqs/materials/curve_table.hpp"
#include "eqs/model/model_parts.hpp"

namespace umov::eqs {

namespace {

std::vector<std::string> names(const std::vector<mesh::Group>& groups) {
  std::vector<std::string> list;
  for (const auto& g : groups) list.push_back(g.name);
  return list;
}

int index_of(const std::vector<mesh::Group>& groups, const std::string& name) {
  for (std::size_t i = 0; i < groups.size(); ++i)
    if (groups[i].name == name) return int(i);
  return -1;
}

std::string quoted(const std::vector<std::string>& list) {
  std::string text;
  for (const auto& w : list) text += (text.empty() ? "'" : ", '") + w + "'";
  return text.empty() ? "none" : text;
}

/// The groups an electrode names; marks volumes as its inside.
std::vector<int> electrode_groups(const std::vector<ElectrodeSpec>& electrodes, int number,
                                  const mesh::TetMesh& m, std::vector<int>& inside) {
  const ElectrodeSpec& e = electrodes[number];
  std::vector<int> surfaces;
  const auto wanted = e.groups.empty() ? std::vector<std::string>{e.name} : e.groups;
  for (const auto& name : wanted) {
    const int surface = index_of(m.surfaces, name), volume = index_of(m.volumes, name);
    if (surface < 0 && volume < 0) {
      auto known = names(m.surfaces);
      for (const auto& v : names(m.volumes)) known.push_back(v);
      throw BadInput(e.said() + ": '" + m.source + "' has no group '" + name +
                     "' (surfaces: " + quoted(names(m.surfaces)) + "; volumes: " + quoted(names(m.volumes)) +
                     ") " + did_you_mean(name, known));
    }
    if (surface >= 0) surfaces.push_back(surface);
    if (volume < 0) continue;
    if (inside[volume] >= 0 && inside[volume] != number)
      throw BadInput(e.said() + ": volume '" + name + "' belongs to electrode '" +
                     electrodes[inside[volume]].name + "', too; give it to one of them");
    inside[volume] = number;
  }
  return surfaces;
}

void assign_materials(const Simulation& s, Problem& p, const std::vector<int>& inside,
                      std::vector<int>& of_group) {
  const auto& volumes = p.mesh.volumes;
  of_group.assign(volumes.size(), -1);
  for (std::size_t k = 0; k < s.materials.size(); ++k) {
    const MaterialSpec& m = s.materials[k];
    for (const auto& region : m.regions.empty() ? std::vector<std::string>{m.name} : m.regions) {
      const int g = index_of(volumes, region);
      if (g < 0)
        throw BadInput(m.said() + ": '" + p.mesh.source + "' has no volume '" + region +
                       "' (it has: " + quoted(names(volumes)) + ") " + did_you_mean(region, names(volumes)));
      if (inside[g] >= 0)
        throw BadInput(m.said() + ": volume '" + region + "' is the conductor '" +
                       s.electrodes[inside[g]].name + "', too (no field inside); take one away");
      if (of_group[g] >= 0)
        throw BadInput(m.said() + ": volume '" + region + "' has two materials, '" +
                       s.materials[of_group[g]].name + "' and '" + m.name + "'; give it one");
      of_group[g] = int(k);
    }
  }
  take_materials(s, p);
  std::vector<char> used(volumes.size(), 0);
  for (const int g : p.mesh.tet_group) used[g] = 1;
  std::vector<std::string> known;
  for (const auto& m : s.materials) known.push_back(m.name);
  for (std::size_t g = 0; g < volumes.size(); ++g)
    if (used[g] && of_group[g] < 0 && inside[g] < 0)
      throw BadInput("volume '" + volumes[g].name + "' of '" + p.mesh.source +
                     "' has no material; list it in the regions of one (materials: " + quoted(known) + ") " +
                     did_you_mean(volumes[g].name, known));
}

/// Takes out the conductors' insides. Faces between inside and outside become triangles of `group_of[e]`.
void cut_out(mesh::TetMesh& m, const std::vector<int>& inside, const std::vector<int>& group_of) {
  static constexpr int face[4][3] = {{1, 2, 3}, {0, 2, 3}, {0, 1, 3}, {0, 1, 2}};
  const auto sorted = [&](int t, int f) {
    mesh::Tri k{m.tets[t][face[f][0]], m.tets[t][face[f][1]], m.tets[t][face[f][2]]};
    std::sort(k.begin(), k.end());
    return k;
  };
  // a face of an outside element is on the surface when the element behind it is inside
  std::vector<std::pair<mesh::Tri, int>> inner;
  for (std::size_t t = 0; t < m.tets.size(); ++t)
    if (inside[m.tet_group[t]] >= 0)
      for (int f = 0; f < 4; ++f) inner.push_back({sorted(int(t), f), inside[m.tet_group[t]]});
  if (inner.empty()) return;
  std::sort(inner.begin(), inner.end());
  std::vector<char> near(m.nodes.size(), 0);  // nodes of them: few elements have three
  for (const auto& face : inner)
    for (const int n : face.first) near[n] = 1;
  std::vector<mesh::Tri> kept_triangles;
  std::vector<int> kept_group;
  std::vector<char> used(m.nodes.size(), 0);
  std::size_t kept = 0;
  for (std::size_t t = 0; t < m.tets.size(); ++t) {
    if (inside[m.tet_group[t]] >= 0) continue;
    for (int f = 0; f < 4; ++f) {
      const auto key = sorted(int(t), f);
      if (!near[key[0]] || !near[key[1]] || !near[key[2]]) continue;
      const auto it = std::lower_bound(inner.begin(), inner.end(), std::pair{key, -1});
      if (it == inner.end() || it->first != key) continue;
      kept_triangles.push_back(key);
      kept_group.push_back(group_of[it->second]);
    }
    for (const int n : m.tets[t]) used[n] = 1;
    m.tets[kept] = m.tets[t];
    m.tet_group[kept++] = m.tet_group[t];
  }
  m.tets.resize(kept);
  m.tet_group.resize(kept);
  if (m.tets.empty()) throw BadInput("'" + m.source + "': nothing is left outside the conductors");
  std::vector<mesh::Tri> interface(kept_triangles);
  std::sort(interface.begin(), interface.end());
  for (std::size_t k = 0; k < m.triangles.size(); ++k) {
    mesh::Tri key = m.triangles[k];
    std::sort(key.begin(), key.end());
    const auto it = std::lower_bound(inner.begin(), inner.end(), std::pair{key, -1});
    const bool of_conductor = it != inner.end() && it->first == key;
    if (of_conductor && !std::binary_search(interface.begin(), interface.end(), key)) continue;
    kept_triangles.push_back(m.triangles[k]);
    kept_group.push_back(m.triangle_group[k]);
  }
  m.triangles = std::move(kept_triangles);
  m.triangle_group = std::move(kept_group);
  std::vector<int> number(m.nodes.size(), -1);
  int nodes = 0;
  for (std::size_t n = 0; n < m.nodes.size(); ++n)
    if (used[n]) {
      m.nodes[nodes] = m.nodes[n];
      number[n] = nodes++;
    }
  m.nodes.resize(nodes);
  for (auto& t : m.tets)
    for (int& n : t) n = number[n];
  for (auto& t : m.triangles)
    for (int& n : t) n = number[n];
}

}  // namespace

void take_materials(const Simulation& s, Problem& p) {
  p.materials.clear();
  for (const auto& m : s.materials) {
    Material out{m.name, m.permittivity, m.conductivity};
    check_curve(out.permittivity, "permittivity of material '" + m.name + "'", false);
    check_curve(out.conductivity, "conductivity of material '" + m.name + "'", true);
    p.materials.push_back(out);
  }
}

ElectrodeSurfaces resolve_groups(const Simulation& s, Problem& p, std::vector<int>& material_of_group) {
  mesh::TetMesh& m = p.mesh;
  const int volumes = int(m.volumes.size());
  bool known = true;
#pragma omp parallel for schedule(static) reduction(&& : known)
  for (std::size_t t = 0; t < m.tet_group.size(); ++t)
    known = known && m.tet_group[t] >= 0 && m.tet_group[t] < volumes;
  if (!known)
    throw BadInput("'" + m.source + "' has elements in no physical volume; name every volume in the mesh");
  std::vector<int> inside(m.volumes.size(), -1), own(s.electrodes.size(), -1);
  ElectrodeSurfaces surfaces;
  for (std::size_t e = 0; e < s.electrodes.size(); ++e)
    surfaces.push_back(electrode_groups(s.electrodes, int(e), m, inside));
  assign_materials(s, p, inside, material_of_group);
  for (const int e : inside) {
    if (e < 0 || own[e] >= 0) continue;
    own[e] = int(m.surfaces.size());
    m.surfaces.push_back({s.electrodes[e].name + " (surface of the conductor)", 0});
    surfaces[e].push_back(own[e]);
  }
  cut_out(m, inside, own);
  std::vector<char> seen(m.surfaces.size(), 0);
  for (const int g : m.triangle_group) seen[g] = 1;
  for (std::size_t e = 0; e < surfaces.size(); ++e)
    if (std::none_of(surfaces[e].begin(), surfaces[e].end(), [&](int g) { return seen[g]; }))
      throw BadInput(s.electrodes[e].said() +
                     " has no triangle on the model's surface (its group is empty, or lies inside another "
                     "conductor); check the groups of '" +
                     m.source + "'");
  return surfaces;
}

}  // namespace umov::eqs
