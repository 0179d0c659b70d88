// The state of every Krylov solver: the device, the operator, its vectors, and where x and r are.
#pragma once

#include "backend/reduce.hpp"
#include "core/complex.hpp"
#include "core/types.hpp"

namespace umov::krylov {

/// Base of the solvers for n unknowns. Nothing of an iteration is here.
template <class Dev, class T, class Op>
class Vectors {
 public:
  using Real = T;
  Vectors(Dev& dev, Op& op, index_t n) : dev_(dev), op_(op), n_(n) {}
  void attach(Complex<T>* x, Complex<T>* r) {
    x_ = x;
    r_ = r;
  }

 protected:
  using C = Complex<T>;
  using A = backend::Accumulator<T>;
  using Z = Complex<A>;
  using Vector = typename Dev::template Array<C>;

  /// Room for `count` vectors, one after the other.
  Vector vector(int count = 1) { return dev_.template allocate<C>(count * n_); }
  void begin(C* x, C* r, double rr) {
    attach(x, r);
    rr_ = rr;
  }

  Dev& dev_;
  Op& op_;
  index_t n_;
  C *x_ = nullptr, *r_ = nullptr;
  double rr_ = 0;  ///< |r|^2
};

}  // namespace umov::krylov
