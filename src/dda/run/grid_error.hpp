// What a single grid is expected to be off by, where that is much: laws fitted to spheres of metals and of
// high refractive index.
#pragma once

#include "dda/run/prepare.hpp"

namespace umov::dda {

/// Relative error expected of Cabs of a metal (Re m^2 <= 0; else 0) with a surface made of steps, which
/// absorb where the metal itself would screen the field. `depth`: volume over surface, in dipoles; `kd`: size
/// of a dipole times the wavenumber. 95 of 100 spheres had at most twice as much (docs/guide/dda.md).
double metal_error(cplx m, double kd, double depth);

/// Relative error expected of Cext and Csca of a particle with resonances (Re m above 1.6, little
/// absorption) of size parameter x: its lattice has them elsewhere. Of the lattice dispersion relation and
/// its like; the filtered dipoles have a fifth.
double resonance_error(cplx m, double kd, double x);

/// Warns of errors of a tenth and more.
void warn_of_grid(const Prepared&, front::Journal&);

}  // namespace umov::dda
