// A plain mixed-radix FFT: slow, exact, for any length; the referee of every other transform.
#pragma once

#include <cmath>
#include <vector>

#include "core/complex.hpp"
#include "core/types.hpp"

namespace umov::backend::serial {

/// Unnormalised discrete Fourier transform of one length, X_k = sum_j x_j exp(sign 2 pi i jk/n),
/// by recursive decimation in time over the prime factors (Cooley and Tukey 1965).
template <class T>
class Fft {
 public:
  explicit Fft(int n) : n_(n), roots_(n), scratch_(2 * n) {
    for (int j = 0; j < n; ++j) {
      const long double a = 2 * 3.14159265358979323846264338327950288L * j / n;
      roots_[j] = Complex<T>(T(std::cos(a)), T(std::sin(a)));
    }
    for (int m = n, p = 2; m > 1; ++p)
      while (m % p == 0) {
        factors_.push_back(p);
        m /= p;
      }
  }

  /// In place on elements data[0], data[stride], ...; sign is -1 (forward) or +1.
  void run(Complex<T>* data, index_t stride, int sign) {
    Complex<T>* in = scratch_.data();
    Complex<T>* out = in + n_;
    for (int j = 0; j < n_; ++j) in[j] = data[j * stride];
    transform(in, out, n_, 1, 0, sign);
    for (int j = 0; j < n_; ++j) data[j * stride] = out[j];
  }

 private:
  Complex<T> root(index_t j, int sign) const {
    const Complex<T> w = roots_[j % n_];
    return sign > 0 ? w : conj(w);
  }

  void transform(const Complex<T>* in, Complex<T>* out, int n, int step, std::size_t level, int sign) {
    if (n == 1) {
      out[0] = in[0];
      return;
    }
    const int p = factors_[level], m = n / p;
    for (int q = 0; q < p; ++q) transform(in + q * step, out + q * m, m, step * p, level + 1, sign);
    std::vector<Complex<T>> leg(p);
    for (int k = 0; k < m; ++k) {
      for (int q = 0; q < p; ++q) leg[q] = root(index_t(q) * k * step, sign) * out[q * m + k];
      for (int j = 0; j < p; ++j) {
        Complex<T> sum = leg[0];
        for (int q = 1; q < p; ++q) sum += root(index_t(q) * j * m * step, sign) * leg[q];
        out[k + j * m] = sum;
      }
    }
  }

  int n_;
  std::vector<Complex<T>> roots_, scratch_;
  std::vector<int> factors_;
};

}  // namespace umov::backend::serial
