// Faces found in buckets by their lowest nodes, and the surfaces that they join into.
#include "mesh/round/skin.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

namespace umov::mesh {

namespace {

/// A face of an element or a named triangle; its lowest node is that of its bucket.
struct Face {
  int middle, high, group;
  bool same(const Face& o) const { return middle == o.middle && high == o.high; }
  bool operator<(const Face& o) const {
    return std::tie(middle, high, group) < std::tie(o.middle, o.high, o.group);
  }
};
constexpr int named = -1;

template <class Take>
void for_faces(const TetMesh& mesh, const Take& take) {
  const auto sorted = [&](Tri f, int group) {
    std::sort(f.begin(), f.end());
    take(f, group);
  };
  for (std::size_t i = 0; i < mesh.tets.size(); ++i)
    for (int k = 0; k < 4; ++k) {
      const Tet& t = mesh.tets[i];
      sorted({t[(k + 1) % 4], t[(k + 2) % 4], t[(k + 3) % 4]}, mesh.tet_group[i]);
    }
  for (const Tri& t : mesh.triangles) sorted(t, named);
}

/// Of the entries of one face: whether they make it one of the skin.
bool is_skin(const Face* begin, const Face* end) {
  return begin->group == named || end - begin == 1 || begin->group != (end - 1)->group;
}

/// Seen along their edge, `from` lies in one face and `to` in the other.
double angle_about(const Vec3& edge, Vec3 from, Vec3 to) {
  const Vec3 e = (1 / norm(edge)) * edge;
  from = from - dot(from, e) * e;
  to = to - dot(to, e) * e;
  return std::atan2(norm(cross(from, to)), dot(from, to));
}

/// Whether a face walks along its edge from the lower to the higher end.
bool ascends(const Tri& f, const FaceEdge& e) {
  for (int k = 0; k < 3; ++k)
    if (f[k] == e.low) return f[(k + 1) % 3] == e.high;
  return false;
}

}  // namespace

std::vector<Tri> skin_faces(const TetMesh& mesh) {
  std::vector<std::size_t> start(mesh.nodes.size() + 1, 0);
  for_faces(mesh, [&](const Tri& f, int) { ++start[std::size_t(f[0])]; });
  std::size_t total = 0;
  for (std::size_t& n : start) total += std::exchange(n, total);
  std::vector<Face> all(total);
  for_faces(mesh, [&](const Tri& f, int group) { all[start[std::size_t(f[0])]++] = {f[1], f[2], group}; });
  // filling has moved every start to the one after it
  const auto begin = [&](std::size_t n) { return n ? start[n - 1] : 0; };
#pragma omp parallel for schedule(dynamic, 4096)
  for (std::size_t n = 0; n < mesh.nodes.size(); ++n)
    std::sort(all.begin() + std::ptrdiff_t(begin(n)), all.begin() + std::ptrdiff_t(start[n]));
  std::vector<Tri> out;
  for (std::size_t n = 0; n < mesh.nodes.size(); ++n)
    for (std::size_t k = begin(n), end = k; k < start[n]; k = end) {
      while (end < start[n] && all[end].same(all[k])) ++end;
      if (is_skin(&all[k], &all[k] + (end - k))) out.push_back({int(n), all[k].middle, all[k].high});
    }
  return out;
}

std::vector<FaceEdge> edges_of_faces(const std::vector<Tri>& faces) {
  std::vector<FaceEdge> out;
  out.reserve(3 * faces.size());
  for (std::size_t i = 0; i < faces.size(); ++i)
    for (int k = 0; k < 3; ++k) {
      const auto [low, high] = std::minmax(faces[i][k], faces[i][(k + 1) % 3]);
      out.push_back({low, high, int(i), faces[i][(k + 2) % 3]});
    }
  std::sort(out.begin(), out.end(), [](const FaceEdge& a, const FaceEdge& b) {
    return std::tie(a.low, a.high, a.face) < std::tie(b.low, b.high, b.face);
  });
  return out;
}

double turn_between(const TetMesh& m, const FaceEdge& a, const FaceEdge& b) {
  const Vec3& o = m.nodes[a.low];
  return pi - angle_about(m.nodes[a.high] - o, m.nodes[a.opposite] - o, m.nodes[b.opposite] - o);
}

int join_patches(const TetMesh& mesh, std::vector<Tri>& faces, std::vector<int>& patch) {
  const auto edges = edges_of_faces(faces);
  std::vector<std::pair<std::size_t, std::size_t>> joints;  // places in `edges`
  for (std::size_t i = 0; i < edges.size(); ++i)
    for (std::size_t j = i + 1; j < edges.size() && edges[j].same(edges[i]); ++j)
      if (patch[edges[i].face] >= 0 && patch[edges[j].face] >= 0 &&
          turn_between(mesh, edges[i], edges[j]) < meant_edge)
        joints.emplace_back(i, j);
  std::vector<std::vector<std::pair<std::size_t, std::size_t>>> beside(faces.size());
  for (const auto& [i, j] : joints) {
    beside[edges[i].face].emplace_back(i, j);
    beside[edges[j].face].emplace_back(j, i);
  }
  int count = 0;
  std::vector<char> met(faces.size(), 0);
  for (std::size_t first = 0; first < faces.size(); ++first) {
    if (patch[first] < 0 || met[first]) continue;
    std::vector<int> open{int(first)};
    met[first] = 1;
    while (!open.empty()) {
      const int f = open.back();
      open.pop_back();
      patch[f] = count;
      for (const auto& [own, other] : beside[f]) {
        const int g = edges[other].face;
        if (std::exchange(met[g], 1)) continue;
        if (ascends(faces[f], edges[own]) == ascends(faces[g], edges[other]))
          std::swap(faces[g][1], faces[g][2]);
        open.push_back(g);
      }
    }
    ++count;
  }
  return count;
}

}  // namespace umov::mesh
