// Any Krylov solver on the right-preconditioned system A M y = r_0, x = x_0 + M y.
#pragma once

#include "linalg/krylov/krylov.hpp"
#include "linalg/krylov/order.hpp"

namespace umov::krylov {

template <class T>
struct AllDots {  // a.b (bilinear), conj(a).b, |b|^2
  const Complex<T>*a, *b;
  template <class S>
  UMOV_HD void operator()(index_t i, S& s) const {
    add_product(s, a[i], b[i]);
  }
};

template <class T>
struct AddTo {  // to += from
  const Complex<T>* from;
  Complex<T>* to;
  UMOV_HD void operator()(index_t i) const { to[i] += from[i]; }
};

/// A M as one operator, its adjoint M^H A^H.
template <class Dev, class T, class Op, class M>
class ProductOfTwo {
  using A = backend::Accumulator<T>;

 public:
  ProductOfTwo(Dev& dev, Op& op, M& m, index_t n)
      : dev_(dev), op_(op), m_(m), n_(n), between_(dev.template allocate<Complex<T>>(n)) {}

  ProductSums<A> apply(const Complex<T>* x, Complex<T>* y, bool adjoint) {
    if (adjoint) {
      op_.apply(x, between_.data(), true);
      m_.apply(between_.data(), y, true);
    } else {
      m_.apply(x, between_.data(), false);
      op_.apply(between_.data(), y, false);
    }
    return product_sums(dev_.template map_reduce<5, A>(n_, AllDots<T>{x, y}));
  }
  /// M x, in work space of this operator.
  const Complex<T>* precondition(const Complex<T>* x) {
    m_.apply(x, between_.data(), false);
    return between_.data();
  }

 private:
  Dev& dev_;
  Op& op_;
  M& m_;
  index_t n_;
  typename Dev::template Array<Complex<T>> between_;
};

/// Solver S for A M y = r_0, for which it needs no symmetry: r stays the residual of A x = b. x follows when
/// settle() is called; until then it is x_0. Two vectors and one product with M an iteration's product more.
template <template <class, class, class> class S, class Dev, class T, class Op, class M>
class RightPreconditioned {
  using C = Complex<T>;
  using Both = ProductOfTwo<Dev, T, Op, M>;
  using Inner = S<Dev, T, Both>;

 public:
  using Real = T;
  static constexpr const char* name = Inner::name;
  static constexpr int vectors = Inner::vectors + 2, products = Inner::products;
  static constexpr int vectors_with(int order) requires HasOrder<Inner> {
    return Inner::vectors_with(order) + 2;
  }

  /// `order` for a solver that has one.
  template <class... Order>
  RightPreconditioned(Dev& dev, Op& op, M& m, index_t n, Order... order)
      : dev_(dev),
        n_(n),
        both_(dev, op, m, n),
        y_(dev.template allocate<C>(n)),
        inner_(dev, both_, n, order...) {}

  void start(C* x, C* r, double rr) {
    x_ = x;
    dev_.fill_zero(y_.data(), n_);
    inner_.start(y_.data(), r, rr);
  }
  void attach(C* x, C* r) {
    x_ = x;
    inner_.attach(y_.data(), r);
  }
  Step iterate() { return inner_.iterate(); }
  void stop_at(double rr) requires requires(Inner& s) { s.stop_at(0.0); }
  { inner_.stop_at(rr); }
  /// x += M y, y = 0; the iteration may go on.
  void settle() {
    dev_.for_each(n_, AddTo<T>{both_.precondition(y_.data()), x_});
    dev_.fill_zero(y_.data(), n_);
  }
  template <class Archive>
  void state(Archive& archive) {
    archive.vector(y_);
    inner_.state(archive);
  }

 private:
  Dev& dev_;
  index_t n_;
  Both both_;
  typename Dev::template Array<C> y_;
  Inner inner_;
  C* x_ = nullptr;
};

}  // namespace umov::krylov
