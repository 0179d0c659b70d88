// The product on a GPU: the tuned kernels where they can do the grid, the generic ones elsewhere or when
// asked.
#pragma once

#include <string>
#include <variant>

#include "dda/mirror/convolution.hpp"
#include "dda/tuned/cuda/tuned_convolution.hpp"

namespace umov::dda {

template <class Dev, class T>
class CudaProduct {
  using Whole = TunedConvolution<T>;
  using Simple = SimpleProduct<Dev, T>;

 public:
  CudaProduct(Dev& dev, const Problem& problem, const LatticeView& lattice) : n_(3 * lattice.dipoles) {
    const bool tuned = !dev.options().simple_kernels;
    if (tuned && !problem.fraction && Whole::can_do(problem, dev.limits()))
      product_ = std::make_unique<Whole>(dev, problem, lattice);
    else
      product_ = std::make_unique<Simple>(dev, problem, lattice);
  }
  /// Another interaction in the work memory of `twin`.
  CudaProduct(const CudaProduct& twin, const Problem& problem) : n_(twin.n_) {
    std::visit([&](const auto& p) { product_ = std::make_unique<std::decay_t<decltype(*p)>>(*p, problem); },
               twin.product_);
  }
  ProductSums<double> apply(const Complex<T>* root, const Complex<T>* x, Complex<T>* y, bool adjoint) {
    return std::visit([&](auto& p) { return p->apply(root, x, y, adjoint); }, product_);
  }
  std::vector<MemoryUse> memory() const {
    return std::visit([](const auto& p) { return p->memory(); }, product_);
  }
  void apply_block(const Complex<T>* root, const Complex<T>* x, Complex<T>* y, int columns) {
    if (auto* whole = std::get_if<std::unique_ptr<Whole>>(&product_))
      return (*whole)->apply_block(root, x, y, columns);
    std::visit([&](auto& p) { apply_columns(*p, n_, root, x, y, columns); }, product_);
  }
  std::string transforms() const {
    return std::visit(
        [](const auto& p) -> std::string {
          if constexpr (std::is_same_v<std::decay_t<decltype(*p)>, Simple>)
            return transforms_of<Dev>();
          else
            return "umov (" + std::to_string(p->width()) + " lines a block)";
        },
        product_);
  }

 private:
  index_t n_;
  std::variant<std::unique_ptr<Simple>, std::unique_ptr<Whole>> product_;
};

}  // namespace umov::dda
