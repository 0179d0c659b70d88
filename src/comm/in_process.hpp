// Ranks that are threads of this process.
#pragma once

#include <functional>

#include "comm/communicator.hpp"

namespace umov::comm {

/// Calls `body` on `ranks` ranks, rank 0 on the calling thread, and returns when all have ended. Where one
/// throws, the others end at their next wait for it (OtherRankFailed), and the first error is thrown here.
void run_in_process(int ranks, const std::function<void(Communicator&)>& body);

}  // namespace umov::comm
