// A small block with everything in it that the discrete equations know, for tests of their operators.
#pragma once

#include "support/eqs_cases.hpp"

namespace umov::eqs::test {

/// Three materials, two of them with curves (kappa(|E|), eps(|E|)), a floating conductor between two driven
/// plates, a symmetry plane. `good`: the film conducts so well that its nodes have a base.
inline Simulation block(int order, bool nonlinear, bool good = false, int across = 3) {
  Simulation s = column(
      {layer("air", 2e-3, 3), layer("plate", 1e-3, 1), layer("film", 1e-3, 3), layer("solid", 2e-3, 3)},
      {material("air", constant(1), constant(1e-14)),
       material("film", constant(12), nonlinear ? microvaristor() : constant(good ? 1e3 : 1e-9)),
       material("solid", nonlinear ? formula("4 + 2 / (1 + (E / 1e6)^2)") : constant(4), constant(1e-11))},
      sine(9e3, 50, 0, WaveformSpec::Ramp::linear), 8e-3, across);
  s.mesh.order = order;
  s.electrodes[1] = driven("top", sine(2e3, 50, 120));
  ElectrodeSpec plate = electrode("plate", ElectrodeSpec::Kind::floating);
  plate.charge = 3e-12;
  s.electrodes.push_back(plate);
  s.symmetry = {"x"};
  return s;
}

}  // namespace umov::eqs::test
