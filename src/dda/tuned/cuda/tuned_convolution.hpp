// The hand-written product of the cuda backend: the twin of Convolution, with the same interface and answer.
#pragma once

#include <memory>
#include <vector>

#include "backend/cuda/cuda.hpp"
#include "dda/engine.hpp"
#include "dda/kernels/lattice.hpp"
#include "linalg/krylov/krylov.hpp"

namespace umov::dda {

/// Choices the benchmark can vary; 0 = by the size of the problem.
struct TunedOptions {
  int width = 0;                ///< lines a block of the y and z transforms takes side by side
  std::size_t slice_bytes = 0;  ///< slices in flight at once; they should stay in the L2 cache
  int streams = 0;              ///< chunks of slices in flight at once: 1 or 2
};

/// y = x - S G S x as Convolution forms it, in one pass over memory each for x forward, (y, z, tensor, z, y)
/// of slices that stay in L2, and x backward. Grids are products of 2, 3, 5 and 7 that fit shared memory.
template <class T>
class TunedConvolution {
 public:
  using Limits = backend::cuda::Limits;
  /// Whether the grid is one the kernels can do on such a GPU.
  static bool can_do(const Problem&, const Limits&);

  TunedConvolution(backend::Cuda&, const Problem&, const LatticeView&, const TunedOptions& = {});
  /// Another interaction on the lattice and the grid of `twin`, in its work memory: one product at a time.
  TunedConvolution(const TunedConvolution& twin, const Problem&);
  ~TunedConvolution();

  krylov::ProductSums<double> apply(const Complex<T>* root, const Complex<T>* x, Complex<T>* y, bool adjoint);
  /// Of several vectors, one after the other: the tensor of a chunk of slices stays in L2 for all of them.
  void apply_block(const Complex<T>* root, const Complex<T>* x, Complex<T>* y, int columns);
  std::vector<MemoryUse> memory() const;
  /// Lines a block of the y and z transforms takes side by side.
  int width() const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace umov::dda
