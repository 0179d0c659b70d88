#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "core/error.hpp"
#include "mesh/drop_unused.hpp"
#include "mesh/gmsh_raw.hpp"

namespace umov::mesh {
namespace {

/// The physical groups of one dimension that elements lie in, in the order of their tags.
class Groups {
 public:
  Groups(const RawMesh& raw, int dim) : raw_(raw), dim_(dim) {}

  /// Tags of the groups of an origin; none where it is in no group.
  std::vector<int> tags(const RawMesh::Origin& o) const {
    if (o.physical != RawMesh::by_entity) return o.physical ? std::vector{o.physical} : std::vector<int>();
    const auto at = raw_.physicals.find({dim_, o.entity});
    if (at == raw_.physicals.end()) return {};
    const std::set<int> once(at->second.begin(), at->second.end());
    return {once.begin(), once.end()};
  }
  std::string name(int tag) const {
    const auto at = raw_.names.find({dim_, tag});
    return at != raw_.names.end() && !at->second.empty() ? at->second : std::to_string(tag);
  }
  void use(int tag) { used_.insert(tag); }

  /// The list of groups; two of one name are one.
  std::vector<Group> list(std::map<int, int>& index) const {
    std::vector<Group> groups;
    for (const int tag : used_) {
      const std::string called = name(tag);
      const auto same =
          std::find_if(groups.begin(), groups.end(), [&](const Group& g) { return g.name == called; });
      index[tag] = int(same - groups.begin());
      if (same == groups.end()) groups.push_back({called, tag});
    }
    return groups;
  }

