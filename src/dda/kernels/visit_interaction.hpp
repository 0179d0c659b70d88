// From the name of an interaction to its functor, once, at the boundary.
#pragma once

#include <vector>

#include "core/error.hpp"
#include "core/types.hpp"
#include "dda/choices.hpp"
#include "dda/kernels/integrated_green.hpp"

namespace umov::dda {

/// Calls `visit` with the functor of the interaction: `term(x, y, z, g)` for lags, `term.at` for
/// displacements. All but IntegratedGreen (igt, host only; see interaction_table.hpp) are trivially copyable
/// to a device.
/// @param arguments as in Simulation::interaction_arguments: igt [limit [precision]], nloc and nloc_av Rp
/// (um)
template <class T, class Visit>
void visit_interaction(Interaction interaction, const std::vector<double>& arguments, double wavenumber,
                       const Vec3& spacing_um, Visit&& visit) {
  const LatticeSteps<T> lattice{wavenumber, {spacing_um[0], spacing_um[1], spacing_um[2]}};
  const double argument = arguments.empty() ? -1 : arguments[0];
  auto width = [&] {
    if (!(argument >= 0))
      throw BadInput("non-local interaction lacks its Gaussian width (Rp: a number in um, not negative)");
    return argument;
  };
  switch (interaction) {
    case Interaction::point:
      return visit(PointDipole<T>{lattice});
    case Interaction::fcd:
      return visit(FilteredCoupledDipole<T>{lattice});
    case Interaction::fcd_st:
      return visit(FilteredCoupledDipoleStatic<T>{lattice});
    case Interaction::igt_so:
      return visit(IgtSecondOrder<T>{lattice});
    case Interaction::nloc:
      return visit(NonLocal<T>{lattice, width()});
    case Interaction::nloc_av:
      return visit(NonLocalAveraged<T>{lattice, width()});
    case Interaction::igt:
      return visit(IntegratedGreen<T>{lattice, argument});
  }
}

}  // namespace umov::dda
