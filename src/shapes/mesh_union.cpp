// The surface of a union of closed parts: triangles cut where other parts meet them, and what is inside left
// out.
#include <algorithm>
#include <atomic>
#include <map>
#include <numeric>
#include <ranges>
#include <set>

#include "core/interruption.hpp"
#include "shapes/mesh_nearest.hpp"
#include "shapes/mesh_parts.hpp"

namespace umov::shapes {
namespace {

/// Steps off a surface by which its sides are told, in such distances.
constexpr double steps = 4;

using Polygon = std::vector<Vec3>;  ///< flat and convex
using Pieces = std::vector<Polygon>;

struct Plane {
  Vec3 point, normal;  ///< of unit length
  double above(const Vec3& p) const { return dot(p - point, normal); }
};

double area(const Polygon& p) {
  Vec3 twice{0, 0, 0};
  for (std::size_t i = 2; i < p.size(); ++i) twice = twice + cross(p[i - 1] - p[0], p[i] - p[0]);
  return norm(twice) / 2;
}

/// Whether nothing is left of a polygon but its rim.
bool thin(const Polygon& p, double tolerance) {
  if (p.size() < 3) return true;
  double longest = 0;
  for (std::size_t i = 0; i < p.size(); ++i) longest = std::max(longest, norm(p[(i + 1) % p.size()] - p[i]));
  return area(p) <= tolerance * longest;
}

/// The part of a polygon above a plane (sense 1) or below it (-1).
Polygon clipped(const Polygon& p, const Plane& plane, double sense) {
  Polygon out;
  for (std::size_t i = 0; i < p.size(); ++i) {
    const Vec3 &a = p[i], &b = p[(i + 1) % p.size()];
    const double one = sense * plane.above(a), two = sense * plane.above(b);
    if (one >= 0) out.push_back(a);
    if ((one > 0 && two < 0) || (one < 0 && two > 0)) out.push_back(a + (one / (one - two)) * (b - a));
  }
  return out;
}

/// One triangle, cut by others until each of its pieces is inside or outside as a whole.
class CutTriangle {
 public:
  CutTriangle(const Polygon& triangle, double tolerance)
      : plane_{triangle[0], unit(cross(triangle[1] - triangle[0], triangle[2] - triangle[0]))},
        tolerance_(tolerance),
        pieces_{triangle} {}

  const Vec3& normal() const { return plane_.normal; }
  const Pieces& pieces() const { return pieces_; }

  /// Whether the other one goes through it or lies on it.
  bool cut(const Polygon& other) {
    std::array<double, 3> off;
    for (int c = 0; c < 3; ++c) off[c] = plane_.above(other[c]);
    const auto [low, high] = std::ranges::minmax(off);
    if (low > tolerance_ || high < -tolerance_) return false;
    return high <= tolerance_ && low >= -tolerance_ ? cut_by_outline(other) : cut_by_line(other, off);
  }

 private:
  /// Whether boxes along the axes lie between two sets of points.
  bool apart(const Polygon& one, const Polygon& other) const {
    for (int a = 0; a < 3; ++a) {
      const auto along = [a](const Vec3& p) { return p[a]; };
      const auto [low, high] = std::ranges::minmax(one | std::views::transform(along));
      const auto [least, most] = std::ranges::minmax(other | std::views::transform(along));
      if (least > high + tolerance_ || most < low - tolerance_) return true;
    }
    return false;
  }

  /// In one plane: what lies within the other triangle becomes pieces of its own.
  bool cut_by_outline(const Polygon& other) {
    Pieces all;
    bool met = false;
    for (Polygon& piece : pieces_) {
      if (apart(piece, other)) {
        all.push_back(std::move(piece));
        continue;
      }
      Polygon rest = piece;
      Pieces outer;
      const double sense = dot(cross(other[1] - other[0], other[2] - other[0]), plane_.normal) > 0 ? -1 : 1;
      for (int e = 0; e < 3 && !thin(rest, tolerance_); ++e) {
        const Plane side{other[e], sense * unit(cross(other[(e + 1) % 3] - other[e], plane_.normal))};
        if (Polygon beyond = clipped(rest, side, -1); !thin(beyond, tolerance_)) outer.push_back(beyond);
        rest = clipped(rest, side, 1);
      }
      if (thin(rest, tolerance_)) {
        all.push_back(std::move(piece));
        continue;
      }
      outer.push_back(rest);
      met = true;
      all.insert(all.end(), outer.begin(), outer.end());
    }
    pieces_ = std::move(all);
    return met;
  }

