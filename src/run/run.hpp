// The one door to a computation: what every front, test and binding calls.
#pragma once

#include "dda/outcome.hpp"
#include "dda/simulation.hpp"

namespace umov::run {

/// Runs one dipole simulation and returns all that it asks for. Writes no result files.
/// Throws BadInput and MachineFailure; a solver that does not converge is reported in the outcome.
dda::Outcome run_dda(const dda::Simulation&);

}  // namespace umov::run
