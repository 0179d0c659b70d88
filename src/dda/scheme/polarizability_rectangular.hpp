// Polarizability of rectangular dipoles.
#pragma once

#include "dda/simulation.hpp"

namespace umov::dda {

/// Diagonal polarizability (um^3) of a rectangular dipole of refractive index m: CM and CLDR by
/// Gutkowicz-Krusin and Draine 2004 (arXiv:astro-ph/0403082), IGT_SO by Massa et al. 2013 (New J. Phys. 15,
/// 063013). `proportions` are the relative edges, `prop` the unit propagation vector (particle frame).
/// Throws BadInput when CM or CLDR is asked for proportions that paper does not tabulate.
CVec3 rectangular_polarizability(Polarizability, cplx m, const Vec3& spacing_um, const Vec3& proportions,
                                 double wavenumber, const Vec3& prop);

}  // namespace umov::dda
