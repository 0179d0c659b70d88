// Runs a test's body on several ranks.
#pragma once

#include <functional>

#include "comm/in_process.hpp"

namespace umov::comm {

/// On 1 to 4 ranks in process, and on the communicator of one rank.
inline void on_ranks(const std::function<void(Communicator&)>& body) {
  const auto alone = one_rank();
  body(*alone);
  for (int ranks = 1; ranks <= 4; ++ranks) run_in_process(ranks, body);
}

}  // namespace umov::comm
