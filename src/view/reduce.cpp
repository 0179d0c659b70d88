// Means over boxes, ends of stretches, sizes that fit.
#include "view/reduce.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace umov::view {

std::vector<float> box_means(const std::function<double(int, int, int)>& value, const Int3& lo,
                             const Int3& hi, const Int3& size, bool squares) {
  const auto edge = [&](int a, int i) { return box_start(lo[a], hi[a] - lo[a], size[a], i); };
  std::vector<float> out;
  out.reserve(std::size_t(size[0]) * size[1] * size[2]);
  for (int w = 0; w < size[2]; ++w)
    for (int v = 0; v < size[1]; ++v)
      for (int u = 0; u < size[0]; ++u) {
        double sum = 0;
        int count = 0;
        for (int k = edge(2, w); k < edge(2, w + 1); ++k)
          for (int j = edge(1, v); j < edge(1, v + 1); ++j)
            for (int i = edge(0, u); i < edge(0, u + 1); ++i) {
              const double x = value(i, j, k);
              if (!std::isfinite(x)) continue;
              sum += squares ? x * x : x;
              ++count;
            }
        const double mean = count ? sum / count : std::numeric_limits<double>::quiet_NaN();
        out.push_back(float(squares ? std::sqrt(mean) : mean));
      }
  return out;
}

std::optional<Spread> spread_of(const std::function<double(int, int, int)>& value, const Int3& lo,
                                const Int3& hi) {
  constexpr std::int64_t looked_at = 8192;
  const std::int64_t nx = hi[0] - lo[0], ny = hi[1] - lo[1], cells = nx * ny * (hi[2] - lo[2]);
  const std::int64_t each =
      std::max<std::int64_t>(1, cells / looked_at) | 1;  // odd: no column is taken alone
  Spread s{INFINITY, -INFINITY, 0, 0};
  std::vector<double> sizes;
  std::int64_t n = 0;
  for (int k = lo[2]; k < hi[2]; ++k)
    for (int j = lo[1]; j < hi[1]; ++j)
      for (int i = lo[0]; i < hi[0]; ++i, ++n) {
        const double v = value(i, j, k);
        if (!std::isfinite(v)) continue;
        s.low = std::min(s.low, v);
        s.high = std::max(s.high, v);
        if (n % each == 0) sizes.push_back(std::abs(v));
      }
  if (!(s.low <= s.high)) return std::nullopt;
  const auto at = [&](double share) {
    if (sizes.empty()) return std::max(std::abs(s.low), std::abs(s.high));
    const auto place = sizes.begin() + std::ptrdiff_t(share * double(sizes.size() - 1));
    std::nth_element(sizes.begin(), place, sizes.end());
    return *place;
  };
  s.median = at(0.5);
  s.bright = at(0.998);
  return s;
}

Data reduced(const Request& r, const std::function<double(int, int, int)>& value, const Int3& lo,
             const Int3& hi, bool squares) {
  Data d;
  d.parts.push_back({shape_of(r), box_means(value, lo, hi, r.size, squares)});
  d.spread = spread_of(value, lo, hi);
  return d;
}

std::vector<double> thin_rows(std::span<const double> table, std::size_t rows, std::size_t columns,
                              std::size_t stretches) {
  if (stretches == 0 || rows <= 2 * stretches || columns == 0) return {table.begin(), table.end()};
  const double* y = table.data() + (columns > 1 ? rows : 0);
  std::vector<std::size_t> kept;
  for (std::size_t s = 0; s < stretches; ++s) {
    const std::size_t first = rows * s / stretches, last = rows * (s + 1) / stretches;
    std::size_t low = first, high = first;
    for (std::size_t r = first; r < last; ++r) {
      // What is not finite is an end, too: a gap must be seen.
      if (!std::isfinite(y[r]) || y[r] < y[low]) low = r;
      if (y[r] > y[high]) high = r;
    }
    kept.push_back(std::min(low, high));
    if (low != high) kept.push_back(std::max(low, high));
  }
  std::vector<double> out;
  out.reserve(kept.size() * columns);
  for (std::size_t c = 0; c < columns; ++c)
    for (const std::size_t r : kept) out.push_back(table[c * rows + r]);
  return out;
}

Int3 fit_size(const Int3& lo, const Int3& hi, const Int3& pixels, std::int64_t most) {
  Int3 size;
  for (int a = 0; a < 3; ++a) size[a] = std::clamp(pixels[a], 1, std::max(1, hi[a] - lo[a]));
  while (std::int64_t(size[0]) * size[1] * size[2] > most) *std::max_element(size.begin(), size.end()) /= 2;
  return size;
}

}  // namespace umov::view
