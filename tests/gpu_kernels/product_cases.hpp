// What the kernels are tried on, in either precision.
#pragma once

#include <vector>

#include "dda/scheme/gpu_lengths.hpp"
#include "gpu_kernels/gpu_product.hpp"

namespace umov::dda {

inline std::vector<int> planned_lengths() { return {lengths_of_gpus.begin(), lengths_of_gpus.end()}; }

inline Int3 twice(const Int3& box) { return {2 * box[0], 2 * box[1], 2 * box[2]}; }

/// The length along each axis; along z with 4, 8 and 16 lines side by side, of which blocks take all or half.
inline std::vector<Int3> boxes_of(int length) {
  const int half = length / 2;
  return {{half, 3, 2}, {3, half, 2}, {2, 3, half}, {7, 2, half}, {20, 1, half}};
}

template <class T>
void expect_boxes(const std::vector<Int3>& boxes, tuned::Plans plans) {
  for (const Int3& box : boxes) {
    SCOPED_TRACE(testing::Message() << box[0] << " x " << box[1] << " x " << box[2]);
    expect_product<T>({box, twice(box), plans});
  }
}

/// Lengths without kernels of their own, odd ones and single points among them.
template <class T>
void expect_any_lengths() {
  for (const auto& [box, grid] : std::vector<std::pair<Int3, Int3>>{{{7, 11, 5}, {15, 25, 21}},
                                                                    {{9, 1, 1}, {18, 1, 1}},
                                                                    {{1, 6, 4}, {1, 12, 8}},
                                                                    {{5, 4, 45}, {10, 8, 105}},
                                                                    {{40, 35, 3}, {84, 75, 6}},
                                                                    {{4, 5, 49}, {8, 10, 98}}}) {
    SCOPED_TRACE(testing::Message() << grid[0] << " x " << grid[1] << " x " << grid[2]);
    expect_product<T>({box, grid});
  }
}

/// Slices in chunks on two streams, the tensor in host memory, columns of a block, the adjoint.
template <class T>
void expect_ways_of_running() {
  const Int3 box{20, 5, 12};
  const auto grid = twice(box);
  const TunedOptions chunks{.slice_bytes = 1, .streams = 2};
  expect_product<T>({.box = box, .grid = grid, .options = chunks});
  expect_product<T>({.box = box, .grid = grid, .options = chunks, .on_host = true});
  expect_product<T>({.box = box, .grid = grid, .adjoint = true});
  expect_product<T>({.box = box, .grid = grid, .options = chunks, .columns = 3});
  expect_product<T>({.box = box, .grid = grid, .options = chunks, .on_host = true, .columns = 11});
}

}  // namespace umov::dda
