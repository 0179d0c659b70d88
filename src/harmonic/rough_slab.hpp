// The rough planes on a device: permittivities, what is left of the equations there.
#pragma once

#include <vector>

#include "harmonic/kernels/refinement.hpp"
#include "harmonic/layered_inverse.hpp"

namespace umov::harmonic {

/// k0^2 eps of all edges of the slab and its lateral averages, in T.
template <class Dev, class T>
class RoughSlab {
  using C = Complex<T>;
  using Array = typename Dev::template Array<C>;

 public:
  RoughSlab(Dev& dev, const Problem& p) {
    set_sizes(p);
    std::vector<C> mean;
    for (int c = 0; c < 3; ++c)
      for (int k = p.rough_begin; k < p.rough_end; ++k)
        mean.push_back(C(p.k0 * p.k0 * (c == 2 ? p.normal : p.tangential)[k]));
    mean_ = dev.template allocate<C>(mean.size());
    dev.upload(mean_.data(), mean.data(), mean.size());
  }
  /// With the permittivities of `p`; T is double.
  static RoughSlab of(Dev& dev, const Problem& p) {
    RoughSlab out(dev, p);
    const index_t n = p.rough_edges();
    out.keps_ = dev.template allocate<C>(n);
    dev.upload(out.keps_.data(), reinterpret_cast<const C*>(p.permittivity.data()), n);
    dev.for_each(n, ScaledTo<T, T>{p.k0 * p.k0, out.keps_.data(), out.keps_.data()});
    return out;
  }
  /// Converted from another type.
  template <class From>
  RoughSlab(Dev& dev, const Problem& p, const RoughSlab<Dev, From>& from) : RoughSlab(dev, p) {
    keps_ = dev.template allocate<C>(p.rough_edges());
    dev.for_each(p.rough_edges(), ScaledTo<From, T>{1, from.keps(), keps_.data()});
  }

  const SlabView<T>& view() const { return view_; }
  const C* keps() const { return keps_.data(); }
  const C* mean() const { return mean_.data(); }
  Int3 box() const { return {view_.nx, view_.ny, view_.planes}; }

 private:
  void set_sizes(const Problem& p) {
    const auto& g = p.grid;
    view_ = {g.nx,
             g.ny,
             p.rough_planes(),
             C(std::polar(1.0, p.bloch[0] * g.spacing[0])),
             C(std::polar(1.0, p.bloch[1] * g.spacing[1])),
             T(g.spacing[0]),
             T(g.spacing[1]),
             T(g.spacing[2]),
             T(g.ny == 1 ? p.bloch[1] : 0)};
  }
  SlabView<T> view_;
  Array keps_, mean_;
};

/// What fields E = E0 + G0 R + G phi leave of the cell's equations, in double: G0 the layered cell's inverse,
/// R currents on the rough planes, phi potentials there, E0 the layered cell's field. As curl G = 0 on the
/// Yee grid, the residual V E0 - R + V G0 R + k0^2 eps G phi is 0 outside the rough planes.
template <class Dev>
class CellEquations {
  using C = Complex<double>;
  using Array = typename Dev::template Array<C>;

 public:
  CellEquations(Dev& dev, const Problem& p)
      : dev_(dev),
        slab_(RoughSlab<Dev, double>::of(dev, p)),
        inverse_(dev, p, p.rough_begin, p.rough_end),
        n_(p.rough_edges()) {}

  /// Into `r`; returns |r|^2. `layered`: E0 [3][planes] on the device; phi may be null.
  double residual(const C* layered, const C* currents, const C* phi, C* r) {
    dev_.for_each(n_, ScaledTo<double, double>{1, currents, r});
    inverse_.apply(r);
    return dev_
        .template map_reduce<1, double>(n_ / 3, CellResidual<double>{slab_.view(), layered, slab_.mean(),
                                                                     slab_.keps(), currents, r, phi, r})
        .v[0];
  }

  const RoughSlab<Dev, double>& slab() const { return slab_; }
  index_t edges() const { return n_; }
  index_t nodes() const { return n_ / 3; }

 private:
  Dev& dev_;
  RoughSlab<Dev, double> slab_;
  LayeredInverse<Dev, double> inverse_;
  index_t n_;
};

}  // namespace umov::harmonic
