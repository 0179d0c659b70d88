#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cmath>

#include "core/error.hpp"
#include "mesh/coincident.hpp"
#include "mesh/drop_unused.hpp"
#include "mesh/overlap.hpp"
#include "mesh/place_order.hpp"
#include "mesh/tet_mesh.hpp"

namespace umov::mesh {
namespace {

constexpr double flat = 1e-10;      // below: no volume to compute with
constexpr double very_flat = 1e-3;  // below: worth a warning
constexpr double beyond = 1e50;     // m: the square of a volume must be a number
constexpr double too_large = 50.0;  // m: the widest models here are 40 m of air around a line

std::string place(const TetMesh& mesh, std::size_t i) {
  Vec3 x{0, 0, 0};
  for (const int n : mesh.tets[i]) x = x + 0.25 * mesh.nodes[n];
  return fmt::format("tetrahedron {} of volume '{}' at ({:.6g}, {:.6g}, {:.6g}) m", i + 1,
                     mesh.volumes[mesh.tet_group[i]].name, x[0], x[1], x[2]);
}

[[noreturn]] void refuse(const TetMesh& mesh, const std::string& problem, const std::string& why,
                         const std::string& suggestion) {
  throw BadInput(fmt::format("{}: {} ({}); {}", mesh.source, problem, why, suggestion));
}

/// Whether all nodes have a place, and all elements four nodes.
bool nodes_are_sound(const TetMesh& mesh) {
  bool sound = true;
#pragma omp parallel for schedule(static) reduction(&& : sound)
  for (std::size_t n = 0; n < mesh.nodes.size(); ++n)
    for (const double x : mesh.nodes[n]) sound = sound && std::abs(x) <= beyond;  // of nan, too
  const int nodes = int(mesh.nodes.size());
#pragma omp parallel for schedule(static) reduction(&& : sound)
  for (std::size_t i = 0; i < mesh.tets.size(); ++i) {
    const auto& [a, b, c, d] = mesh.tets[i];
    for (const int n : mesh.tets[i]) sound = sound && n >= 0 && n < nodes;
    sound = sound && a != b && a != c && a != d && b != c && b != d && c != d;
  }
  return sound;
}

void check_nodes(const TetMesh& mesh) {
  if (mesh.tets.empty()) refuse(mesh, "no tetrahedra", "there is nothing to compute on", "mesh the volumes");
  if (nodes_are_sound(mesh)) return;
  for (std::size_t n = 0; n < mesh.nodes.size(); ++n) {
    const Vec3& x = mesh.nodes[n];
    if (!std::isfinite(x[0] + x[1] + x[2]))
      refuse(mesh, fmt::format("node {} is at ({}, {}, {})", n + 1, x[0], x[1], x[2]),
             "a coordinate is not a finite number", "mesh again, or correct it");
    if (std::max({std::abs(x[0]), std::abs(x[1]), std::abs(x[2])}) > beyond)
      refuse(mesh, fmt::format("node {} is at ({:.3g}, {:.3g}, {:.3g}) m", n + 1, x[0], x[1], x[2]),
             fmt::format("nothing is computed beyond {:g} m", beyond), "correct it, or the unit");
  }
  for (std::size_t i = 0; i < mesh.tets.size(); ++i)
    for (int k = 0; k < 4; ++k) {
      const Tet& t = mesh.tets[i];
      if (t[k] < 0 || std::size_t(t[k]) >= mesh.nodes.size())
        refuse(mesh, fmt::format("tetrahedron {} has node {}", i + 1, t[k] + 1),
               fmt::format("there are {}", mesh.nodes.size()), "mesh again");
      if (std::find(t.begin() + k + 1, t.end(), t[k]) != t.end())
        refuse(mesh, place(mesh, i) + fmt::format(" has node {} twice", t[k] + 1), "it has no volume",
               "mesh again, or remove it");
    }
}

/// Of one element: volume with its sign, 3 r_in / r_out, edges.
struct Measure {
  double volume, quality, shortest, longest;
};

Measure measure(const TetMesh& mesh, std::size_t i) {
  const auto& [p, q, r, s] = mesh.tets[i];
  const Vec3 a = mesh.nodes[q] - mesh.nodes[p], b = mesh.nodes[r] - mesh.nodes[p],
             c = mesh.nodes[s] - mesh.nodes[p];
  const Vec3 ab = cross(a, b), bc = cross(b, c), ca = cross(c, a);
  Measure m;
  m.volume = dot(c, ab) / 6;
  const double areas = 0.5 * (norm(ab) + norm(bc) + norm(ca) + norm(cross(b - a, c - a)));
  // r_in = 3 V / areas, r_out = |round| / (12 V)
  const double round = norm(dot(a, a) * bc + dot(b, b) * ca + dot(c, c) * ab);
  m.quality = areas * round > 0 ? 108 * m.volume * m.volume / (areas * round) : 0;
  const auto [low, high] =
      std::minmax({dot(a, a), dot(b, b), dot(c, c), dot(b - a, b - a), dot(c - b, c - b), dot(a - c, a - c)});
  m.shortest = std::sqrt(low);
  m.longest = std::sqrt(high);
  return m;
}

/// Over a set of elements; joined block after block, so that sums do not depend on threads.
struct Summary {
  double volume = 0, smallest = INFINITY, largest = 0, shortest = INFINITY, longest = 0;
  double worst = INFINITY;  ///< quality, and whose
  std::size_t worst_at = 0, thin = 0;
  bool inverted = false;  ///< any

