// The product that the cpu engine runs: lanes where the grid allows them, else the generic one.
#pragma once

#include <optional>

#include "dda/mirror/convolution.hpp"
#include "dda/tuned/cpu/lane_convolution.hpp"

namespace umov::dda {

/// Same interface and results (to rounding) as Convolution. Grids with an odd length, which only a caller
/// that sets Problem::fft_grid itself can ask for, have no halves to transform and go to Convolution.
template <class Dev, class T>
class CpuConvolution {
  using C = Complex<T>;
  using A = backend::Accumulator<T>;

 public:
  CpuConvolution(Dev& dev, const Problem& problem, const LatticeView& lattice) : n_(3 * lattice.dipoles) {
    const auto& g = problem.fft_grid;
    const bool even = g[0] % 2 == 0 && g[1] % 2 == 0 && g[2] % 2 == 0;
    if (even && problem.fraction) {
      folded_.emplace(dev, problem, lattice);
    } else if (even) {
      tuned_.emplace(dev, problem, lattice);
    } else {
      generic_.emplace(dev, problem, lattice);
    }
  }

  /// Another interaction in the work memory of `twin`.
  CpuConvolution(const CpuConvolution& twin, const Problem& problem) : n_(twin.n_) {
    if (twin.folded_)
      folded_.emplace(*twin.folded_, problem);
    else if (twin.tuned_)
      tuned_.emplace(*twin.tuned_, problem);
    else
      generic_.emplace(*twin.generic_, problem);
  }

  krylov::ProductSums<A> apply(const C* root, const C* x, C* y, bool adjoint) {
    if (folded_) return folded_->apply(root, x, y, adjoint);
    return tuned_ ? tuned_->apply(root, x, y, adjoint) : generic_->apply(root, x, y, adjoint);
  }
  void apply_block(const C* root, const C* x, C* y, int columns) {
    if (folded_)
      folded_->apply_block(root, x, y, columns);
    else if (tuned_)
      tuned_->apply_block(root, x, y, columns);
    else
      apply_columns(*generic_, n_, root, x, y, columns);
  }
  std::vector<MemoryUse> memory() const {
    if (folded_) return folded_->memory();
    return tuned_ ? tuned_->memory() : generic_->memory();
  }
  static constexpr const char* variant = "lanes";
  /// The lanes do the halves of each transform themselves around FFTW's.
  static std::string transforms() { return transforms_of<Dev>(); }

 private:
  index_t n_;
  std::optional<cpu::LaneConvolution<Dev, T>> tuned_;
  std::optional<cpu::LaneConvolution<Dev, T, cpu::FoldedTransform<T>>> folded_;
  std::optional<SimpleProduct<Dev, T>> generic_;
};

}  // namespace umov::dda
