// Runs a test's body on several ranks.
#pragma once

#include <functional>

#include "comm/in_process.hpp"
#include "comm/world.hpp"

namespace umov::comm {

/// On 1 to 4 ranks in process, and on the communicator of one rank; under mpirun on its ranks.
inline void on_ranks(const std::function<void(Communicator&)>& body) {
  if (World* started = world()) return body(*started);
  const auto alone = one_rank();
  body(*alone);
  for (int ranks = 1; ranks <= 4; ++ranks) run_in_process(ranks, body);
}

}  // namespace umov::comm