  void add(const Measure& m, std::size_t i) {
    volume += std::abs(m.volume);
    smallest = std::min(smallest, std::abs(m.volume));
    largest = std::max(largest, std::abs(m.volume));
    shortest = std::min(shortest, m.shortest);
    longest = std::max(longest, m.longest);
    if (m.quality < worst) worst = m.quality, worst_at = i;
    thin += m.quality < very_flat;
    inverted = inverted || m.volume < 0;
  }
  void join(const Summary& s) {
    volume += s.volume;
    smallest = std::min(smallest, s.smallest);
    largest = std::max(largest, s.largest);
    shortest = std::min(shortest, s.shortest);
    longest = std::max(longest, s.longest);
    if (s.worst < worst) worst = s.worst, worst_at = s.worst_at;
    thin += s.thin;
    inverted = inverted || s.inverted;
  }
};

Summary summarise(const TetMesh& mesh) {
  constexpr std::size_t block = 4096;
  std::vector<Summary> blocks((mesh.tets.size() + block - 1) / block);
#pragma omp parallel for schedule(static)
  for (std::size_t b = 0; b < blocks.size(); ++b)
    for (std::size_t i = b * block; i < std::min(mesh.tets.size(), (b + 1) * block); ++i)
      blocks[b].add(measure(mesh, i), i);
  Summary sum;
  for (const Summary& s : blocks) sum.join(s);
  return sum;
}

/// The sign of an element's volume is the order of its nodes only; elements that are turned inside out by a
/// moved node lie on one side of a face with their neighbours, which check_overlap() finds.
void turn_negative(TetMesh& mesh) {
#pragma omp parallel for schedule(static)
  for (std::size_t i = 0; i < mesh.tets.size(); ++i)
    if (measure(mesh, i).volume < 0) std::swap(mesh.tets[i][1], mesh.tets[i][3]);
}

void check_shapes(TetMesh& mesh, const Summary& s) {
  if (s.worst < flat)
    refuse(mesh, place(mesh, s.worst_at) + " is flat",
           fmt::format("its inscribed sphere over its circumscribed one, times 3, is {:.3g}", s.worst),
           "mesh again with Mesh.Optimize, or join its nodes");
  if (s.inverted) turn_negative(mesh);
}

template <std::size_t N>
std::array<int, N> sorted(std::array<int, N> list) {
  std::sort(list.begin(), list.end());
  return list;
}

/// Elements side by side by their lowest node; those of one node are few.
void check_repeated(const TetMesh& mesh) {
  std::vector<std::size_t> begin(mesh.nodes.size() + 1, 0);
  const auto lowest = [&](std::size_t i) {
    return *std::min_element(mesh.tets[i].begin(), mesh.tets[i].end());
  };
  for (std::size_t i = 0; i < mesh.tets.size(); ++i) ++begin[lowest(i) + 1];
  for (std::size_t n = 0; n < mesh.nodes.size(); ++n) begin[n + 1] += begin[n];
  std::vector<std::pair<Tet, int>> list(mesh.tets.size());
  std::vector<std::size_t> fill(begin.begin(), begin.end() - 1);
  for (std::size_t i = 0; i < mesh.tets.size(); ++i) list[fill[lowest(i)]++] = {sorted(mesh.tets[i]), int(i)};
  for (std::size_t n = 0; n < mesh.nodes.size(); ++n) {
    std::sort(list.begin() + begin[n], list.begin() + begin[n + 1]);
    for (std::size_t i = begin[n]; i + 1 < begin[n + 1]; ++i)
      if (list[i].first == list[i + 1].first)
        refuse(
            mesh,
            fmt::format("{} has the nodes of tetrahedron {} of volume '{}'", place(mesh, list[i + 1].second),
                        list[i].second + 1, mesh.volumes[mesh.tet_group[list[i].second]].name),
            "an element is there once, in one volume group", "remove one of the groups or volumes");
  }
}

void check_overlap(const TetMesh& mesh) {
  const auto found = find_overlap(mesh);
  if (!found) return;
  check_repeated(mesh);  // an element that is there twice lies on one side of its faces with itself
  const auto [a, b] = *found;
  const auto volume = [&](int t) { return mesh.volumes[mesh.tet_group[t]].name; };
  refuse(
      mesh,
      place(mesh, std::size_t(a)) + fmt::format(" lies in tetrahedron {} of volume '{}'", b + 1, volume(b)),
      "what is there twice would count twice",
      mesh.tet_group[a] == mesh.tet_group[b]
          ? "mesh again without moving nodes of the mesh, or remove one of the bodies"
          : "cut the volumes at one another (Gmsh: BooleanFragments) or remove one");
}

void check_triangles(const TetMesh& mesh) {
  std::vector<char> near(mesh.nodes.size(), 0);
  std::vector<Tri> wanted;
  for (const Tri& t : mesh.triangles) {
    wanted.push_back(sorted(t));
    for (const int n : t) near[n] = 1;
  }
  std::sort(wanted.begin(), wanted.end());
  std::vector<char> found(wanted.size(), 0);
#pragma omp parallel for schedule(static)
  for (std::size_t i = 0; i < mesh.tets.size(); ++i)
    for (int k = 0; k < 4; ++k) {
      const Tet& t = mesh.tets[i];
      const Tri face{t[(k + 1) % 4], t[(k + 2) % 4], t[(k + 3) % 4]};
      if (!near[face[0]] || !near[face[1]] || !near[face[2]]) continue;
      const auto at = std::lower_bound(wanted.begin(), wanted.end(), sorted(face));
      if (at != wanted.end() && *at == sorted(face))
        std::atomic_ref(found[at - wanted.begin()]).store(1, std::memory_order_relaxed);
    }
  for (std::size_t i = 0; i < mesh.triangles.size(); ++i) {
    const auto at = std::lower_bound(wanted.begin(), wanted.end(), sorted(mesh.triangles[i]));
    if (found[at - wanted.begin()]) continue;
    const Vec3& x = mesh.nodes[mesh.triangles[i][0]];
    refuse(mesh,
           fmt::format("triangle {} of surface '{}' at ({:.6g}, {:.6g}, {:.6g}) m is no face of an element",
                       i + 1, mesh.surfaces[mesh.triangle_group[i]].name, x[0], x[1], x[2]),
           "the surface lies beside the volumes, or was meshed apart from them",
           "mesh both together (Gmsh: BooleanFragments, or Surface{...} In Volume{...};)");
  }
}

void warn(const TetMesh& mesh, const Summary& s, MeshReport& report) {
  report.warnings = mesh.warnings;
  const Vec3 size = report.high - report.low;
  const double extent = std::max({size[0], size[1], size[2]});
  if (extent > too_large)
    report.warnings.push_back(
        fmt::format("{}: {:.4g} x {:.4g} x {:.4g} m (drawn in millimetres, it would be "
                    "{:.4g} m across); set unit = \"mm\" if it was",
                    mesh.source, size[0], size[1], size[2], 1e-3 * extent));
  if (const Coincidence c = find_coincident(mesh.nodes); c.count > 0) {
    const Vec3& x = mesh.nodes[c.first[0]];
    report.warnings.push_back(fmt::format(
        "{}: {} nodes lie on others, the first at ({:.6g}, {:.6g}, {:.6g}) m (volumes that touch there are "
        "not joined: no current or flux passes); mesh them together, in Gmsh with BooleanFragments or "
        "Coherence",
        mesh.source, c.count, x[0], x[1], x[2]));
  }
  if (s.thin > 0)
    report.warnings.push_back(
        fmt::format("{}: {} of {} elements are very flat, the worst is {}, quality {:.2g} "
                    "(the solver may take more iterations); mesh with Mesh.Optimize",
                    mesh.source, s.thin, mesh.tets.size(), place(mesh, s.worst_at), s.worst));
}

}  // namespace

MeshReport check(TetMesh& mesh) {
  check_nodes(mesh);
  const Summary s = summarise(mesh);
  check_shapes(mesh, s);
  check_overlap(mesh);
  check_triangles(mesh);
  drop_unused_nodes(mesh);

  MeshReport report;
  report.volume = std::abs(s.volume);
  report.smallest = s.smallest;
  report.largest = s.largest;
  report.shortest_edge = s.shortest;
  report.longest_edge = s.longest;
  report.worst_quality = s.worst;
  const Box box = bounding_box(mesh.nodes);
  report.low = box.low;
  report.high = box.high;
  warn(mesh, s, report);
  return report;
}

}  // namespace umov::mesh
