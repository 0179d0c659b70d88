// Rows of a sparse matrix that lie with several ranks: who exchanges what, and a whole matrix cut.
#include "linalg/ranks/ranked_csr.hpp"

#include <algorithm>
#include <utility>

#include "core/large_memory.hpp"

namespace umov::ranks {

namespace {

/// Columns of one row in ascending order, their values with them.
void sort_row(int* column, double* value, int n) {
  for (int k = 1; k < n; ++k)
    for (int l = k; l > 0 && column[l - 1] > column[l]; --l) {
      std::swap(column[l - 1], column[l]);
      std::swap(value[l - 1], value[l]);
    }
}

}  // namespace

int Numbering::operator()(const Owned& c) const {
  if (c.rank == rank) return c.index;
  return own_columns + int(std::lower_bound(ghosts.begin(), ghosts.end(), c) - ghosts.begin());
}

void sort_unique(std::vector<Owned>& list) {
  std::sort(list.begin(), list.end());
  list.erase(std::unique(list.begin(), list.end()), list.end());
}

std::vector<comm::Neighbour> find_neighbours(comm::Communicator& comm, const std::vector<Owned>& ghosts) {
  std::vector<std::vector<int>> wanted(std::size_t(comm.size()));
  for (const auto& g : ghosts) wanted[std::size_t(g.rank)].push_back(g.index);
  auto asked = exchange_lists(comm, wanted);
  std::vector<comm::Neighbour> out;
  for (int r = 0; r < comm.size(); ++r)
    if (!asked[std::size_t(r)].empty() || !wanted[std::size_t(r)].empty())
      out.push_back({r, std::move(asked[std::size_t(r)]), int(wanted[std::size_t(r)].size())});
  return out;
}

RankedCsr cut_rows(const sparse::HostCsr& whole, const std::vector<int>& row_of,
                   const std::vector<int>& column_of, int rank, int ranks) {
  std::vector<int> next(std::size_t(ranks), 0);
  std::vector<Owned> place(column_of.size());
  for (std::size_t c = 0; c < column_of.size(); ++c)
    place[c] = {column_of[c], next[std::size_t(column_of[c])]++};
  RankedCsr out;
  out.own_columns = next[std::size_t(rank)];
  auto& rows = out.rows;
  std::vector<int> mine;
  for (int i = 0; i < whole.rows; ++i)
    if (row_of[std::size_t(i)] == rank) mine.push_back(i);
  rows.start.reserve(mine.size() + 1);
  rows.start.push_back(0);
  for (const int i : mine) rows.start.push_back(rows.start.back() + whole.start[i + 1] - whole.start[i]);
#pragma omp parallel
  {
    std::vector<Owned> others;
#pragma omp for schedule(static) nowait
    for (std::size_t m = 0; m < mine.size(); ++m)
      for (int k = whole.start[mine[m]]; k < whole.start[mine[m] + 1]; ++k)
        if (const Owned c = place[std::size_t(whole.column[k])]; c.rank != rank) others.push_back(c);
    sort_unique(others);
#pragma omp critical(umov_cut_rows)
    out.ghosts.insert(out.ghosts.end(), others.begin(), others.end());
  }
  sort_unique(out.ghosts);
  const Numbering number{rank, out.own_columns, out.ghosts};
  resize_large(rows.column, std::size_t(rows.start.back()));
  resize_large(rows.value, rows.column.size());
#pragma omp parallel for schedule(static)
  for (std::size_t m = 0; m < mine.size(); ++m) {
    const std::size_t begin = std::size_t(rows.start[m]);
    const int first = whole.start[mine[m]], count = whole.start[mine[m] + 1] - first;
    for (int k = 0; k < count; ++k) {
      rows.column[begin + std::size_t(k)] = number(place[std::size_t(whole.column[first + k])]);
      rows.value[begin + std::size_t(k)] = whole.value[first + k];
    }
    sort_row(rows.column.data() + begin, rows.value.data() + begin, count);
  }
  rows.rows = int(rows.start.size()) - 1;
  rows.columns = out.own_columns + int(out.ghosts.size());
  return out;
}

}  // namespace umov::ranks
