// Products with a matrix whose rows lie with several ranks, on any backend.
#pragma once

#include <memory>
#include <utility>

#include "comm/halo.hpp"
#include "comm/ranked_device.hpp"
#include "linalg/ranks/ranked_csr.hpp"
#include "linalg/sparse/multiply.hpp"
#include "linalg/sparse/rows.hpp"

namespace umov::ranks {

/// 1 where a row has columns of others: they come last.
struct MarkBorder {
  const int *start, *column;
  int own;
  int* mark;
  UMOV_HD void operator()(index_t i) const {
    mark[i] = start[i + 1] > start[i] && column[start[i + 1] - 1] >= own;
  }
};
struct ListBorder {
  const int* number;  ///< the first n + 1 sums of the marks
  int* row;
  char* inner;
  UMOV_HD void operator()(index_t i) const {
    const bool border = number[i + 1] > number[i];
    inner[i] = !border;
    if (border) row[number[i]] = int(i);
  }
};
/// What is done with rows that need nothing of others, and nothing with the rest.
template <class Then>
struct InnerRows {
  const char* inner;
  Then then;
  template <class V>
  UMOV_HD void operator()(index_t i, V v) const {
    if (inner[i]) then(i, v);
  }
};
template <class T, class Then>
struct BorderRowThen {
  sparse::CsrView<T> a;
  const int* row;
  const T* x;
  sparse::GhostColumns<T> columns;
  Then then;
  UMOV_HD void operator()(index_t s) const {
    then(index_t(row[s]), sparse::row_product(a, row[s], x, columns));
  }
};

/// As sparse::RowsOperator; every member but the sizes is called by every rank. Vectors hold a rank's own
/// values only; others' come meanwhile into an array of this one. The rank's rows are a rectangular matrix,
/// multiplied by the backend's tuned product.
template <class Device, class T>
class RankedRows {
  using Ranked = comm::RankedDevice<Device>;

 public:
  /// Rows of a rank from which on those without columns of others are multiplied while the others' values
  /// travel: with less, two launches take longer than the message.
  static constexpr index_t worth_overlap = 20000;

  /// `a`: the rank's rows, which stay where they are.
  void build(Ranked& dev, const RankedColumns& columns, const sparse::CsrView<T>& a,
             index_t overlap_from = worth_overlap) {
    dev_ = &dev;
    own_ = columns.own_columns;
    halo_ = std::make_unique<comm::Halo<Ranked, T>>(dev, dev.channel(), columns.neighbours);
    ghost_ = dev.template allocate<T>(columns.ghosts.size());
    a_ = a;
    border_ = 0;
    overlaps_ = false;
    if (a.rows >= overlap_from && !columns.ghosts.empty()) find_border();
  }
  /// Other values of the same pattern.
  void refill(const T* value) { a_.value = value; }

  index_t size() const { return a_.rows; }
  bool overlaps() const { return overlaps_; }

  template <class Then>
  void then(const T* x, const Then& f) const {
    T* ghost = const_cast<T*>(ghost_.data());
    halo_->start(x, ghost);
    if (overlaps_)
      rows_then(dev_->alone(), a_, x, sparse::OwnColumns{own_}, InnerRows<Then>{inner_.data(), f});
    halo_->finish();
    if (overlaps_)
      dev_->for_each(border_, BorderRowThen<T, Then>{a_, row_.data(), x, ghosts(), f});
    else
      rows_then(dev_->alone(), a_, x, ghosts(), f);
  }
  template <int K, class Then>
  void then_sum(const T* x, const Then& f, double* sums) const {
    halo_->start(x, const_cast<T*>(ghost_.data()));
    halo_->finish();
    rows_then_sum<K>(dev_->alone(), a_, x, ghosts(), f, dev_->own_sums());
    dev_->template add_ranks<K>(sums);
  }
  void apply(const T* x, T* y) const { then(x, sparse::Store<T>{y}); }
  void apply_dot(const T* x, T* y, double* sums) const { then_sum<1>(x, sparse::StoreDot<T>{x, y}, sums); }

  std::size_t bytes() const { return ghost_.bytes() + row_.bytes() + inner_.bytes(); }

 private:
  sparse::GhostColumns<T> ghosts() const { return {own_, ghost_.data()}; }
  void find_border() {
    const index_t n = a_.rows;
    auto number = dev_->template allocate<int>(std::size_t(n) + 1);
    dev_->fill_zero(number.data(), std::size_t(n) + 1);
    dev_->for_each(n, MarkBorder{a_.start, a_.column, own_, number.data()});
    border_ = dev_->exclusive_scan(number.data(), n + 1);
    overlaps_ = 4 * border_ <= n;
    if (!overlaps_) return;
    row_ = dev_->template allocate<int>(std::size_t(border_));
    inner_ = dev_->template allocate<char>(std::size_t(n));
    dev_->for_each(n, ListBorder{std::as_const(number).data(), row_.data(), inner_.data()});
    dev_->synchronize();  // numbers go
  }

  Ranked* dev_ = nullptr;
  int own_ = 0;
  bool overlaps_ = false;
  index_t border_ = 0;
  sparse::CsrView<T> a_;
  std::unique_ptr<comm::Halo<Ranked, T>> halo_;
  typename Device::template Array<T> ghost_;
  typename Device::template Array<int> row_;  // those with columns of others
  typename Device::template Array<char> inner_;
};

}  // namespace umov::ranks
