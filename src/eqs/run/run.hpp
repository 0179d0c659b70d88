// The one door to the electroquasistatic family: a simulation in, its outcome out.
#pragma once

#include <string>

#include "comm/communicator.hpp"
#include "eqs/frame_sink.hpp"
#include "eqs/outcome.hpp"
#include "eqs/run/observer.hpp"

namespace umov::eqs {

/// Runs a case: mesh, model, engine, then the static or harmonic solution or the steps in time, with what is
/// wanted along lines, on surfaces and at points. Frames go to `frames`, which may be nullptr. With an
/// `output_dir` it writes checkpoints there and nothing else; with `checkpoint.resume` it continues from that
/// file. Throws BadInput, MachineFailure, Interrupted. A run that does not converge ends early, with
/// `converged` false.
Outcome run(const Simulation&, const run::Machine& = {}, const RunObserver& = {},
            FrameSink* frames = nullptr);
/// The same on several ranks, each of which calls it with its own machine; rank 0's outcome counts, the
/// observer and the frames are rank 0's. Throws BadInput also for what several ranks do not compute.
Outcome run(comm::Communicator&, const Simulation&, const run::Machine& = {}, const RunObserver& = {},
            FrameSink* frames = nullptr);

/// What a run would need, without running it: the outcome has the model and the warnings.
struct Plan {
  Outcome outcome;
  std::size_t device_bytes = 0, host_bytes = 0;  ///< estimates
  std::vector<double> saved_times;
  /// Several ranks: how many, and of the fullest one.
  int ranks = 1, rank_unknowns = 0;
  std::size_t rank_elements = 0, rank_bytes = 0;
  std::string fit;  ///< whether it fits a device, how many ranks it takes; lines after "# "
};
/// `stage` hears what is begun, as Observer::stage.
Plan plan(const Simulation&, const run::Machine& = {},
          const std::function<void(const std::string&)>& stage = {});

/// The file of the state in an output folder.
std::string checkpoint_file(const std::string& folder);

}  // namespace umov::eqs
