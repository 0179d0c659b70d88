// First two orders of spheres far smaller than the wavelength.
#include "mie/small_sphere.hpp"

#include <algorithm>

namespace umov::mie {
SmallSphere::SmallSphere(double x, const Less& electric, const Less& magnetic)
    : x_(x),
      a1_(first(electric[0])),
      a2_(second(electric[1])),
      b1_(first(magnetic[0])),
      b2_(second(magnetic[1])) {}

SmallSphere::Term SmallSphere::first(cplx less) const {
  const double x2 = x_ * x_;
  const cplx p = (less + x2 / 5) / 3.0, denominator = less + 3.0 - x2 + i_unit * (x2 * x_ * p);
  return {i_unit * p / denominator, -less.imag() / std::norm(denominator)};
}

SmallSphere::Term SmallSphere::second(cplx less) const {
  const double x2 = x_ * x_;
  const cplx p = (less + x2 / 7) / 45.0, denominator = less + 5.0 + i_unit * (x2 * x2 * x_ * p);
  return {i_unit * p / denominator, -less.imag() / (9 * std::norm(denominator))};
}

void SmallSphere::fill(Coefficients& c) const {
  const double x3 = x_ * x_ * x_, x5 = x3 * x_ * x_;
  c.a[0] = x3 * a1_.amplitude, c.a[1] = x5 * a2_.amplitude;
  c.b[0] = x3 * b1_.amplitude, c.b[1] = x5 * b2_.amplitude;
  c.absorbed[0] = x3 * (a1_.absorbed + b1_.absorbed);
  c.absorbed[1] = x5 * (a2_.absorbed + b2_.absorbed);
}

/// Bohren and Huffman, eqs. 4.61, 4.62 and sec. 4.5, over the powers of x that the terms have in common.
Efficiencies SmallSphere::efficiencies() const {
  const double x2 = x_ * x_, x4 = x2 * x2;
  const cplx a = a1_.amplitude, b = b1_.amplitude, c = x2 * a2_.amplitude, d = x2 * b2_.amplitude;
  const double norms = std::norm(a) + std::norm(b) + 5.0 / 3.0 * (std::norm(c) + std::norm(d));
  const auto real = [](cplx u, cplx v) { return (u * std::conj(v)).real(); };
  Efficiencies e;
  e.qsca = 6 * x4 * norms;
  e.qabs =
      std::max(0.0, 6 * x_ * (a1_.absorbed + b1_.absorbed + 5.0 / 3.0 * x2 * (a2_.absorbed + b2_.absorbed)));
  e.qext = e.qabs + e.qsca;
  e.g = norms > 0 ? (real(a, b) + real(a, c) + real(b, d) + 5.0 / 9.0 * real(c, d)) / norms : 0;
  e.qpr = e.qext - e.g * e.qsca;
  e.qback = 9 * x4 * std::norm(a - b - 5.0 / 3.0 * (c - d));
  return e;
}

}  // namespace umov::mie
