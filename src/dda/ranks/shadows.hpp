// Pseudo-random shadow vectors on several ranks: those of one rank, by the numbers of the unknowns in the
// whole.
#pragma once

#include "comm/on_ranks.hpp"
#include "linalg/krylov/combine.hpp"

namespace umov::comm {

template <class T, int S>
struct Placed<krylov::IdrsShadowDots<T, S>> {
  struct Dots {
    const Complex<T>* a;
    Places places;
    template <class Sum>
    UMOV_HD void operator()(index_t i, Sum& s) const {
      const Complex<T> ai = a[i];
      const index_t place = places.of(i);
      for (int k = 0; k < S; ++k) {
        const Complex<T> v = conj(krylov::shadow_component<T>(place, k)) * ai;
        s.v[2 * k] += v.re;
        s.v[2 * k + 1] += v.im;
      }
      s.v[2 * S] += norm2(ai);
    }
  };
  static Dots as(const krylov::IdrsShadowDots<T, S>& f, const Places& p) { return {f.a, p}; }
};

template <class T, int S>
struct Placed<krylov::IdrsReduce<T, S>> {
  struct Reduce {
    krylov::IdrsReduce<T, S> f;
    Places places;
    template <class Sum>
    UMOV_HD void operator()(index_t i, Sum& s) const {
      const Complex<T> before = f.r[i], xi = f.x[i] + f.w * before;
      f.x[i] = xi;
      f.r[i] = before - f.w * f.t[i];
      typename Placed<krylov::IdrsShadowDots<T, S>>::Dots{f.r, places}(i, s);
    }
  };
  static Reduce as(const krylov::IdrsReduce<T, S>& f, const Places& p) { return {f, p}; }
};

template <class T>
struct Placed<krylov::Combine<T>> {
  struct Sums {
    krylov::Combine<T> f;
    Places places;
    template <class Sum>
    UMOV_HD void operator()(index_t i, Sum& s) const {
      f.run(i, places.of(i), s);
    }
  };
  static Sums as(const krylov::Combine<T>& f, const Places& p) { return {f, p}; }
};

}  // namespace umov::comm
