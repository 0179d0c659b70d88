// The interaction whose lattice a preconditioner inverts, and what is common to its tables on one rank and on
// several.
#pragma once

#include <algorithm>

#include "core/error.hpp"
#include "dda/kernels/inverse_lattice.hpp"
#include "dda/scheme/interaction.hpp"
#include "dda/scheme/memory.hpp"
#include "dda/scheme/tensor_builder.hpp"

namespace umov::dda {

/// V G of the infinite lattice or of the periodic one, by lags.
template <class Dev, class T>
class InverseInteraction {
 public:
  InverseInteraction(Dev& dev, const Problem& problem, const Preconditioner& p)
      : problem_(near(problem)), p_(p), interaction_(dev, problem_) {}
  InverseInteraction(const InverseInteraction&) = delete;

  /// Calls a visitor with the functor.
  template <class F>
  void visit(const F& f) const {
    using R = Wide<T>;
    const auto& d = problem_.particle->spacing;
    const auto& box = problem_.particle->box;
    const bool propagates =
        problem_.interaction != Interaction::nloc && problem_.interaction != Interaction::nloc_av;
    interaction_.visit([&](auto term) {
      if (p_.kind == PreconditionerKind::circulant) {
        f(PeriodicInteraction<T, decltype(term)>{
            term, R(problem_.particle->dipole_volume()), {box[0], box[1], box[2]}});
      } else {
        const auto& reach = p_.reach;
        f(TaperedInteraction<T, decltype(term)>{term,
                                                R(problem_.wavenumber),
                                                R(p_.damping),
                                                {R(d[0]), R(d[1]), R(d[2])},
                                                {R(reach[0]), R(reach[1]), R(reach[2])},
                                                propagates});
      }
    });
  }

 private:
  /// The quadratures of igt are for neighbours only: farther off the medium is made of points.
  static Problem near(Problem problem) {
    auto& a = problem.interaction_arguments;
    if (problem.interaction != Interaction::igt) return problem;
    constexpr double neighbours = 3;  // in edges
    if (a.empty()) a = {neighbours};
    if (!(a[0] >= 0 && a[0] <= neighbours)) a[0] = neighbours;
    return problem;
  }

  Problem problem_;
  const Preconditioner& p_;
  InteractionOnDevice<Dev, T> interaction_;  // of problem_
};

/// What inverts frequencies whose components are `plane` numbers apart (InvertSymbol).
template <class T>
InvertSymbol<T> inversion(const Problem& problem, const Preconditioner& p, const GridView& grid,
                          index_t plane, Complex<T>* octant) {
  InvertSymbol<T> invert{plane, {}, Wide<T>(1.0L / ((long double)grid.gx * grid.gy * grid.gz)), octant};
  const double volume = problem.particle->dipole_volume();
  for (int c = 0; c < 3; ++c) invert.diagonal[c] = Complex<Wide<T>>(volume * p.inverse_alpha[c]);
  return invert;
}

/// Lags that a table has: those of the box, each once where it is periodic.
inline Int3 inverse_extent(const Problem& problem, const GridView& grid) {
  const Int3& box = problem.particle->box;
  return {std::min(box[0], grid.hx), std::min(box[1], grid.hy), std::min(box[2], grid.hz)};
}

/// Throws MachineFailure where one of n terms is no number; on all ranks where it is so on one.
template <class Dev>
void require_finite(Dev& dev, const Complex<double>* terms, index_t n, const Preconditioner& p) {
  if (dev.template map_reduce<1, double>(n, CountNotFinite{terms}).v[0] > 0)
    throw MachineFailure("the preconditioner '" + p.name +
                         "' is singular for this material; use `solver.preconditioner = 'none'`");
}

}  // namespace umov::dda
