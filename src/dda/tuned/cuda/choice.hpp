// How the tuned product is laid out for a GPU: pure functions of the grid and of the GPU's limits, tested
// without one.
#pragma once

#include <algorithm>
#include <cstddef>

#include "backend/cuda/limits.hpp"
#include "dda/kernels/product.hpp"

namespace umov::dda::tuned {

using backend::cuda::Limits;

/// Bytes of slices of one chunk, with two chunks in flight: they and their tensor tiles fit the L2 cache (16
/// MiB of 50 on an H200; more gains nothing).
inline std::size_t slice_bytes(const Limits& l) {
  return std::clamp<std::size_t>(l.cache / 3, 1 << 20, 16 << 20);
}

inline std::size_t columns_bytes(int n, int width, int components, std::size_t element) {
  return std::size_t(components) * ((n + 3) & ~3) * width * element;
}
/// Rows a block of the x transforms takes: about 2048 points.
inline int rows_at_once(int gx) { return std::clamp(2048 / gx, 1, 64); }
inline std::size_t rows_bytes(int gx, std::size_t element) {
  return element * std::size_t(gx + gx / 8 + 1) * rows_at_once(gx);
}

/// Lines side by side: 128 bytes where two blocks then fit a multiprocessor, never below 64 unless it must.
inline int choose_width(const GridView& g, std::size_t element, const Limits& l) {
  const std::size_t half = l.shared_processor / 2 - l.shared_reserved;
  int width = int(128 / element);
  while (width > 2 && width / 2 >= (g.gx + 1) / 2) width /= 2;
  const auto too_much = [&](std::size_t most) { return columns_bytes(g.gz, width, 3, element) > most; };
  // 512 points have kernels of 512 threads, one block of which fills a multiprocessor
  if (g.gz != 512)
    while (width > 2 && width * element > 64 && too_much(half)) width /= 2;
  while (width > 2 && too_much(l.shared_block)) width /= 2;
  return width;
}

/// Whether GPUs that share a particle take the tuned product where UMOV_RANK_PRODUCT does not say: not before
/// it has been measured on two.
inline constexpr bool tuned_on_ranks = false;

/// Exchanges each way of a product on several GPUs, `bytes` going from one to another in all: messages of 12
/// MiB or more (30 us at 400 GB/s, about as long as the hosts take to agree on one), eight at most, of which
/// the first one there and the last one back are not hidden. By count, not measured.
inline int rank_exchanges(std::size_t bytes) {
  return int(std::clamp<std::size_t>(bytes / (std::size_t(12) << 20), 1, 8));
}

/// Whether the lines of a grid fit the shared memory of a block.
inline bool lines_fit(const GridView& g, std::size_t element, const Limits& l) {
  const int width = choose_width(g, element, l);
  return rows_bytes(g.gx, element) <= l.shared_block &&
         columns_bytes(g.gy, width, 1, element) <= l.shared_block &&
         columns_bytes(g.gz, width, 3, element) <= l.shared_block;
}

}  // namespace umov::dda::tuned
