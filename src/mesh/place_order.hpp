// The order of points along a Morton curve.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "core/types.hpp"

namespace umov::mesh {

struct Keyed {
  std::uint64_t key;
  int index;
};
/// Sorts n of them by their keys; equal ones keep their order.
void sort_by_key(std::unique_ptr<Keyed[]>& list, std::size_t n);

/// Indices of `count` points in Morton order of a cube around the box from low to high (21 bits a direction);
/// equal keys keep their order. `write` puts the coordinates of points [begin, end) one after another.
std::vector<int> place_order(std::size_t count, const Vec3& low, const Vec3& high,
                             const std::function<void(std::size_t begin, std::size_t end, Vec3*)>& write);

/// The box of a set of points.
struct Box {
  Vec3 low{0, 0, 0}, high{0, 0, 0};
  void join(const Box& b) {
    for (int d = 0; d < 3; ++d) low[d] = std::min(low[d], b.low[d]), high[d] = std::max(high[d], b.high[d]);
  }
};
Box bounding_box(const std::vector<Vec3>& points);

/// The Morton order of elements (Tet or Tri) by their centroids.
template <class Simplex>
std::vector<int> centroid_order(const std::vector<Vec3>& nodes, const std::vector<Simplex>& list,
                                const Box& box) {
  return place_order(list.size(), box.low, box.high, [&](std::size_t begin, std::size_t end, Vec3* out) {
    for (std::size_t i = begin; i < end; ++i) {
      Vec3 sum{0, 0, 0};
      for (const int n : list[i]) sum = sum + nodes[n];
      *out++ = (1.0 / list[i].size()) * sum;
    }
  });
}

}  // namespace umov::mesh
