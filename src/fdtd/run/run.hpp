// The one door to the time domain: a simulation in, its outcome out.
#pragma once

#include <functional>
#include <string>

#include "comm/communicator.hpp"
#include "fdtd/outcome.hpp"
#include "fdtd/run/observer.hpp"
#include "fdtd/run/rank_shares.hpp"

namespace umov::fdtd {

/// Fields that grew without bound; the message says when and the likely cause.
struct Diverged : Error {
  explicit Diverged(const std::string& message) : Error(Exit::not_converged, message) {}
};

/// Runs a case in the time domain: pictures, scene, grid, validation, the reference run of a normalised pair,
/// the run itself, observables. With an `output_dir` it writes checkpoints there and nothing else; with
/// `checkpoint.resume` it continues from that file. Throws BadInput, MachineFailure, Interrupted, Diverged.
Outcome run(const Simulation&, const Machine& = {}, const RunObserver& = {});

/// The same on several ranks, called on each of them. Rank 0 has the outcome, and so have the others, but for
/// what describes the ranks, and but for the results on those that took the reference run of a pair to its
/// end while the others took the run.
Outcome run(const Simulation&, const Machine&, const RunObserver&, comm::Communicator&);

/// What a run would need and do, without running it.
struct Plan {
  Outcome outcome;                ///< simulation, grid, warnings, notes
  std::string stop;               ///< when the run will end, in words
  long limit = 0;                 ///< the last step there can be
  bool fixed = true;              ///< the limit will be reached
  std::size_t bytes = 0;          ///< estimate of the memory on the device
  std::vector<RankShare> shares;  ///< of several ranks; where bodies cost more than air borders move
  std::string cut;                ///< how these share the grid
  std::string pair;               ///< what several ranks do with a normalised pair; "" = there is none
  std::string fit;                ///< lines on whether devices have room for it, and on how many it takes
};
/// `ranks`: that compute it together. `warning` hears at once of what the run would warn of: it may say why
/// the case is refused next.
Plan plan(const Simulation&, const Machine& = {}, int ranks = 1,
          const std::function<void(const std::string&)>& warning = {});

/// The file of the state in an output folder.
std::string checkpoint_file(const std::string& folder);

}  // namespace umov::fdtd
