// amg::StiffPart across ranks: a longer polynomial on the rows of flat elements, wherever they lie.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "linalg/amg/stiff_part.hpp"
#include "linalg/ranks/ranked_matrix.hpp"
#include "linalg/ranks/ranked_rows.hpp"

namespace umov::ranks {

/// The stiff rows of one rank, and the matrix among those of all ranks. None where amg::StiffPart would take
/// none of the whole.
struct StiffRows {
  std::vector<int> row;            ///< of this rank's, ascending
  RankedCsr all, among;            ///< patterns of these rows; with stiff columns only, numbered as `row`
  std::vector<int> among_place;    ///< of the entries of `among`, those in `all`
  std::vector<char> stiff_column;  ///< of the rows' columns, with ghosts
  index_t everywhere = 0;
};
/// Which rows they are: `stiff` of this rank's rows; `columns`: theirs. Then find_among, once `all.rows` has
/// its pattern. Of every rank.
StiffRows choose_stiff(comm::Communicator&, const std::vector<int>& stiff, const RankedColumns& columns);
void find_among(comm::Communicator&, StiffRows&);

/// Rows that are asked for one by one: `rows` has the members of amg::MatrixRows with columns numbered as
/// those of `columns`.
template <class Rows>
struct AskedRows {
  Rows rows;
  const RankedColumns* columns;
};

template <class Rows>
struct ColumnsOfRows {
  static constexpr bool costly = true;
  Rows rows;
  const int *row, *start;
  int* column;
  UMOV_HD void operator()(index_t s) const { rows.columns(row[s], column + start[s]); }
};
template <class Rows, class T>
struct ValuesOfRows {
  static constexpr bool costly = true;
  Rows rows;
  const int *row, *start, *column;
  T* value;
  UMOV_HD void operator()(index_t s) const {
    rows.values(row[s], column + start[s], start[s + 1] - start[s], value + start[s]);
  }
};
template <class Rows>
struct EntriesOfRows {
  static constexpr bool costly = true;
  Rows rows;
  const int* row;
  int* entries;
  UMOV_HD void operator()(index_t s) const { entries[s] = rows.entries(row[s]); }
};
template <class T>
struct TakeRows {
  const int* row;
  const T* from;
  T* to;
  UMOV_HD void operator()(index_t s) const { to[s] = from[row[s]]; }
};

/// Every member but the sizes is called by every rank.
template <class Device, class T>
class RankedStiff {
  using Ranked = comm::RankedDevice<Device>;

 public:
  /// Which rows they are, of n of this rank.
  template <class Rows>
  void find(Ranked& dev, int n, const AskedRows<Rows>& a) {
    auto mark = dev.template allocate<int>(std::size_t(n));
    dev.for_each(n, amg::MarkStiff<Rows>{a.rows, mark.data()});
    std::vector<int> stiff(std::size_t(n), 0);
    if (n) dev.download(stiff.data(), std::as_const(mark).data(), stiff.size());
    rows_ = choose_stiff(dev.comm(), stiff, *a.columns);
    if (rows_.everywhere == 0) return;
    const std::size_t count = rows_.row.size();
    row_ = put(dev.alone(), rows_.row);
    const int* row = std::as_const(row_).data();
    auto& all = rows_.all.rows;
    auto length = dev.template allocate<int>(count);
    dev.for_each(index_t(count), EntriesOfRows<Rows>{a.rows, row, length.data()});
    all.start.assign(1, 0);
    for (const int l : take(dev.alone(), std::as_const(length).data(), count))
      all.start.push_back(all.start.back() + l);
    const std::size_t entries = std::size_t(all.start.back());
    const auto start = put(dev.alone(), all.start);
    auto column = dev.template allocate<int>(entries);
    dev.for_each(index_t(count), ColumnsOfRows<Rows>{a.rows, row, start.data(), column.data()});
    all.column = take(dev.alone(), std::as_const(column).data(), entries);
    find_among(dev.comm(), rows_);
    place_ = put(dev.alone(), rows_.among_place);
    for (auto* v : {&inverse_, &r_, &e_, &other_}) *v = dev.template allocate<T>(count);
    place_rows(dev, rows_.all, all_, all_rows_);
    place_rows(dev, rows_.among, among_, among_rows_);
    rows_.among_place = {}, rows_.stiff_column = {};
  }

  /// The values, after they have changed; see amg::StiffPart.
  template <class Rows>
  void refill(Ranked& dev, const AskedRows<Rows>& a, const T* inverse_diagonal, double largest,
              amg::Smoother kind) {
    if (rows_.everywhere == 0) return;
    const index_t count = index_t(rows_.row.size());
    const int* row = std::as_const(row_).data();
    dev.for_each(count, ValuesOfRows<Rows, T>{a.rows, row, std::as_const(all_.start).data(),
                                              std::as_const(all_.column).data(), all_.value.data()});
    dev.for_each(among_.entries(), comm::halo::Pack<T>{std::as_const(all_.value).data(),
                                                       std::as_const(place_).data(), among_.value.data()});
    dev.for_each(count, TakeRows<T>{row, inverse_diagonal, inverse_.data()});
    const double own = amg::largest_eigenvalue<Ranked, T>(
        dev, count, std::as_const(inverse_).data(),
        [&](const T* x, const auto& f, double* sums) { among_rows_.template then_sum<1>(x, f, sums); });
    polynomial_ = amg::make_polynomial(kind, amg::stiff_degree, amg::stiff_ratio,
                                       1.1 * (own > largest ? own : largest));
  }

  void smooth(Ranked& dev, const T* b, T* x) {
    if (rows_.everywhere == 0) return;
    const T* inverse = std::as_const(inverse_).data();
    T *e = e_.data(), *other = other_.data();
    all_rows_.then(std::as_const(x), amg::FirstOnStiff<T>{std::as_const(row_).data(), b, inverse, r_.data(),
                                                          e, T(polynomial_.step[0])});
    amg::smooth_from_first(polynomial_, std::as_const(r_).data(), inverse, e, other,
                           [&](const T* v, const auto& f) { among_rows_.then(v, f); });
    dev.for_each(index_t(rows_.row.size()), amg::AddOnStiff<T>{std::as_const(row_).data(), e, x});
  }
  /// Of all ranks.
  index_t rows() const { return rows_.everywhere; }
  std::size_t bytes() const {
    return row_.bytes() + place_.bytes() + all_.bytes() + among_.bytes() + all_rows_.bytes() +
           among_rows_.bytes() + inverse_.bytes() + r_.bytes() + e_.bytes() + other_.bytes();
  }

 private:
  /// The pattern goes to the device, where products find it.
  static void place_rows(Ranked& dev, RankedCsr& from, sparse::Csr<Device, T>& to,
                         RankedRows<Device, T>& rows) {
    to.rows = from.rows.rows, to.columns = from.rows.columns;
    to.start = put(dev.alone(), from.rows.start);
    to.column = put(dev.alone(), from.rows.column);
    to.value = dev.template allocate<T>(from.rows.column.size());
    rows.build(dev, from, std::as_const(to).view());
    from.rows = {};
  }

  StiffRows rows_;  // without patterns once they are on the device
  typename Device::template Array<int> row_, place_;
  typename Device::template Array<T> inverse_, r_, e_, other_;
  sparse::Csr<Device, T> all_, among_;
  RankedRows<Device, T> all_rows_, among_rows_;
  amg::Polynomial polynomial_;
};

}  // namespace umov::ranks
