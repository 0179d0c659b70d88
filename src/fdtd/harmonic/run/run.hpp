// The one door to time-harmonic cells: a simulation in, its outcome out.
#pragma once

#include "fdtd/harmonic/cell.hpp"
#include "fdtd/harmonic/media.hpp"
#include "fdtd/harmonic/outcome.hpp"
#include "fdtd/harmonic/run/observer.hpp"

namespace umov::fdtd::harmonic {

/// The cell on its grid: interfaces, textures, cells along the axes. Throws BadInput.
LayeredCell make_cell(const Simulation&, const Media&);

/// What a run would compute, without computing it.
struct Plan {
  LayeredCell cell;
  MemoryNeed memory;
  EngineRequest request;  ///< its backend is never "auto"
  std::vector<std::string> warnings, notes;
};
Plan plan(const Simulation&);

/// Throws BadInput when this machine has less memory than the plan takes; what a GPU has is its engine's to
/// say.
void require_memory(const Plan&);

/// The device part of a simulation.
EngineRequest engine_request(const Simulation&);

/// Computes every wavelength and polarization. Writes nothing. Throws BadInput, MachineFailure, Interrupted.
Outcome run(const Simulation&, const RunObserver& = {});

}  // namespace umov::fdtd::harmonic
