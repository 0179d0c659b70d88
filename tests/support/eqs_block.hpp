// A small block with everything in it that the discrete equations know, for tests of their operators.
#pragma once

#include <algorithm>

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

/// A cube of cells of 1 mm with one layer of 20 um in its middle, over which it is sheared by half a cell.
inline Problem flat_cube(int refine, OperatorForm form, double permittivity = 1) {
  Simulation s =
      column({layer("low", 3e-3, 3), layer("thin", 2e-5, 1), layer("high", 3e-3, 3)},
             {material("low", constant(1), constant(0)), material("thin", constant(1), constant(0)),
              material("high", constant(permittivity), constant(0))},
             sine(1), 6e-3, 6);
  s.mesh.order = 2;
  s.mesh.refine = refine;
  s.linear.form = form;
  s.linear.amg.single_precision = false;
  Problem p = make_problem(s);
  for (auto& x : p.mesh.nodes) {
    const double above = std::min(std::max((x[2] - 3e-3) / 2e-5, 0.0), 1.0);
    x[0] += 5e-4 * above, x[1] += 5e-4 * above;
  }
  return p;
}

}  // namespace umov::eqs::test
