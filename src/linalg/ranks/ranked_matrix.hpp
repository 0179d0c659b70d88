// Rows of a sparse matrix that lie with several ranks, on their devices: rows fetched from their owners,
// transposes, and how they come from and to the host.
#pragma once

#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "comm/halo.hpp"
#include "comm/ranked_device.hpp"
#include "linalg/ranks/ranked_csr.hpp"
#include "linalg/sparse/multiply.hpp"
#include "linalg/sparse/rows.hpp"

namespace umov::ranks {

/// This rank's rows in the memory of its device; columns ascend in each.
template <class Device, class T>
struct RankedMatrix : RankedColumns {
  sparse::Csr<Device, T> rows;
  /// The first `n` rows, of so many entries.
  sparse::CsrView<T> first(int n, index_t entries) const {
    return {n, rows.columns, rows.start.data(), rows.column.data(), rows.value.data(), entries};
  }
};

template <class T, class Device>
RankedMatrix<Device, T> upload(comm::RankedDevice<Device>& dev, const RankedCsr& a) {
  RankedMatrix<Device, T> out;
  static_cast<RankedColumns&>(out) = a;
  out.rows = sparse::upload<T>(dev.alone(), a.rows);
  return out;
}

template <class V, class Device>
typename Device::template Array<V> put(Device& dev, const std::vector<V>& list) {
  auto out = dev.template allocate<V>(list.size());
  if (!list.empty()) dev.upload(out.data(), list.data(), list.size());
  return out;
}
template <class V, class Device>
std::vector<V> take(Device& dev, const V* from, std::size_t n) {
  std::vector<V> out(n);
  if (n) dev.download(out.data(), from, n);
  return out;
}

/// Numbers of columns in a longer list of ghosts.
struct RenumberGhosts {
  int own;
  const int* number;  ///< of the ghosts
  int* column;
  UMOV_HD void operator()(index_t k) const {
    if (column[k] >= own) column[k] = number[column[k] - own];
  }
};
/// Columns as `to` numbers them, whose ghosts are those of `m` and more.
template <class Device, class T>
void renumber(comm::RankedDevice<Device>& dev, RankedMatrix<Device, T>& m, const RankedColumns& to) {
  const Numbering number{dev.comm().rank(), to.own_columns, to.ghosts};
  std::vector<int> numbers;
  for (const auto& g : m.ghosts) numbers.push_back(number(g));
  const auto there = put(dev.alone(), numbers);
  dev.for_each(m.rows.entries(), RenumberGhosts{m.own_columns, there.data(), m.rows.column.data()});
  dev.synchronize();  // the numbers go
  static_cast<RankedColumns&>(m) = to;
  m.rows.columns = to.columns();
}

struct RowExtent {
  const int *row, *start;
  int *begin, *length;
  UMOV_HD void operator()(index_t s) const {
    begin[s] = start[row[s]];
    length[s] = start[row[s] + 1] - start[row[s]];
  }
};
struct LengthsOfRows {
  const int* start;
  int* length;
  UMOV_HD void operator()(index_t i) const { length[i] = start[i + 1] - start[i]; }
};
struct LongerRows {
  const int *row, *start;
  int* length;
  UMOV_HD void operator()(index_t s) const { length[row[s]] += start[s + 1] - start[s]; }
};
template <class T>
struct CopyIntoRows {
  const int *from_start, *from_column;
  const T* from_value;
  const int* start;
  int* column;
  T* value;
  UMOV_HD void operator()(index_t i) const {
    int to = start[i];
    for (int k = from_start[i]; k < from_start[i + 1]; ++k, ++to)
      column[to] = from_column[k], value[to] = from_value[k];
  }
};
/// Entries that end the rows they belong to.
template <class T>
struct EndRows {
  const int *row, *more_start, *more_column;
  const T* more_value;
  const int* start;
  int* column;
  T* value;
  UMOV_HD void operator()(index_t s) const {
    int to = start[row[s] + 1] - (more_start[s + 1] - more_start[s]);
    for (int k = more_start[s]; k < more_start[s + 1]; ++k, ++to)
      column[to] = more_column[k], value[to] = more_value[k];
  }
};

/// Rows of a matrix that belong to others, behind a rank's own ones: what a product needs of its factor on
/// the right. Every member is called by every rank.
template <class Device, class T>
class FetchedRows {
  using Ranked = comm::RankedDevice<Device>;

