// The machine of a case whose GPU has a number from the start.
#pragma once

#include "run/machine.hpp"

namespace umov::cases {

/// The first GPU, where there is one to use.
inline run::Machine on_first_gpu() {
  run::Machine machine;
  machine.device = 0;
  return machine;
}

}  // namespace umov::cases
