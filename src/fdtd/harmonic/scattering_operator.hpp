// The iteration where no metal is rough: the layered cell's inverse alone.
#pragma once

#include <vector>

#include "fdtd/harmonic/kernels/contrast.hpp"
#include "fdtd/harmonic/layered_inverse.hpp"
#include "linalg/krylov/krylov.hpp"

namespace umov::fdtd::harmonic {

/// The scattering of the rough planes: y - V L y, L the inverse of the layered cell, V = k0^2 (eps - layered
/// eps). The residual of this system is that of the whole one (Lippmann and Schwinger on the grid; with a
/// layered medium: Yavich and Zhdanov, Geophys. J. Int. 206, 1187 (2016)).
template <class Dev, class T>
class ScatteringOperator {
  using C = Complex<T>;
  using A = backend::Accumulator<T>;

 public:
  ScatteringOperator(Dev& dev, const Problem& p)
      : n_(p.rough_edges()), dev_(dev), inverse_(dev, p, p.rough_begin, p.rough_end) {
    std::vector<C> host;
    const index_t columns = p.grid.columns();
    const int planes = p.rough_planes();
    for (index_t i = 0; i < n_; ++i) {
      const index_t plane = i / columns;
      const int c = int(plane / planes), k = int(plane % planes) + p.rough_begin;
      host.push_back(C(p.k0 * p.k0 * (p.permittivity[i] - (c == 2 ? p.normal : p.tangential)[k])));
    }
    contrast_ = dev.template allocate<C>(n_);
    work_ = dev.template allocate<C>(n_);
    dev.upload(contrast_.data(), host.data(), host.size());
  }

  krylov::ProductSums<A> apply(const C* x, C* y, bool) {
    dev_.for_each(n_, krylov::Copy<T>{x, work_.data()});
    inverse_.apply(work_.data());
    const auto s =
        dev_.template map_reduce<5, A>(n_, SubtractScattered<T>{x, contrast_.data(), work_.data(), y});
    ++products;
    return krylov::product_sums(s);
  }

  /// What the layered cell's inverse is applied to for the field that x stands for.
  const C* currents(const C* x) const { return x; }

  const C* contrast() const { return contrast_.data(); }
  index_t size() const { return n_; }
  long products = 0;

 private:
  index_t n_;
  Dev& dev_;
  LayeredInverse<Dev, T> inverse_;
  typename Dev::template Array<C> contrast_, work_;
};

}  // namespace umov::fdtd::harmonic