 public:
  /// Appends to `m` its rows at the ghosts of a matrix with `neighbours`, in their order. Columns of theirs
  /// that `m` has not met become ghosts of it.
  void append(Ranked& dev, const std::vector<comm::Neighbour>& neighbours, RankedMatrix<Device, T>& m) {
    auto& comm = dev.comm();
    auto& rows = m.rows;
    std::vector<int> sent;
    std::size_t received = 0;
    for (const auto& n : neighbours) {
      sent.insert(sent.end(), n.sent.begin(), n.sent.end());
      received += std::size_t(n.received);
    }
    own_ = index_t(rows.column.size());
    const auto row = put(dev.alone(), sent);
    auto begin = dev.template allocate<int>(sent.size()), length = dev.template allocate<int>(sent.size());
    dev.for_each(index_t(sent.size()),
                 RowExtent{row.data(), std::as_const(rows.start).data(), begin.data(), length.data()});
    const auto begins = take(dev.alone(), std::as_const(begin).data(), sent.size()),
               lengths = take(dev.alone(), std::as_const(length).data(), sent.size());
    const auto their_lengths = exchange_packed(comm, neighbours, lengths);

    std::vector<comm::Neighbour> entries;
    std::vector<int> places;
    std::size_t s = 0, r = 0;
    for (const auto& n : neighbours) {
      comm::Neighbour e{n.rank, {}, 0};
      for (std::size_t k = 0; k < n.sent.size(); ++k, ++s)
        for (int p = begins[s]; p < begins[s] + lengths[s]; ++p) e.sent.push_back(p);
      for (int k = 0; k < n.received; ++k) e.received += their_lengths[r++];
      places.insert(places.end(), e.sent.begin(), e.sent.end());
      entries.push_back(std::move(e));
    }
    auto packed = dev.template allocate<int>(places.size());
    const auto place = put(dev.alone(), places);
    dev.for_each(index_t(places.size()),
                 comm::halo::Pack<int>{std::as_const(rows.column).data(), place.data(), packed.data()});
    std::vector<Owned> leaving;
    for (const int c : take(dev.alone(), std::as_const(packed).data(), places.size()))
      leaving.push_back(owned_column(m, comm.rank(), c));
    const auto come = exchange_packed(comm, entries, leaving);

    RankedColumns columns{m.own_columns, m.ghosts, {}};
    for (const auto& c : come)
      if (c.rank != comm.rank()) columns.ghosts.push_back(c);
    sort_unique(columns.ghosts);
    columns.neighbours = find_neighbours(comm, columns.ghosts);
    renumber(dev, m, columns);
    const Numbering number{comm.rank(), m.own_columns, m.ghosts};
    std::vector<int> more, starts;
    for (const auto& c : come) more.push_back(number(c));
    sparse::require_index_range(own_ + index_t(more.size()));
    int end = int(own_);
    for (const int n : their_lengths) starts.push_back(end += n);

    const std::size_t own_rows = std::size_t(rows.rows);
    sparse::Csr<Device, T> all;
    all.rows = rows.rows + int(received);
    all.columns = m.columns();
    all.start = dev.template allocate<int>(std::size_t(all.rows) + 1);
    all.column = dev.template allocate<int>(std::size_t(end));
    all.value = dev.template allocate<T>(std::size_t(end));
    copy(dev, std::as_const(rows.start).data(), all.start.data(), own_rows + 1);
    copy(dev, std::as_const(rows.column).data(), all.column.data(), std::size_t(own_));
    copy(dev, std::as_const(rows.value).data(), all.value.data(), std::size_t(own_));
    if (received) dev.upload(all.start.data() + own_rows + 1, starts.data(), received);
    if (!more.empty()) dev.upload(all.column.data() + own_, more.data(), more.size());
    rows = std::move(all);
    values_ = std::make_unique<comm::Halo<Ranked, T>>(dev, dev.channel(), entries);
    again(m);
  }
  /// Values once more, after this and other ranks' own ones have changed.
  void again(RankedMatrix<Device, T>& m) {
    values_->start(m.rows.value.data(), m.rows.value.data() + own_);
    values_->finish();
  }
  /// Entries of the rank's own rows.
  index_t own_entries() const { return own_; }

 private:
  template <class V>
  static void copy(Ranked& dev, const V* from, V* to, std::size_t n) {
    dev.for_each(index_t(n), sparse::Convert<V, V>{from, to});
  }

