// What cross sections cannot be, against what the solver leaves open.
#include "dda/observables/unphysical.hpp"

#include <algorithm>
#include <cmath>

namespace umov::dda {

namespace {

bool amplifies(const Simulation& sim) {
  return std::any_of(sim.m.begin(), sim.m.end(), [](const CVec3& axes) {
    return std::any_of(axes.begin(), axes.end(), [](cplx m) { return (m * m).imag() < 0; });
  });
}

/// Their radiative reaction is missing, so that Cext - Cabs is not Csca.
bool is_static(Polarizability pol) {
  return pol == Polarizability::cm || pol == Polarizability::nloc || pol == Polarizability::nloc_av;
}

}  // namespace

std::string unphysical(const Simulation& sim, const PolarizationResult& p) {
  const CrossSections& c = p.cross;
  // a dipole's power is not that of a wave, which cross sections are relative to
  if (!p.finite() || amplifies(sim) || sim.beam.kind == BeamKind::dipole) return {};
  const double residual = std::max(sim.solver.epsilon, p.solve.residual);
  const double size = std::max(std::abs(c.cext), std::abs(c.cabs));
  const double error = std::max(c.difference_error, 10 * residual * size);
  std::string list;
  if (c.cabs < -10 * residual * size) list = "Cabs < 0";
  if (!is_static(sim.polarizability) && c.csca_difference() < -error)
    list += list.empty() ? "Cabs > Cext" : ", Cabs > Cext";
  return list;
}

}  // namespace umov::dda
