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

/// (A x)_i with the neighbours' part of x in an array of its own.
template <class T>
struct RankedRow {
  sparse::CsrView<T> a;
  int own;
  const T *x, *ghost;
  UMOV_HD T operator()(index_t i) const {
    T even = 0, odd = 0;
    for (int k = a.start[i]; k < a.start[i + 1]; ++k) {
      const int c = a.column[k];
      const T v = a.value[k] * (c < own ? x[c] : ghost[c - own]);
      (k & 1 ? odd : even) += v;
    }
    return even + odd;
  }
};
template <class T, class Then>
struct RankedRowThen {
  RankedRow<T> row;
  Then then;
  UMOV_HD void operator()(index_t i) const { then(i, row(i)); }
};
template <class T, class Then>
struct RankedRowThenSum {
  RankedRow<T> row;
  Then then;
  template <class S>
  UMOV_HD void operator()(index_t i, S& sums) const {
    then(i, row(i), sums);
  }
};

/// As sparse::RowsOperator; every member but the sizes is called by every rank. Vectors hold a rank's own
/// values only.
template <class Device, class T>
class RankedRows {
  using Ranked = comm::RankedDevice<Device>;

 public:
  /// Pattern and values from the host.
  void build(Ranked& dev, const RankedCsr& a) {
    take_pattern(dev, a);
    start_ = dev.template allocate<int>(a.rows.start.size());
    column_ = dev.template allocate<int>(a.rows.column.size());
    dev.upload(start_.data(), a.rows.start.data(), a.rows.start.size());
    dev.upload(column_.data(), a.rows.column.data(), a.rows.column.size());
    a_ = {a.rows.rows, a.rows.columns, start_.data(), column_.data(), nullptr, index_t(column_.size())};
    refill(a);
  }
  /// Other values of the same pattern.
  void refill(const RankedCsr& a) {
    if (value_.size() != a.rows.value.size()) value_ = dev_->template allocate<T>(a.rows.value.size());
    const std::vector<T> value(a.rows.value.begin(), a.rows.value.end());
    dev_->upload(value_.data(), value.data(), value.size());
    a_.value = value_.data();
  }
  /// Rows that lie on the device already, in double, and stay there; `a`: their pattern, whose values are not
  /// read.
  void build(Ranked& dev, const RankedCsr& a, const sparse::CsrView<double>& on_device) {
    take_pattern(dev, a);
    a_ = {on_device.rows,   on_device.columns, on_device.start,
          on_device.column, nullptr,           index_t(a.rows.column.size())};
    refill(on_device.value);
  }
  void refill(const double* value) {
    if constexpr (sizeof(T) == sizeof(double)) {
      a_.value = value;
    } else {
      if (index_t(value_.size()) != a_.entries) value_ = dev_->template allocate<T>(std::size_t(a_.entries));
      dev_->for_each(a_.entries, sparse::Convert<double, T>{value, value_.data()});
      a_.value = std::as_const(value_).data();
    }
  }

  index_t size() const { return a_.rows; }
  const sparse::CsrView<T>& view() const { return a_; }

  template <class Then>
  void then(const T* x, const Then& f) const {
    dev_->for_each(a_.rows, RankedRowThen<T, Then>{row(x), f});
  }
  template <int K, class Then>
  void then_sum(const T* x, const Then& f, double* sums) const {
    dev_->template reduce_to<K>(a_.rows, RankedRowThenSum<T, Then>{row(x), f}, sums);
  }
  void apply(const T* x, T* y) const { then(x, sparse::Store<T>{y}); }
  void apply_dot(const T* x, T* y, double* sums) const { then_sum<1>(x, sparse::StoreDot<T>{x, y}, sums); }

  std::size_t bytes() const { return start_.bytes() + column_.bytes() + value_.bytes() + ghost_.bytes(); }

 private:
  void take_pattern(Ranked& dev, const RankedCsr& a) {
    dev_ = &dev;
    own_ = a.own_columns;
    halo_ = std::make_unique<comm::Halo<Ranked, T>>(dev, dev.channel(), a.neighbours);
    ghost_ = dev.template allocate<T>(a.ghosts.size());
  }
  RankedRow<T> row(const T* x) const {
    T* ghost = const_cast<T*>(ghost_.data());
    halo_->start(x, ghost);
    halo_->finish();
    return {a_, own_, x, ghost};
  }

  Ranked* dev_ = nullptr;
  int own_ = 0;
  sparse::CsrView<T> a_;
  std::unique_ptr<comm::Halo<Ranked, T>> halo_;
  typename Device::template Array<int> start_, column_;
  typename Device::template Array<T> value_, ghost_;
};

}  // namespace umov::ranks
