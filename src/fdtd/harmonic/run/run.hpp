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
  double bytes = 0;
  std::vector<std::string> warnings, notes;
};
Plan plan(const Simulation&);

/// Computes every wavelength and polarization. Writes nothing. Throws BadInput, MachineFailure, Interrupted.
Outcome run(const Simulation&, const RunObserver& = {});

}  // namespace umov::fdtd::harmonic
