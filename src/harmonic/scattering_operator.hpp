// The iteration where no metal is rough: the layered cell's inverse alone.
#pragma once

#include "harmonic/rough_slab.hpp"
#include "harmonic/tile_solver.hpp"
#include "linalg/krylov/krylov.hpp"

namespace umov::harmonic {

/// The scattering of the rough planes: y - V L y, L the inverse of the layered cell, V = k0^2 (eps - layered
/// eps). The residual of this system is that of the whole one (Lippmann and Schwinger on the grid; with a
/// layered medium: Yavich and Zhdanov, Geophys. J. Int. 206, 1187 (2016)).
template <class Dev, class T>
class ScatteringOperator {
  using C = Complex<T>;
  using A = backend::Accumulator<T>;

 public:
  static constexpr bool has_potential = false;

  ScatteringOperator(Dev& dev, const Problem& p, const RoughSlab<Dev, T>& slab, const TileShape&)
      : n_(p.rough_edges()),
        columns_(p.grid.columns()),
        dev_(dev),
        slab_(slab),
        inverse_(dev, p, p.rough_begin, p.rough_end),
        work_(dev.template allocate<C>(n_)) {}

  krylov::ProductSums<A> apply(const C* x, C* y, bool) {
    dev_.for_each(n_, krylov::Copy<T>{x, work_.data()});
    inverse_.apply(work_.data());
    const auto s = dev_.template map_reduce<5, A>(
        n_, SubtractScattered<T>{columns_, x, slab_.mean(), slab_.keps(), work_.data(), y});
    ++products;
    return krylov::product_sums(s);
  }

  /// Adds scale x to the currents that x stands for; there are no potentials.
  void add_to(const C* x, double scale, Complex<double>* currents, Complex<double>*) {
    dev_.for_each(n_, AddScaledTo<T, double>{scale, x, currents});
  }

  long products = 0;

 private:
  index_t n_, columns_;
  Dev& dev_;
  const RoughSlab<Dev, T>& slab_;
  LayeredInverse<Dev, T> inverse_;
  typename Dev::template Array<C> work_;
};

}  // namespace umov::harmonic
