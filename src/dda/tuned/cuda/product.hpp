// The product on a GPU: the tuned kernels where they can do the grid, the generic ones elsewhere or when
// asked.
#pragma once

#include <optional>
#include <string>

#include "dda/mirror/convolution.hpp"
#include "dda/tuned/cuda/tuned_convolution.hpp"

namespace umov::dda {

template <class Dev, class T>
class CudaProduct {
 public:
  CudaProduct(Dev& dev, const Problem& problem, const LatticeView& lattice) : n_(3 * lattice.dipoles) {
    if (!problem.fraction && !dev.options().simple_kernels &&
        TunedConvolution<T>::can_do(problem, dev.limits()))
      tuned_.emplace(dev, problem, lattice);
    else
      simple_.emplace(dev, problem, lattice);
  }
  /// Another interaction in the work memory of `twin`.
  CudaProduct(const CudaProduct& twin, const Problem& problem) : n_(twin.n_) {
    if (twin.tuned_)
      tuned_.emplace(*twin.tuned_, problem);
    else
      simple_.emplace(*twin.simple_, problem);
  }
  ProductSums<double> apply(const Complex<T>* root, const Complex<T>* x, Complex<T>* y, bool adjoint) {
    return tuned_ ? tuned_->apply(root, x, y, adjoint) : simple_->apply(root, x, y, adjoint);
  }
  void apply_block(const Complex<T>* root, const Complex<T>* x, Complex<T>* y, int columns) {
    if (tuned_)
      tuned_->apply_block(root, x, y, columns);
    else
      apply_columns(*simple_, n_, root, x, y, columns);
  }
  std::vector<MemoryUse> memory() const { return tuned_ ? tuned_->memory() : simple_->memory(); }
  std::string transforms() const {
    return tuned_ ? "umov (" + std::to_string(tuned_->width()) + " lines a block)" : transforms_of<Dev>();
  }

 private:
  index_t n_;
  std::optional<TunedConvolution<T>> tuned_;
  std::optional<SimpleProduct<Dev, T>> simple_;
};

}  // namespace umov::dda
