// amg::StiffPart across ranks: a longer polynomial on the rows of flat elements, wherever they lie.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "linalg/amg/stiff_part.hpp"
#include "linalg/ranks/ranked_rows.hpp"

namespace umov::ranks {

/// The stiff rows of one rank, and the matrix among those of all ranks. None where amg::StiffPart would take
/// none of the whole.
struct StiffRows {
  std::vector<int> row;            ///< of this rank's, ascending
  RankedCsr all, among;            ///< these rows; with stiff columns only, numbered as `row`
  std::vector<char> stiff_column;  ///< of the rows' columns, with ghosts
  index_t everywhere = 0;
};
/// Of every rank.
StiffRows find_stiff(comm::Communicator&, const RankedCsr& a, double coupling);
/// Values of `a`, whose pattern is as it was.
void refill_stiff(const RankedCsr& a, StiffRows&);

/// In two steps, where there is no matrix but its rows can be asked for: the rows that are stiff (`stiff`: of
/// this rank's rows; `columns`: theirs, without rows), then `all.rows` once its pattern is there. Of every
/// rank.
StiffRows choose_stiff(comm::Communicator&, const std::vector<int>& stiff, RankedCsr columns);
void find_among(comm::Communicator&, StiffRows&);
/// Values of `among` from those of `all`.
void refill_among(StiffRows&);

/// Rows that are asked for one by one: `rows` has the members of amg::MatrixRows with columns numbered as
/// those of `columns`, a RankedCsr without rows.
template <class Rows>
struct AskedRows {
  Rows rows;
  const RankedCsr* columns;
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
  void find(Ranked& dev, const RankedCsr& a, double coupling) {
    rows_ = find_stiff(dev.comm(), a, coupling);
    build(dev);
  }
  /// See amg::StiffPart; `inverse_diagonal` is the host's.
  void refill(Ranked& dev, const RankedCsr& a, const std::vector<double>& inverse_diagonal, double largest,
              amg::Smoother kind) {
    if (rows_.everywhere == 0) return;
    refill_stiff(a, rows_);
    std::vector<T> inverse;
    for (const int i : rows_.row) inverse.push_back(T(inverse_diagonal[std::size_t(i)]));
    dev.upload(inverse_.data(), inverse.data(), inverse.size());
    take_values(dev, largest, kind);
  }

  /// The same of rows that are asked for on the device, n of this rank.
  template <class Rows>
  void find(Ranked& dev, int n, const AskedRows<Rows>& a) {
    auto mark = dev.template allocate<int>(std::size_t(n));
    dev.for_each(n, amg::MarkStiff<Rows>{a.rows, mark.data()});
    std::vector<int> stiff(std::size_t(n), 0);
    if (n) dev.download(stiff.data(), std::as_const(mark).data(), stiff.size());
    rows_ = choose_stiff(dev.comm(), stiff, *a.columns);
    if (rows_.everywhere == 0) return;
    const std::size_t count = rows_.row.size();
    const auto row = put(dev, rows_.row);
    auto& all = rows_.all.rows;
    auto length = dev.template allocate<int>(count);
    dev.for_each(index_t(count), EntriesOfRows<Rows>{a.rows, row.data(), length.data()});
    std::vector<int> lengths(count);
    if (count) dev.download(lengths.data(), std::as_const(length).data(), count);
    all.start.assign(1, 0);
    for (const int l : lengths) all.start.push_back(all.start.back() + l);
    const auto start = put(dev, all.start);
    auto column = dev.template allocate<int>(std::size_t(all.start.back()));
    dev.for_each(index_t(count), ColumnsOfRows<Rows>{a.rows, row.data(), start.data(), column.data()});
    all.column.resize(std::size_t(all.start.back()));
    if (!all.column.empty()) dev.download(all.column.data(), std::as_const(column).data(), all.column.size());
    all.value.assign(all.column.size(), 0);
    find_among(dev.comm(), rows_);
    build(dev);
  }
  template <class Rows>
  void refill(Ranked& dev, const AskedRows<Rows>& a, const T* inverse_diagonal, double largest,
              amg::Smoother kind) {
    if (rows_.everywhere == 0) return;
    auto& all = rows_.all.rows;
    const index_t count = index_t(rows_.row.size());
    const auto start = put(dev, all.start), column = put(dev, all.column);
    auto value = dev.template allocate<T>(all.column.size());
    dev.for_each(count, ValuesOfRows<Rows, T>{a.rows, std::as_const(row_).data(), start.data(), column.data(),
                                              value.data()});
    std::vector<T> values(all.column.size());
    if (!values.empty()) dev.download(values.data(), std::as_const(value).data(), values.size());
    all.value.assign(values.begin(), values.end());
    refill_among(rows_);
    dev.for_each(count, TakeRows<T>{std::as_const(row_).data(), inverse_diagonal, inverse_.data()});
    take_values(dev, largest, kind);
  }

  void smooth(Ranked& dev, const T* b, T* x) {
    if (rows_.everywhere == 0) return;
    const T* inverse = std::as_const(inverse_).data();
    T *e = e_.data(), *other = other_.data();
    all_.then(std::as_const(x), amg::FirstOnStiff<T>{std::as_const(row_).data(), b, inverse, r_.data(), e,
                                                     T(polynomial_.step[0])});
    amg::smooth_from_first(polynomial_, std::as_const(r_).data(), inverse, e, other,
                           [&](const T* v, const auto& f) { among_.then(v, f); });
    dev.for_each(index_t(rows_.row.size()), amg::AddOnStiff<T>{std::as_const(row_).data(), e, x});
  }
  /// Of all ranks.
  index_t rows() const { return rows_.everywhere; }
  std::size_t bytes() const {
    return row_.bytes() + all_.bytes() + among_.bytes() + inverse_.bytes() + r_.bytes() + e_.bytes() +
           other_.bytes();
  }

 private:
  static typename Device::template Array<int> put(Ranked& dev, const std::vector<int>& list) {
    auto out = dev.template allocate<int>(list.size());
    if (!list.empty()) dev.upload(out.data(), list.data(), list.size());
    return out;
  }
  void build(Ranked& dev) {
    if (rows_.everywhere == 0) return;
    row_ = put(dev, rows_.row);
    for (auto* v : {&inverse_, &r_, &e_, &other_}) *v = dev.template allocate<T>(rows_.row.size());
    all_.build(dev, rows_.all);
    among_.build(dev, rows_.among);
  }
  void take_values(Ranked& dev, double largest, amg::Smoother kind) {
    all_.refill(rows_.all);
    among_.refill(rows_.among);
    const double own = amg::largest_eigenvalue<Ranked, T>(
        dev, index_t(rows_.row.size()), std::as_const(inverse_).data(),
        [&](const T* x, const auto& f, double* sums) { among_.template then_sum<1>(x, f, sums); });
    polynomial_ = amg::make_polynomial(kind, amg::stiff_degree, amg::stiff_ratio,
                                       1.1 * (own > largest ? own : largest));
  }

  StiffRows rows_;
  typename Device::template Array<int> row_;
  typename Device::template Array<T> inverse_, r_, e_, other_;
  RankedRows<Device, T> all_, among_;
  amg::Polynomial polynomial_;
};

}  // namespace umov::ranks
