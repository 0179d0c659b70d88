// Two forms of one operator for the linear solver: a matrix in rows, and elements.
#pragma once

#include <string>
#include <type_traits>

#include "eqs/kernels/element_row.hpp"
#include "eqs/solve/element_matrix.hpp"
#include "linalg/sparse/fast_rows.hpp"

namespace umov::eqs {

/// What to solve with, on the device: the matrix (assembled) or its elements (matrix-free); for p-multigrid,
/// and without a matrix always, that of first-order elements on the same mesh and, per further unknown, the
/// `per_edge` vertex unknowns beside it.
template <class Device>
struct MatrixSet {
  sparse::CsrView<double> a, first_order;
  const int* parents = nullptr;
  int per_edge = 2;
  ElementMatrix<Device> elements;
};

template <class V, class R>
struct InverseOfDiagonal {
  sparse::CsrView<V> a;
  R* inverse;
  UMOV_HD void operator()(index_t i) const {
    V d = 0;
    for (int k = a.start[i]; k < a.start[i + 1]; ++k)
      if (a.column[k] == i) d = a.value[k];
    inverse[i] = d > 0 ? R(V(1) / d) : R(0);
  }
};

/// The matrix in rows, its values in V.
template <class Device, class V>
class AssembledForm {
 public:
  void take(Device& dev, const MatrixSet<Device>& m, bool first) {
    dev_ = &dev;
    a_ = {m.a.rows, m.a.columns, m.a.start, m.a.column, nullptr, m.a.entries, m.a.long_rows};
    if constexpr (std::is_same_v<V, double>) {
      a_.value = m.a.value;
    } else {
      if (first) values_ = dev.template allocate<V>(m.a.entries);
      dev.for_each(m.a.entries, sparse::Convert<double, V>{m.a.value, values_.data()});
      a_.value = values_.data();
    }
    if (first)
      rows_.build(dev, a_);
    else
      rows_.refill(dev, a_);
  }
  index_t size() const { return a_.rows; }
  std::size_t bytes() const { return rows_.bytes() + values_.bytes(); }
  std::string describe() const { return ""; }

  template <class F>
  void then(const V* x, const F& f) const {
    rows_.then(*dev_, x, f);
  }
  template <int K, class F>
  void then_sum(const V* x, const F& f, double* sums) const {
    rows_.template then_sum<K>(*dev_, x, f, sums);
  }
  void apply(const V* x, V* y) const { then(x, sparse::Store<V>{y}); }
  void apply_dot(const V* x, V* y, double* sums) const { then_sum<1>(x, sparse::StoreDot<V>{x, y}, sums); }
  /// 1 / diagonal; 0 where it is not positive.
  template <class R>
  void inverse_diagonal(R* inverse) const {
    dev_->for_each(a_.rows, InverseOfDiagonal<V, R>{a_, inverse});
  }
  /// For amg::StiffPart; `diagonal`: what `theta` is relative to.
  amg::MatrixRows<V> stiff_rows(const V* diagonal, double theta) const {
    return {amg::make_strength(a_, diagonal, theta), amg::longest_stiff_second};
  }

 private:
  Device* dev_ = nullptr;
  sparse::CsrView<V> a_;
  sparse::FastRows<Device, V> rows_;
  typename Device::template Array<V> values_;
};

/// Elements, in arithmetic of V at least.
template <class Device, class V>
class ElementForm {
 public:
  void take(Device& dev, const MatrixSet<Device>& m, bool) {
    dev_ = &dev;
    matrix_ = m.elements;
    elements_.take(dev, m.elements);
  }
  index_t size() const { return elements_.size(); }
  std::size_t bytes() const { return elements_.bytes(); }
  std::string describe() const { return ", matrix-free (" + elements_.variant() + ")"; }

  template <class F>
  void then(const V* x, const F& f) const {
    elements_.then(x, f);
  }
  template <int K, class F>
  void then_sum(const V* x, const F& f, double* sums) const {
    elements_.template then_sum<K>(x, f, sums);
  }
  void apply(const V* x, V* y) const { then(x, sparse::Store<V>{y}); }
  void apply_dot(const V* x, V* y, double* sums) const { then_sum<1>(x, sparse::StoreDot<V>{x, y}, sums); }
  template <class R>
  void inverse_diagonal(R* inverse) const {
    eqs::inverse_diagonal(*dev_, matrix_, inverse);
  }
  /// The same without the matrix; of second order.
  RowsOfElements<V> stiff_rows(const V* diagonal, double theta) const {
    return {matrix_.elements, matrix_.rows, diagonal, V(theta * theta)};
  }

 private:
  Device* dev_ = nullptr;
  ElementMatrix<Device> matrix_;
  FastElements<Device, V> elements_;
};

}  // namespace umov::eqs
