#include "mesh/gmsh_raw.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace umov::mesh {

void NodeNumbers::assign(std::vector<std::int64_t> numbers, const GmshCursor& cursor) {
  dense_.clear();
  sorted_.clear();
  if (numbers.empty()) return;
  const auto twice = [&](std::int64_t n) {
    cursor.refuse(fmt::format("node {} is there twice", n), "numbers of nodes are unique",
                  "save the mesh again from its generator");
  };
  const auto [low, high] = std::minmax_element(numbers.begin(), numbers.end());
  low_ = *low;
  if (low_ < 0)
    cursor.refuse(fmt::format("a node has number {}", low_), "they begin at 1", "save the mesh again");
  if (std::uint64_t(*high - *low) < 16 * numbers.size() + 1024) {
    dense_.assign(std::size_t(*high - *low) + 1, -1);
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      int& place = dense_[std::size_t(numbers[i] - low_)];
      if (place >= 0) twice(numbers[i]);
      place = int(i);
    }
    return;
  }
  for (std::size_t i = 0; i < numbers.size(); ++i) sorted_.emplace_back(numbers[i], int(i));
  std::sort(sorted_.begin(), sorted_.end());
  for (std::size_t i = 1; i < sorted_.size(); ++i)
    if (sorted_[i].first == sorted_[i - 1].first) twice(sorted_[i].first);
}

int NodeNumbers::find(std::int64_t number) const {
  if (sorted_.empty()) {
    const std::uint64_t i = std::uint64_t(number) - std::uint64_t(low_);
    return i < dense_.size() ? dense_[i] : -1;
  }
  const auto at = std::lower_bound(sorted_.begin(), sorted_.end(), std::pair(number, 0));
  return at != sorted_.end() && at->first == number ? at->second : -1;
}

int RawMesh::origin(const Origin& o) {
  if (last_ < origins.size() && origins[last_] == o) return int(last_);
  last_ = std::size_t(std::find(origins.begin(), origins.end(), o) - origins.begin());
  if (last_ == origins.size()) origins.push_back(o);
  return int(last_);
}

GmshType gmsh_type(int type) {
  switch (type) {
    case 1:
      return {1, 2, 1, "lines"};
    case 2:
      return {2, 3, 1, "triangles"};
    case 3:
      return {2, 4, 1, "quadrangles"};
    case 4:
      return {3, 4, 1, "tetrahedra"};
    case 5:
      return {3, 8, 1, "hexahedra"};
    case 6:
      return {3, 6, 1, "prisms"};
    case 7:
      return {3, 5, 1, "pyramids"};
    case 8:
      return {1, 3, 2, "lines"};
    case 9:
      return {2, 6, 2, "triangles"};
    case 10:
      return {2, 9, 2, "quadrangles"};
    case 11:
      return {3, 10, 2, "tetrahedra"};
    case 12:
      return {3, 27, 2, "hexahedra"};
    case 13:
      return {3, 18, 2, "prisms"};
    case 14:
      return {3, 14, 2, "pyramids"};
    case 15:
      return {0, 1, 1, "points"};
    case 16:
      return {2, 8, 2, "quadrangles"};
    case 17:
      return {3, 20, 2, "hexahedra"};
    case 18:
      return {3, 15, 2, "prisms"};
    case 19:
      return {3, 13, 2, "pyramids"};
    case 20:
      return {2, 9, 3, "triangles"};
    case 21:
      return {2, 10, 3, "triangles"};
    case 22:
      return {2, 12, 4, "triangles"};
    case 23:
      return {2, 15, 4, "triangles"};
    case 24:
      return {2, 15, 5, "triangles"};
    case 25:
      return {2, 21, 5, "triangles"};
    case 26:
      return {1, 4, 3, "lines"};
    case 27:
      return {1, 5, 4, "lines"};
    case 28:
      return {1, 6, 5, "lines"};
    case 29:
      return {3, 20, 3, "tetrahedra"};
    case 30:
      return {3, 35, 4, "tetrahedra"};
    case 31:
      return {3, 56, 5, "tetrahedra"};
    case 92:
      return {3, 64, 3, "hexahedra"};
    case 93:
      return {3, 125, 4, "hexahedra"};
    default:
      return {0, 0, 0, "elements"};
  }
}

void add_node(RawMesh& raw, std::int64_t number, const Vec3& x, const GmshCursor& cursor) {
  if (!std::isfinite(x[0]) || !std::isfinite(x[1]) || !std::isfinite(x[2]))
    cursor.refuse(fmt::format("node {} is at ({}, {}, {})", number, x[0], x[1], x[2]),
                  "a coordinate is not a finite number", "mesh again, or correct it");
  if (raw.nodes.size() >= std::size_t(INT32_MAX))
    cursor.refuse("more than 2^31 nodes", "their numbers would not fit in 31 bits", "use a coarser mesh");
  raw.nodes.push_back(x);
}

namespace {

/// How far the mid-edge nodes of a tetrahedron lie from the middles, per edge.
double bend(const RawMesh& raw, const int* n) {
  static constexpr int gmsh_edges[6][2] = {{0, 1}, {1, 2}, {0, 2}, {0, 3}, {2, 3}, {1, 3}};
  double worst = 0;
  for (int e = 0; e < 6; ++e) {
    const Vec3 &a = raw.nodes[n[gmsh_edges[e][0]]], &b = raw.nodes[n[gmsh_edges[e][1]]];
    const double length = norm(b - a), off = norm(raw.nodes[n[4 + e]] - 0.5 * (a + b));
    if (off > 0) worst = std::max(worst, length > 0 ? off / length : 1);
  }
  return worst;
}

}  // namespace

void add_element(RawMesh& raw, int type, std::int64_t number, const std::int64_t* nodes, int origin,
                 const GmshCursor& cursor) {
  int place[10];
  const GmshType known = gmsh_type(type);
  for (int k = 0; k < known.nodes; ++k) {
    place[k] = raw.numbers.find(nodes[k]);
    if (place[k] >= 0) continue;
    if (raw.nodes.empty())
      cursor.refuse("$Elements without $Nodes before them", "their nodes are looked up at once",
                    "save the mesh from Gmsh");
    cursor.refuse(fmt::format("element {} has node {}", number, nodes[k]),
                  fmt::format("there is none among the {} of the file", raw.nodes.size()),
                  "mesh again, or save the mesh whole");
  }
  if (known.dim == 2) {
    raw.triangles.push_back({place[0], place[1], place[2]});
    raw.triangle_origin.push_back(origin);
    return;
  }
  raw.tets.push_back({place[0], place[1], place[2], place[3]});
  raw.tet_origin.push_back(origin);
  if (type != 11) return;
  ++raw.second_order;
  const double off = bend(raw, place);
  raw.curved += off > 1e-6;  // text files of 16 digits bend none that far
  raw.worst_bend = std::max(raw.worst_bend, off);
}

}  // namespace umov::mesh
