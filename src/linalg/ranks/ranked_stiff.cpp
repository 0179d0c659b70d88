// Which rows are stiff, across ranks.
#include "linalg/ranks/ranked_stiff.hpp"

#include <array>

namespace umov::ranks {

StiffRows choose_stiff(comm::Communicator& comm, const std::vector<int>& stiff,
                       const RankedColumns& columns) {
  StiffRows out;
  for (std::size_t i = 0; i < stiff.size(); ++i)
    if (stiff[i]) out.row.push_back(int(i));
  index_t everywhere = 0, all = 0;
  for (const auto& c :
       comm::all_gather(comm, std::array<index_t, 2>{index_t(out.row.size()), index_t(stiff.size())}))
    everywhere += c[0], all += c[1];
  if (double(everywhere) < amg::fewest_stiff * double(all) ||
      double(everywhere) > amg::most_stiff * double(all))
    return {};
  out.everywhere = everywhere;
  static_cast<RankedColumns&>(out.all) = columns;
  out.all.rows.rows = int(out.row.size()), out.all.rows.columns = columns.columns();
  std::vector<int> number(stiff.size(), -1);
  for (std::size_t s = 0; s < out.row.size(); ++s) number[std::size_t(out.row[s])] = int(s);
  out.among.own_columns = out.among.rows.rows = out.all.rows.rows;
  const auto theirs = at_ghosts(comm, out.all.neighbours, number);
  for (const int v : number) out.stiff_column.push_back(v >= 0);
  for (std::size_t g = 0; g < theirs.size(); ++g) {
    out.stiff_column.push_back(theirs[g] >= 0);
    if (theirs[g] >= 0) out.among.ghosts.push_back({out.all.ghosts[g].rank, theirs[g]});
  }
  out.among.rows.columns = out.among.own_columns + int(out.among.ghosts.size());
  return out;
}

void find_among(comm::Communicator& comm, StiffRows& s) {
  const auto& whole = s.all.rows;
  auto& among = s.among.rows;
  std::vector<int> number;  // of a stiff column
  for (int next = 0; const char stiff : s.stiff_column) number.push_back(stiff ? next++ : -1);
  among.start.assign(1, 0);
  for (int r = 0; r < whole.rows; ++r) {
    for (int k = whole.start[r]; k < whole.start[r + 1]; ++k)
      if (const int c = number[std::size_t(whole.column[k])]; c >= 0)
        among.column.push_back(c), s.among_place.push_back(k);
    among.start.push_back(int(among.column.size()));
  }
  s.among.neighbours = find_neighbours(comm, s.among.ghosts);
}

}  // namespace umov::ranks
