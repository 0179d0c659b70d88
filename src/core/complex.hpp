// One complex number for host and device, with the layout of std::complex (re, im).
#pragma once

#include <cmath>
#include <complex>

#if defined(__CUDACC__)
#define UMOV_HD __host__ __device__
#else
#define UMOV_HD
#endif

namespace umov {

/// Complex number usable in every kernel. `std::complex` has no device code and `cuda::std::complex`
/// exists only where CUDA does; this one is bit-compatible with both. Aligned as a whole, so that GPUs load
/// and store it in one piece.
template <class T>
struct alignas(2 * sizeof(T)) Complex {
  T re, im;

  Complex() = default;
  UMOV_HD constexpr Complex(T r, T i = T(0)) : re(r), im(i) {}
  template <class U>
  explicit constexpr Complex(const std::complex<U>& z) : re(T(z.real())), im(T(z.imag())) {}
  template <class U>
  explicit UMOV_HD constexpr Complex(const Complex<U>& z) : re(T(z.re)), im(T(z.im)) {}
  template <class U>
  std::complex<U> to_std() const {
    return {U(re), U(im)};
  }

  UMOV_HD Complex& operator+=(Complex b) {
    re += b.re;
    im += b.im;
    return *this;
  }
  UMOV_HD Complex& operator-=(Complex b) {
    re -= b.re;
    im -= b.im;
    return *this;
  }
  UMOV_HD Complex& operator*=(T s) {
    re *= s;
    im *= s;
    return *this;
  }
};

template <class T>
UMOV_HD inline Complex<T> operator+(Complex<T> a, Complex<T> b) {
  return {a.re + b.re, a.im + b.im};
}
template <class T>
UMOV_HD inline Complex<T> operator-(Complex<T> a, Complex<T> b) {
  return {a.re - b.re, a.im - b.im};
}
template <class T>
UMOV_HD inline Complex<T> operator-(Complex<T> a) {
  return {-a.re, -a.im};
}
template <class T>
UMOV_HD inline Complex<T> operator*(Complex<T> a, Complex<T> b) {
  return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}
template <class T>
UMOV_HD inline Complex<T> operator*(T s, Complex<T> a) {
  return {s * a.re, s * a.im};
}
template <class T>
UMOV_HD inline Complex<T> operator*(Complex<T> a, T s) {
  return {s * a.re, s * a.im};
}
template <class T>
UMOV_HD inline Complex<T> conj(Complex<T> a) {
  return {a.re, -a.im};
}
/// |a|^2
template <class T>
UMOV_HD inline T norm2(Complex<T> a) {
  return a.re * a.re + a.im * a.im;
}
/// a / b, without protection against overflow: kernels divide only by numbers of ordinary size.
template <class T>
UMOV_HD inline Complex<T> operator/(Complex<T> a, Complex<T> b) {
  const T s = T(1) / norm2(b);
  return s * (a * conj(b));
}

}  // namespace umov
