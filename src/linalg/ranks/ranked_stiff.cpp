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

StiffRows find_stiff(comm::Communicator& comm, const RankedCsr& a, double coupling) {
  const int n = a.rows.rows;
  const auto diagonal = diagonal_with_ghosts(comm, a);
  const int longest = int(std::max<index_t>(500, 10 * index_t(a.rows.column.size()) / std::max(1, n)));
  const amg::MatrixRows<double> rows{amg::make_strength(a.rows.view(), diagonal.data(), coupling), longest};
  StiffRows out;
  std::vector<int> number(std::size_t(n), -1);
  for (int i = 0; i < n; ++i)
    if (rows.stiff(i)) number[std::size_t(i)] = int(out.row.size()), out.row.push_back(i);
  index_t everywhere = 0, all = 0;
  for (const auto& c : comm::all_gather(comm, std::array<index_t, 2>{index_t(out.row.size()), n}))
    everywhere += c[0], all += c[1];
  if (double(everywhere) < amg::fewest_stiff * double(all) ||
      double(everywhere) > amg::most_stiff * double(all))
    return {};
  out.everywhere = everywhere;

  out.all.own_columns = a.own_columns;
  out.all.ghosts = a.ghosts;
  out.all.neighbours = a.neighbours;
  auto& whole = out.all.rows;
  auto& among = out.among.rows;
  whole.rows = among.rows = int(out.row.size());
  whole.columns = a.rows.columns;
  out.among.own_columns = among.rows;
  const auto theirs = at_ghosts(comm, a.neighbours, number);
  for (std::size_t g = 0; g < theirs.size(); ++g) {
    number.push_back(theirs[g] < 0 ? -1 : among.rows + int(out.among.ghosts.size()));
    if (theirs[g] >= 0) out.among.ghosts.push_back({a.ghosts[g].rank, theirs[g]});
  }
  for (const int v : number) out.stiff_column.push_back(v >= 0);
  among.columns = among.rows + int(out.among.ghosts.size());
  whole.start.push_back(0), among.start.push_back(0);
  for (const int i : out.row) {
    for (int k = a.rows.start[i]; k < a.rows.start[i + 1]; ++k) {
      const int c = a.rows.column[k];
      whole.column.push_back(c);
      if (number[std::size_t(c)] >= 0) among.column.push_back(number[std::size_t(c)]);
    }
    whole.start.push_back(int(whole.column.size()));
    among.start.push_back(int(among.column.size()));
  }
  whole.value.resize(whole.column.size());
  among.value.resize(among.column.size());
  out.among.neighbours = find_neighbours(comm, out.among.ghosts);
  refill_stiff(a, out);
  return out;
}

void refill_stiff(const RankedCsr& a, StiffRows& s) {
  for (std::size_t r = 0; r < s.row.size(); ++r) {
    const int i = s.row[r];
    const auto& whole = s.all.rows;
    auto& among = s.among.rows;
    std::copy(a.rows.value.begin() + a.rows.start[i], a.rows.value.begin() + a.rows.start[i + 1],
              s.all.rows.value.begin() + whole.start[r]);
    // the columns that are left, in the order of all
    int to = among.start[r];
    for (int k = whole.start[r]; k < whole.start[r + 1] && to < among.start[r + 1]; ++k)
      if (s.stiff_column[std::size_t(whole.column[std::size_t(k)])])
        among.value[std::size_t(to++)] = whole.value[std::size_t(k)];
  }
}

}  // namespace umov::ranks
