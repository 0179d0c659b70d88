// What computes a dipole case, beside what it is.
#pragma once

#include <string>

#include "dda/choices.hpp"
#include "run/machine.hpp"

namespace umov::dda {

/// That of all families, and which states of the solver are saved where.
struct Machine : run::Machine {
  CheckpointKind checkpoint_kind = CheckpointKind::none;
  std::string checkpoint_dir;  ///< of the states; "": the output folder
};

}  // namespace umov::dda
