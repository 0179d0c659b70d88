// The one door: a simulation in, its outcome out. Commands, tests and bindings all come through here.
#pragma once

#include <vector>

#include "backend/early_start.hpp"
#include "comm/communicator.hpp"
#include "dda/outcome.hpp"
#include "dda/run/observer.hpp"

namespace umov::dda {

class KeptEngine;
class Neighbours;

/// Runs the discrete dipole approximation: particle, both incident polarizations, observables.
/// Writes nothing but checkpoints. Throws BadInput, MachineFailure, Interrupted. `neighbours` holds solutions
/// of cases before, to start from, and is given this one's; `kept` the engine of the case before, which is
/// used where it is loaded with what this one needs. `comm`: of ranks that share the particle, each of which
/// calls this and gets the whole outcome, but for fields per dipole, which only the first one has.
Outcome run(const Simulation&, const Machine& = {}, const RunObserver& = {}, Neighbours* neighbours = nullptr,
            comm::Communicator* comm = nullptr, KeptEngine* kept = nullptr);

/// The same for cases of one particle and wavelength in several directions of incidence, in blocks of
/// right-hand sides. Solved, saved and continued as the first says; each observer hears of its own case, the
/// first's of the solves.
std::vector<Outcome> run_together(const std::vector<Simulation>&, const Machine&,
                                  const std::vector<RunObserver>&);

/// Which of `others`, cases that differ from `first` in the direction of incidence alone, share a block with
/// it: those of its polarizability, as many as the block that it asks for has room for. `first` is the first
/// of them. Throws as `plan` does.
std::vector<std::size_t> choose_mates(const std::vector<Simulation>& cases, const Machine&, std::size_t first,
                                      const std::vector<std::size_t>& others);

/// Its GPU made ready in the background, if it may want one; a run does this itself, its caller can earlier.
backend::EarlyStart early_start(const Simulation&, const Machine&);

/// What a run would need, without running it: particle, grid of the transforms, memory; of the fullest of so
/// many ranks (0: as many as the case is to run on).
Outcome plan(const Simulation&, const Machine& = {}, int ranks = 0);

/// Throws BadInput when what was planned needs more memory than this machine has left.
void require_memory(const Outcome& plan);

}  // namespace umov::dda
