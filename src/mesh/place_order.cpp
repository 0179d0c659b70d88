#include "mesh/place_order.hpp"

#include <omp.h>

#include <algorithm>
#include <array>
#include <utility>

#include "core/large_memory.hpp"

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

}  // namespace

// Digit by digit, keeping the order of equal ones. Every thread has a stretch of the list and, in each
// bucket, the places after those of the stretches before: the same order for any number of threads.
void sort_by_key(std::unique_ptr<Keyed[]>& list, std::size_t n) {
  constexpr int digit = 11, digits = 6, buckets = 1 << digit;
  const std::size_t stretches = std::size_t(omp_get_max_threads());
  const auto bucket = [](const Keyed& k, int d) { return k.key >> (d * digit) & (buckets - 1); };
  auto other = large_buffer<Keyed>(n);
  std::vector<std::size_t> place(stretches * buckets);
  for (int d = 0; d < digits; ++d) {
#pragma omp parallel for schedule(static, 1)
    for (std::size_t s = 0; s < stretches; ++s) {
      std::array<std::size_t, buckets> count{};
      for (std::size_t i = n * s / stretches; i < n * (s + 1) / stretches; ++i) ++count[bucket(list[i], d)];
      std::copy(count.begin(), count.end(), place.begin() + s * buckets);
    }
    std::size_t at = 0;
    bool alike = false;
    for (int b = 0; b < buckets; ++b) {
      const std::size_t begin = at;
      for (std::size_t s = 0; s < stretches; ++s) at += std::exchange(place[s * buckets + b], at);
      alike = alike || at - begin == n;
    }
    if (alike) continue;
#pragma omp parallel for schedule(static, 1)
    for (std::size_t s = 0; s < stretches; ++s) {
      std::array<std::size_t, buckets> next;
      std::copy_n(place.begin() + s * buckets, buckets, next.begin());
      for (std::size_t i = n * s / stretches; i < n * (s + 1) / stretches; ++i)
        other[next[bucket(list[i], d)]++] = list[i];
    }
    list.swap(other);
  }
}

std::vector<int> place_order(std::size_t count, const Vec3& low, const Vec3& high,
                             const std::function<void(std::size_t, std::size_t, Vec3*)>& write) {
  double extent = 0;
  for (int d = 0; d < 3; ++d) extent = std::max(extent, high[d] - low[d]);
  const double scale = extent > 0 ? (1 << bits) / extent : 0;
  auto list = large_buffer<Keyed>(count);
  constexpr std::size_t block = 512;
  bool ascending = true;  // elements of a mesh that was sorted before
#pragma omp parallel for schedule(static)
  for (std::size_t begin = 0; begin < count; begin += block) {
    std::array<Vec3, block> points;
    const std::size_t end = std::min(begin + block, count);
    write(begin, end, points.data());
    for (std::size_t i = begin; i < end; ++i) list[i] = {morton(points[i - begin], low, scale), int(i)};
  }
#pragma omp parallel for schedule(static) reduction(&& : ascending)
  for (std::size_t i = 1; i < count; ++i) ascending = ascending && list[i - 1].key <= list[i].key;
  if (!ascending) sort_by_key(list, count);
  std::vector<int> order;
  resize_large(order, count);
#pragma omp parallel for schedule(static)
  for (std::size_t i = 0; i < count; ++i) order[i] = list[i].index;
  return order;
}

// Blocks are joined one after another: of coordinates that compare alike, 0 and -0, the first is taken.
Box bounding_box(const std::vector<Vec3>& points) {
  if (points.empty()) return {};
  constexpr std::size_t block = 1 << 14;
  std::vector<Box> boxes((points.size() + block - 1) / block);
#pragma omp parallel for schedule(static)
  for (std::size_t b = 0; b < boxes.size(); ++b) {
    Box box{points[b * block], points[b * block]};
    for (std::size_t i = b * block; i < std::min(points.size(), (b + 1) * block); ++i)
      box.join({points[i], points[i]});
    boxes[b] = box;
  }
  Box all = boxes[0];
  for (const Box& b : boxes) all.join(b);
  return all;
}

}  // namespace umov::mesh
