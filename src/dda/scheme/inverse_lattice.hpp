// A preconditioner's table: the inverse of a lattice without a surface, by transforms on any device.
#pragma once

#include <algorithm>

#include "backend/array.hpp"
#include "dda/scheme/inverse_interaction.hpp"

namespace umov::dda {

/// Fills, transforms, inverts, transforms back. K = V (V/alpha - V G)^-1 is even or odd in each coordinate as
/// G is, so that everything happens in one octant, and the transform is its own inverse but for a factor.
template <class Dev, class T>
class InverseLattice {
  using C = Complex<T>;

 public:
  InverseLattice(Dev& dev, const Problem& problem, const Preconditioner& p)
      : dev_(dev), problem_(problem), p_(p), grid_(grid_view(inverse_grid(p, *problem.particle))) {}

  /// Terms that stay on the device, where the tensor is made of them.
  struct Table {
    Int3 extent;
    typename Dev::template Array<Complex<double>> terms;
    InteractionTableView view() const { return {extent, terms.data()}; }
    /// The six terms of the zero lag, on the host.
    void zero_lag(Dev& dev, Complex<double>* out) const { dev.download(out, terms.data(), 6); }
  };

  /// -K/V for all lags of the box, the zero lag included. Throws MachineFailure where it is singular.
  Table table() {
    const index_t lags = index_t(grid_.hx) * grid_.hy * grid_.hz, plane = index_t(grid_.hz) * grid_.hy;
    auto octant = dev_.template allocate<C>(6 * lags);
    {
      const InverseInteraction<Dev, T> interaction(dev_, problem_, p_);
      interaction.visit([&](auto term) {
        dev_.for_each(lags, FillOctant<T, decltype(term)>{term, grid_.hx, grid_.hy, grid_.hz, grid_, 0, 6,
                                                          T(1), octant.data()});
      });
      dev_.synchronize();
    }
    auto buffer = dev_.template allocate<C>(inverse_buffer(grid_, in_caches));
    TensorBuilder<Dev, T> builder(dev_, problem_, grid_, buffer);
    builder.transform(octant.data());
    dev_.for_each(lags, inversion<T>(problem_, p_, grid_, plane, octant.data()));
    Table out{inverse_extent(problem_, grid_), {}};
    builder.transform(octant.data(), out.extent[0], out.extent[1]);
    const auto& d = problem_.particle->spacing;
    const index_t taken = index_t(out.extent[0]) * out.extent[1] * out.extent[2];
    out.terms = dev_.template allocate<Complex<double>>(6 * taken);
    dev_.for_each(taken, TakeTable<T>{out.extent[0],
                                      out.extent[1],
                                      0,
                                      0,
                                      6,
                                      6 * plane,
                                      grid_.hy,
                                      plane,
                                      p_.growth,
                                      {d[0], d[1], d[2]},
                                      octant.data(),
                                      out.terms.data()});
    require_finite(dev_, out.terms.data(), 6 * taken, p_);
    return out;
  }

 private:
  static constexpr bool in_caches = std::is_same_v<typename Dev::template Array<C>, backend::HostArray<C>>;

  Dev& dev_;
  Problem problem_;
  const Preconditioner& p_;
  GridView grid_;
};

}  // namespace umov::dda
