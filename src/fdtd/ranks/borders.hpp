// Who exchanges what: the copied rows of all ranks, by the arrays that change with time.
#pragma once

#include "fdtd/border.hpp"
#include "fdtd/ranks/row_runs.hpp"
#include "fdtd/ranks/slab.hpp"

namespace umov::fdtd::ranks {

/// What rank `r` of blocks.size() sends and receives at each exchange. `whole`: the problem's arrays, `own`:
/// those of rank r's part. Rank numbers are those of ranks that have planes. An array comes once for each
/// stretch of rows that lie one behind another on both sides: what it has of a field is one piece of memory
/// here and there.
std::vector<BorderMessage> border_messages(const Problem&, const std::vector<Block>& blocks, int r,
                                           const std::vector<RowArray>& whole,
                                           const std::vector<RowArray>& own);

}  // namespace umov::fdtd::ranks
