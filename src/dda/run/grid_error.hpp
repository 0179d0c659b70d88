// What a single grid is expected to be off by, where that is much: laws fitted to spheres of metals and of
// high refractive index (docs/theory/dda.md, "How far to trust the answer").
#pragma once

#include "dda/run/prepare.hpp"

namespace umov::dda {

/// Relative error expected of Cabs with a surface made of steps, in which the field is not screened as under
/// a smooth one. `depth`: volume over surface, in dipoles; `kd`: size of a dipole times the wavenumber;
/// `filtered`: of dipoles with the polarizability fcd.
double surface_error(cplx m, double kd, double depth, bool filtered = false);

/// The same of the lattice of point dipoles, which has resonances of its own at Re m^2 above 11.8.
double lattice_error(cplx m, double depth);

/// Relative error expected of Cext and Csca of a particle with resonances (Re m above 1.6, little
/// absorption) of size parameter x: its grid has them elsewhere. `dispersion`: the part that is due to waves
/// of the lattice, relative to the lattice dispersion relation.
double resonance_error(cplx m, double kd, double x, double dispersion = 1);

/// Volume over surface of a material, in dipoles, and how much of the surface is steps: 1 for a sphere. A
/// shell that `screens` is taken with what it encloses, as the whole does, others with both of their
/// surfaces.
struct Surface {
  double depth = 0;
  double roughness = 0;
};
Surface surface_of(const shapes::Particle&, int material, bool screens = true);

/// Warns of errors of a tenth and more.
void warn_of_grid(const Prepared&, run::Journal&);

}  // namespace umov::dda
