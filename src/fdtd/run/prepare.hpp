// A case made ready: everything that needs no device and no arrays of the grid's size.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "comm/communicator.hpp"
#include "fdtd/grid.hpp"
#include "fdtd/machine.hpp"
#include "fdtd/run/stop.hpp"
#include "fdtd/scene.hpp"
#include "fdtd/simulation.hpp"
#include "run/journal.hpp"

namespace umov::fdtd {

struct Prepared {
  comm::Communicator* comm = nullptr;  ///< the ranks of the run
  Simulation sim;                      ///< with what pictures say, extents in numbers and the end in use
  Machine machine;
  std::unique_ptr<Scene> scene;
  Grid grid;
  StopPlan stop;
};

/// Reads pictures, makes scene and grid, plans the end, validates. What the validation found becomes notes
/// and warnings, or ends the run. Throws BadInput.
Prepared prepare(const Simulation&, const Machine&, run::Journal&, comm::Communicator&);

/// The highest of the sources' frequencies, which the permittivity that is shown is of.
double main_frequency(const Simulation&);

/// Memory that the engine will need on this grid, before the problem is built: fields, material indices and
/// absorbing layers.
std::size_t estimate_bytes(const Prepared&);
/// Whether a Bloch wall makes the fields complex.
bool complex_fields(const Prepared&);

/// Throws BadInput when the host's memory will not do for so many grids; a card is asked when it is opened.
void require_memory(const Prepared&, int grids = 1);

/// What so many grids will take of this machine's memory, on all its ranks together.
std::size_t bytes_of_machine(const Prepared&, int grids);

/// What a user should know about how far to trust a run, besides what the validation finds: walls, averaging.
std::vector<std::string> accuracy_notes(const Simulation&, const Grid&);

/// What a dispersive background costs, and what would not; empty where it has no poles.
std::string background_note(const Simulation&, const Scene&);

}  // namespace umov::fdtd
