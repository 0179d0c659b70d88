#include <fmt/format.h>

#include <iterator>
#include <set>

#include "core/atomic_file.hpp"
#include "core/error.hpp"
#include "mesh/gmsh_file.hpp"
#include "mesh/place_order.hpp"

namespace umov::mesh {
namespace {

/// Text on its way to the file, handed over in pieces.
class Text {
 public:
  explicit Text(AtomicFile& file) : file_(file) {}
  template <class... A>
  void line(fmt::format_string<A...> format, A&&... a) {
    fmt::format_to(std::back_inserter(buffer_), format, std::forward<A>(a)...);
    buffer_.push_back('\n');
    if (buffer_.size() > 1 << 20) flush();
  }
  void flush() {
    file_.write({buffer_.data(), buffer_.size()});
    buffer_.clear();
  }

 private:
  AtomicFile& file_;
  fmt::memory_buffer buffer_;
};

/// Elements of one group, in order: [group] -> indices.
std::vector<std::vector<int>> by_group(const std::vector<int>& group, std::size_t groups) {
  std::vector<std::vector<int>> list(groups);
  for (std::size_t i = 0; i < group.size(); ++i) list[group[i]].push_back(int(i));
  return list;
}

/// The groups' own tags where they are positive and each once; else 1, 2, ...
std::vector<Group> with_tags(std::vector<Group> groups) {
  std::set<int> tags;
  for (const Group& g : groups)
    if (g.tag > 0) tags.insert(g.tag);
  if (tags.size() != groups.size())
    for (std::size_t i = 0; i < groups.size(); ++i) groups[i].tag = int(i) + 1;
  return groups;
}

/// What is written: the elements of a mesh, groups with tags.
struct Written {
  const TetMesh& mesh;
  std::vector<Group> volumes, surfaces;
};

void write_names(Text& out, const Written& w) {
  out.line("$PhysicalNames\n{}", w.surfaces.size() + w.volumes.size());
  for (const Group& g : w.surfaces) out.line("2 {} \"{}\"", g.tag, g.name);
  for (const Group& g : w.volumes) out.line("3 {} \"{}\"", g.tag, g.name);
  out.line("$EndPhysicalNames");
}

void write_version_2(Text& out, const Written& w) {
  const TetMesh& mesh = w.mesh;
  out.line("$MeshFormat\n2.2 0 8\n$EndMeshFormat");
  write_names(out, w);
  out.line("$Nodes\n{}", mesh.nodes.size());
  for (std::size_t n = 0; n < mesh.nodes.size(); ++n)
    out.line("{} {} {} {}", n + 1, mesh.nodes[n][0], mesh.nodes[n][1], mesh.nodes[n][2]);
  out.line("$EndNodes\n$Elements\n{}", mesh.triangles.size() + mesh.tets.size());
  std::size_t number = 0;
  for (std::size_t i = 0; i < mesh.triangles.size(); ++i) {
    const Tri& t = mesh.triangles[i];
    const int tag = w.surfaces[mesh.triangle_group[i]].tag;
    out.line("{} 2 2 {} {} {} {} {}", ++number, tag, tag, t[0] + 1, t[1] + 1, t[2] + 1);
  }
  for (std::size_t i = 0; i < mesh.tets.size(); ++i) {
    const Tet& t = mesh.tets[i];
    const int tag = w.volumes[mesh.tet_group[i]].tag;
    out.line("{} 4 2 {} {} {} {} {} {}", ++number, tag, tag, t[0] + 1, t[1] + 1, t[2] + 1, t[3] + 1);
  }
  out.line("$EndElements");
}

/// Each group is one entity of the group's tag; all nodes are classified on the first volume.
void write_version_4(Text& out, const Written& w) {
  const TetMesh& mesh = w.mesh;
  out.line("$MeshFormat\n4.1 0 8\n$EndMeshFormat");
  write_names(out, w);
  const auto [low, high] = bounding_box(mesh.nodes);
  out.line("$Entities\n0 0 {} {}", w.surfaces.size(), w.volumes.size());
  for (const auto* groups : {&w.surfaces, &w.volumes})
    for (const Group& g : *groups)
      out.line("{} {} {} {} {} {} {} 1 {} 0", g.tag, low[0], low[1], low[2], high[0], high[1], high[2],
               g.tag);
  out.line("$EndEntities");

  const std::size_t n = mesh.nodes.size();
  out.line("$Nodes\n1 {} 1 {}\n3 {} 0 {}", n, n, w.volumes.empty() ? 1 : w.volumes[0].tag, n);
  for (std::size_t i = 0; i < n; ++i) out.line("{}", i + 1);
  for (const Vec3& x : mesh.nodes) out.line("{} {} {}", x[0], x[1], x[2]);
  out.line("$EndNodes");

  const auto triangles = by_group(mesh.triangle_group, w.surfaces.size());
  const auto tets = by_group(mesh.tet_group, w.volumes.size());
  std::size_t blocks = 0, number = 0;
  for (const auto* lists : {&triangles, &tets})
    for (const auto& list : *lists) blocks += !list.empty();
  const std::size_t elements = mesh.triangles.size() + mesh.tets.size();
  out.line("$Elements\n{} {} 1 {}", blocks, elements, elements);
  for (std::size_t g = 0; g < triangles.size(); ++g) {
    if (!triangles[g].empty()) out.line("2 {} 2 {}", w.surfaces[g].tag, triangles[g].size());
    for (const int i : triangles[g]) {
      const Tri& t = mesh.triangles[i];
      out.line("{} {} {} {}", ++number, t[0] + 1, t[1] + 1, t[2] + 1);
    }
  }
  for (std::size_t g = 0; g < tets.size(); ++g) {
    if (!tets[g].empty()) out.line("3 {} 4 {}", w.volumes[g].tag, tets[g].size());
    for (const int i : tets[g]) {
      const Tet& t = mesh.tets[i];
      out.line("{} {} {} {} {}", ++number, t[0] + 1, t[1] + 1, t[2] + 1, t[3] + 1);
    }
  }
  out.line("$EndElements");
}

}  // namespace

void write_gmsh(const TetMesh& mesh, const std::string& path, const std::string& version) {
  if (version != "4.1" && version != "2.2")
    throw BadInput(fmt::format("{}: cannot be written as MSH {} (4.1 and 2.2 are known); choose one of them",
                               path, version));
  AtomicFile file(path);
  Text out(file);
  const Written w{mesh, with_tags(mesh.volumes), with_tags(mesh.surfaces)};
  version == "4.1" ? write_version_4(out, w) : write_version_2(out, w);
  out.flush();
  file.commit();
}

}  // namespace umov::mesh
