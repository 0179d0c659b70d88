// Gmsh's nodes and elements as a TetMesh, and whether they fit together.
#include <fmt/format.h>
#include <gmsh.h>

#include <algorithm>

#include "core/error.hpp"
#include "mesh/gmsh/steps.hpp"

namespace umov::mesh {

namespace {

namespace gm = gmsh::model::mesh;

constexpr int triangle_type = 2, tetrahedron_type = 4;

/// Nodes of the elements of one type in a volume or surface. Gmsh wants its output empty.
std::vector<std::size_t> elements_of(int type, int tag) {
  std::vector<std::size_t> elements, nodes;
  gm::getElementsByType(type, elements, nodes, tag);
  return nodes;
}

int group_index(std::vector<Group>& groups, const std::string& name) {
  for (std::size_t i = 0; i < groups.size(); ++i)
    if (groups[i].name == name) return int(i);
  groups.push_back({name, int(groups.size()) + 1});
  return int(groups.size()) - 1;
}

double volume_of(const TetMesh& m, const Tet& t) {
  const Vec3 &a = m.nodes[t[0]], b = m.nodes[t[1]] - a, c = m.nodes[t[2]] - a, d = m.nodes[t[3]] - a;
  return dot(b, cross(c, d)) / 6;
}

/// Numbers Gmsh's nodes as they are first met.
class Nodes {
 public:
  explicit Nodes(TetMesh& mesh) : mesh_(mesh) {
    std::vector<double> unused;
    gm::getNodes(tags_, places_, unused, -1, -1, false, false);
    for (std::size_t i = 0; i < tags_.size(); ++i) {
      if (tags_[i] >= slot_.size()) slot_.resize(tags_[i] + 1, none);
      slot_[tags_[i]] = i;
    }
    number_.assign(tags_.size(), -1);
  }
  int operator()(std::size_t tag) {
    const std::size_t slot = slot_.at(tag);
    if (number_[slot] < 0) {
      number_[slot] = int(mesh_.nodes.size());
      mesh_.nodes.push_back({places_[3 * slot], places_[3 * slot + 1], places_[3 * slot + 2]});
    }
    return number_[slot];
  }

 private:
  static constexpr std::size_t none = ~std::size_t(0);
  TetMesh& mesh_;
  std::vector<std::size_t> tags_, slot_;
  std::vector<double> places_;
  std::vector<int> number_;
};

}  // namespace

TetMesh take_mesh(const Geometry& g, const Pieces& pieces, double unit) {
  TetMesh mesh;
  Nodes node(mesh);
  for (const auto& v : pieces.volumes) {
    const auto nodes = elements_of(tetrahedron_type, v.tag);
    if (nodes.empty())
      throw BadInput(
          fmt::format("Gmsh left {} without elements; make its mesh_size smaller", owner_name(g, v.owner)));
    const int group = group_index(mesh.volumes, v.owner < 0 ? g.domain_region : g.parts[v.owner].region);
    for (std::size_t i = 0; i < nodes.size(); i += 4) {
      Tet t{node(nodes[i]), node(nodes[i + 1]), node(nodes[i + 2]), node(nodes[i + 3])};
      if (volume_of(mesh, t) < 0) std::swap(t[2], t[3]);
      mesh.tets.push_back(t);
      mesh.tet_group.push_back(group);
    }
  }
  for (const auto& f : pieces.faces) {
    if (f.groups.empty()) continue;
    const auto nodes = elements_of(triangle_type, f.tag);
    for (const auto& name : f.groups) {
      const int group = group_index(mesh.surfaces, name);
      for (std::size_t i = 0; i < nodes.size(); i += 3) {
        mesh.triangles.push_back({node(nodes[i]), node(nodes[i + 1]), node(nodes[i + 2])});
        mesh.triangle_group.push_back(group);
      }
    }
  }
  for (Vec3& x : mesh.nodes) x = unit * x;
  return mesh;
}

void check_conforming(const TetMesh& mesh, const Pieces& pieces) {
  std::vector<Tri> faces;
  faces.reserve(4 * mesh.tets.size());
  for (const auto& t : mesh.tets)
    for (int k = 0; k < 4; ++k) {
      Tri f{t[(k + 1) % 4], t[(k + 2) % 4], t[(k + 3) % 4]};
      std::sort(f.begin(), f.end());
      faces.push_back(f);
    }
  std::sort(faces.begin(), faces.end());
  std::size_t single = 0, outer = 0;
  bool good = true;
  for (std::size_t i = 0; i < faces.size();) {
    std::size_t j = i;
    while (j < faces.size() && faces[j] == faces[i]) ++j;
    single += j - i == 1;
    good = good && j - i <= 2;
    i = j;
  }
  for (const auto& f : pieces.faces)
    if (f.sides.size() == 1) outer += elements_of(triangle_type, f.tag).size() / 3;
  if (!good || single != outer)
    throw MachineFailure(
        fmt::format("Gmsh's mesh has gaps ({} outer faces of elements, {} outer triangles); change mesh_size "
                    "or move parts that "
                    "nearly touch apart",
                    single, outer));
}

}  // namespace umov::mesh
