// Products with a matrix in rows, each followed by what is done with its result, so that nothing is read
// twice.
#pragma once

#include "backend/reduce.hpp"
#include "core/complex.hpp"
#include "linalg/sparse/csr.hpp"

namespace umov::sparse {

/// Where the values at a matrix' columns lie: in x, all of them.
struct AllColumns {
  template <class X>
  UMOV_HD X at(const X* x, int c) const {
    return x[c];
  }
};
/// Those from `own` on in an array of their own.
template <class X>
struct GhostColumns {
  int own;
  const X* ghost;
  UMOV_HD X at(const X* x, int c) const { return c < own ? x[c] : ghost[c - own]; }
};
/// Those from `own` on are not there yet: 0.
struct OwnColumns {
  int own;
  template <class X>
  UMOV_HD X at(const X* x, int c) const {
    return c < own ? x[c] : X(0);
  }
};

/// (A x)_i. Two running sums: the additions of one would wait for one another.
template <class T, class X, class Columns = AllColumns>
UMOV_HD inline X row_product(const CsrView<T>& a, index_t i, const X* x, const Columns& columns = {}) {
  int k = a.start[i];
  const int end = a.start[i + 1];
  X even = 0, odd = 0;
  for (; k + 1 < end; k += 2) {
    even += X(a.value[k]) * columns.at(x, a.column[k]);
    odd += X(a.value[k + 1]) * columns.at(x, a.column[k + 1]);
  }
  if (k < end) even += X(a.value[k]) * columns.at(x, a.column[k]);
  return even + odd;
}

/// Functor of rows_then.
template <class T, class X, class Columns, class Then>
struct RowThen {
  CsrView<T> a;
  const X* x;
  Columns columns;
  Then then;
  UMOV_HD void operator()(index_t i) const { then(i, row_product(a, i, x, columns)); }
};

/// Functor of rows_then_sum.
template <class T, class X, class Columns, class Then>
struct RowThenSum {
  CsrView<T> a;
  const X* x;
  Columns columns;
  Then then;
  template <class S>
  UMOV_HD void operator()(index_t i, S& sums) const {
    then(i, row_product(a, i, x, columns), sums);
  }
};

/// then(i, (A x)_i) for every row. `then` writes nothing that rows read (x).
/// Call it unqualified: a backend's tuned twin is an overload on the device.
template <class Device, class T, class X, class Columns, class Then>
void rows_then(Device& dev, const CsrView<T>& a, const X* x, const Columns& columns, const Then& then) {
  dev.for_each(a.rows, RowThen<T, X, Columns, Then>{a, x, columns, then});
}
template <class Device, class T, class X, class Then>
void rows_then(Device& dev, const CsrView<T>& a, const X* x, const Then& then) {
  rows_then(dev, a, x, AllColumns{}, then);
}

/// then(i, (A x)_i, sums) for every row; the K sums in double are left in the device's memory.
template <int K, class Device, class T, class X, class Columns, class Then>
void rows_then_sum(Device& dev, const CsrView<T>& a, const X* x, const Columns& columns, const Then& then,
                   double* sums) {
  dev.template reduce_to<K>(a.rows, RowThenSum<T, X, Columns, Then>{a, x, columns, then}, sums);
}
template <int K, class Device, class T, class X, class Then>
void rows_then_sum(Device& dev, const CsrView<T>& a, const X* x, const Then& then, double* sums) {
  rows_then_sum<K>(dev, a, x, AllColumns{}, then, sums);
}

template <class X>
struct Store {  // y = A x
  X* y;
  UMOV_HD void operator()(index_t i, X ax) const { y[i] = ax; }
};
template <class X>
struct StoreResidual {  // r = b - A x
  const X* b;
  X* r;
  UMOV_HD void operator()(index_t i, X ax) const { r[i] = b[i] - ax; }
};
template <class X>
struct StoreSum {  // y = y + A x
  X* y;
  UMOV_HD void operator()(index_t i, X ax) const { y[i] += ax; }
};
template <class X>
struct StoreDot {  // y = A x, x . y
  const X* x;
  X* y;
  template <class S>
  UMOV_HD void operator()(index_t i, X ax, S& sums) const {
    y[i] = ax;
    sums.v[0] += double(x[i]) * double(ax);
  }
};

/// The diagonal of a square matrix; 0 where there is no such entry.
template <class T, class X>
struct Diagonal {
  CsrView<T> a;
  X* diagonal;
  UMOV_HD void operator()(index_t i) const {
    X d = 0;
    for (int k = a.start[i]; k < a.start[i + 1]; ++k)
      if (a.column[k] == i) d = X(a.value[k]);
    diagonal[i] = d;
  }
};

/// Entries in another precision.
template <class From, class To>
struct Convert {
  const From* from;
  To* to;
  UMOV_HD void operator()(index_t i) const { to[i] = To(from[i]); }
};

/// A matrix as smoothers and iterations see an operator: `then` calls f(i, (A x)_i) for each row once,
/// `then_sum` f(i, (A x)_i, sums).
template <class Device, class T>
class RowsOperator {
 public:
  RowsOperator(Device& dev, const CsrView<T>& a) : dev_(&dev), a_(a) {}
  index_t size() const { return a_.rows; }

  template <class Then>
  void then(const T* x, const Then& f) const {
    rows_then(*dev_, a_, x, f);
  }
  template <int K, class Then>
  void then_sum(const T* x, const Then& f, double* sums) const {
    rows_then_sum<K>(*dev_, a_, x, f, sums);
  }
  void apply(const T* x, T* y) const { then(x, Store<T>{y}); }
  /// y = A x and x . y, left in sums[0].
  void apply_dot(const T* x, T* y, double* sums) const { then_sum<1>(x, StoreDot<T>{x, y}, sums); }

 private:
  Device* dev_;
  CsrView<T> a_;
};

}  // namespace umov::sparse
