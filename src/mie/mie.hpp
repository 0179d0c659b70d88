// Scattering of a plane wave by a homogeneous or coated sphere: Lorenz-Mie theory.
//
// Time dependence exp(-i omega t), so absorption is Im m > 0 (Bohren and Huffman 1983, "Absorption and
// Scattering of Light by Small Particles", chapters 4 and 8, whose symbols are used here).
#pragma once

#include <array>
#include <string>
#include <vector>

#include "core/types.hpp"

namespace umov::mie {

/// A sphere of size parameter x = k r and refractive index m relative to the medium around it; with
/// core_x > 0 a concentric core of size parameter core_x and index core_m, and m is that of the shell.
struct Sphere {
  double x = 1;
  cplx m{1.5, 0};
  double core_x = 0;
  cplx core_m{1, 0};
};

/// Scattering coefficients a_n, b_n, n = 1..size (element 0 is n = 1).
struct Coefficients {
  std::vector<cplx> a, b;
  std::vector<double> absorbed;  ///< Re(a_n + b_n) - |a_n|^2 - |b_n|^2, without that difference
};

/// Cross sections divided by pi r^2, and the asymmetry parameter.
struct Efficiencies {
  double qext = 0, qsca = 0, qabs = 0;
  double g = 0;      ///< <cos theta>
  double qpr = 0;    ///< Qext - g Qsca
  double qback = 0;  ///< radar backscattering, 4 |S(180)|^2 / x^2 (Bohren and Huffman, sec. 4.6)
};

/// Amplitude functions of one scattering angle: S1 perpendicular, S2 parallel to the scattering plane.
struct Amplitudes {
  cplx s1, s2;
};

/// Throws BadInput where the sphere is not one Mie theory can answer for: x not positive and finite or
/// above `largest_x`, m not finite or |m| outside `smallest_m` to `largest_m`, Re m < 0, Im m < 0, core not
/// inside, m = 1 everywhere or so close to it that rounding would leave less than six digits.
void validate(const Sphere&);
inline constexpr double largest_x = 1e7, smallest_m = 1e-15, largest_m = 1e50, closest_to_one = 1e-9;
/// Below it the first two orders, to x^2, are all: their exact dependence on m x is kept.
inline constexpr double small_x = 1e-8;

/// Number of partial waves after which the next is below rounding: x + 7 x^(1/3) + 3. Wiscombe (1980) stops
/// at 4.05, which is enough for cross sections but leaves 1e-7 in the amplitudes.
int partial_waves(double x);

/// a_n and b_n (Bohren and Huffman, eq. 4.88; for the coated sphere the recursion of Yang 2003, Appl. Opt.
/// 42, 1710, eqs. 5-10, which stays finite for thick absorbing shells). Those of x < 1e-108 underflow to 0;
/// the efficiencies do not need them. Throws BadInput as `validate`.
Coefficients coefficients(const Sphere&);

/// Efficiencies from the coefficients (Bohren and Huffman, eqs. 4.61, 4.62 and sec. 4.5).
Efficiencies efficiencies(double x, const Coefficients&);
Efficiencies efficiencies(const Sphere&);

/// S1 and S2 at the cosine of the scattering angle (Bohren and Huffman, eq. 4.74).
Amplitudes amplitudes(const Coefficients&, double cos_theta);

/// Mueller matrix S11, S12, ... S44 row by row (Bohren and Huffman, eq. 4.77).
std::array<double, 16> mueller(const Amplitudes&);

/// Field inside a homogeneous sphere, relative to the incident amplitude, for a wave that travels along +z
/// and is polarised along x (Bohren and Huffman, eqs. 4.40 and 4.52).
class InternalField {
 public:
  /// Throws BadInput for a coated sphere and as `validate`.
  explicit InternalField(const Sphere&);
  /// E at k r = `kr` (Cartesian, dimensionless); zero outside the sphere.
  CVec3 at(const Vec3& kr) const;

 private:
  double x_;
  cplx m_;
  std::vector<cplx> c_, d_;  ///< i^n (2n+1)/(n(n+1)) c_n and the same with d_n, times psi_n(m x) scaled
  std::vector<cplx> psi_;    ///< psi_n(m x) exp(-|Im m x|)
};

}  // namespace umov::mie
