// The one door to time-harmonic cells: a simulation in, its outcome out.
#pragma once

#include <functional>

#include "comm/communicator.hpp"
#include "harmonic/cell.hpp"
#include "harmonic/engine.hpp"
#include "harmonic/media.hpp"
#include "harmonic/outcome.hpp"
#include "harmonic/run/observer.hpp"
#include "harmonic/run/sweep_state.hpp"
#include "run/ledger.hpp"

namespace umov::harmonic {

/// The cell on its grid: interfaces, textures, cells along the axes. Throws BadInput.
LayeredCell make_cell(const Simulation&, const Media&);

/// A cut on the grid: the node it takes along its third axis, and where that is (um).
struct PlacedCut {
  CutPlane plane = CutPlane::xz;
  int index = 0;
  double at = 0;
};
/// Throws BadInput for one that lies outside what is shown, the planes [begin, end).
std::vector<PlacedCut> place_cuts(const Simulation&, const LayeredCell&, int begin, int end);

/// What a run would compute, without computing it.
struct Plan {
  LayeredCell cell;
  int top = 0, planes = 0;  ///< what is shown
  std::vector<PlacedCut> cuts;
  MemoryNeed memory;
  EngineRequest request;     ///< its backend is never "auto"
  std::vector<int> devices;  ///< numbers of those that rows go to
  std::vector<std::string> warnings, notes;
};
Plan plan(const Simulation&, const run::Machine& = {});

/// Throws BadInput when this machine has less memory than the plan takes, once for each of its ranks; what a
/// GPU has is its engine's to say.
void require_memory(const Plan&, const run::Machine&);

/// How a caller follows, ends and continues the rows of a run.
struct Sweep : run::Control {
  /// Where finished rows are kept; empty: nowhere. With `resume` those there are taken over.
  std::string state_file;
  bool resume = false;
  std::string settings;      ///< of all rows alike, as text: what tells this case from another
  std::string how_to_go_on;  ///< for the message of an interruption
  /// Numbers of devices, one worker each (the same one twice has two); empty: as planned. Beyond one, the
  /// functions here and the observer's are called from other threads, one at a time.
  std::vector<int> devices;
  /// A run that ends before its last row leaves what it has here first.
  std::function<void(const Outcome&)> stopped;
  /// What is computed is known, and nothing of it yet: the outcome without rows.
  std::function<void(const Plan&, const Outcome&)> begun;
  /// Each row as it is finished, and at once those that are taken over; one at a time.
  std::function<void(const FinishedRow&)> row;
  /// Fields of the wavelengths of `fields_at`.
  std::function<void(const SolvedFields&)> fields;
};

/// Computes every incidence, wavelength and polarization. Writes nothing but the state. Throws BadInput,
/// MachineFailure, Interrupted.
Outcome run(const Simulation&, const run::Machine& = {}, const RunObserver& = {}, const Sweep& = {});

/// The same on several ranks, each called with what it computes with: rows go to whoever is free. Only rank 0
/// has the state and gives the outcome; the others use `stop` and `fields` of their sweep; those
/// that are processes throw Interrupted where the run was stopped.
Outcome run(const Simulation&, const run::Machine&, const RunObserver&, const Sweep&, comm::Communicator&);

}  // namespace umov::harmonic
