// The same model with plain potentials everywhere, for electrostatics: there a good conductor is an insulator
// like others, and a base for its potentials would only hinder the solver.
#pragma once

#include "eqs/solve/newton.hpp"

namespace umov::eqs {

inline Problem without_bodies(Problem p) {
  p.base.clear();
  p.good.clear();
  return p;
}

/// Potentials over the base from plain ones; in place, since a base is a potential itself.
struct TakeBaseOff {
  HeldView held;
  const double* fixed;
  double* u;
  UMOV_HD void operator()(index_t n) const {
    if (held.over_base(n)) u[n] -= value_of(held.base[n], u, fixed);
  }
};

template <class Device>
struct PlainSystem {
  PlainSystem(Device& dev, const Problem& p)
      : problem(without_bodies(p)), system(dev, problem), newton(system, problem) {}
  Problem problem;
  System<Device> system;
  Newton<Device> newton;
};

}  // namespace umov::eqs
