// Who exchanges what: the copied planes of all ranks, by the arrays that change with time.
#pragma once

#include "fdtd/border.hpp"
#include "fdtd/ranks/plane_runs.hpp"
#include "fdtd/ranks/slab.hpp"

namespace umov::fdtd::ranks {

/// What rank `r` of slabs.size() sends and receives at each exchange. `whole`: the problem's arrays, `own`:
/// those of rank r's part. Rank numbers are those of ranks that have planes. An array comes once for each
/// stretch of planes that lie one behind another on both sides: what it has of a field is one piece of memory
/// here and there.
std::vector<BorderMessage> border_messages(const Problem&, const std::vector<Slab>& slabs, int r,
                                           const std::vector<PlaneArray>& whole,
                                           const std::vector<PlaneArray>& own);

}  // namespace umov::fdtd::ranks
