// The integrals of the scattered field over all directions in a dipole run.
#pragma once

#include <optional>

#include "dda/observables/cross_sections.hpp"
#include "dda/run/inputs.hpp"
#include "dda/run/solve.hpp"

namespace umov::dda {

/// Where the integrals are taken, and how good those so far are.
struct Integration {
  std::optional<AllDirections> given;  ///< of a file, or ADDA's
  CheckedRule rules;                   ///< else
  bool wanted = true;                  ///< by the case; else only where the optical theorem means little
  bool converged = true;               ///< all solves so far
  double error = 0;                    ///< the largest estimate, relative to Csca
  double imbalance = 0;                ///< the largest difference of Csca from Cext - Cabs, relative to Csca
  bool balanced = false;               ///< some Cext is Cabs + Csca
  double doubt = 0;  ///< the largest bound of the error of a Cext by the optical theorem, relative to it

  std::size_t directions() const {
    return given ? given->theta.values.size() * given->phi.values.size()
                 : rules.rule.size() + rules.check.size();
  }
};

/// Over the directions that were given, or as many as the particle's size asks for.
Integration make_integration(const Prepared&, const Angles&);

/// What Integration::given or its rules give for a solution.
ScatteringIntegrals integrate(const Prepared&, const Solution&, const CrossSections&, Integration&);

/// Puts the integrals that the case wants among the cross sections, with their error.
void set_integrals(const ScatteringIntegrals&, CrossSections&);
/// The same of an average over orientations, whose integrals are as good as the worst of them.
void set_average_error(const Integration&, CrossSections&);

/// Once per run: an average over orientations has many integrals.
void warn_of_integrals(const Prepared&, const Integration&, run::Journal&);

}  // namespace umov::dda
