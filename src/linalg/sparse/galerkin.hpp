// The coarse matrix R A P of a multigrid level, and its values again when A has changed.
#pragma once

#include <utility>

#include "linalg/sparse/csr.hpp"

namespace umov::sparse {

/// R (A P) with both patterns kept, so that new values of A cost no search for entries.
template <class Device, class T>
struct Galerkin {
  Csr<Device, T> ap, rap;
  std::size_t bytes() const { return ap.bytes() + rap.bytes(); }
};

/// Call it unqualified: a backend may overload it on the device.
template <class Device, class T>
void triple_product(Device& dev, const CsrView<T>& r, const CsrView<T>& a, const CsrView<T>& p,
                    Galerkin<Device, T>& out) {
  out.ap = multiply(dev, a, p);
  out.rap = multiply(dev, r, std::as_const(out.ap).view());
}

/// Values only; patterns of R, A and P as they were.
template <class Device, class T>
void triple_product_again(Device& dev, const CsrView<T>& r, const CsrView<T>& a, const CsrView<T>& p,
                          Galerkin<Device, T>& out) {
  multiply_again(dev, a, p, out.ap);
  multiply_again(dev, r, std::as_const(out.ap).view(), out.rap);
}

}  // namespace umov::sparse
