// Long rows in chunks, and the elements at electrodes.
#include "eqs/solve/row_sum_plan.hpp"

#include <algorithm>
#include <utility>

#include "eqs/model/indices_where.hpp"

namespace umov::eqs {

namespace {
constexpr int long_row = 1024, chunk_size = 32;

/// Chunks that stand for a row; 0: it is short and stands for itself.
int chunks_of(int places) { return places <= long_row ? 0 : (places + chunk_size - 1) / chunk_size; }

}  // namespace

RowSumPlan make_row_sum_plan(IncidenceOf<int> all) {
  RowSumPlan out;
  const int rows = int(all.start.size()) - 1;
  out.chunk_start.push_back(0);
  bool any = false;
#pragma omp parallel for schedule(static) reduction(|| : any)
  for (int r = 0; r < rows; ++r) any = any || chunks_of(all.start[r + 1] - all.start[r]);
  if (!any) {
    out.start = std::move(all.start), out.list = std::move(all.list);
    return out;
  }
  out.start.resize(rows + 1);
  int at = 0;
  for (int r = 0; r < rows; ++r) {
    out.start[r] = at;
    const int begin = all.start[r], end = all.start[r + 1], chunks = chunks_of(end - begin);
    at += chunks ? chunks : end - begin;
    for (int c = 0; c < chunks; ++c) {
      out.chunk_row.push_back(r);
      const int from = begin + c * chunk_size, to = std::min(end, from + chunk_size);
      out.chunk_list.insert(out.chunk_list.end(), all.list.begin() + from, all.list.begin() + to);
      out.chunk_start.push_back(int(out.chunk_list.size()));
    }
  }
  out.start[rows] = at;
  out.list.resize(at);
#pragma omp parallel for schedule(static)
  for (int r = 0; r < rows; ++r)
    if (!chunks_of(all.start[r + 1] - all.start[r]))
      std::copy(all.list.begin() + all.start[r], all.list.begin() + all.start[r + 1],
                out.list.begin() + out.start[r]);
  for (int c = 0; c < int(out.chunk_row.size()); ++c) {
    const int r = out.chunk_row[c];
    const bool first = c == 0 || out.chunk_row[c - 1] != r;
    at = first ? out.start[r] : at + 1;
    out.list[at] = -1 - c;
  }
  return out;
}

std::vector<int> elements_at_electrodes(const Problem& p) {
  const int nodes = p.order == 1 ? 4 : 10;
  return indices_where(p.own_elements(), [&](int t) {
    for (int k = 0; k < nodes; ++k) {
      const NodeFunctions n = functions(p, t, k);
      if (is_fixed(n.first) || is_fixed(n.second)) return true;
    }
    return false;
  });
}

}  // namespace umov::eqs
