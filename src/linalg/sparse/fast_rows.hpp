// A matrix in the form that multiplies fastest on a device.
#pragma once

#include "linalg/sparse/rows.hpp"

namespace umov::sparse {

/// On processors the rows as they are; a device with a better format specialises this class (SELL-C-sigma,
/// Kreutzer et al. 2014, SIAM J. Sci. Comput. 36, C401). The rows given to `build` must outlive it.
template <class Device, class T>
class FastRows {
 public:
  void build(Device&, const CsrView<T>& a) { a_ = a; }
  /// The same pattern with other values.
  void refill(Device&, const CsrView<T>& a) { a_ = a; }
  std::size_t bytes() const { return 0; }

  template <class X, class Then>
  void then(Device& dev, const X* x, const Then& f) const {
    rows_then(dev, a_, x, f);
  }
  template <int K, class X, class Then>
  void then_sum(Device& dev, const X* x, const Then& f, double* sums) const {
    rows_then_sum<K>(dev, a_, x, f, sums);
  }

 private:
  CsrView<T> a_;
};

}  // namespace umov::sparse
