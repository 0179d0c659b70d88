#include "mesh/place_order.hpp"

#include <omp.h>

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

/// Sorts by keys of 63 bits, digit by digit, keeping the order of equal ones. Every thread has a stretch of
/// the list and, in each bucket, the places after those of the stretches before: the same order for any
/// number of threads.
void radix_sort(std::vector<Keyed>& list) {
  constexpr int digit = 11, digits = 6, buckets = 1 << digit;
  const std::size_t n = list.size(), stretches = std::size_t(omp_get_max_threads());
  const auto bucket = [](const Keyed& k, int d) { return k.key >> (d * digit) & (buckets - 1); };
  std::vector<Keyed> other(n);
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
  const auto lower = [](const Keyed& a, const Keyed& b) { return a.key < b.key; };
  // elements of a mesh that was sorted before
  if (!std::is_sorted(list.begin(), list.end(), lower)) radix_sort(list);
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
