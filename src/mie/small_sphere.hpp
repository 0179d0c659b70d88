// Spheres far smaller than the wavelength outside: dipole terms whose powers of x are kept apart.
#pragma once

#include <functional>
#include <utility>

#include "mie/mie.hpp"

namespace umov::mie {

/// z D_1 (electric, magnetic) at the outer surface, z = m x, D_1 as in SurfaceDerivatives.
using ShellDerivative = std::function<std::pair<cplx, cplx>()>;

/// With z D_1 exact in z and the outer functions to x^2, a_1 = i x^3 p / (q + i x^3 p), p = (u - 2)/3,
/// q = u + 1 - x^2, where u = z D_1 / m^2 for a_1 and u = z D_1 for b_1 (from Bohren and Huffman 1983,
/// eq. 4.88; for |z| << 1 their eqs. 5.7-5.8 and 5.36). Right to x^2, so for x < `small_x`.
class SmallSphere {
 public:
  /// `thick` is asked where the shell of a coated sphere is not small inside.
  SmallSphere(const Sphere&, const ShellDerivative& thick);
  std::pair<cplx, cplx> coefficients() const;  ///< a_1, b_1
  Efficiencies efficiencies() const;

 private:
  struct Dipole {
    cplx two_less;  ///< u - 2
    cplx p, q, denominator;
    cplx amplitude() const;     ///< a_1 / x^3
    double absorption() const;  ///< Re(a_1) - |a_1|^2, over x^3
  };
  Dipole dipole(cplx two_less) const;

  double x_;
  Dipole electric_, magnetic_;
};

}  // namespace umov::mie
