// Rows of several ranks become those of one.
#include "linalg/ranks/fewer.hpp"

#include <algorithm>

namespace umov::ranks {

RankedCsr put_together(const MovedRows& moved, int rank, int step, std::vector<int>& place) {
  const int ranks = int(moved.rows.size());
  // where the rows of each rank begin on the one that takes them
  std::vector<int> first(std::size_t(ranks), 0);
  for (int r = 0; r < ranks; ++r)
    if (r % step) first[std::size_t(r)] = first[std::size_t(r) - 1] + int(moved.rows[std::size_t(r) - 1]);
  const auto there = [&](const Owned& c) {
    return Owned{c.rank / step, first[std::size_t(c.rank)] + c.index};
  };
  RankedCsr out;
  const int me = rank / step;
  out.own_columns = int(moved.length.size());
  for (const auto& c : moved.column)
    if (const Owned to = there(c); to.rank != me) out.ghosts.push_back(to);
  sort_unique(out.ghosts);
  const Numbering number{me, out.own_columns, out.ghosts};
  auto& rows = out.rows;
  rows.rows = out.own_columns, rows.columns = out.columns();
  rows.start.assign(1, 0);
  place.clear();
  std::vector<std::pair<int, int>> row;  // column, place
  int next = 0;
  for (const int length : moved.length) {
    row.clear();
    for (int k = 0; k < length; ++k, ++next)
      row.push_back({number(there(moved.column[std::size_t(next)])), next});
    std::sort(row.begin(), row.end());
    for (const auto& [column, from] : row) rows.column.push_back(column), place.push_back(from);
    rows.start.push_back(int(rows.column.size()));
  }
  return out;
}

}  // namespace umov::ranks