  /// Across the plane: pieces that the other triangle runs through are parted along its plane.
  bool cut_by_line(const Polygon& other, const std::array<double, 3>& off) {
    Polygon ends;
    for (int c = 0; c < 3; ++c) {
      const int next = (c + 1) % 3;
      if (std::fabs(off[c]) <= tolerance_) ends.push_back(other[c]);
      if ((off[c] > tolerance_ && off[next] < -tolerance_) ||
          (off[c] < -tolerance_ && off[next] > tolerance_))
        ends.push_back(other[c] + (off[c] / (off[c] - off[next])) * (other[next] - other[c]));
    }
    if (ends.size() != 2 || norm(ends[1] - ends[0]) <= tolerance_) return false;
    const Plane across{ends[0], unit(cross(ends[1] - ends[0], plane_.normal))};
    Pieces all;
    bool met = false;
    for (Polygon& piece : pieces_) {
      if (apart(piece, ends)) {
        all.push_back(std::move(piece));
        continue;
      }
      Polygon above = clipped(piece, across, 1), below = clipped(piece, across, -1);
      if (thin(above, tolerance_) || thin(below, tolerance_) || !reaches(piece, ends)) {
        all.push_back(std::move(piece));
        continue;
      }
      all.push_back(std::move(above));
      all.push_back(std::move(below));
      met = true;
    }
    pieces_ = std::move(all);
    return met;
  }

  /// Whether a stretch of a line runs through a piece.
  bool reaches(const Polygon& piece, const Polygon& ends) const {
    const Vec3 along = ends[1] - ends[0];
    double from = 0, to = 1;
    for (std::size_t i = 0; i < piece.size(); ++i) {
      const Vec3 edge = piece[(i + 1) % piece.size()] - piece[i];
      if (norm(edge) == 0) continue;
      const Plane side{piece[i], unit(cross(plane_.normal, edge))};  // inner side above
      const double start = side.above(ends[0]), change = dot(along, side.normal);
      if (std::fabs(change) <= 1e-14 * norm(along)) {
        if (start < 0) return false;
        continue;
      }
      (change > 0 ? from : to) = change > 0 ? std::max(from, -start / change) : std::min(to, -start / change);
    }
    return (to - from) * norm(along) > tolerance_;
  }

  Plane plane_;
  double tolerance_;
  Pieces pieces_;
};

class Union {
 public:
  Union(const Mesh& mesh, const std::vector<MeshPart>& parts)
      : mesh_(mesh),
        parts_(parts),
        tree_(mesh),
        part_of_(mesh.triangles.size()),
        meets_(parts.size(), false),
        left_(mesh.triangles.size()) {
    tolerance_ = touching * norm(tree_.bounds().high - tree_.bounds().low);
    for (std::size_t p = 0; p < parts.size(); ++p) {
      if (parts[p].pinched) meets_[p] = true;
      for (const int i : parts[p].triangles) part_of_[i] = int(p);
      for (std::size_t q = 0; q < p; ++q)
        if (boxes_meet(parts[p].bounds, parts[q].bounds)) meets_[p] = meets_[q] = true;
    }
  }

  /// Cuts all triangles; to be called first.
  void cut() {
#pragma omp parallel for schedule(dynamic, 64)
    for (std::size_t i = 0; i < left_.size(); ++i)
      if (meets_[part_of_[i]] && !interrupted()) left_[i] = outer_pieces(int(i));
    if (const int part = refused_; part >= 0)
      throw BadInput(
          parts_[part].name +
          " calls the inside outside in places (bodies that share edges are mixed in the file, some of them "
          "turned inside out); write the triangles of each one after the other");
    stop_if_interrupted("while the parts of a mesh were joined");
  }

  Mesh surface() const {
    Mesh out;
    out.vertices = mesh_.vertices;
    for (std::size_t i = 0; i < left_.size(); ++i)
      if (!meets_[part_of_[i]])
        out.triangles.push_back(mesh_.triangles[i]);
      else
        for (const Polygon& piece : left_[i]) add(piece, out);
    return out;
  }

  std::vector<MeshPiece> pieces() const {
    const std::vector<int> first = first_of_piece();
    std::map<int, int> number;
    std::vector<MeshPiece> out;
    for (std::size_t p = 0; p < parts_.size(); ++p) {
      const auto [at, fresh] = number.try_emplace(first[p], int(out.size()));
      if (fresh) out.emplace_back();
      MeshPiece& piece = out[at->second];
      for (const int i : parts_[p].triangles) {
        add(corners(i), piece.solid);
        if (!meets_[p]) add(corners(i), piece.surface);
        for (const Polygon& polygon : left_[i]) add(polygon, piece.surface);
      }
    }
    return out;
  }