 private:
  const RawMesh& raw_;
  int dim_;
  std::set<int> used_;
};

std::string quoted_list(const Groups& groups, const std::vector<int>& tags) {
  std::string text;
  for (const int t : tags) text += fmt::format("{}'{}'", text.empty() ? "" : ", ", groups.name(t));
  return text;
}

std::string called(int type) {
  const GmshType t = gmsh_type(type);
  if (t.nodes == 0) return fmt::format("elements of type {}", type);
  return t.order > 1 ? fmt::format("{} of order {}", t.name, t.order) : t.name;
}

/// "120 triangles, 8 lines": what a file without tetrahedra holds.
std::string contents(const RawMesh& raw) {
  std::string text;
  const auto add = [&](std::size_t count, const std::string& what) {
    if (count) text += fmt::format("{}{} {}", text.empty() ? "" : ", ", count, what);
  };
  for (const auto& [type, s] : raw.skipped) add(s.count, called(type));
  add(raw.triangles.size(), "triangles");
  add(raw.nodes.size(), "nodes");
  return text.empty() ? "nothing" : text;
}

/// Elements whose absence would be a hole in the model.
void refuse_holes(const RawMesh& raw, const std::string& path) {
  for (const auto& [type, s] : raw.skipped) {
    const int dim = gmsh_type(type).dim;
    if (dim < 2 || (dim == 2 && Groups(raw, 2).tags(s.first).empty())) continue;
    throw BadInput(fmt::format(
        "{}: {} {}, the first in {} {} (fields are computed on tetrahedra of order 1 and 2); mesh it "
        "with them, without recombination or higher orders",
        path, s.count, called(type), dim == 3 ? "volume" : "surface", s.first.entity));
  }
}

void set_volumes(const RawMesh& raw, const std::string& path, TetMesh& mesh) {
  Groups groups(raw, 3);
  std::vector<int> tag_of(raw.origins.size(), 0);
  std::vector<bool> used(raw.origins.size(), false);
  for (const int o : raw.tet_origin) used[o] = true;
  std::size_t nameless = 0;
  const RawMesh::Origin* first = nullptr;
  for (std::size_t o = 0; o < used.size(); ++o) {
    if (!used[o]) continue;
    const RawMesh::Origin& origin = raw.origins[o];
    const std::vector<int> tags = groups.tags(origin);
    if (tags.size() > 1)
      throw BadInput(
          fmt::format("{}: volume {} is in {} physical groups: {} (an element has one material); leave "
                      "one of them",
                      path, origin.entity, tags.size(), quoted_list(groups, tags)));
    if (tags.empty()) {
      if (!first) first = &origin;
      ++nameless;
      continue;
    }
    tag_of[o] = tags[0];
    groups.use(tags[0]);
  }
  if (first) {
    const bool named =
        std::any_of(raw.names.begin(), raw.names.end(), [](const auto& n) { return n.first.first == 3; });
    throw BadInput(fmt::format(
        "{}: volume {}{} in no physical group (materials are found by the group); add Physical "
        "Volume(\"NAME\") = {{{}}}; to the geometry and mesh again{}",
        path, first->entity, nameless > 1 ? fmt::format(" and {} others are", nameless - 1) : " is",
        first->entity,
        first->physical == 0 && named ? "; if it is there, save with Mesh.SaveAll = 0, or as version 4.1"
                                      : ""));
  }
  std::map<int, int> index;
  mesh.volumes = groups.list(index);
  std::vector<int> group(tag_of.size(), -1);
  for (std::size_t o = 0; o < group.size(); ++o)
    if (used[o]) group[o] = index.at(tag_of[o]);
  mesh.tet_group.resize(raw.tet_origin.size());
  std::transform(raw.tet_origin.begin(), raw.tet_origin.end(), mesh.tet_group.begin(),
                 [&](int o) { return group[o]; });
}

/// Triangles in no group are left out, those in two are there twice.
void set_surfaces(const RawMesh& raw, TetMesh& mesh) {
  Groups groups(raw, 2);
  std::vector<std::vector<int>> tags(raw.origins.size());
  for (std::size_t o = 0; o < tags.size(); ++o)
    if (raw.origins[o].dim == 2) tags[o] = groups.tags(raw.origins[o]);
  for (const int o : raw.triangle_origin)
    for (const int t : tags[o]) groups.use(t);
  std::map<int, int> index;
  mesh.surfaces = groups.list(index);
  for (std::size_t i = 0; i < raw.triangles.size(); ++i)
    for (const int t : tags[raw.triangle_origin[i]]) {
      mesh.triangles.push_back(raw.triangles[i]);
      mesh.triangle_group.push_back(index.at(t));
    }
}

}  // namespace

TetMesh assemble(RawMesh&& raw, const std::string& path, double scale) {
  if (raw.tets.empty())
    throw BadInput(
        fmt::format("{}: no tetrahedra of order 1 or 2, but {} (fields are computed on tetrahedra); mesh the "
                    "volumes: gmsh -3, with Mesh.ElementOrder 1 or 2",
                    path, contents(raw)));
  refuse_holes(raw, path);
  TetMesh mesh;
  mesh.source = path;
  mesh.second_order = raw.second_order > 0;
  set_volumes(raw, path, mesh);
  set_surfaces(raw, mesh);
  mesh.tets = std::move(raw.tets);
  mesh.nodes = std::move(raw.nodes);
  drop_unused_nodes(mesh);
  if (scale != 1)
    for (Vec3& x : mesh.nodes) x = scale * x;
  if (raw.curved)
    mesh.warnings.push_back(fmt::format(
        "{}: {} of {} second-order tetrahedra have curved edges, by up to {:.2g} of their length (edges are "
        "straightened here); make a finer mesh in Gmsh where the shape matters (mesh.refine keeps the "
        "facets)",
        path, raw.curved, raw.tet_origin.size(), raw.worst_bend));
  if (raw.periodic)
    mesh.warnings.push_back(path +
                            ": $Periodic is not used (no field or current passes from a surface to its "
                            "image: both end the model like any other); mesh a period between planes of "
                            "symmetry, or the whole");
  return mesh;
}

}  // namespace umov::mesh
