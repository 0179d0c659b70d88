// Long rows in chunks, and the elements at electrodes.
#include "eqs/row_sum_plan.hpp"

#include <algorithm>

namespace umov::eqs {

namespace {
constexpr int long_row = 1024, chunk_size = 256;
}

RowSumPlan make_row_sum_plan(const Incidence& all) {
  RowSumPlan out;
  const int rows = int(all.start.size()) - 1;
  out.start.reserve(rows + 1);
  out.list.reserve(all.list.size());
  out.start.push_back(0);
  out.chunk_start.push_back(0);
  for (int r = 0; r < rows; ++r) {
    const int begin = all.start[r], end = all.start[r + 1];
    if (end - begin <= long_row) {
      for (int k = begin; k < end; ++k) out.list.push_back(int(all.list[k]));
    } else {
      for (int k = begin; k < end; k += chunk_size) {
        out.list.push_back(-1 - int(out.chunk_row.size()));
        out.chunk_row.push_back(r);
        for (int j = k; j < std::min(end, k + chunk_size); ++j) out.chunk_list.push_back(int(all.list[j]));
        out.chunk_start.push_back(int(out.chunk_list.size()));
      }
    }
    out.start.push_back(int(out.list.size()));
  }
  return out;
}

std::vector<int> elements_at_electrodes(const Problem& p) {
  const int nodes = p.order == 1 ? 4 : 10;
  std::vector<int> list;
  for (std::size_t t = 0; t < p.mesh.tets.size(); ++t)
    for (int k = 0; k < nodes; ++k) {
      const NodeFunctions n = functions(p, int(t), k);
      if (!is_fixed(n.first) && !is_fixed(n.second)) continue;
      list.push_back(int(t));
      break;
    }
  return list;
}

}  // namespace umov::eqs
