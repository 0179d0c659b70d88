// Spheres far smaller than the wavelength outside: two orders whose powers of x are kept apart.
#pragma once

#include <array>

#include "mie/mie.hpp"

namespace umov::mie {

/// With z D_n exact in z = m x and the outer functions to x^2,
///   a_1 = i x^3 p / (q + i x^3 p), p = (u - 2 + x^2/5)/3,  q = u + 1 - x^2,
///   a_2 = i x^5 p / (q + i x^5 p), p = (u - 3 + x^2/7)/45, q = u + 2,
/// where u = z D_n / m^2 for a_n and u = z D_n for b_n (from Bohren and Huffman 1983, eq. 4.88; for |z| << 1
/// their eqs. 5.4 to 5.8). The second order is what g needs: a_1 b_1* and a_1 a_2* are of the same size.
class SmallSphere {
 public:
  /// u - 2 of the first order and u - 3 of the second.
  using Less = std::array<cplx, 2>;
  SmallSphere(double x, const Less& electric, const Less& magnetic);
  /// The first elements of a, b and absorbed.
  void fill(Coefficients&) const;
  Efficiencies efficiencies() const;

 private:
  struct Term {
    cplx amplitude;       ///< a_n / x^(2n+1)
    double absorbed = 0;  ///< Re(a_n) - |a_n|^2, over x^(2n+1)
  };
  Term first(cplx less) const;
  Term second(cplx less) const;

  double x_;
  Term a1_, a2_, b1_, b2_;
};

}  // namespace umov::mie
