// Elements that share space: by the faces of a conforming mesh, and by search behind faces that only one has.
#include "mesh/overlap.hpp"

#include <algorithm>
#include <tuple>
#include <vector>

#include "mesh/locate.hpp"

namespace umov::mesh {
namespace {

/// A face by its lowest node: the two others, its element, and on which side of (low, b, c) that lies.
struct Face {
  int b, c, tet;
  bool above;
  auto key() const { return std::pair{b, c}; }
};

/// `nodes`: the face and the opposite vertex, ordered as in a positive element. The side is the parity of
/// sorting: no coordinates, no rounding.
Face face_of(Tet nodes, int tet, int& low) {
  bool above = true;
  for (int pass = 0; pass < 2; ++pass)
    for (int k = 0; k < 2; ++k)
      if (nodes[k] > nodes[k + 1]) std::swap(nodes[k], nodes[k + 1]), above = !above;
  low = nodes[0];
  return {nodes[1], nodes[2], tet, above};
}

// even permutations of an element's nodes, each with another one last
constexpr int turned[4][4] = {{1, 3, 2, 0}, {0, 2, 3, 1}, {0, 3, 1, 2}, {0, 1, 2, 3}};

/// Points of an element near the middle of its face opposite to node k, and its own middle.
Vec3 point_behind(const TetMesh& m, int tet, int k, double depth) {
  Vec3 x{0, 0, 0};
  for (int i = 0; i < 4; ++i) x = x + (i == k ? depth : (1 - depth) / 3) * m.nodes[m.tets[tet][i]];
  return x;
}

}  // namespace

std::optional<std::pair<int, int>> find_overlap(const TetMesh& m) {
  const std::size_t count = m.tets.size();
  std::vector<std::size_t> begin(m.nodes.size() + 1, 0);
  const auto face = [&](std::size_t t, int k, int& low) {
    Tet nodes;
    for (int i = 0; i < 4; ++i) nodes[i] = m.tets[t][turned[k][i]];
    return face_of(nodes, int(t), low);
  };
  int low = 0;
  for (std::size_t t = 0; t < count; ++t)
    for (int k = 0; k < 4; ++k) face(t, k, low), ++begin[low + 1];
  for (std::size_t n = 0; n < m.nodes.size(); ++n) begin[n + 1] += begin[n];
  std::vector<Face> faces(4 * count);
  std::vector<std::size_t> fill(begin.begin(), begin.end() - 1);
  for (std::size_t t = 0; t < count; ++t)
    for (int k = 0; k < 4; ++k) {
      const Face f = face(t, k, low);
      faces[fill[low]++] = f;
    }
  std::vector<std::pair<int, int>> alone;  // element and the node opposite to a face that no other one has
  for (std::size_t n = 0; n < m.nodes.size(); ++n) {
    const auto first = faces.begin() + begin[n], last = faces.begin() + begin[n + 1];
    std::sort(first, last, [](const Face& a, const Face& b) {
      return std::tuple{a.key(), a.tet} < std::tuple{b.key(), b.tet};
    });
    for (auto f = first; f != last;) {
      auto end = f + 1;
      for (; end != last && end->key() == f->key(); ++end)
        if (end->above == f->above || end - f > 1) return std::pair{f->tet, end->tet};
      if (end - f == 1) {
        const Tet& t = m.tets[f->tet];
        for (int k = 0; k < 4; ++k)
          if (t[k] != int(n) && t[k] != f->b && t[k] != f->c) alone.push_back({f->tet, k});
      }
      f = end;
    }
  }
  const Locator locator(m);
  std::vector<int> other(alone.size(), -1);
#pragma omp parallel for schedule(dynamic, 1024)
  for (std::size_t i = 0; i < alone.size(); ++i)
    for (const double depth : {0.05, 0.25})
      if (const auto t =
              locator.other_than(alone[i].first, point_behind(m, alone[i].first, alone[i].second, depth)))
        other[i] = *t;
  for (std::size_t i = 0; i < alone.size(); ++i)
    if (other[i] >= 0) return std::pair{alone[i].first, other[i]};
  return std::nullopt;
}

}  // namespace umov::mesh
