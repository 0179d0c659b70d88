// One march of the fields through time: the reference run of a normalised pair, or the run itself.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "fdtd/observables/monitors.hpp"
#include "fdtd/run/checkpoints.hpp"
#include "fdtd/run/divergence.hpp"
#include "fdtd/run/observer.hpp"
#include "fdtd/run/pair.hpp"
#include "fdtd/run/prepare.hpp"
#include "fdtd/run/snapshot_recorder.hpp"
#include "fdtd/run/stop.hpp"

namespace umov::fdtd {

/// What one march holds. The problem's arrays are given up once the engine has its own copy.
struct March {
  Phase phase = Phase::run;
  std::unique_ptr<Scene> own_scene;  ///< of a reference run: without its bodies
  const Scene* scene = nullptr;
  const ReferenceFields* reference = nullptr;  ///< of the run of a normalised pair
  Problem problem;
  std::optional<Monitors> monitors;
  std::unique_ptr<Engine> engine;
  std::optional<StopRule> rule;
  std::optional<DivergenceWatch> divergence;
  std::optional<SnapshotRecorder> snapshots;  ///< of the run itself
  std::string cut;                            ///< how several ranks share the grid
  double seconds = 0;                         ///< spent on time steps
  StepTimes times;                            ///< what these went for
  std::string stop_reason;
  bool converged = true;
  bool ended = false;  ///< by a criterion
};

/// Builds the problems of all phases and forgets them: for what they refuse, warn and note.
void rehearse(const Prepared&, Journal&);

/// Builds the problem of a phase and its engine. Throws BadInput, MachineFailure.
March start_march(const Prepared&, Phase, Journal&);

/// Takes the steps to the end, from the checkpoint's step where one is resumed; side by side with the other
/// one of a pair not further than to where that wants to join. Throws Interrupted when the observer asks for
/// an end, Diverged when the fields grow without bound.
void march_to_end(March&, const Prepared&, Checkpoints&, Journal&, const Pair* = nullptr);

/// Where a march is.
StepReport where(const March&, const Prepared&);
/// Tells the observer; true when it wants to stop.
bool asked_to_stop(const StepReport&, const Journal&);

}  // namespace umov::fdtd
