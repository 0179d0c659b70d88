// How rows gather what elements wrote: made on the host.
#pragma once

#include <vector>

#include "eqs/model/pattern.hpp"

namespace umov::eqs {

/// The lists of RowSumsView.
struct RowSumPlan {
  std::vector<int> start, list, chunk_start, chunk_list, chunk_row;
};

/// Rows of more than 1024 places are cut into chunks of 32, so that no thread adds thousands alone: 256 take
/// a GPU 0.22 ms, longer than all other rows together.
RowSumPlan make_row_sum_plan(IncidenceOf<int>);

/// Elements with a node at fixed potential; of a rank its own.
std::vector<int> elements_at_electrodes(const Problem&);

}  // namespace umov::eqs
