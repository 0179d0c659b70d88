// Sums of products of running transforms on the device, where their terms stay.
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "fdtd/kernels/transforms.hpp"

namespace umov::fdtd {

/// Bytes of a sum over n terms of f frequencies: 32 f n of terms, mostly from a GPU's L2, and up to 16 f n of
/// transforms; three launches a product, and f numbers a product that come to the host.
template <class Dev, class T>
class ProductPass {
  template <class V>
  using Array = typename Dev::template Array<V>;

 public:
  explicit ProductPass(Dev& dev) : dev_(dev) {}

  /// [frequency]; `of` gives the TransformView of an accumulator.
  template <class Of>
  std::vector<double> sum(const ProductSum& products, std::size_t frequencies, const Of& of) {
    const auto f = index_t(frequencies);
    Kept& k = kept(products, frequencies);
    for (std::size_t q = 0; q < products->size(); ++q) {
      const TransformProduct& p = (*products)[q];
      const TransformView<T> a = of(p.a), b = of(p.b);
      const SumProducts<T> columns{
          a.sum, b.sum, a.points, b.points, k.term[q].data(), index_t(p.terms.size()), k.column.data()};
      const index_t tiles = columns.tiles_of(columns.terms);
      dev_.for_each(f * columns.columns(), columns);
      dev_.for_each(f * tiles, SumGroups{k.column.data(), k.tile.data(), columns.width});
      dev_.for_each(f, SumGroups{k.tile.data(), k.result.data() + q * frequencies, tiles});
    }
    std::vector<double> host(k.result.size()), sums(frequencies, 0);
    dev_.download(host.data(), k.result.data(), host.size());
    for (std::size_t n = 0; n < host.size(); ++n) sums[n % frequencies] += host[n];
    return sums;
  }
  std::size_t bytes() const {
    std::size_t sum = 0;
    for (const Kept& k : kept_) {
      sum += k.column.bytes() + k.tile.bytes() + k.result.bytes();
      for (const auto& term : k.term) sum += term.bytes();
    }
    return sum;
  }

 private:
  struct Kept {
    ProductSum of;  ///< held, so that no other has its place in memory
    std::vector<Array<TransformProduct::Term>> term;
    Array<double> column, tile, result;  ///< of the longest product; [product][frequency]
  };

  Kept& kept(const ProductSum& products, std::size_t frequencies) {
    for (Kept& k : kept_)
      if (k.of == products) return k;
    Kept k;
    k.of = products;
    std::size_t tiles = 0;
    for (const TransformProduct& p : *products) {
      auto term = dev_.template allocate<TransformProduct::Term>(p.terms.size());
      dev_.upload(term.data(), p.terms.data(), p.terms.size());
      k.term.push_back(std::move(term));
      tiles = std::max(tiles, std::size_t(SumProducts<T>::tiles_of(index_t(p.terms.size()))));
    }
    k.column = dev_.template allocate<double>(frequencies * tiles * SumProducts<T>::width);
    k.tile = dev_.template allocate<double>(frequencies * tiles);
    k.result = dev_.template allocate<double>(frequencies * products->size());
    return kept_.emplace_back(std::move(k));
  }

  Dev& dev_;
  std::vector<Kept> kept_;
};

}  // namespace umov::fdtd
