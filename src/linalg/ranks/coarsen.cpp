// Aggregates inside ranks and the prolongation across them.
#include "linalg/ranks/coarsen.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "backend/cpu/cpu.hpp"
#include "linalg/amg/aggregate.hpp"
#include "linalg/amg/prolongation.hpp"

namespace umov::ranks {

namespace {

/// Couplings of a rank's rows with one another.
sparse::HostCsr inner_part(const RankedCsr& a) {
  sparse::HostCsr out;
  out.rows = out.columns = a.rows.rows;
  out.start.push_back(0);
  for (int i = 0; i < a.rows.rows; ++i) {
    for (int k = a.rows.start[i]; k < a.rows.start[i + 1] && a.rows.column[k] < a.own_columns; ++k) {
      out.column.push_back(a.rows.column[k]);
      out.value.push_back(a.rows.value[k]);
    }
    out.start.push_back(int(out.column.size()));
  }
  return out;
}

std::vector<double> diagonal_of(const sparse::HostCsr& a) {
  std::vector<double> d(std::size_t(a.rows), 0.0);
  for (int i = 0; i < a.rows; ++i)
    for (int k = a.start[i]; k < a.start[i + 1]; ++k)
      if (a.column[k] == i) d[std::size_t(i)] = a.value[k];
  return d;
}

/// As amg::Hierarchy has it.
int dense_limit(const sparse::HostCsr& a) {
  return int(std::max<index_t>(500, 10 * index_t(a.column.size()) / std::max(1, a.rows)));
}

}  // namespace

RankedCsr smoothed_prolongation(comm::Communicator& comm, const RankedCsr& a, double theta, double largest,
                                int threads) {
  backend::Cpu cpu(threads);
  auto diagonal = diagonal_of(a.rows);
  const auto inner = inner_part(a);
  const auto aggregates =
      amg::aggregate(cpu, amg::make_strength(inner.view(), diagonal.data(), theta), dense_limit(inner));
  const int own = aggregates.count;

  RankedCsr out;
  out.own_columns = own;
  const auto sums = comm::all_gather(comm, std::array<index_t, 2>{own, a.rows.rows});
  index_t coarse = 0, fine = 0;
  for (const auto& s : sums) coarse += s[0], fine += s[1];
  if (coarse == 0 || coarse > 0.8 * double(fine)) {
    out.own_columns = 0;
    out.rows.rows = a.rows.rows;
    out.rows.start.assign(std::size_t(a.rows.rows) + 1, 0);
    return out;
  }

  std::vector<int> of_node(aggregates.of_node.data(), aggregates.of_node.data() + a.rows.rows);
  const auto theirs = at_ghosts(comm, a.neighbours, of_node);
  const auto more = at_ghosts(comm, a.neighbours, diagonal);
  diagonal.insert(diagonal.end(), more.begin(), more.end());
  std::vector<Owned> found;
  for (std::size_t g = 0; g < theirs.size(); ++g)
    if (theirs[g] >= 0) found.push_back({a.ghosts[g].rank, theirs[g]});
  std::sort(found.begin(), found.end());
  found.erase(std::unique(found.begin(), found.end()), found.end());
  for (std::size_t g = 0; g < theirs.size(); ++g) {
    const Owned which{a.ghosts[g].rank, theirs[g]};
    of_node.push_back(
        theirs[g] < 0 ? -1 : own + int(std::lower_bound(found.begin(), found.end(), which) - found.begin()));
  }
  out.ghosts = found;
  const auto strong = amg::make_strength(a.rows.view(), std::as_const(diagonal).data(), theta);
  const amg::RowSmoothing<double> smoothing{strong, 4 / (3 * largest), dense_limit(a.rows)};
  const auto p = amg::smoothed_prolongation(cpu, smoothing, of_node.data(), own + int(found.size()));
  out.rows.rows = p.rows, out.rows.columns = p.columns;
  out.rows.start.assign(p.start.data(), p.start.data() + p.rows + 1);
  out.rows.column.assign(p.column.data(), p.column.data() + p.column.size());
  out.rows.value.assign(p.value.data(), p.value.data() + p.value.size());
  out.neighbours = find_neighbours(comm, out.ghosts);
  return out;
}

}  // namespace umov::ranks
