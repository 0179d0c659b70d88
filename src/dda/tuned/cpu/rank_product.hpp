// The product that slabs of the cpu backend run: lanes where the grid allows them, else the plain one.
#pragma once

#include <memory>
#include <string>

#include "dda/ranks/product.hpp"
#include "dda/ranks/product_choice.hpp"
#include "dda/tuned/cpu/rank_lanes.hpp"

namespace umov::dda {

template <class Dev, class T>
class CpuRankProduct {
  using C = Complex<T>;
  using A = backend::Accumulator<T>;
  using Tuned = cpu::RankLanes<Dev, T>;
  using Plain = SimpleProduct<Dev, T>;

 public:
  CpuRankProduct(Dev& dev, const Problem& problem, const LatticeView& lattice) {
    const auto& g = problem.fft_grid;
    const bool even = g[0] % 2 == 0 && g[1] % 2 == 0 && g[2] % 2 == 0;
    // they must agree, and the environment of a process is its own
    const bool simple = dev.any(asked_rank_product() == RankProduct::simple);
    if (even && !simple)
      tuned_ = std::make_unique<Tuned>(dev, problem, lattice);
    else
      plain_ = std::make_unique<Plain>(dev, problem, lattice);
  }
  /// Another interaction in the work memory of `twin`.
  CpuRankProduct(const CpuRankProduct& twin, const Problem& problem) {
    if (twin.tuned_)
      tuned_ = std::make_unique<Tuned>(*twin.tuned_, problem);
    else
      plain_ = std::make_unique<Plain>(*twin.plain_, problem);
  }

  krylov::ProductSums<A> apply(const C* root, const C* x, C* y, bool adjoint) {
    return tuned_ ? tuned_->apply(root, x, y, adjoint) : plain_->apply(root, x, y, adjoint);
  }
  std::vector<MemoryUse> memory() const { return tuned_ ? tuned_->memory() : plain_->memory(); }
  static std::string transforms() { return transforms_of<Dev>(); }

 private:
  std::unique_ptr<Tuned> tuned_;
  std::unique_ptr<Plain> plain_;
};

}  // namespace umov::dda
