// The integrals of the scattered field over all directions in a dipole run.
#pragma once

#include "dda/observables/cross_sections.hpp"
#include "dda/run/inputs.hpp"
#include "dda/run/solve.hpp"

namespace umov::dda {

/// Where the integrals are taken, and how good those so far are.
struct Integration {
  AllDirections directions;
  bool wanted = true;     ///< by the case; else only where the optical theorem means little
  int refinements = 0;    ///< of the built-in directions
  bool converged = true;  ///< all solves so far
  double error = 0;       ///< the largest estimate, relative to Csca
  double imbalance = 0;   ///< the largest difference of Csca from Cext - Cabs, relative to Csca
  bool balanced = false;  ///< some Cext is Cabs + Csca
  double doubt = 0;       ///< the largest bound of the error of a Cext by the optical theorem, relative to it
};

/// Over the directions of the case, or over few that are refined where they do not suffice.
Integration make_integration(const Angles&);

/// Integrates over the directions, which are refined where they are the built-in ones and too few.
ScatteringIntegrals integrate(const Prepared&, const Solution&, const CrossSections&, Integration&);

/// Once per run: an average over orientations has many integrals.
void warn_of_integrals(const Prepared&, const Integration&, front::Journal&);

}  // namespace umov::dda
