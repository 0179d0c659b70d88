// The hand-written product of the cuda backend on several GPUs: the twin of RankConvolution.
#pragma once

#include <memory>
#include <vector>

#include "backend/cuda/cuda.hpp"
#include "comm/on_ranks.hpp"
#include "dda/engine.hpp"
#include "dda/kernels/lattice.hpp"
#include "linalg/krylov/krylov.hpp"

namespace umov::dda {

/// TunedConvolution on a particle in slabs. Each GPU transforms its rows along x and gets all y and z of its
/// groups of kx and gx - kx, in chunks that travel while earlier ones are computed. Beside the tensor's
/// stretch its memory is (2 - 1/P)/P of the lines of one GPU, and the slices.
template <class T>
class TunedRankConvolution {
 public:
  using Dev = comm::OnRanks<backend::Cuda>;
  /// Whether the kernels can do the grid on the GPUs of all ranks. Of every rank.
  static bool can_do(Dev&, const Problem&);

  TunedRankConvolution(Dev&, const Problem&, const LatticeView&);
  /// Another interaction on the lattice and the grid of `twin`, in its work memory: one product at a time.
  TunedRankConvolution(const TunedRankConvolution& twin, const Problem&);
  ~TunedRankConvolution();

  /// Of every rank.
  krylov::ProductSums<double> apply(const Complex<T>* root, const Complex<T>* x, Complex<T>* y, bool adjoint);
  std::vector<MemoryUse> memory() const;
  /// Lines a block of the y and z transforms takes side by side.
  int width() const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace umov::dda
