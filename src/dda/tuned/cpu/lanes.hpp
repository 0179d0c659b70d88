// A cache line of complex numbers, one per lane: the unit in which the cpu product computes.
#pragma once

#include "core/complex.hpp"

namespace umov::dda::cpu {

/// Complex numbers side by side in 64 bytes: 4 double, 8 float, 2 long double.
template <class T>
inline constexpr int lanes = 64 / int(sizeof(Complex<T>));

/// Interleaved (re, im, re, im, ...) lanes as one vector; element-wise operations on any processor.
template <class T>
struct Pack {
  typedef T Vector __attribute__((vector_size(64)));
  Vector v;

  static Pack load(const Complex<T>* p) { return {*reinterpret_cast<const Vector*>(p)}; }
  void store(Complex<T>* p) const { *reinterpret_cast<Vector*>(p) = v; }
};
template <class T>
inline Pack<T> operator+(Pack<T> a, Pack<T> b) {
  return {a.v + b.v};
}
template <class T>
inline Pack<T> operator*(T s, Pack<T> a) {
  return {s * a.v};
}

/// (re, re), (im, im) and (-im, re) of every lane: a product is two multiply-adds on these.
template <class T>
struct Shuffle;
template <>
struct Shuffle<double> {
  typedef long Mask __attribute__((vector_size(64)));
  using V = Pack<double>::Vector;
  static V re(V a) { return __builtin_shuffle(a, Mask{0, 0, 2, 2, 4, 4, 6, 6}); }
  static V im(V a) { return __builtin_shuffle(a, Mask{1, 1, 3, 3, 5, 5, 7, 7}); }
  static V turned(V a) {
    return __builtin_shuffle(a, Mask{1, 0, 3, 2, 5, 4, 7, 6}) * V{-1, 1, -1, 1, -1, 1, -1, 1};
  }
};
template <>
struct Shuffle<float> {
  typedef int Mask __attribute__((vector_size(64)));
  using V = Pack<float>::Vector;
  static V re(V a) { return __builtin_shuffle(a, Mask{0, 0, 2, 2, 4, 4, 6, 6, 8, 8, 10, 10, 12, 12, 14, 14}); }
  static V im(V a) { return __builtin_shuffle(a, Mask{1, 1, 3, 3, 5, 5, 7, 7, 9, 9, 11, 11, 13, 13, 15, 15}); }
  static V turned(V a) {
    return __builtin_shuffle(a, Mask{1, 0, 3, 2, 5, 4, 7, 6, 9, 8, 11, 10, 13, 12, 15, 14}) *
           V{-1, 1, -1, 1, -1, 1, -1, 1, -1, 1, -1, 1, -1, 1, -1, 1};
  }
};

/// A factor prepared for products with many packs.
template <class T>
struct Factor {
  typename Pack<T>::Vector re, im;
  explicit Factor(Pack<T> a) : re(Shuffle<T>::re(a.v)), im(Shuffle<T>::im(a.v)) {}
};
/// The other operand: itself and i times itself.
template <class T>
struct Operand {
  typename Pack<T>::Vector plain, turned;
  explicit Operand(Pack<T> a) : plain(a.v), turned(Shuffle<T>::turned(a.v)) {}
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
inline Pack<long double> operator+(Pack<long double> a, Pack<long double> b) {
  return {{a.v[0] + b.v[0], a.v[1] + b.v[1]}};
}
inline Pack<long double> operator*(long double s, Pack<long double> a) { return {{s * a.v[0], s * a.v[1]}}; }
template <>
struct Factor<long double> : Pack<long double> {
  explicit Factor(Pack<long double> a) : Pack(a) {}
};
template <>
struct Operand<long double> : Pack<long double> {
  explicit Operand(Pack<long double> a) : Pack(a) {}
};
template <>
inline Pack<long double> operator*(const Factor<long double>& f, const Operand<long double>& a) {
  return {{f.v[0] * a.v[0], f.v[1] * a.v[1]}};
}
template <>
inline Pack<long double> operator*(Complex<long double> f, const Operand<long double>& a) {
  return {{f * a.v[0], f * a.v[1]}};
}

}  // namespace umov::dda::cpu
