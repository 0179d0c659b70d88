// Which interaction functor a problem asks for, with what it needs on the device.
#pragma once

#include "core/error.hpp"
#include "dda/engine.hpp"
#include "dda/kernels/interaction.hpp"
#include "dda/kernels/lattice.hpp"
#include "dda/scheme/interaction_table.hpp"

namespace umov::dda {

/// Calls a visitor with the trivially copyable functor of the problem's interaction term.
template <class Dev, class T>
class InteractionOnDevice {
 public:
  InteractionOnDevice(Dev& dev, const Problem& problem) : problem_(problem) {
    const Vec3& d = problem.particle->spacing;
    using W = Wide<T>;
    lattice_ = {W(problem.wavenumber), {W(d[0]), W(d[1]), W(d[2])}};
    table_ = problem.table;
    if (!table_.terms && problem.interaction == Interaction::igt)
      load(dev, make_igt_table(problem.interaction_arguments, problem.wavenumber, d, problem.particle->box));
  }

  template <class F>
  void visit(const F& f) const {
    const auto& a = problem_.interaction_arguments;
    if (table_.terms) return visit_table(f);
    switch (problem_.interaction) {
      case Interaction::point:
        return f(PointDipole<T>{lattice_});
      case Interaction::fcd:
        return f(FilteredCoupledDipole<T>{lattice_});
      case Interaction::fcd_st:
        return f(FilteredCoupledDipoleStatic<T>{lattice_});
      case Interaction::igt_so:
        return f(IgtSecondOrder<T>{lattice_});
      case Interaction::nloc:
        return f(NonLocal<T>{lattice_, Wide<T>(a.at(0))});
      case Interaction::nloc_av:
        return f(NonLocalAveraged<T>{lattice_, Wide<T>(a.at(0))});
      case Interaction::igt:
        return visit_table(f);
    }
  }

 private:
  void load(Dev& dev, const InteractionTable& table) {
    integrated_ = dev.template allocate<Complex<double>>(table.terms.size());
    dev.upload(integrated_.data(), table.terms.data(), table.terms.size());
    table_ = {table.extent, integrated_.data()};
  }
  template <class F>
  void visit_table(const F& f) const {
    const Int3& extent = table_.extent;
    f(TabulatedInteraction<T>{lattice_, table_.terms, {extent[0], extent[1], extent[2]}});
  }

  const Problem& problem_;
  LatticeSteps<T> lattice_;
  typename Dev::template Array<Complex<double>> integrated_;
  InteractionTableView table_;
};

}  // namespace umov::dda
