#include "mesh/gmsh/check_volumes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "core/error.hpp"
#include "mesh/part_shape.hpp"

namespace umov::mesh {

namespace {

/// Integrals over trimmed curved faces are that far off at worst (0.8 % of a housing with sheds, cut by
/// drops); what is lost is whole pieces.
constexpr double as_cut = 0.03;
/// Polyhedra are meshed exactly, but for rounding.
constexpr double as_meshed = 1e-6;
/// Facets with n edges per turn take 15 / n^2 of a ball; n = 12 comes out as 8 at worst.
constexpr double of_facets = 0.25;

struct Region {
  double geometry = 0, mesh = 0;  ///< m^3
  bool plane = true;              ///< all its faces
};

bool is_plane(int face) {
  std::string type;
  gmsh::model::getType(2, face, type);
  return type == "Plane";
}

std::map<std::string, Region> regions_of(const Geometry& g, const Pieces& pieces, double unit,
                                         const TetMesh& mesh) {
  std::map<std::string, Region> out;
  const auto name = [&](int owner) { return owner < 0 ? g.domain_region : g.parts[owner].region; };
  std::map<int, std::string> of_volume;
  for (const auto& v : pieces.volumes) {
    out[of_volume[v.tag] = name(v.owner)].geometry += v.volume * unit * unit * unit;
  }
  for (const auto& f : pieces.faces)
    if (!is_plane(f.tag))
      for (const int v : f.sides) out[of_volume.at(v)].plane = false;
  for (std::size_t i = 0; i < mesh.tets.size(); ++i) {
    const auto& [a, b, c, d] = mesh.tets[i];
    const Vec3& o = mesh.nodes[a];
    out[mesh.volumes[mesh.tet_group[i]].name].mesh +=
        dot(mesh.nodes[b] - o, cross(mesh.nodes[c] - o, mesh.nodes[d] - o)) / 6;
  }
  return out;
}

void check_regions(const Geometry& g, const Pieces& pieces, double unit, TetMesh& mesh) {
  for (const auto& [name, r] : regions_of(g, pieces, unit, mesh)) {
    const double off = std::abs(r.mesh - r.geometry) / r.geometry;
    const auto volumes = fmt::format("elements of region '{}' fill {:.4g} m^3, its parts {:.4g} m^3", name,
                                     r.mesh, r.geometry);
    if (r.plane && !(off <= as_meshed))
      throw BadInput(volumes +
                     " (all its faces are plane, so that they should agree); change its mesh_size, or move "
                     "parts that nearly touch apart");
    if (off > of_facets)
      mesh.warnings.push_back(volumes +
                              " (facets take the rest of round parts); make its mesh_size smaller, or "
                              "curvature of the geometry larger");
  }
}

void check_groups(const Geometry& g, const Pieces& pieces, TetMesh& mesh) {
  std::set<std::string> meshed, built;
  for (const auto& group : mesh.surfaces) meshed.insert(group.name);
  for (const auto& f : pieces.faces) built.insert(f.groups.begin(), f.groups.end());
  for (const auto& name : built)
    if (!meshed.count(name))
      throw BadInput(fmt::format(
          "Gmsh left the surface '{}' without triangles (it would vanish); make mesh_size smaller there",
          name));
  for (std::size_t i = 0; i < g.parts.size(); ++i)
    if (const Part& p = g.parts[i]; p.conductor && built.insert(p.region).second)
      mesh.warnings.push_back(describe(g, i) +
                              " leaves no surface group (no meshed region touches it: other conductors "
                              "enclose it); leave it out, or make it part of them");
}

}  // namespace

std::vector<double> volumes_before(int domain, const std::vector<Input>& inputs) {
  std::vector<double> out{volume_of(domain)};
  for (const auto& input : inputs) out.push_back(volume_of(input.tag));
  return out;
}

void check_pieces(const Geometry& g, const std::vector<Input>& inputs, const std::vector<double>& before,
                  const std::vector<Tags>& map) {
  for (std::size_t i = 0; i < before.size(); ++i) {
    double now = 0;
    for (const int v : volumes_in(map[i])) now += volume_of(v);
    if (std::abs(now - before[i]) <= as_cut * before[i]) continue;
    throw BadInput(fmt::format(
        "{} has {:.4g} of its volume after it was cut at other parts (OpenCASCADE lost the rest); move parts "
        "that nearly touch apart, or make them overlap",
        i == 0 ? "the domain" : describe(g, std::size_t(inputs[i - 1].part)), now / before[i]));
  }
}

void check_volumes(const Geometry& g, const Pieces& pieces, double unit, TetMesh& mesh) {
  check_regions(g, pieces, unit, mesh);
  check_groups(g, pieces, mesh);
}

}  // namespace umov::mesh
