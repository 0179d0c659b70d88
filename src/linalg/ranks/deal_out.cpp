#include "linalg/ranks/deal_out.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

#include "comm/parts.hpp"
#include "comm/scatter.hpp"
#include "linalg/ranks/part_graph.hpp"

namespace umov::ranks {

namespace {

/// The rows of each column, ascending.
std::pair<std::vector<int>, std::vector<int>> rows_of_columns(const sparse::HostCsr& a) {
  std::vector<int> start(std::size_t(a.columns) + 1, 0), row(a.column.size());
  for (const int c : a.column) ++start[std::size_t(c) + 1];
  for (std::size_t c = 0; c + 1 < start.size(); ++c) start[c + 1] += start[c];
  std::vector<int> next(start.begin(), start.end() - 1);
  for (int i = 0; i < a.rows; ++i)
    for (int k = a.start[i]; k < a.start[i + 1]; ++k) row[std::size_t(next[std::size_t(a.column[k])]++)] = i;
  return {std::move(start), std::move(row)};
}

/// |a_ij| over the root of both diagonal entries, from 0 to `most` and 1 more: a border should not part what
/// hangs together, as aggregates lie inside ranks.
class Coupling {
 public:
  explicit Coupling(const sparse::HostCsr& a) : a_(a), diagonal_(std::size_t(a.rows), 0.0) {
    for (int i = 0; i < a.rows; ++i) diagonal_[std::size_t(i)] = std::sqrt(std::abs(at(i, i)));
    // the sum of all has to be an int
    most_ = std::min(100.0, 1e9 / double(a.column.size() + 1));
  }
  int operator()(int i, int j) const {
    const double scale = diagonal_[std::size_t(i)] * diagonal_[std::size_t(j)];
    const double size = std::max(std::abs(at(i, j)), std::abs(at(j, i))) / scale;
    return 1 + (size > 0 ? int(most_ * std::min(1.0, size)) : 0);
  }

 private:
  double at(int i, int j) const {
    const auto begin = a_.column.begin() + a_.start[i], end = a_.column.begin() + a_.start[i + 1];
    const auto found = std::lower_bound(begin, end, j);
    return found != end && *found == j ? a_.value[std::size_t(found - a_.column.begin())] : 0;
  }

  const sparse::HostCsr& a_;
  std::vector<double> diagonal_;
  double most_ = 0;
};

/// Rows that an entry joins; a row weighs as much as it has entries, an edge by its coupling.
Graph graph_of(const sparse::HostCsr& a) {
  const auto [start, row] = rows_of_columns(a);
  const Coupling coupling(a);
  Graph out;
  std::vector<int> both;
  for (int i = 0; i < a.rows; ++i) {
    both.clear();
    std::set_union(a.column.begin() + a.start[i], a.column.begin() + a.start[i + 1], row.begin() + start[i],
                   row.begin() + start[i + 1], std::back_inserter(both));
    for (const int j : both)
      if (j != i) out.neighbour.push_back(j), out.edge_weight.push_back(coupling(i, j));
    out.start.push_back(int(out.neighbour.size()));
    out.vertex_weight.push_back(a.start[i + 1] - a.start[i]);
  }
  return out;
}

std::vector<int> stretches_of_rows(const sparse::HostCsr& a, int ranks) {
  std::vector<double> entries;
  for (int i = 0; i < a.rows; ++i) entries.push_back(a.start[i + 1] - a.start[i]);
  const auto borders = comm::balanced_parts(entries, ranks);
  std::vector<int> out;
  for (int i = 0; i < a.rows; ++i) out.push_back(comm::rank_of(borders, i));
  return out;
}

}  // namespace

std::vector<int> part_rows(const sparse::HostCsr& a, int ranks) {
  constexpr index_t fewest_rows = 8;
  if (ranks == 1) return std::vector<int>(std::size_t(a.rows), 0);
  if (can_part_graphs && a.rows >= fewest_rows * ranks)
    if (Graph graph = graph_of(a); !graph.neighbour.empty()) return part_graph(std::move(graph), ranks);
  return stretches_of_rows(a, ranks);
}

RankedCsr scatter_rows(comm::Communicator& comm, const sparse::HostCsr* whole,
                       const std::vector<int>* owner) {
  const std::size_t size = std::size_t(comm.size());
  std::vector<std::vector<int>> start(size), column(size);
  std::vector<std::vector<double>> value(size);
  std::vector<std::vector<Owned>> ghosts(size);
  for (std::size_t r = 0; comm.first() && r < size; ++r) {
    auto share = cut_rows(*whole, *owner, *owner, int(r), comm.size());
    start[r] = std::move(share.rows.start), column[r] = std::move(share.rows.column);
    value[r] = std::move(share.rows.value), ghosts[r] = std::move(share.ghosts);
  }
  RankedCsr out;
  out.rows.start = comm::scatter(comm, start);
  out.rows.column = comm::scatter(comm, column);
  out.rows.value = comm::scatter(comm, value);
  out.ghosts = comm::scatter(comm, ghosts);
  out.own_columns = out.rows.rows = int(out.rows.start.size()) - 1;
  out.rows.columns = out.columns();
  out.neighbours = find_neighbours(comm, out.ghosts);
  return out;
}

}  // namespace umov::ranks
