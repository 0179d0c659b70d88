// The edges of an outline in a tree of boxes, and in lists by place: the nearest one and the inside in the
// time of a few edges.
#pragma once

#include <optional>

#include "shapes/outline.hpp"

namespace umov::shapes {

class EdgeTree {
 public:
  struct Hit {
    double distance = 0;  ///< negative inside
    Point2 away{0, 0};    ///< from the edge's nearest point
    Point2 edge{0, 0};    ///< from its first corner to its second
  };

  explicit EdgeTree(const Outline&);
  /// Of edges that are equally near but for `tie` the first; nothing where none is within a distance.
  std::optional<Hit> nearest(const Point2&, double tie, double within = 1e300) const;
  bool inside(const Point2&) const;
  /// Edges within a distance, in the order of the outline.
  std::vector<int> near(const Point2& center, double reach) const;
  /// How far a point is beyond the line through an edge, and the line's normal out of the outline.
  std::pair<double, Point2> line(int edge, const Point2&) const;
  /// Edges that follow each other at small angles are one curve.
  int curve_of(int edge) const { return curve_[edge]; }
  /// `line` of the edge of a curve that is nearest to a point.
  std::pair<double, Point2> line_of_curve(int curve, const Point2&) const;
  Point2 low() const { return nodes_[0].low; }
  Point2 high() const { return nodes_[0].high; }

 private:
  struct Edge {
    Point2 from, to, along;
    double length2;
  };
  /// Edges first .. first + count - 1, in the order of the outline: whole loops, or a part of one that begins
  /// at height `start` and ends at height `end`. Its halves, unless it is a leaf, are at `child` and the
  /// next.
  struct Node {
    Point2 low, high;
    double start = 0, end = 0;
    int first = 0, count = 0, child = 0;
  };
  struct Nearest;
  /// Numbers of edges, the last one not included.
  struct Row {
    int first = 0, last = 0;
  };

  void build(int node, int first, int count);
  int halved(int first, int count) const;
  bool crossings_odd(const Point2&) const;
  bool crosses(const Edge&, const Point2&) const;
  void look(int edge, const Point2&, double tie, Nearest&) const;
  void search(const Point2& q, double tie, Nearest& best) const {
    search({0, int(edges_.size())}, q, tie, best);
  }
  void search(const Row&, const Point2&, double tie, Nearest&) const;
  void find_curves();

  /// Squares around the outline: those next to it with all edges that may be nearest to one of their points.
  struct Places {
    Point2 low{0, 0};
    double edge = 1;
    std::array<int, 2> count{0, 0};
    std::vector<int> first;  ///< by square and one more: of `edges`; none where the tree is to be asked
    std::vector<int> edges;
    std::vector<float> away;  ///< of its centre from the outline, negative inside; 0 next to the outline
    int at(const Point2&) const;
  };
  void make_places();
  std::vector<bool> squares_beside_edges() const;
  std::vector<int> candidates(const Point2& center, double radius) const;

  std::vector<Edge> edges_;
  std::vector<int> loop_, curve_;  ///< by edge
  std::vector<Row> curves_;
  std::vector<Node> nodes_;
  Places places_;
};

}  // namespace umov::shapes
