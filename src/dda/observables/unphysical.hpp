// Cross sections that no particle has.
#pragma once

#include <string>

#include "dda/outcome.hpp"

namespace umov::dda {

/// "Cabs < 0", "Cabs > Cext" or both, beyond what the solver left, of a particle that does not amplify the
/// light; empty where there is nothing of the kind.
std::string unphysical(const Simulation&, const PolarizationResult&);

}  // namespace umov::dda
