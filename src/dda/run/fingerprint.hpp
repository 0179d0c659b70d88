// The numbers two runs must have in common so that one can continue from the other's checkpoint.
#pragma once

#include <vector>

#include "dda/observables/frame.hpp"
#include "dda/scheme/frames.hpp"
#include "dda/simulation.hpp"

namespace umov::dda {

/// Particle, materials, formulation and incident wave of one polarization ('Y' or 'X') as numbers: equal
/// lists mean the same linear system.
std::vector<double> fingerprint(const Simulation&, const shapes::Particle&, const IncidentFrame&, char label);

}  // namespace umov::dda
