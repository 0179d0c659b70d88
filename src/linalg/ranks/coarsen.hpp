// One step from a level to the next coarser one, across ranks and on their devices.
#pragma once

#include <array>
#include <utility>
#include <vector>

#include "linalg/amg/aggregate.hpp"
#include "linalg/amg/prolongation.hpp"
#include "linalg/ranks/ranked_matrix.hpp"

namespace umov::ranks {

/// Entries with rows and columns of one rank: those that a row begins with.
template <class T>
struct CountInner {
  sparse::CsrView<T> a;
  int own;
  int* count;
  UMOV_HD void operator()(index_t i) const {
    int n = 0;
    for (int k = a.start[i]; k < a.start[i + 1] && a.column[k] < own; ++k) ++n;
    count[i] = n;
  }
};
template <class T>
struct CopyInner {
  sparse::CsrView<T> a;
  const int* start;
  int* column;
  T* value;
  UMOV_HD void operator()(index_t i) const {
    for (int to = start[i], k = a.start[i]; to < start[i + 1]; ++to, ++k)
      column[to] = a.column[k], value[to] = a.value[k];
  }
};
template <class T, class Device>
sparse::Csr<Device, T> inner_part(Device& dev, const sparse::CsrView<T>& a, int own) {
  const std::size_t n = std::size_t(a.rows);
  sparse::Csr<Device, T> out;
  out.rows = out.columns = a.rows;
  out.start = dev.template allocate<int>(n + 1);
  dev.fill_zero(out.start.data(), n + 1);
  dev.for_each(a.rows, CountInner<T>{a, own, out.start.data()});
  const index_t entries = dev.exclusive_scan(out.start.data(), index_t(n) + 1);
  out.column = dev.template allocate<int>(std::size_t(entries));
  out.value = dev.template allocate<T>(std::size_t(entries));
  dev.for_each(a.rows, CopyInner<T>{a, std::as_const(out.start).data(), out.column.data(), out.value.data()});
  return out;
}

/// Rows longer than this are dense (amg::is_dense); as amg::Hierarchy has it.
template <class T>
int dense_limit(const sparse::CsrView<T>& a) {
  return int(std::max<index_t>(500, 10 * a.entries / std::max(1, a.rows)));
}

/// Smoothed prolongation from aggregates that lie inside a rank each; entries of the smoothing matrix reach
/// aggregates of neighbours, too (Tuminaro and Tong 2000, SC'00, for uncoupled aggregates). `a`: a rank's
/// rows, their entries counted, with these `columns`; `diagonal`: of the columns; `theta`, `largest`:
/// strength, and the greatest eigenvalue of D^-1 A. False, and nothing in `out`, where nothing is gained. Of
/// every rank.
template <class Device, class T>
bool smoothed_prolongation(comm::RankedDevice<Device>& dev, const RankedColumns& columns,
                           const sparse::CsrView<T>& a, const T* diagonal, double theta, double largest,
                           RankedMatrix<Device, T>& out) {
  auto& comm = dev.comm();
  const std::size_t n = std::size_t(a.rows), ghosts = columns.ghosts.size();
  const auto inner = inner_part(dev.alone(), a, columns.own_columns);
  const auto aggregates =
      aggregate(dev.alone(), amg::make_strength(inner.view(), diagonal, theta), dense_limit(inner.view()));
  const int own = aggregates.count;
  index_t coarse = 0, fine = 0;
  for (const auto& s : comm::all_gather(comm, std::array<index_t, 2>{own, a.rows}))
    coarse += s[0], fine += s[1];
  if (coarse == 0 || double(coarse) > 0.8 * double(fine)) return false;

  auto of_node = dev.template allocate<int>(n + ghosts);
  dev.for_each(index_t(n), sparse::Convert<int, int>{aggregates.of_node.data(), of_node.data()});
  comm::Halo<comm::RankedDevice<Device>, int> halo(dev, dev.channel(), columns.neighbours);
  halo.start(std::as_const(of_node).data(), of_node.data() + n);
  halo.finish();
  // aggregates of others get the numbers of columns here
  auto theirs = take(dev.alone(), std::as_const(of_node).data() + n, ghosts);
  out.ghosts.clear();
  for (std::size_t g = 0; g < ghosts; ++g)
    if (theirs[g] >= 0) out.ghosts.push_back({columns.ghosts[g].rank, theirs[g]});
  sort_unique(out.ghosts);
  const Numbering number{comm.rank(), own, out.ghosts};
  for (std::size_t g = 0; g < ghosts; ++g)
    if (theirs[g] >= 0) theirs[g] = number({columns.ghosts[g].rank, theirs[g]});
  if (ghosts) dev.upload(of_node.data() + n, theirs.data(), ghosts);
  out.own_columns = own;
  const auto strong = amg::make_strength(a, diagonal, theta);
  out.rows =
      smoothed_prolongation(dev.alone(), amg::RowSmoothing<T>{strong, T(4 / (3 * largest)), dense_limit(a)},
                            std::as_const(of_node).data(), out.columns());
  out.neighbours = find_neighbours(comm, out.ghosts);
  return true;
}

}  // namespace umov::ranks
