// The iteration where metal is rough: corrections by gradients of potentials around the layered cell's
// inverse.
#pragma once

#include "harmonic/rough_slab.hpp"
#include "harmonic/tile_solver.hpp"
#include "linalg/krylov/krylov.hpp"

namespace umov::harmonic {

/// The gradients among the fields see only eps, whose sign changes where metal is rough: the layered cell's
/// inverse does not help there, and iterations stall. Potentials on overlapping tiles do: B = G (-k0^2 G^H
/// eps G)^-1 G^H, G the discrete gradient. As curl G = 0 on the Yee grid, A G = -k0^2 eps G, and the
/// residuals after B, the layered inverse L and B again need no application of A:
///     r1 = w + k0^2 eps B w,   r2 = V L r1,   r3 = r2 + k0^2 eps B r2,   A P w = w - r3,   P w = B w + L r1
///     + B r2.
/// (Auxiliary spaces of gradients: Hiptmair and Xu, SIAM J. Numer. Anal. 45, 2483 (2007), there for positive
/// eps.)
template <class Dev, class T>
class CorrectedOperator {
  using C = Complex<T>;
  using A = backend::Accumulator<T>;
  using Array = typename Dev::template Array<C>;

 public:
  static constexpr bool has_potential = true;

  CorrectedOperator(Dev& dev, const Problem& p, const RoughSlab<Dev, T>& slab, const TileShape& shape)
      : nodes_(p.rough_edges() / 3),
        dev_(dev),
        slab_(slab),
        inverse_(dev, p, p.rough_begin, p.rough_end),
        tiles_(dev, slab.view(), shape.own > 0 ? shape : default_tiles(p.grid), slab.keps()) {
    f_ = dev.template allocate<C>(3 * nodes_);
    u_ = dev.template allocate<C>(nodes_);
    phi_ = dev.template allocate<C>(nodes_);
    dev.fill_zero(phi_.data(), nodes_);
  }

  krylov::ProductSums<A> apply(const C* x, C* y, bool) {
    find_potential(x);
    spread(x);
    scatter();
    find_potential(f_.data());
    const auto s = dev_.template map_reduce<5, A>(
        nodes_, SubtractCorrected<T>{slab_.view(), x, f_.data(), slab_.keps(), phi_.data(), y});
    ++products;
    return krylov::product_sums(s);
  }

  /// Adds what x stands for, times `scale`: currents r1 and the potentials of both corrections.
  void add_to(const C* x, double scale, Complex<double>* currents, Complex<double>* potential) {
    find_potential(x);
    spread(x);
    dev_.for_each(3 * nodes_, AddScaledTo<T, double>{scale, f_.data(), currents});
    dev_.for_each(nodes_, AddScaledTo<T, double>{scale, phi_.data(), potential});
    scatter();
    find_potential(f_.data());
    dev_.for_each(nodes_, AddScaledTo<T, double>{scale, phi_.data(), potential});
    ++products;
  }

  long products = 0;

 private:
  void find_potential(const C* w) {
    dev_.for_each_box({0, 0, 0}, slab_.box(), Divergence<T>{slab_.view(), w, u_.data()});
    tiles_.solve(u_.data(), phi_.data());
  }
  void spread(const C* w) {
    dev_.for_each_box({0, 0, 0}, slab_.box(),
                      AddGradientCurrents<T>{slab_.view(), phi_.data(), slab_.keps(), w, f_.data()});
  }
  void scatter() {
    inverse_.apply(f_.data());
    dev_.for_each_box({0, 0, 0}, slab_.box(),
                      MultiplyContrast<T>{slab_.view(), slab_.mean(), slab_.keps(), f_.data()});
  }

  index_t nodes_;
  Dev& dev_;
  const RoughSlab<Dev, T>& slab_;
  LayeredInverse<Dev, T> inverse_;
  TileSolver<Dev, T> tiles_;
  Array f_, u_, phi_;
};

}  // namespace umov::harmonic
