// Complex numbers side by side in one vector register: the unit in which the cpu product computes.
#pragma once

#include <cstddef>
#include <utility>

#include "backend/cpu/registers.hpp"
#include "core/complex.hpp"

namespace umov::dda::cpu {

/// Lines are transformed side by side, as many as fill a cache line: 4 double, 8 float, 2 long double.
template <class T>
inline constexpr int lanes = 64 / int(sizeof(Complex<T>));

using backend::register_bytes;

/// Some of the lanes of a cache line, as many as one register holds, interleaved (re, im, re, im, ...).
template <class T>
struct Pack {
  typedef T Vector __attribute__((vector_size(register_bytes)));
  static constexpr int size = register_bytes / int(sizeof(Complex<T>));
  Vector v;

  static Pack load(const Complex<T>* p) { return {*reinterpret_cast<const Vector*>(p)}; }
  void store(Complex<T>* p) const { *reinterpret_cast<Vector*>(p) = v; }
};
template <class T>
inline Pack<T> operator+(Pack<T> a, Pack<T> b) {
  return {a.v + b.v};
}
template <class T>
inline Pack<T> operator-(Pack<T> a, Pack<T> b) {
  return {a.v - b.v};
}
template <class T>
inline Pack<T> operator*(T s, Pack<T> a) {
  return {s * a.v};
}

/// (re, re), (im, im) and (-im, re) of every lane: a product is two multiply-adds on these.
template <class T>
struct Shuffle {
  using V = typename Pack<T>::Vector;
  using Indices = std::make_index_sequence<register_bytes / sizeof(T)>;
  template <std::size_t... i>
  static V re(V a, std::index_sequence<i...>) {
    return __builtin_shufflevector(a, a, int(i & ~std::size_t(1))...);
  }
  template <std::size_t... i>
  static V im(V a, std::index_sequence<i...>) {
    return __builtin_shufflevector(a, a, int(i | 1)...);
  }
  template <std::size_t... i>
  static V turned(V a, std::index_sequence<i...>) {
    return __builtin_shufflevector(a, a, int(i ^ 1)...) * V{(i & 1 ? T(1) : T(-1))...};
  }
};
/// i a
template <class T>
inline Pack<T> turned(Pack<T> a) {
  return {Shuffle<T>::turned(a.v, typename Shuffle<T>::Indices{})};
}

/// A factor prepared for products with many packs.
template <class T>
struct Factor {
  typename Pack<T>::Vector re, im;
  explicit Factor(Pack<T> a)
      : re(Shuffle<T>::re(a.v, typename Shuffle<T>::Indices{})),
        im(Shuffle<T>::im(a.v, typename Shuffle<T>::Indices{})) {}
};
/// The other operand: itself and i times itself.
template <class T>
struct Operand {
  typename Pack<T>::Vector plain, turned;
  explicit Operand(Pack<T> a) : plain(a.v), turned(cpu::turned(a).v) {}
};
template <class T>
inline Pack<T> operator*(const Factor<T>& f, const Operand<T>& a) {
  return {f.re * a.plain + f.im * a.turned};
}
/// One complex number times every lane.
template <class T>
inline Pack<T> operator*(Complex<T> f, const Operand<T>& a) {
  return {f.re * a.plain + f.im * a.turned};
}

/// No vectors of long double exist: the same operations on one number.
template <>
struct Pack<long double> {
  static constexpr int size = 1;
  Complex<long double> v;
  static Pack load(const Complex<long double>* p) { return {*p}; }
  void store(Complex<long double>* p) const { *p = v; }
};
template <>
inline Pack<long double> turned(Pack<long double> a) {
  return {{-a.v.im, a.v.re}};
}
template <>
struct Factor<long double> {
  Complex<long double> v;
  explicit Factor(Pack<long double> a) : v(a.v) {}
};
template <>
struct Operand<long double> {
  Complex<long double> v;
  explicit Operand(Pack<long double> a) : v(a.v) {}
};
template <>
inline Pack<long double> operator*(const Factor<long double>& f, const Operand<long double>& a) {
  return {f.v * a.v};
}
template <>
inline Pack<long double> operator*(Complex<long double> f, const Operand<long double>& a) {
  return {f * a.v};
}

}  // namespace umov::dda::cpu
