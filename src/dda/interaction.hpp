// Which interaction functor a problem asks for, with what it needs on the device.
#pragma once

#include "core/error.hpp"
#include "dda/engine.hpp"
#include "dda/kernels/interaction.hpp"
#include "dda/kernels/lattice.hpp"

namespace umov::dda {

/// Calls a visitor with the trivially copyable functor of the problem's interaction term.
template <class Dev, class T>
class InteractionOnDevice {
 public:
  InteractionOnDevice(Dev& dev, const Problem& problem) : problem_(problem) {
    const Vec3& d = problem.particle->spacing;
    using W = Wide<T>;
    lattice_ = {W(problem.wavenumber), {W(d[0]), W(d[1]), W(d[2])}};
    if (problem.interaction == Interaction::igt) load_table(dev);
  }

  template <class F>
  void visit(const F& f) const {
    const auto& a = problem_.interaction_arguments;
    switch (problem_.interaction) {
      case Interaction::point: return f(PointDipole<T>{lattice_});
      case Interaction::fcd: return f(FilteredCoupledDipole<T>{lattice_});
      case Interaction::fcd_st: return f(FilteredCoupledDipoleStatic<T>{lattice_});
      case Interaction::igt_so: return f(IgtSecondOrder<T>{lattice_});
      case Interaction::nloc: return f(NonLocal<T>{lattice_, Wide<T>(a.at(0))});
      case Interaction::nloc_av: return f(NonLocalAveraged<T>{lattice_, Wide<T>(a.at(0))});
      case Interaction::igt: return visit_table(f);
    }
  }

 private:
  void load_table(Dev&) { throw BadInput("igt is not built yet"); }
  template <class F>
  void visit_table(const F&) const {}

  const Problem& problem_;
  Lattice<T> lattice_;
};

}  // namespace umov::dda
