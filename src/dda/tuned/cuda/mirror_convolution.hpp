// The hand-written product on a mirror fraction: the twin of MirrorConvolution on a GPU.
#pragma once

#include <memory>
#include <vector>

#include "backend/cuda/cuda.hpp"
#include "dda/engine.hpp"
#include "dda/kernels/lattice.hpp"
#include "linalg/krylov/krylov.hpp"

namespace umov::dda {

/// y = x - S w H w S x as MirrorConvolution forms it (mirror/convolution.hpp), by the passes of
/// TunedConvolution on lines of half the length along every axis with a plane. Boxes of even length along
/// those, grids there of a multiple of four, of 2, 3, 5 and 7 and lines that fit shared memory.
template <class T>
class TunedMirrorConvolution {
 public:
  using Limits = backend::cuda::Limits;
  /// Whether the problem is of a fraction that the kernels can do on such a GPU.
  static bool can_do(const Problem&, const Limits&);

  TunedMirrorConvolution(backend::Cuda&, const Problem&, const LatticeView&);
  /// Another interaction on the lattice and the grid of `twin`, in its work memory: one product at a time.
  TunedMirrorConvolution(const TunedMirrorConvolution& twin, const Problem&);
  ~TunedMirrorConvolution();

  /// Of the sector that the fraction is at.
  krylov::ProductSums<double> apply(const Complex<T>* root, const Complex<T>* x, Complex<T>* y, bool adjoint);
  std::vector<MemoryUse> memory() const;
  /// Lines a block of the y and z transforms takes side by side.
  int width() const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace umov::dda
