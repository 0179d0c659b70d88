#include "mesh/place_order.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace umov::mesh {
namespace {

constexpr int bits = 21;

/// Puts two zeros between the 21 bits of x.
std::uint64_t spread(std::uint64_t x) {
  x = (x | x << 32) & 0x1f00000000ffffull;
  x = (x | x << 16) & 0x1f0000ff0000ffull;
  x = (x | x << 8) & 0x100f00f00f00f00full;
  x = (x | x << 4) & 0x10c30c30c30c30c3ull;
  return (x | x << 2) & 0x1249249249249249ull;
}

std::uint64_t morton(const Vec3& p, const Vec3& low, double scale) {
  std::uint64_t key = 0;
  for (int d = 0; d < 3; ++d) {
    const double x = (p[d] - low[d]) * scale;
    const double most = (1 << bits) - 1;
    key |= spread(x > 0 ? std::uint64_t(std::min(x, most)) : 0) << d;  // NaN goes to 0
  }
  return key;
}

struct Keyed {
  std::uint64_t key;
  int index;
};

/// Sorts by keys of 63 bits, digit by digit, keeping the order of equal ones.
void radix_sort(std::vector<Keyed>& list) {
  constexpr int digit = 11, digits = 6, buckets = 1 << digit;
  std::array<std::vector<std::size_t>, digits> count;
  for (auto& c : count) c.assign(buckets, 0);
  for (const Keyed& k : list)
    for (int d = 0; d < digits; ++d) ++count[d][k.key >> (d * digit) & (buckets - 1)];
  std::vector<Keyed> other(list.size());
  for (int d = 0; d < digits; ++d) {
    if (std::find(count[d].begin(), count[d].end(), list.size()) != count[d].end()) continue;  // all alike
    std::size_t begin = 0;
    for (std::size_t& c : count[d]) begin += std::exchange(c, begin);
    for (const Keyed& k : list) other[count[d][k.key >> (d * digit) & (buckets - 1)]++] = k;
    list.swap(other);
  }
}

}  // namespace

std::vector<int> place_order(std::size_t count, const Vec3& low, const Vec3& high,
                             const std::function<void(std::size_t, std::size_t, Vec3*)>& write) {
  double extent = 0;
  for (int d = 0; d < 3; ++d) extent = std::max(extent, high[d] - low[d]);
  const double scale = extent > 0 ? (1 << bits) / extent : 0;
  std::vector<Keyed> list(count);
  constexpr std::size_t block = 512;
#pragma omp parallel for schedule(static)
  for (std::size_t begin = 0; begin < count; begin += block) {
    std::array<Vec3, block> points;
    const std::size_t end = std::min(begin + block, count);
    write(begin, end, points.data());
    for (std::size_t i = begin; i < end; ++i) list[i] = {morton(points[i - begin], low, scale), int(i)};
  }
  radix_sort(list);
  std::vector<int> order(count);
#pragma omp parallel for schedule(static)
  for (std::size_t i = 0; i < count; ++i) order[i] = list[i].index;
  return order;
}

Box bounding_box(const std::vector<Vec3>& points) {
  if (points.empty()) return {};
  Box box{points[0], points[0]};
  for (const Vec3& p : points)
    for (int d = 0; d < 3; ++d) {
      box.low[d] = std::min(box.low[d], p[d]);
      box.high[d] = std::max(box.high[d], p[d]);
    }
  return box;
}

}  // namespace umov::mesh
