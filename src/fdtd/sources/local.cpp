// The response of a cell's update equation to a harmonic field.
#include "fdtd/sources/local.hpp"

#include <algorithm>
#include <limits>

namespace umov::fdtd {
namespace {

/// What a pole adds to the right-hand side of the update of E, as a factor of E; z = exp(-i w dt). From the
/// recurrences of PoleTerm with all fields proportional to z^n.
cplx pole_feedback(const PoleTerm& t, cplx z, double dt) {
  if (t.debye) return t.gain * t.b * (1.0 + 1.0 / z) / (1.0 - t.a / z);
  return -t.gain * t.b / (1.0 - t.a / z + t.c * dt / (z - 1.0));
}

}  // namespace

cplx discrete_medium(const Problem& p, Component c, index_t cell, double w) {
  const Coefficients& k = coefficients_at(p, c, cell);
  if (k.drive == 0) return std::numeric_limits<double>::infinity();
  const cplx z = std::polar(1.0, -w * p.grid.dt);
  cplx balance = z - k.decay;
  for (const auto& group : p.dispersive)
    if (group.component == c && std::binary_search(group.cells.begin(), group.cells.end(), cell))
      for (const auto& pole : group.poles) balance -= pole_feedback(pole, z, p.grid.dt);
  // In vacuum balance z^(-1/2) = -2 i sin(w dt/2) and drive = dt / dx.
  const cplx free = cplx(0, -2 * std::sin(w * p.grid.dt / 2)) * p.grid.dx / p.grid.dt;
  return balance * std::polar(1.0, w * p.grid.dt / 2) / k.drive / free;
}

}  // namespace umov::fdtd