  index_t own_ = 0;
  std::unique_ptr<comm::Halo<Ranked, T>> values_;
};

/// An entry on its way to the rank that has its row.
template <class T>
struct Entry {
  int row;
  Owned column;
  T value;
};

/// A^T of the first `n` rows of `a`, of so many entries: what belongs to rows of others goes there. Of every
/// rank.
template <class Device, class T>
RankedMatrix<Device, T> transpose(comm::RankedDevice<Device>& dev, const RankedMatrix<Device, T>& a, int n,
                                  index_t entries) {
  auto& comm = dev.comm();
  const auto mine = transpose(dev.alone(), a.first(n, entries));
  const int own = a.own_columns, ghosts = int(a.ghosts.size());
  const auto starts = take(dev.alone(), mine.start.data() + own, std::size_t(ghosts) + 1);
  const int begin = starts.front();
  const std::size_t left = std::size_t(starts.back() - begin);
  const auto columns = take(dev.alone(), mine.column.data() + begin, left);
  const auto values = take(dev.alone(), mine.value.data() + begin, left);
  std::vector<std::vector<Entry<T>>> leaving(std::size_t(comm.size()));
  for (int g = 0; g < ghosts; ++g) {
    const Owned to = a.ghosts[std::size_t(g)];
    for (int k = starts[std::size_t(g)] - begin; k < starts[std::size_t(g) + 1] - begin; ++k)
      leaving[std::size_t(to.rank)].push_back(
          {to.index, {comm.rank(), columns[std::size_t(k)]}, values[std::size_t(k)]});
  }
  const auto come = exchange_lists(comm, leaving);

  RankedMatrix<Device, T> out;
  out.own_columns = n;
  // rank by rank and row by row, so that columns ascend
  std::map<int, std::vector<const Entry<T>*>> more;
  for (const auto& list : come)
    for (const auto& e : list) {
      out.ghosts.push_back(e.column);
      more[e.row].push_back(&e);
    }
  sort_unique(out.ghosts);
  const Numbering number{comm.rank(), n, out.ghosts};
  std::vector<int> row, start{0}, column;
  std::vector<T> value;
  for (auto& [i, list] : more) {
    std::stable_sort(list.begin(), list.end(), [](auto* x, auto* y) { return x->column < y->column; });
    for (const auto* e : list) column.push_back(number(e->column)), value.push_back(e->value);
    row.push_back(i);
    start.push_back(int(column.size()));
  }
  auto& rows = out.rows;
  rows.rows = own, rows.columns = n + int(out.ghosts.size());
  rows.start = dev.template allocate<int>(std::size_t(own) + 1);
  dev.fill_zero(rows.start.data(), std::size_t(own) + 1);
  dev.for_each(own, LengthsOfRows{mine.start.data(), rows.start.data()});
  const auto row_there = put(dev.alone(), row), start_there = put(dev.alone(), start),
             column_there = put(dev.alone(), column);
  const auto value_there = put(dev.alone(), value);
  dev.for_each(index_t(row.size()), LongerRows{row_there.data(), start_there.data(), rows.start.data()});
  const index_t all = dev.exclusive_scan(rows.start.data(), index_t(own) + 1);
  rows.column = dev.template allocate<int>(std::size_t(all));
  rows.value = dev.template allocate<T>(std::size_t(all));
  dev.for_each(own, CopyIntoRows<T>{mine.start.data(), mine.column.data(), mine.value.data(),
                                    std::as_const(rows.start).data(), rows.column.data(), rows.value.data()});
  dev.for_each(index_t(row.size()),
               EndRows<T>{row_there.data(), start_there.data(), column_there.data(), value_there.data(),
                          std::as_const(rows.start).data(), rows.column.data(), rows.value.data()});
  dev.synchronize();  // arrays that are read go
  out.neighbours = find_neighbours(comm, out.ghosts);
  return out;
}
template <class Device, class T>
RankedMatrix<Device, T> transpose(comm::RankedDevice<Device>& dev, const RankedMatrix<Device, T>& a) {
  return transpose(dev, a, a.rows.rows, a.rows.entries());
}

/// R A P, whose rows and columns lie with the ranks that have the coarse unknowns, and its values again when
/// those of A have changed: each rank's products are local ones of its device, once rows of the factor on the
/// right have come from their owners. Every member but the sizes is called by every rank.
template <class Device, class T>
class RankedGalerkin {
  using Ranked = comm::RankedDevice<Device>;

 public:
  /// `a`: rows with the columns `fine`.
  RankedMatrix<Device, T> make(Ranked& dev, const RankedColumns& fine, const sparse::CsrView<T>& a,
                               RankedMatrix<Device, T> prolongation) {
    fine_ = a.rows;
    p_ = std::move(prolongation);
    p_rows_.append(dev, fine.neighbours, p_);
    r_ = transpose(dev, p_, fine_, p_rows_.own_entries());
    ap_.rows = multiply(dev.alone(), a, std::as_const(p_.rows).view());
    static_cast<RankedColumns&>(ap_) = p_;
    ap_rows_.append(dev, r_.neighbours, ap_);
    renumber(dev, p_, ap_);  // values are found again by column
    RankedMatrix<Device, T> out;
    out.rows = multiply(dev.alone(), std::as_const(r_.rows).view(), std::as_const(ap_.rows).view());
    static_cast<RankedColumns&>(out) = ap_;
    return out;
  }
  void again(Ranked& dev, const sparse::CsrView<T>& a, RankedMatrix<Device, T>& out) {
    multiply_again(dev.alone(), a, std::as_const(p_.rows).view(), ap_.rows);
    ap_rows_.again(ap_);
    multiply_again(dev.alone(), std::as_const(r_.rows).view(), std::as_const(ap_.rows).view(), out.rows);
  }

  /// For products with vectors, with the columns that the coarse matrix has: P has rows of others behind its
  /// own, and their columns.
  sparse::CsrView<T> prolongation() const { return p_.first(fine_, p_rows_.own_entries()); }
  const RankedMatrix<Device, T>& restriction() const { return r_; }
  std::size_t bytes() const { return p_.rows.bytes() + r_.rows.bytes() + ap_.rows.bytes(); }

 private:
  int fine_ = 0;
  RankedMatrix<Device, T> p_, r_, ap_;
  FetchedRows<Device, T> p_rows_, ap_rows_;
};

}  // namespace umov::ranks
