// Which rows are stiff, across ranks.
#include "linalg/ranks/ranked_stiff.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace umov::ranks {

namespace {

std::vector<double> diagonal_with_ghosts(comm::Communicator& comm, const RankedCsr& a) {
  std::vector<double> d(std::size_t(a.rows.rows), 0.0);
  for (int i = 0; i < a.rows.rows; ++i)
    for (int k = a.rows.start[i]; k < a.rows.start[i + 1]; ++k)
      if (a.rows.column[k] == i) d[std::size_t(i)] = a.rows.value[k];
  const auto more = at_ghosts(comm, a.neighbours, d);
  d.insert(d.end(), more.begin(), more.end());
  return d;
}

}  // namespace

StiffRows choose_stiff(comm::Communicator& comm, const std::vector<int>& stiff, RankedCsr columns) {
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
  out.all = std::move(columns);
  out.all.rows.rows = int(out.row.size());
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
      if (const int c = number[std::size_t(whole.column[k])]; c >= 0) among.column.push_back(c);
    among.start.push_back(int(among.column.size()));
  }
  among.value.resize(among.column.size());
  s.among.neighbours = find_neighbours(comm, s.among.ghosts);
}

void refill_among(StiffRows& s) {
  const auto& whole = s.all.rows;
  auto& among = s.among.rows;
  for (int r = 0; r < whole.rows; ++r)
    for (int k = whole.start[r], to = among.start[r]; k < whole.start[r + 1]; ++k)
      if (s.stiff_column[std::size_t(whole.column[k])]) among.value[std::size_t(to++)] = whole.value[k];
}

StiffRows find_stiff(comm::Communicator& comm, const RankedCsr& a, double coupling) {
  const int n = a.rows.rows;
  const auto diagonal = diagonal_with_ghosts(comm, a);
  const int longest = int(std::max<index_t>(500, 10 * index_t(a.rows.column.size()) / std::max(1, n)));
  const amg::MatrixRows<double> rows{amg::make_strength(a.rows.view(), diagonal.data(), coupling), longest};
  std::vector<int> stiff(std::size_t(n), 0);
  for (int i = 0; i < n; ++i) stiff[std::size_t(i)] = rows.stiff(i);
  RankedCsr columns;
  columns.own_columns = a.own_columns, columns.ghosts = a.ghosts, columns.neighbours = a.neighbours;
  columns.rows.columns = a.rows.columns;
  StiffRows out = choose_stiff(comm, stiff, std::move(columns));
  if (out.everywhere == 0) return out;
  auto& whole = out.all.rows;
  whole.start.push_back(0);
  for (const int i : out.row) {
    whole.column.insert(whole.column.end(), a.rows.column.begin() + a.rows.start[i],
                        a.rows.column.begin() + a.rows.start[i + 1]);
    whole.start.push_back(int(whole.column.size()));
  }
  whole.value.resize(whole.column.size());
  find_among(comm, out);
  refill_stiff(a, out);
  return out;
}

void refill_stiff(const RankedCsr& a, StiffRows& s) {
  for (std::size_t r = 0; r < s.row.size(); ++r) {
    const int i = s.row[r];
    std::copy(a.rows.value.begin() + a.rows.start[i], a.rows.value.begin() + a.rows.start[i + 1],
              s.all.rows.value.begin() + s.all.rows.start[r]);
  }
  refill_among(s);
}

}  // namespace umov::ranks
