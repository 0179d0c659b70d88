// What computes a dipole case, beside what it is.
#pragma once

#include <string>

#include "dda/choices.hpp"
#include "run/machine.hpp"

namespace umov::dda {

/// That of all families; what ranks share, how a GPU is used, and which states of the solver are saved where.
struct Machine : run::Machine {
  RankSplit split = RankSplit::automatic;
  bool tensor_on_host = false;  ///< keep the interaction tensor in host memory and stream it
  bool blocking_sync = false;   ///< a host thread that waits for the GPU sleeps
  CheckpointKind checkpoint_kind = CheckpointKind::none;
  std::string checkpoint_dir;  ///< of the states; "": the output folder
};

}  // namespace umov::dda
