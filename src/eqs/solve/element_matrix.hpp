// Newton's matrix that is never formed: what a product with it reads, and the simple product.
#pragma once

#include <string>
#include <type_traits>

#include "eqs/kernels/element_product.hpp"
#include "eqs/kernels/row_sums.hpp"
#include "eqs/solve/by_order.hpp"
#include "linalg/sparse/rows.hpp"

namespace umov::eqs {

/// What is done with the first rows; those behind are others', who have all of their elements.
template <class Then>
struct OwnRows {
  index_t own;
  Then then;
  template <class V>
  UMOV_HD void operator()(index_t i, V v) const {
    if (i < own) then(i, v);
  }
};

/// What a tuned product needs besides, made once for a problem: a device that has one specialises this class.
template <class Device>
struct ElementTables {
  void make(Device&, const ModelView&, int /*order*/, int /*unknowns*/) {}
  /// charge * q(u) + current * i(u) of all coefficients into the first `own` of `out`, curves on the way;
  /// false: it has no such.
  bool flux(Device&, const ModelView&, const double* /*u*/, const double* /*fixed*/, const Weights&,
            index_t /*own*/, double* /*out*/) const {
    return false;
  }
  std::size_t bytes() const { return 0; }
};

/// In the memory of a device; what it points to belongs to ElementRows.
template <class Device>
struct ElementMatrix {
  int order = 0;  ///< 0: there is none
  ElementView elements;
  RowSumsView rows;
  double* work = nullptr;  ///< [element][node], shares before they are summed
  const ElementTables<Device>* tables = nullptr;
};

/// From sums in double to what is done with a product.
template <class T, class Then>
struct ThenProduct {
  Then then;
  UMOV_HD void operator()(index_t row, const double* s) const { then(row, T(s[0])); }
  template <class S>
  UMOV_HD void operator()(index_t row, const double* s, S& sums) const {
    then(row, T(s[0]), sums);
  }
};
template <class T>
struct StoreInverseOf {
  T* inverse;
  bool add;  ///< to what is there: the other functions' part of the diagonal
  bool last;
  UMOV_HD void operator()(index_t row, const double* s) const {
    const double d = add ? double(inverse[row]) + s[0] : s[0];
    inverse[row] = !last ? T(d) : d > 0 ? T(1 / d) : T(0);
  }
};

/// 1 / diagonal; 0 where it is not positive.
template <class Device, class R>
void inverse_diagonal(Device& dev, const ElementMatrix<Device>& m, R* inverse) {
  const ModelView& model = m.elements.model;
  const bool bodies = model.base != nullptr;
  for (int second = 0; second <= int(bodies); ++second)
    with_order(m.order, [&](auto order) {
      constexpr int n = decltype(order)::value;
      dev.for_each(model.elements, ElementDiagonal<n>{m.elements, second == 1, m.work});
      sum_rows(dev, m.rows, DiagonalShare<n>{model, second == 1, m.work},
               StoreInverseOf<R>{inverse, second == 1, (second == 1) == bodies});
    });
}

/// y = A x in two passes: every element writes its shares, every row sums its own. The referee of tuned
/// products, and what they fall back to. Moves some 2 nodes sizeof(T) + 4 nodes bytes per element besides the
/// mesh.
template <class Device, class T>
class ElementProducts {
 public:
  /// The matrix has changed. What it points to must outlive this.
  void take(Device& dev, const ElementMatrix<Device>& m) {
    m_ = m;
    dev_ = &dev;
    if constexpr (!std::is_same_v<T, double>)
      if (own_.size() == 0)
        own_ = dev.template allocate<T>(std::size_t(m.elements.model.elements) * (m.order == 1 ? 4 : 10));
  }
  index_t size() const { return m_.rows.rows; }
  std::size_t bytes() const { return own_.bytes(); }
  /// Its name in the log.
  std::string variant() const { return "in two passes"; }

  template <class Then>
  void then(const T* x, const Then& f) const {
    write(x);
    sum_rows(*dev_, m_.rows, Share<T>{work()}, ThenProduct<T, Then>{f});
  }
  template <int K, class Then>
  void then_sum(const T* x, const Then& f, double* sums) const {
    write(x);
    sum_rows_reduced<K>(*dev_, m_.rows, Share<T>{work()}, ThenProduct<T, Then>{f}, sums);
  }

 private:
  T* work() const {
    if constexpr (std::is_same_v<T, double>)
      return m_.work;
    else
      return own_.data();
  }
  void write(const T* x) const {
    with_order(m_.order, [&](auto order) {
      constexpr int n = decltype(order)::value;
      dev_->for_each(m_.elements.model.elements, ElementProduct<n, T>{m_.elements, x, work()});
    });
  }

  Device* dev_ = nullptr;
  ElementMatrix<Device> m_;
  mutable typename Device::template Array<T> own_;
};

/// The product that a device does fastest: a device with a better one specialises this class, whose members
/// are those of ElementProducts.
template <class Device, class T>
class FastElements : public ElementProducts<Device, T> {};

}  // namespace umov::eqs
