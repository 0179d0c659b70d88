// A cache line of complex numbers, one per lane: the unit in which the cpu product computes.
#pragma once

#include <cstddef>
#include <utility>

#include "core/complex.hpp"

namespace umov::dda::cpu {

/// Complex numbers side by side in 64 bytes: 4 double, 8 float, 2 long double.
template <class T>
inline constexpr int lanes = 64 / int(sizeof(Complex<T>));

/// Bytes of one vector register. A vector type wider than the processor's would be shuffled element by
/// element.
#if defined(__AVX512F__)
inline constexpr int register_bytes = 64;
#elif defined(__AVX__)
inline constexpr int register_bytes = 32;
#else
inline constexpr int register_bytes = 16;
#endif

/// One register of interleaved (re, im, re, im, ...).
template <class T>
struct Register {
  typedef T Vector __attribute__((vector_size(register_bytes)));
  using Indices = std::make_index_sequence<register_bytes / sizeof(T)>;

  /// (re, re), (im, im) and (-im, re) of every lane: a product is two multiply-adds on these.
  static Vector re(Vector a) { return re(a, Indices{}); }
  static Vector im(Vector a) { return im(a, Indices{}); }
  static Vector turned(Vector a) { return turned(a, Indices{}); }

 private:
  template <std::size_t... i>
  static Vector re(Vector a, std::index_sequence<i...>) {
    return __builtin_shufflevector(a, a, int(i & ~std::size_t(1))...);
  }
  template <std::size_t... i>
  static Vector im(Vector a, std::index_sequence<i...>) {
    return __builtin_shufflevector(a, a, int(i | 1)...);
  }
  template <std::size_t... i>
  static Vector turned(Vector a, std::index_sequence<i...>) {
    return __builtin_shufflevector(a, a, int(i ^ 1)...) * Vector{(i & 1 ? T(1) : T(-1))...};
  }
};

/// The lanes of one cache line, in as many registers as they need.
template <class T>
struct Pack {
  using R = Register<T>;
  static constexpr int parts = 64 / register_bytes;
  typename R::Vector v[parts];

  static Pack load(const Complex<T>* p) {
    Pack a;
    for (int i = 0; i < parts; ++i) a.v[i] = reinterpret_cast<const typename R::Vector*>(p)[i];
    return a;
  }
  void store(Complex<T>* p) const {
    for (int i = 0; i < parts; ++i) reinterpret_cast<typename R::Vector*>(p)[i] = v[i];
  }
  /// Element by element, with each register of the operands.
  template <class F, class... Packs>
  static Pack map(const F& f, const Packs&... a) {
    Pack r;
    for (int i = 0; i < parts; ++i) r.v[i] = f(a.v[i]...);
    return r;
  }
};
template <class T>
inline Pack<T> operator+(const Pack<T>& a, const Pack<T>& b) {
  return Pack<T>::map([](auto x, auto y) { return x + y; }, a, b);
}
template <class T>
inline Pack<T> operator-(const Pack<T>& a, const Pack<T>& b) {
  return Pack<T>::map([](auto x, auto y) { return x - y; }, a, b);
}
template <class T>
inline Pack<T> operator*(T s, const Pack<T>& a) {
  return Pack<T>::map([s](auto x) { return s * x; }, a);
}
/// i a
template <class T>
inline Pack<T> turned(const Pack<T>& a) {
  return Pack<T>::map([](auto x) { return Register<T>::turned(x); }, a);
}

/// A factor prepared for products with many packs.
template <class T>
struct Factor {
  Pack<T> re, im;
  explicit Factor(const Pack<T>& a)
      : re(Pack<T>::map([](auto x) { return Register<T>::re(x); }, a)),
        im(Pack<T>::map([](auto x) { return Register<T>::im(x); }, a)) {}
};
/// The other operand: itself and i times itself.
template <class T>
struct Operand {
  Pack<T> plain, turned;
  explicit Operand(const Pack<T>& a) : plain(a), turned(cpu::turned(a)) {}
};
template <class T>
inline Pack<T> operator*(const Factor<T>& f, const Operand<T>& a) {
  return Pack<T>::map([](auto re, auto im, auto p, auto t) { return re * p + im * t; }, f.re, f.im, a.plain,
                      a.turned);
}
/// One complex number times every lane.
template <class T>
inline Pack<T> operator*(Complex<T> f, const Operand<T>& a) {
  return Pack<T>::map([f](auto p, auto t) { return f.re * p + f.im * t; }, a.plain, a.turned);
}

/// No vectors of long double exist: the same operations lane by lane.
template <>
struct Pack<long double> {
  Complex<long double> v[2];
  static Pack load(const Complex<long double>* p) { return {{p[0], p[1]}}; }
  void store(Complex<long double>* p) const {
    p[0] = v[0];
    p[1] = v[1];
  }
};
using LongPack = Pack<long double>;
template <>
inline LongPack operator+(const LongPack& a, const LongPack& b) {
  return {{a.v[0] + b.v[0], a.v[1] + b.v[1]}};
}
template <>
inline LongPack operator-(const LongPack& a, const LongPack& b) {
  return {{a.v[0] - b.v[0], a.v[1] - b.v[1]}};
}
template <>
inline LongPack operator*(long double s, const LongPack& a) {
  return {{s * a.v[0], s * a.v[1]}};
}
template <>
inline LongPack turned(const LongPack& a) {
  return {{{-a.v[0].im, a.v[0].re}, {-a.v[1].im, a.v[1].re}}};
}
template <>
struct Factor<long double> : LongPack {
  explicit Factor(const LongPack& a) : LongPack(a) {}
};
template <>
struct Operand<long double> : LongPack {
  explicit Operand(const LongPack& a) : LongPack(a) {}
};
template <>
inline LongPack operator*(const Factor<long double>& f, const Operand<long double>& a) {
  return {{f.v[0] * a.v[0], f.v[1] * a.v[1]}};
}
template <>
inline LongPack operator*(Complex<long double> f, const Operand<long double>& a) {
  return {{f * a.v[0], f * a.v[1]}};
}

}  // namespace umov::dda::cpu
