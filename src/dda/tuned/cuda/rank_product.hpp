// The product that slabs on GPUs run: the simple one, or the tuned one where it is asked for and can do the
// grid.
#pragma once

#include <memory>
#include <string>
#include <variant>

#include "dda/ranks/product.hpp"
#include "dda/ranks/product_choice.hpp"
#include "dda/tuned/cuda/choice.hpp"
#include "dda/tuned/cuda/rank_convolution.hpp"

namespace umov::dda {

template <class Dev, class T>
class CudaRankProduct {
  using Tuned = TunedRankConvolution<T>;
  using Simple = SimpleProduct<Dev, T>;

 public:
  CudaRankProduct(Dev& dev, const Problem& problem, const LatticeView& lattice) {
    const RankProduct asked = asked_rank_product();
    const bool simple = dev.options().simple_kernels || asked == RankProduct::simple ||
                        (asked == RankProduct::by_default && !tuned::tuned_on_ranks);
    // they must agree, and the environment of a process is its own
    if (!dev.any(simple) && Tuned::can_do(dev, problem))
      product_ = std::make_unique<Tuned>(dev, problem, lattice);
    else
      product_ = std::make_unique<Simple>(dev, problem, lattice);
  }
  /// Another interaction in the work memory of `twin`.
  CudaRankProduct(const CudaRankProduct& twin, const Problem& problem) {
    std::visit([&](const auto& p) { product_ = std::make_unique<std::decay_t<decltype(*p)>>(*p, problem); },
               twin.product_);
  }
  ProductSums<double> apply(const Complex<T>* root, const Complex<T>* x, Complex<T>* y, bool adjoint) {
    return std::visit([&](auto& p) { return p->apply(root, x, y, adjoint); }, product_);
  }
  std::vector<MemoryUse> memory() const {
    return std::visit([](const auto& p) { return p->memory(); }, product_);
  }
  std::string transforms() const {
    if (const auto* tuned = std::get_if<std::unique_ptr<Tuned>>(&product_))
      return "umov (" + std::to_string((*tuned)->width()) + " lines a block)";
    return transforms_of<Dev>();
  }

 private:
  std::variant<std::unique_ptr<Simple>, std::unique_ptr<Tuned>> product_;
};

}  // namespace umov::dda
