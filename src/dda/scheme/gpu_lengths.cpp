// How long transforms on GPUs are.
#include "dda/scheme/gpu_lengths.hpp"

#include "dda/scheme/memory.hpp"

namespace umov::dda {

namespace {

/// Time a point of a length without kernels of its own, over that of one with them: the third root of what
/// eight grids of 160 to 500 took without over what they took with them on one H200, 1.21 to 1.29
/// (benchmarks/ladder/dda_product_cuda.md).
constexpr double without_kernels = 1.25;

}  // namespace

int length_on_gpus(int least) {
  int shortest = next_fast_length(least);
  while (shortest % 2) shortest = next_fast_length(shortest + 1);
  int best = shortest;
  double cost = without_kernels * shortest;
  for (const int length : lengths_of_gpus)
    if (length >= least && 8 * length <= 9 * shortest && length < cost) {
      best = length;
      cost = length;
    }
  return best;
}

Int3 transform_grid_on_gpus(const Int3& box, const Int3& given) {
  Int3 grid = transform_grid(box, given);
  for (int a = 0; a < 3; ++a)
    if (given[a] == 0) grid[a] = length_on_gpus(2 * box[a]);
  return grid;
}

}  // namespace umov::dda
