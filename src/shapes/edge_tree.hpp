// The edges of an outline in a tree of boxes: the nearest one and the inside in the time of a few edges.
#pragma once

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
  /// Of edges that are equally near but for `tie` the first.
  Hit nearest(const Point2&, double tie) const;
  bool inside(const Point2&) const;
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

  void build(int node, int first, int count);
  int halved(int first, int count) const;
  bool crosses(const Edge&, const Point2&) const;
  void look(const Node& leaf, const Point2&, double tie, Nearest&) const;

  std::vector<Edge> edges_;
  std::vector<int> loop_;  ///< by edge
  std::vector<Node> nodes_;
};

}  // namespace umov::shapes
