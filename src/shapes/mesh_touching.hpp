// Bodies that touch with a face and are mixed in a file of triangles: whose each side of the face is.
#pragma once

#include <algorithm>
#include <numeric>
#include <span>
#include <vector>

#include "shapes/mesh.hpp"

namespace umov::shapes {

/// Sets of numbers that are joined step by step.
class Sets {
 public:
  explicit Sets(std::size_t n) : parent_(n) { std::iota(parent_.begin(), parent_.end(), 0); }
  int find(int i) {
    while (parent_[i] != i) i = parent_[i] = parent_[parent_[i]];
    return i;
  }
  void join(int i, int j) { parent_[std::max(find(i), find(j))] = std::min(find(i), find(j)); }

 private:
  std::vector<int> parent_;
};

/// A triangle's way along one of its edges.
struct Use {
  int low, high;  ///< corners
  int triangle;
  bool up;  ///< from low to high
};

/// Where bodies that touch with a face are mixed in the file: their two sides of it are flat, lie in one
/// plane and meet the bodies' other faces in edges of four triangles. Each becomes one body's, in the sense
/// in which that is oriented; of two alike either fits.
class TouchingFaces {
 public:
  TouchingFaces(const Mesh& mesh, Sets& sets) : mesh_(mesh), sets_(sets), plane_(mesh.triangles.size()) {
    double size = 0;
    for (const auto& v : mesh.vertices) size = std::max(size, norm(v));
    std::vector<char> flat(mesh.triangles.size(), true);
    for (std::size_t i = 0; i < plane_.size(); ++i) {
      const int root = root_of(int(i));
      plane_[i] = plane_of(root);
      for (const int c : mesh.triangles[i])
        if (std::fabs(dot(mesh.vertices[c] - plane_[i].point, plane_[i].normal)) > same * size)
          flat[root] = false;
    }
    for (std::size_t i = 0; i < plane_.size(); ++i) waits_.push_back(flat[root_of(int(i))]);
    first_ = roots();
  }

  /// At the triangles of one edge; true where faces were given away.
  template <class Uses>
  bool give_away(const Uses& from, const Uses& to) {
    if (to - from != 4) return false;
    std::vector<Use> all(from, to);
    if (!two_faces_first(all)) return false;
    std::span<Use> faces(all.data(), 2), others(all.data() + 2, 2);
    if (sets_.find(others[0].triangle) == sets_.find(others[1].triangle)) return false;
    const auto fits = [](const Use& one, const Use& other) { return one.up != other.up; };
    if (!fits(faces[0], others[0]) || !fits(faces[1], others[1])) std::swap(faces[0], faces[1]);
    if (!fits(faces[0], others[0]) || !fits(faces[1], others[1])) return false;
    for (int f = 0; f < 2; ++f) {
      waits_[first_[faces[f].triangle]] = false;
      sets_.join(faces[f].triangle, others[f].triangle);
    }
    return true;
  }

 private:
  struct Plane {
    Vec3 point, normal;  ///< of unit length
  };
  static constexpr double same = 1e-9;

  int root_of(int i) { return sets_.find(i); }
  std::vector<int> roots() {
    std::vector<int> out;
    for (std::size_t i = 0; i < plane_.size(); ++i) out.push_back(root_of(int(i)));
    return out;
  }
  Plane plane_of(int i) const {
    const auto& t = mesh_.triangles[i];
    const auto& v = mesh_.vertices;
    const Vec3 n = cross(v[t[1]] - v[t[0]], v[t[2]] - v[t[0]]);
    return {v[t[0]], (1 / norm(n)) * n};
  }
  /// Puts the two that are sides of one face before the others; false unless there is one such pair.
  bool two_faces_first(std::vector<Use>& all) const {
    const auto waits = [this](const Use& u) { return bool(waits_[first_[u.triangle]]); };
    std::vector<std::array<int, 2>> pairs;
    for (int j = 1; j < 4; ++j)
      for (int i = 0; i < j; ++i)
        if (waits(all[i]) && waits(all[j]) && one_plane(all[i], all[j])) pairs.push_back({i, j});
    if (pairs.size() != 1) return false;
    std::swap(all[0], all[pairs[0][0]]);
    std::swap(all[1], all[pairs[0][1]]);
    return true;
  }
  /// Both have the edge in common.
  bool one_plane(const Use& one, const Use& other) const {
    const Vec3 across = cross(plane_[one.triangle].normal, plane_[other.triangle].normal);
    return norm(across) < 1e-6 && sides_agree(one.triangle, other.triangle);
  }
  /// Whether two flat triangles lie on the same side of an edge that they share.
  bool sides_agree(int one, int other) const {
    const auto &t = mesh_.triangles[one], &u = mesh_.triangles[other];
    std::array<int, 2> shared{-1, -1};
    int count = 0, apex = t[0], far = u[0];
    for (const int c : t)
      std::ranges::find(u, c) != u.end() && count < 2 ? void(shared[count++] = c) : void(apex = c);
    for (const int c : u)
      if (c != shared[0] && c != shared[1]) far = c;
    const auto& v = mesh_.vertices;
    const Vec3 edge = v[shared[1]] - v[shared[0]];
    return dot(cross(edge, v[apex] - v[shared[0]]), cross(edge, v[far] - v[shared[0]])) > 0;
  }

  const Mesh& mesh_;
  Sets& sets_;
  std::vector<Plane> plane_;  ///< by triangle: of its set
  std::vector<int> first_;    ///< by triangle: its set, before faces were given away
  std::vector<char> waits_;   ///< by set: flat, and no body's yet
};

}  // namespace umov::shapes