 private:
  bool boxes_meet(const Bounds& one, const Bounds& other) const {
    for (int a = 0; a < 3; ++a)
      if (one.low[a] > other.high[a] + tolerance_ || one.high[a] < other.low[a] - tolerance_) return false;
    return true;
  }

  Polygon corners(int i) const {
    const auto& t = mesh_.triangles[i];
    return {mesh_.vertices[t[0]], mesh_.vertices[t[1]], mesh_.vertices[t[2]]};
  }

  Pieces outer_pieces(int i) const {
    const Polygon own = corners(i);
    CutTriangle cut(own, tolerance_);
    Vec3 low = own[0], high = own[0];
    for (const Vec3& c : own)
      for (int a = 0; a < 3; ++a) low[a] = std::min(low[a], c[a]), high[a] = std::max(high[a], c[a]);
    const Vec3 room = tolerance_ * Vec3{1, 1, 1};
    tree_.in_box(low - room, high + room, [&](int other) {
      const bool apart = part_of_[other] != part_of_[i];
      if (!apart && (!parts_[part_of_[i]].pinched || other == i)) return;
      if (cut.cut(corners(other)) && apart) note_meeting(part_of_[i], part_of_[other]);
    });
    Pieces outer;
    for (const Polygon& piece : cut.pieces())
      if (bounds_the_union(piece, cut.normal(), part_of_[i])) outer.push_back(piece);
    return outer;
  }

  void note_meeting(int one, int other) const {
#pragma omp critical(umov_parts_of_a_mesh_meet)
    meetings_.insert({std::min(one, other), std::max(one, other)});
  }

  /// By part: the first part of its piece. Parts meet, or one lies within the other as a whole.
  std::vector<int> first_of_piece() const {
    auto meetings = meetings_;
    for (std::size_t p = 0; p < parts_.size(); ++p) {
      if (!meets_[p]) continue;
      std::map<int, int> winding;
      tree_.along_ray(mesh_, corners(parts_[p].triangles[0])[0],
                      [&](int i, int sense) { winding[part_of_[i]] += sense; });
      for (const auto& [q, times] : winding)
        if (times != 0 && q != int(p)) meetings.insert({std::min(int(p), q), std::max(int(p), q)});
    }
    std::vector<int> first(parts_.size());
    std::iota(first.begin(), first.end(), 0);
    const auto find = [&](int p) {
      while (first[p] != p) p = first[p] = first[first[p]];
      return p;
    };
    for (const auto& [one, other] : meetings) {
      const int a = find(one), b = find(other);
      first[std::max(a, b)] = std::min(a, b);
    }
    for (int& f : first) f = find(f);
    return first;
  }

  bool bounds_the_union(const Polygon& piece, const Vec3& normal, int part) const {
    Vec3 middle{0, 0, 0};
    for (const Vec3& c : piece) middle = middle + (1.0 / double(piece.size())) * c;
    const Vec3 step = (steps * tolerance_) * normal;
    const int beyond = tree_.winding(mesh_, middle + step), within = tree_.winding(mesh_, middle - step);
    if (parts_[part].pinched && (beyond < 0 || within < 0)) refused_ = part;
    return beyond <= 0 && within > 0;
  }

  static void add(const Polygon& piece, Mesh& out) {
    const int first = int(out.vertices.size());
    out.vertices.insert(out.vertices.end(), piece.begin(), piece.end());
    for (int c = 2; c < int(piece.size()); ++c)
      if (norm(cross(piece[c - 1] - piece[0], piece[c] - piece[0])) > 0)
        out.triangles.push_back({first, first + c - 1, first + c});
  }

  const Mesh& mesh_;
  const std::vector<MeshPart>& parts_;
  TriangleTree tree_;
  std::vector<int> part_of_;
  std::vector<char> meets_;
  double tolerance_;
  mutable std::atomic<int> refused_{-1};
  mutable std::set<std::array<int, 2>> meetings_;  ///< pairs of parts
  std::vector<Pieces> left_;                       ///< by triangle of parts that may meet: what is outside
};

}  // namespace

Mesh union_surface(const Mesh& mesh, const std::vector<MeshPart>& parts) {
  if (parts.size() == 1 && !parts[0].pinched) return mesh;
  Union all(mesh, parts);
  all.cut();
  return all.surface();
}

std::vector<MeshPiece> union_pieces(const Mesh& mesh, const std::vector<MeshPart>& parts) {
  if (parts.size() == 1 && !parts[0].pinched) return {{mesh, mesh}};
  Union all(mesh, parts);
  all.cut();
  return all.pieces();
}

}  // namespace umov::shapes
