// The exact inverse of a layered Yee cell on a device: transforms along x and y, tridiagonal systems along z.
#pragma once

#include <vector>

#include "harmonic/kernels/layered.hpp"
#include "harmonic/lateral_transform.hpp"
#include "harmonic/problem.hpp"

namespace umov::harmonic {

/// Solves curl curl E - k0^2 eps(z) E = b for b that is 0 outside the planes [begin, end), and gives E there.
/// One application takes two transforms of 3 components and 2 sweeps over z; its accuracy is that of
/// rounding of what is `Stored`: the systems along z are always solved in double. They are near poles for
/// waves that layers guide or that are near grazing, and rounding their diagonals to float adds about 2 eps /
/// dz^2 to kz^2: 0.005 um^-2 at 5 nm.
template <class Dev, class Stored>
class LayeredInverse {
  using T = double;
  using C = Complex<T>;
  template <class X>
  using Array = typename Dev::template Array<X>;

 public:
  /// With one column, `only` may be the lateral wave (0, 0) of a wider grid in place of the column's own.
  LayeredInverse(Dev& dev, const Problem& p, int begin, int end, const LateralWave* only = nullptr)
      : dev_(dev),
        waves_(p.grid.columns()),
        planes_(end - begin),
        transform_(dev, p.grid.nx, p.grid.ny, 3 * planes_) {
    const index_t nz = p.grid.nz;
    const auto put = [&](const auto& values, bool inverse = false) {
      std::vector<C> host;
      for (const cplx v : values) host.push_back(C(inverse ? 1.0 / v : v));
      auto array = dev.template allocate<C>(host.size());
      dev.upload(array.data(), host.data(), host.size());
      kept_.push_back(std::move(array));
      return static_cast<const C*>(kept_.back().data());
    };
    const auto put_planes = [&](std::vector<cplx> values, bool inverse = false) {
      values.insert(values.begin(), values.front());
      values.push_back(values.back());
      return put(values, inverse) + 1;
    };
    std::vector<cplx> cx, cy, leaves[2];
    const LateralWave specular = only ? *only : lateral_wave(p, 0, 0);
    const OpenEnd ends[] = {{p, false, specular}, {p, true, specular}};
    std::vector<T> kappa;
    for (int n = 0; n < p.grid.ny; ++n)
      for (int m = 0; m < p.grid.nx; ++m) {
        const LateralWave w = only ? *only : lateral_wave(p, m, n);
        cx.push_back(w.cx);
        cy.push_back(w.cy);
        kappa.push_back(T(w.kappa));
        for (const bool below : {false, true})
          if (p.open(below)) leaves[below].push_back(ends[below].leaving_factor(w));
      }
    kappa_ = dev.template allocate<T>(waves_);
    dev.upload(kappa_.data(), kappa.data(), kappa.size());
    pivot_t_ = dev.template allocate<C>(planes_ * waves_);
    pivot_q_ = dev.template allocate<C>((planes_ + 1) * waves_);
    q_ = dev.template allocate<C>((planes_ + 1) * waves_);
    view_ = {waves_,
             int(nz),
             begin,
             end,
             T(p.k0 * p.k0),
             T(p.grid.spacing[2]),
             put_planes(p.stretch, true),
             put_planes(p.stretch_half, true),
             put_planes(p.tangential),
             put_planes(p.normal),
             put_planes(p.tangential, true),
             put_planes(p.normal, true),
             kappa_.data(),
             put(cx),
             put(cy),
             p.open(false) ? put(leaves[0]) : nullptr,
             p.open(true) ? put(leaves[1]) : nullptr,
             pivot_t_.data(),
             pivot_q_.data()};
    dev.for_each(waves_, FactorLayers<T>{view_});
  }

  /// b [3][planes][ny][nx] becomes E.
  void apply(Complex<Stored>* f) {
    transform_.run(f, -1);
    dev_.for_each(waves_, SolveLayers<T, Stored>{view_, f, q_.data(), T(1) / T(waves_)});
    transform_.run(f, +1);
  }

 private:
  Dev& dev_;
  index_t waves_, planes_;
  LateralTransform<Dev, Stored> transform_;
  std::vector<Array<C>> kept_;
  Array<T> kappa_;
  Array<C> pivot_t_, pivot_q_, q_;
  LayeredView<T> view_;
};

}  // namespace umov::harmonic
