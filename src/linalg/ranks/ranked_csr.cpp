// Rows of a sparse matrix that lie with several ranks: set-up, products, transposes.
#include "linalg/ranks/ranked_csr.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "backend/cpu/cpu.hpp"
#include "linalg/sparse/multiply.hpp"

namespace umov::ranks {

namespace {

/// Lists for every rank, against those that every rank has for this one, by rank.
template <class T>
std::vector<std::vector<T>> exchange_lists(comm::Communicator& comm, const std::vector<std::vector<T>>& to) {
  const std::size_t size = std::size_t(comm.size());
  std::vector<int> counts(size), all(size * size);
  for (std::size_t r = 0; r < size; ++r) counts[r] = int(to[r].size());
  comm.all_gather(counts.data(), size * sizeof(int), all.data());
  std::vector<std::vector<T>> from(size);
  std::vector<comm::Out> outs;
  std::vector<comm::In> ins;
  for (std::size_t r = 0; r < size; ++r) {
    from[r].resize(std::size_t(all[r * size + std::size_t(comm.rank())]));
    outs.push_back(comm::out(int(r), to[r].data(), to[r].size()));
    ins.push_back(comm::in(int(r), from[r].data(), from[r].size()));
  }
  comm.exchange(outs, ins);
  return from;
}

/// The local number of a column: its own, or own_columns and its place among the ghosts.
struct Numbering {
  int rank, own_columns;
  const std::vector<Owned>& ghosts;
  int operator()(const Owned& c) const {
    if (c.rank == rank) return c.index;
    return own_columns + int(std::lower_bound(ghosts.begin(), ghosts.end(), c) - ghosts.begin());
  }
};

void sort_unique(std::vector<Owned>& list) {
  std::sort(list.begin(), list.end());
  list.erase(std::unique(list.begin(), list.end()), list.end());
}

/// Columns of one row in ascending order, their values with them.
void sort_row(int* column, double* value, int n) {
  for (int k = 1; k < n; ++k)
    for (int l = k; l > 0 && column[l - 1] > column[l]; --l) {
      std::swap(column[l - 1], column[l]);
      std::swap(value[l - 1], value[l]);
    }
}

Owned owned_column(const RankedCsr& a, int rank, int column) {
  return column < a.own_columns ? Owned{rank, column} : a.ghosts[std::size_t(column - a.own_columns)];
}

/// An entry on its way to the rank that has its row.
struct Entry {
  int row;
  Owned column;
  double value;
};

/// Rows behind `b`'s own: those of the ghosts of `a`, in their order. Columns are `ghosts`' numbers.
struct Fetched {
  std::vector<int> length;
  std::vector<Owned> column;
  std::vector<double> value;
};

Fetched fetch_rows(comm::Communicator& comm, const std::vector<comm::Neighbour>& neighbours,
                   const RankedCsr& b) {
  const std::size_t size = std::size_t(comm.size());
  std::vector<std::vector<int>> lengths(size);
  std::vector<std::vector<Entry>> entries(size);
  for (const auto& n : neighbours)
    for (const int i : n.sent) {
      const int begin = b.rows.start[std::size_t(i)], end = b.rows.start[std::size_t(i) + 1];
      lengths[std::size_t(n.rank)].push_back(end - begin);
      for (int k = begin; k < end; ++k)
        entries[std::size_t(n.rank)].push_back(
            {i, owned_column(b, comm.rank(), b.rows.column[std::size_t(k)]), b.rows.value[std::size_t(k)]});
    }
  const auto got_lengths = exchange_lists(comm, lengths);
  const auto got = exchange_lists(comm, entries);
  Fetched out;
  for (std::size_t r = 0; r < size; ++r) {
    out.length.insert(out.length.end(), got_lengths[r].begin(), got_lengths[r].end());
    for (const auto& e : got[r]) out.column.push_back(e.column), out.value.push_back(e.value);
  }
  return out;
}

sparse::HostCsr plain(const sparse::Csr<backend::Cpu, double>& a) {
  sparse::HostCsr out;
  out.rows = a.rows, out.columns = a.columns;
  out.start.assign(a.start.data(), a.start.data() + a.rows + 1);
  out.column.assign(a.column.data(), a.column.data() + a.column.size());
  out.value.assign(a.value.data(), a.value.data() + a.value.size());
  return out;
}

}  // namespace

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
  for (int i = 0; i < whole.rows; ++i)
    if (row_of[std::size_t(i)] == rank)
      for (int k = whole.start[i]; k < whole.start[i + 1]; ++k)
        if (const Owned c = place[std::size_t(whole.column[k])]; c.rank != rank) out.ghosts.push_back(c);
  sort_unique(out.ghosts);
  const Numbering number{rank, out.own_columns, out.ghosts};
  auto& rows = out.rows;
  rows.start.push_back(0);
  for (int i = 0; i < whole.rows; ++i) {
    if (row_of[std::size_t(i)] != rank) continue;
    const std::size_t begin = rows.column.size();
    for (int k = whole.start[i]; k < whole.start[i + 1]; ++k) {
      rows.column.push_back(number(place[std::size_t(whole.column[k])]));
      rows.value.push_back(whole.value[k]);
    }
    sort_row(rows.column.data() + begin, rows.value.data() + begin, int(rows.column.size() - begin));
    rows.start.push_back(int(rows.column.size()));
  }
  rows.rows = int(rows.start.size()) - 1;
  rows.columns = out.own_columns + int(out.ghosts.size());
  return out;
}

