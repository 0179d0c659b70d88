// The iteration where metal is rough: corrections by gradients of potentials around the layered cell's
// inverse.
#pragma once

#include <vector>

#include "fdtd/harmonic/kernels/contrast.hpp"
#include "fdtd/harmonic/kernels/tiles.hpp"
#include "fdtd/harmonic/layered_inverse.hpp"
#include "linalg/krylov/krylov.hpp"

namespace umov::fdtd::harmonic {

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
  CorrectedOperator(Dev& dev, const Problem& p)
      : n_(p.rough_edges()), dev_(dev), inverse_(dev, p, p.rough_begin, p.rough_end) {
    const auto& g = p.grid;
    const int planes = p.rough_planes();
    const index_t columns = g.columns();
    std::vector<C> keps, contrast;
    for (index_t i = 0; i < n_; ++i) {
      const index_t plane = i / columns;
      const int c = int(plane / planes), k = int(plane % planes) + p.rough_begin;
      keps.push_back(C(p.k0 * p.k0 * p.permittivity[i]));
      contrast.push_back(C(p.k0 * p.k0 * (p.permittivity[i] - (c == 2 ? p.normal : p.tangential)[k])));
    }
    for (Array* a : {&keps_, &contrast_, &r1_, &r2_, &g1_, &g2_}) *a = dev.template allocate<C>(n_);
    u_ = dev.template allocate<C>(n_ / 3);
    phi_ = dev.template allocate<C>(n_ / 3);
    dev.fill_zero(phi_.data(), n_ / 3);
    dev.upload(keps_.data(), keps.data(), keps.size());
    dev.upload(contrast_.data(), contrast.data(), contrast.size());

    auto& v = tiles_;
    v.s = {g.nx,
           g.ny,
           planes,
           C(std::polar(1.0, p.bloch[0] * g.spacing[0])),
           C(std::polar(1.0, p.bloch[1] * g.spacing[1])),
           T(g.spacing[0]),
           T(g.spacing[1]),
           T(g.spacing[2]),
           T(g.ny == 1 ? p.bloch[1] : 0)};
    // In two dimensions 16 columns. In space 6 x 6: in smaller tiles of more overlap the same memory helps
    // less.
    v.own = g.ny > 1 ? 4 : 8;
    v.overlap = g.ny > 1 ? 1 : 4;
    v.across_x = (g.nx + v.own - 1) / v.own;
    v.across_y = (g.ny + v.own - 1) / v.own;
    v.width_x = std::min(g.nx, v.own + 2 * v.overlap);
    v.width_y = std::min(g.ny, v.own + 2 * v.overlap);
    v.band = v.width_x * v.width_y;
    v.rows = v.band * (planes - 1);
    v.keps = keps_.data();
    factor_ = dev.template allocate<C>(std::size_t(v.tiles()) * v.rows * (3 * v.band + 1));
    pivot_ = dev.template allocate<int>(std::size_t(v.tiles()) * v.rows);
    work_ = dev.template allocate<C>(std::size_t(v.tiles()) * v.rows);
    v.factor = factor_.data();
    v.pivot = pivot_.data();
    v.work = work_.data();
    dev.for_each(v.tiles(), FactorTiles<T>{v});
  }

  krylov::ProductSums<A> apply(const C* x, C* y, bool) {
    precondition(x);
    const auto s = dev_.template map_reduce<5, A>(n_, SubtractRest<T>{x, r2_.data(), y});
    ++products;
    return {{s.v[0], s.v[1]}, {s.v[2], s.v[3]}, s.v[4]};
  }

  /// What the layered cell's inverse is applied to for P x, and what is added to its result on the rough
  /// planes.
  const C* currents(const C* x) {
    precondition(x);
    dev_.for_each(n_, GradientAndRest<T>{tiles_.s, phi_of(x), keps_.data(), x, g1_.data(), r1_.data()});
    return r1_.data();
  }
  const C* first_gradient() const { return g1_.data(); }
  const C* second_gradient() const { return g2_.data(); }

  const C* contrast() const { return contrast_.data(); }
  index_t size() const { return n_; }
  long products = 0;

 private:
  const C* phi_of(const C* w) {
    dev_.for_each(n_ / 3, Divergence<T>{tiles_.s, w, u_.data()});
    dev_.for_each(tiles_.tiles(), SolveTiles<T>{tiles_, u_.data(), phi_.data()});
    return phi_.data();
  }

  /// r2 becomes r3, the residual after all three parts; g1, g2 their gradients.
  void precondition(const C* x) {
    dev_.for_each(n_, GradientAndRest<T>{tiles_.s, phi_of(x), keps_.data(), x, g1_.data(), r1_.data()});
    inverse_.apply(r1_.data());
    dev_.for_each(n_, Multiply<T>{contrast_.data(), r1_.data(), r2_.data()});
    dev_.for_each(n_, GradientAndRest<T>{tiles_.s, phi_of(r2_.data()), keps_.data(), r2_.data(), g2_.data(),
                                         r2_.data()});
  }

  index_t n_;
  Dev& dev_;
  LayeredInverse<Dev, T> inverse_;
  Array keps_, contrast_, r1_, r2_, g1_, g2_, u_, phi_, factor_, work_;
  typename Dev::template Array<int> pivot_;
  TilesView<T> tiles_;
};

}  // namespace umov::fdtd::harmonic
