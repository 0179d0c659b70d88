// Small dense complex symmetric systems for tests of Krylov solvers.
#pragma once

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstring>
#include <new>
#include <random>
#include <type_traits>
#include <vector>

#include "linalg/krylov/krylov.hpp"

namespace umov::krylov {

/// Aligned as the backends' arrays are: loops that start elsewhere in a cache line round differently.
template <class T>
struct Aligned {
  using value_type = T;
  Aligned() = default;
  template <class U>
  Aligned(const Aligned<U>&) {}
  T* allocate(std::size_t n) { return static_cast<T*>(::operator new(n * sizeof(T), std::align_val_t(64))); }
  void deallocate(T* p, std::size_t) { ::operator delete(p, std::align_val_t(64)); }
  bool operator==(const Aligned&) const { return true; }
};

template <class T>
using Vector = std::vector<Complex<T>, Aligned<Complex<T>>>;

/// Dense matrix as an operator; its sums are plain loops, so that no solver kernel checks itself.
template <class T>
struct Dense {
  using A = backend::Accumulator<T>;
  index_t n;
  Vector<T> a;
  long products = 0;

  ProductSums<A> apply(const Complex<T>* x, Complex<T>* y, bool adjoint) {
    ++products;
    ProductSums<A> s{{0, 0}, {0, 0}, 0};
    for (index_t i = 0; i < n; ++i) {
      Complex<A> sum(0, 0);
      for (index_t j = 0; j < n; ++j)
        sum += Complex<A>(adjoint ? conj(a[j * n + i]) : a[i * n + j]) * Complex<A>(x[j]);
      y[i] = Complex<T>(sum);
      const Complex<A> xi(x[i]), yi(y[i]);
      s.xy += xi * yi;
      s.xhy += conj(xi) * yi;
      s.yy += norm2(yi);
    }
    return s;
  }
};

template <class T>
Vector<T> random_vector(index_t n, unsigned seed) {
  std::mt19937 gen(seed);
  std::uniform_real_distribution<double> u(-1, 1);
  Vector<T> v(n);
  for (auto& z : v) {
    const double re = u(gen);
    z = Complex<T>(T(re), T(u(gen)));
  }
  return v;
}

/// I + scale S / sqrt(n), S complex symmetric with entries in the unit square: its eigenvalues fill a disc of
/// radius about 0.8 scale around 1.
template <class T>
Dense<T> near_identity(index_t n, double scale = 0.3) {
  const auto entries = random_vector<T>(n * n, 1);
  Dense<T> m{n, Vector<T>(n * n)};
  for (index_t i = 0; i < n; ++i)
    for (index_t j = 0; j < n; ++j)
      m.a[i * n + j] = T(scale / std::sqrt(double(n))) * entries[std::min(i, j) * n + std::max(i, j)] +
                       Complex<T>(i == j ? T(1) : T(0), T(0));
  return m;
}

/// Q D Q^T with Q real orthogonal and D of modulus 1 to 2 on an arc around the origin: well conditioned, far
/// from Hermitian and, for the full circle, in no half plane.
template <class T>
Dense<T> oblique(index_t n, long double arc = 6.2L) {
  using L = long double;
  std::mt19937 gen(3);
  std::normal_distribution<double> gauss;
  std::vector<std::vector<L>> q(n, std::vector<L>(n));
  std::vector<Complex<L>> sum(n * n, Complex<L>(0, 0));
  for (index_t k = 0; k < n; ++k) {
    for (auto& v : q[k]) v = gauss(gen);
    for (index_t pass = 0; pass < 2 * k; ++pass) {
      const auto& before = q[pass % k];
      L d = 0;
      for (index_t i = 0; i < n; ++i) d += before[i] * q[k][i];
      for (index_t i = 0; i < n; ++i) q[k][i] -= d * before[i];
    }
    L norm = 0;
    for (auto v : q[k]) norm += v * v;
    for (auto& v : q[k]) v /= std::sqrt(norm);
    const auto d = std::polar(1 + L(k) / n, arc * (L(k) / n - 0.5L) + 0.3L);
    for (index_t i = 0; i < n; ++i)
      for (index_t j = 0; j < n; ++j) sum[i * n + j] += (q[k][i] * q[k][j]) * Complex<L>(d.real(), d.imag());
  }
  Dense<T> m{n, Vector<T>(n * n)};
  for (index_t i = 0; i < n * n; ++i) m.a[i] = Complex<T>(sum[i]);
  return m;
}

template <class T>
constexpr double epsilon_of() {
  return std::is_same_v<T, float> ? 1e-5 : std::is_same_v<T, double> ? 1e-12 : 1e-15;
}

/// Archives for state(): everything into bytes, and back.
struct Save {
  std::vector<char> bytes;
  void add(const void* p, std::size_t n) {
    bytes.insert(bytes.end(), static_cast<const char*>(p), static_cast<const char*>(p) + n);
  }
  template <class Array>
  void vector(Array& a) {
    add(a.data(), a.bytes());
  }
  template <class S>
  void scalar(S& s) {
    add(&s, sizeof(S));
  }
};
struct Load {
  const std::vector<char>& bytes;
  std::size_t at = 0;
  void take(void* p, std::size_t n) {
    std::memcpy(p, bytes.data() + at, n);
    at += n;
  }
  template <class Array>
  void vector(Array& a) {
    take(a.data(), a.bytes());
  }
  template <class S>
  void scalar(S& s) {
    take(&s, sizeof(S));
  }
};

/// A backend that counts what is allocated.
template <class Dev>
struct Counting : Dev {
  std::size_t bytes = 0;
  template <class U>
  auto allocate(std::size_t n) {
    bytes += n * sizeof(U);
    return Dev::template allocate<U>(n);
  }
};

template <class T>
double norm2_of(const Vector<T>& v) {
  double s = 0;
  for (const auto& z : v) s += double(norm2(z));
  return s;
}

template <class T>
Vector<T> residual(Dense<T> m, const Vector<T>& x, const Vector<T>& b) {
  Vector<T> y(m.n);
  m.apply(x.data(), y.data(), false);
  for (index_t i = 0; i < m.n; ++i) y[i] = b[i] - y[i];
  return y;
}

template <class T>
Vector<T> zeros(index_t n) {
  return Vector<T>(n, Complex<T>(0, 0));
}

}  // namespace umov::krylov
