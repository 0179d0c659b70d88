// Tiles of the rough planes on a GPU: a block of threads per tile.
#pragma once

#include <cuda_runtime.h>

#include "backend/cuda/limits.hpp"
#include "harmonic/kernels/tiles.hpp"

namespace umov::harmonic::cuda {

/// The inverses of all planes of all tiles, see FactorTiles. Each is formed in shared memory where it fits,
/// with row interchanges. `order`: [tile][band].
template <class T>
void factor_tiles(const TilesView<T>&, int* order, const backend::cuda::Limits&, cudaStream_t);

/// phi = tiles^-1 u, see SolveTiles. Every inverse is read twice, in order: that is nearly all of the
/// traffic.
template <class T>
void solve_tiles(const TilesView<T>&, const Complex<T>* u, Complex<T>* phi, cudaStream_t);

}  // namespace umov::harmonic::cuda
