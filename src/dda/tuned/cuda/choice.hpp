// How the tuned product is laid out for a GPU: pure functions of the grid and of the GPU's limits, tested
// without one.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <string>

#include "backend/cuda/limits.hpp"
#include "core/error.hpp"
#include "dda/kernels/product.hpp"
#include "dda/scheme/gpu_lengths.hpp"

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

/// Which of the kernels for one length (known_axes.hpp) are chosen: those that were measured to take less
/// time than the kernels for any length (gpu_lengths.hpp), all that there are, or none; `halves`: those
/// measured, with half of the lines a block around the tensor wherever there are kernels for it. All but the
/// first are for tests and benchmarks, in the environment's UMOV_DDA_PLANS.
enum class Plans { measured, all, none, halves };
inline bool plan_chosen(int length, Plans plans) {
  if (plans == Plans::all || plans == Plans::none) return plans == Plans::all;
  return std::ranges::find(lengths_of_gpus, length) != lengths_of_gpus.end();
}
/// Whether blocks around the tensor take half of the lines at 256 and 512 points, `element` bytes a number:
/// where products were measured to take less time so (6.3 ms for 6.7 and 11.0 for 11.5 at 512 points, single
/// and double; 0.68 for 0.70 and 1.20 for 1.14 at 256, one H100; benchmarks/ladder/dda_product_cuda.md).
inline bool in_halves(int length, std::size_t element, Plans plans) {
  if (plans == Plans::none) return false;
  return length == 512 || (length == 256 && (plans == Plans::halves || element == 8));
}
/// Throws BadInput for a word that is none of the four.
inline Plans plans_wanted() {
  const char* const text = std::getenv("UMOV_DDA_PLANS");
  const std::string word = text ? text : "measured";
  if (word == "measured") return Plans::measured;
  if (word == "all") return Plans::all;
  if (word == "none") return Plans::none;
  if (word == "halves") return Plans::halves;
  throw BadInput("UMOV_DDA_PLANS = '" + word +
                 "' is no choice of kernels; it is measured, all, none or halves");
}

/// Lines that a block of the z transforms of a length takes of `width` (known_axes.hpp): some lengths have
/// kernels that take 64 bytes or less, so that more than one block fits a multiprocessor.
struct LanesAroundTensor {
  Plans plans = Plans::measured;
  int operator()(int gz, int width, std::size_t element) const {
    for (const int length : {200, 240, 300, 320, 384, 400, 500, 600, 800, 1000, 1024, 1200})
      if (gz == length && width * element > 64 && plan_chosen(length, plans)) return int(64 / element);
    if (in_halves(gz, element, plans) && width * element > 64) return int(64 / element);
    return width;
  }
};

/// Lines side by side: 128 bytes where two blocks then fit a multiprocessor, never below 64 unless it must.
inline int choose_width(const GridView& g, std::size_t element, const Limits& l,
                        const LanesAroundTensor& lanes) {
  const std::size_t half = l.shared_processor / 2 - l.shared_reserved;
  int width = int(128 / element);
  while (width > 2 && width / 2 >= (g.gx + 1) / 2) width /= 2;
  const auto too_much = [&](std::size_t most) {
    return columns_bytes(g.gz, lanes(g.gz, width, element), 3, element) > most ||
           columns_bytes(g.gy, width, 1, element) > most;
  };
  // 512 points have kernels of 512 threads, one block of which fills a multiprocessor
  if (g.gz != 512)
    while (width > 2 && width * element > 64 && too_much(half)) width /= 2;
  while (width > 2 && too_much(l.shared_block)) width /= 2;
  return width;
}

/// Whether GPUs that share a particle take the tuned product where UMOV_RANK_PRODUCT does not say: 5.7 ms
/// beside 13.8 on two H200, a box of 256 (benchmarks/dda_ranks.md).
inline constexpr bool tuned_on_ranks = true;

/// Exchanges each way of a product on several GPUs, `bytes` going from one to another in all: messages of 12
/// MiB or more (30 us at 400 GB/s, about as long as the hosts take to agree on one), eight at most, of which
/// the first one there and the last one back are not hidden. By count; other numbers were not tried.
inline int rank_exchanges(std::size_t bytes) {
  return int(std::clamp<std::size_t>(bytes / (std::size_t(12) << 20), 1, 8));
}

/// Whether the lines of a grid fit the shared memory of a block.
inline bool lines_fit(const GridView& g, std::size_t element, const Limits& l,
                      const LanesAroundTensor& lanes) {
  const int width = choose_width(g, element, l, lanes);
  return rows_bytes(g.gx, element) <= l.shared_block &&
         columns_bytes(g.gy, width, 1, element) <= l.shared_block &&
         columns_bytes(g.gz, lanes(g.gz, width, element), 3, element) <= l.shared_block;
}

}  // namespace umov::dda::tuned
