// A preconditioner's table: the inverse of a lattice without a surface, by transforms on any device.
#pragma once

#include <algorithm>

#include "backend/array.hpp"
#include "core/error.hpp"
#include "dda/kernels/inverse_lattice.hpp"
#include "dda/memory.hpp"
#include "dda/tensor_builder.hpp"

namespace umov::dda {

/// Fills, transforms, inverts, transforms back. K = V (V/alpha - V G)^-1 is even or odd in each coordinate as
/// G is, so that everything happens in one octant, and the transform is its own inverse but for a factor.
template <class Dev, class T>
class InverseLattice {
  using C = Complex<T>;

 public:
  InverseLattice(Dev& dev, const Problem& problem, const Preconditioner& p)
      : dev_(dev), problem_(near(problem)), p_(p), grid_(grid_view(inverse_grid(p, *problem.particle))) {}

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
    const index_t lags = index_t(grid_.hx) * grid_.hy * grid_.hz;
    auto octant = dev_.template allocate<C>(6 * lags);
    fill(octant.data());
    const index_t plane = index_t(grid_.hz) * grid_.hy;
    auto buffer = dev_.template allocate<C>(inverse_buffer(grid_, in_caches));
    TensorBuilder<Dev, T> builder(dev_, problem_, grid_, buffer);
    builder.transform(octant.data());
    InvertSymbol<T> invert{
        plane, {}, Wide<T>(1.0L / ((long double)grid_.gx * grid_.gy * grid_.gz)), octant.data()};
    const double volume = problem_.particle->dipole_volume();
    for (int c = 0; c < 3; ++c) invert.diagonal[c] = Complex<Wide<T>>(volume * p_.inverse_alpha[c]);
    dev_.for_each(lags, invert);
    const Int3& box = problem_.particle->box;
    builder.transform(octant.data(), std::min(box[0], grid_.hx), std::min(box[1], grid_.hy));
    return take(octant.data());
  }

 private:
  static constexpr bool in_caches = std::is_same_v<typename Dev::template Array<C>, backend::HostArray<C>>;

  /// The quadratures of igt are for neighbours only: farther off the medium is made of points.
  static Problem near(Problem problem) {
    auto& a = problem.interaction_arguments;
    if (problem.interaction != Interaction::igt) return problem;
    constexpr double neighbours = 3;  // in edges
    if (a.empty()) a = {neighbours};
    if (!(a[0] >= 0 && a[0] <= neighbours)) a[0] = neighbours;
    return problem;
  }

  void fill(C* octant) {
    using R = Wide<T>;
    const auto& d = problem_.particle->spacing;
    const auto& box = problem_.particle->box;
    const bool propagates =
        problem_.interaction != Interaction::nloc && problem_.interaction != Interaction::nloc_av;
    const index_t lags = index_t(grid_.hx) * grid_.hy * grid_.hz;
    InteractionOnDevice<Dev, T> interaction(dev_, problem_);
    const auto put = [&](auto term) {
      dev_.for_each(
          lags, FillOctant<T, decltype(term)>{term, grid_.hx, grid_.hy, grid_.hz, grid_, 0, 6, T(1), octant});
    };
    interaction.visit([&](auto term) {
      if (p_.kind == PreconditionerKind::circulant) {
        put(PeriodicInteraction<T, decltype(term)>{
            term, R(problem_.particle->dipole_volume()), {box[0], box[1], box[2]}});
      } else {
        const auto& reach = p_.reach;
        put(TaperedInteraction<T, decltype(term)>{term,
                                                  R(problem_.wavenumber),
                                                  R(p_.damping),
                                                  {R(d[0]), R(d[1]), R(d[2])},
                                                  {R(reach[0]), R(reach[1]), R(reach[2])},
                                                  propagates});
      }
    });
    dev_.synchronize();
  }

  Table take(const C* octant) {
    Table out;
    const auto& d = problem_.particle->spacing;
    const int stored[3] = {grid_.hx, grid_.hy, grid_.hz};
    for (int c = 0; c < 3; ++c) out.extent[c] = std::min(problem_.particle->box[c], stored[c]);
    const index_t lags = index_t(out.extent[0]) * out.extent[1] * out.extent[2];
    out.terms = dev_.template allocate<Complex<double>>(6 * lags);
    dev_.for_each(
        lags,
        TakeTable<T>{
            grid_, out.extent[0], out.extent[1], p_.growth, {d[0], d[1], d[2]}, octant, out.terms.data()});
    const auto bad = dev_.template map_reduce<1, double>(6 * lags, CountNotFinite{out.terms.data()});
    if (bad.v[0] > 0)
      throw MachineFailure("the preconditioner '" + p_.name +
                           "' is singular for this material; use --preconditioner none");
    return out;
  }

  Dev& dev_;
  Problem problem_;
  const Preconditioner& p_;
  GridView grid_;
};

}  // namespace umov::dda
