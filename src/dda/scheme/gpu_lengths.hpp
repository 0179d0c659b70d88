// Lengths of transforms that GPUs are good at.
#pragma once

#include <array>

#include "core/types.hpp"

namespace umov::dda {

/// Lengths whose radices kernels for GPUs know beforehand (tuned/cuda/known_axes.hpp), those that a run
/// chooses: where a product was measured to take less time a site than the kernels for any length take, 72 ps
/// (64 points, waiting for launches) or less, to 90, against 109 to 161 (H200, double); of 800 points and
/// more half to two thirds of their time (H100; benchmarks/ladder/dda_product_cuda.md).
inline constexpr std::array lengths_of_gpus{64,  128, 160, 192, 200, 240, 256,  300,  320,
                                            384, 400, 500, 512, 600, 800, 1000, 1024, 1200};

/// Length of the transform on a GPU for 2 n points or more: that of least time, where it is at most an eighth
/// longer than the shortest even product of 2, 3, 5 and 7.
int length_on_gpus(int least);

/// transform_grid for a GPU. Throws as it does.
Int3 transform_grid_on_gpus(const Int3& box, const Int3& given);

}  // namespace umov::dda
