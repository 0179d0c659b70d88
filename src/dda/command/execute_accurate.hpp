// A run to an accuracy as a command performs it: what its grids have found is kept for a run that goes on.
#pragma once

#include "dda/run/accuracy.hpp"

namespace umov::dda {

/// Name of the file of finished grids, in the folder of checkpoints.
inline constexpr const char* grids_state = "checkpoint-grids";

/// Runs with the machine's folder of checkpoints; `observer` is that of one grid. The state stays where
/// the accuracy was not reached. `comm` and what is thrown: as of run_accurate.
Outcome run_with_state(const Simulation&, const Machine&,
                       const std::function<RunObserver(int number)>& observer, comm::Communicator* comm);

}  // namespace umov::dda
