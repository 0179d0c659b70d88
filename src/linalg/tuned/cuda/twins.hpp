// All that linalg's templates find on a GPU in place of their simple parts: include it before them.
#pragma once

#include "linalg/sparse/fast_rows.hpp"
#include "linalg/tuned/cuda/multiply.hpp"
#include "linalg/tuned/cuda/prolongation.hpp"
#include "linalg/tuned/cuda/rows.hpp"
#include "linalg/tuned/cuda/sell.hpp"

namespace umov::sparse {

/// Long rows in slices; short ones (a prolongation's) as they are.
template <class T>
class FastRows<backend::Cuda, T> {
 public:
  void build(backend::Cuda& dev, const CsrView<T>& a) {
    a_ = a;
    if (in_slices()) sell_.build(dev, a);
  }
  void refill(backend::Cuda& dev, const CsrView<T>& a) {
    a_ = a;
    if (in_slices()) sell_.refill(dev, a);
  }
  std::size_t bytes() const { return sell_.bytes(); }

  template <class X, class Then>
  void then(backend::Cuda& dev, const X* x, const Then& f) const {
    if (in_slices())
      sell_.then(dev, x, f);
    else
      rows_then(dev, a_, x, f);
  }
  template <int K, class X, class Then>
  void then_sum(backend::Cuda& dev, const X* x, const Then& f, double* sums) const {
    if (in_slices())
      sell_.template then_sum<K>(dev, x, f, sums);
    else
      rows_then_sum<K>(dev, a_, x, f, sums);
  }

 private:
  bool in_slices() const { return false; }
  CsrView<T> a_;
  Sell<T> sell_;
};

}  // namespace umov::sparse