RankedCsr multiply(comm::Communicator& comm, const RankedCsr& a, const RankedCsr& b, int threads) {
  const Fetched more = fetch_rows(comm, a.neighbours, b);
  RankedCsr out;
  out.own_columns = b.own_columns;
  out.ghosts = b.ghosts;
  for (const auto& c : more.column)
    if (c.rank != comm.rank()) out.ghosts.push_back(c);
  sort_unique(out.ghosts);
  const Numbering number{comm.rank(), out.own_columns, out.ghosts};
  sparse::HostCsr all = b.rows;
  for (int& c : all.column)
    if (c >= b.own_columns) c = number(b.ghosts[std::size_t(c - b.own_columns)]);
  for (const auto& c : more.column) all.column.push_back(number(c));
  all.value.insert(all.value.end(), more.value.begin(), more.value.end());
  for (const int n : more.length) all.start.push_back(all.start.back() + n);
  all.rows = int(all.start.size()) - 1;
  all.columns = out.own_columns + int(out.ghosts.size());
  backend::Cpu cpu(threads);
  out.rows = plain(sparse::multiply(cpu, a.rows.view(), all.view()));
  out.neighbours = find_neighbours(comm, out.ghosts);
  return out;
}

RankedCsr transpose(comm::Communicator& comm, const RankedCsr& a) {
  std::vector<std::vector<Entry>> leaving(std::size_t(comm.size()));
  std::vector<int> count(std::size_t(a.own_columns) + 1, 0);
  for (int i = 0; i < a.rows.rows; ++i)
    for (int k = a.rows.start[i]; k < a.rows.start[i + 1]; ++k) {
      const int c = a.rows.column[k];
      if (c < a.own_columns) {
        ++count[std::size_t(c)];
        continue;
      }
      const Owned to = a.ghosts[std::size_t(c - a.own_columns)];
      leaving[std::size_t(to.rank)].push_back({to.index, {comm.rank(), i}, a.rows.value[k]});
    }
  const auto come = exchange_lists(comm, leaving);
  RankedCsr out;
  out.own_columns = a.rows.rows;
  for (const auto& list : come)
    for (const auto& e : list) {
      out.ghosts.push_back(e.column);
      ++count[std::size_t(e.row)];
    }
  sort_unique(out.ghosts);
  const Numbering number{comm.rank(), out.own_columns, out.ghosts};
  auto& rows = out.rows;
  rows.rows = a.own_columns;
  rows.columns = out.own_columns + int(out.ghosts.size());
  std::exclusive_scan(count.begin(), count.end(), count.begin(), 0);
  rows.start = count;
  rows.column.resize(std::size_t(rows.start.back()));
  rows.value.resize(rows.column.size());
  const auto put = [&](int row, int column, double value) {
    const int to = count[std::size_t(row)]++;
    rows.column[std::size_t(to)] = column, rows.value[std::size_t(to)] = value;
  };
  for (int i = 0; i < a.rows.rows; ++i)
    for (int k = a.rows.start[i]; k < a.rows.start[i + 1]; ++k)
      if (a.rows.column[k] < a.own_columns) put(a.rows.column[k], i, a.rows.value[k]);
  // rank by rank and row by row, so that columns ascend
  for (const auto& list : come)
    for (const auto& e : list) put(e.row, number(e.column), e.value);
  out.neighbours = find_neighbours(comm, out.ghosts);
  return out;
}

sparse::HostCsr gather(comm::Communicator& comm, const RankedCsr& a, int root) {
  const auto row_counts = comm::all_gather(comm, a.rows.rows),
             column_counts = comm::all_gather(comm, a.own_columns);
  std::vector<int> offset(column_counts.size());
  std::exclusive_scan(column_counts.begin(), column_counts.end(), offset.begin(), 0);
  std::vector<int> length, column;
  std::vector<double> value;
  for (int i = 0; i < a.rows.rows; ++i) {
    const std::size_t begin = column.size();
    for (int k = a.rows.start[i]; k < a.rows.start[i + 1]; ++k) {
      const Owned c = owned_column(a, comm.rank(), a.rows.column[k]);
      column.push_back(offset[std::size_t(c.rank)] + c.index);
      value.push_back(a.rows.value[k]);
    }
    length.push_back(int(column.size() - begin));
    sort_row(column.data() + begin, value.data() + begin, length.back());
  }
  const auto lengths = comm::gather(comm, std::span<const int>(length), root);
  sparse::HostCsr out;
  out.column = comm::gather(comm, std::span<const int>(column), root);
  out.value = comm::gather(comm, std::span<const double>(value), root);
  if (comm.rank() != root) return {};
  out.start.push_back(0);
  for (const int n : lengths) out.start.push_back(out.start.back() + n);
  out.rows = std::accumulate(row_counts.begin(), row_counts.end(), 0);
  out.columns = std::accumulate(column_counts.begin(), column_counts.end(), 0);
  return out;
}

}  // namespace umov::ranks
