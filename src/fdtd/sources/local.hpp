// A problem at one cell: its coefficients, its response at a frequency, and whether a node is computed.
#pragma once

#include "fdtd/problem.hpp"
#include "fdtd/ranges.hpp"

namespace umov::fdtd {

/// Coefficients of a component at a layout index.
inline const Coefficients& coefficients_at(const Problem& p, Component c, index_t cell) {
  const auto& map = p.material[c];
  return p.coefficients[map.empty() ? p.uniform[c] : map[cell]];
}

/// First and last index along an axis at which the engine computes a component.
inline std::array<int, 2> computed_range(const Problem& p, Component c, int axis) {
  const Box box = update_box(p, c);
  return {box.lo[axis], box.hi[axis] - 1};
}

/// Relative permittivity (permeability for H) that the update of a component has at angular frequency w:
/// curl = -i Omega value field with Omega = (2/dt) sin(w dt/2). Conductivity and poles included, with the
/// time step's own error. Infinity inside perfect conductors.
cplx discrete_medium(const Problem&, Component, index_t cell, double w);

/// What of a pole's polarization is known before the new E, for a field of 1; z = exp(-i w dt).
cplx known_polarization(const PoleTerm&, cplx z, double dt);

/// Whether the surface of a body with poles or a conductivity cuts the cell around an edge (CutMedia).
bool is_cut(const Problem&, Component, index_t cell);

}  // namespace umov::fdtd
