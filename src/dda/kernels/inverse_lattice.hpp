// The named kernels that invert the interaction of a lattice without a surface: preconditioners.
#pragma once

#include <cmath>
#include <type_traits>

#include "dda/kernels/interaction.hpp"
#include "dda/kernels/lattice.hpp"
#include "dda/kernels/tensor.hpp"
#include "linalg/krylov/product_sums.hpp"

namespace umov::dda {

/// The interaction term times the volume of a dipole in a vacuum that damps, k (1 + i damping), tapered to
/// zero between 0.9 and 1.95 of the ellipsoid of semi-axes `reach`. The smooth end is what keeps the inverse
/// free of an echo. What other terms have beside the point dipole's decays as that does: exact to first order
/// in the damping, and nearly all of it is near by, where damping does not matter.
template <class T, class Interaction>
struct TaperedInteraction {
  using R = Wide<T>;
  Interaction interaction;
  R k, damping;
  R step[3], reach[3];
  bool propagates;  ///< false: the interaction is static; never for point dipoles

  UMOV_HD void operator()(long x, long y, long z, Complex<T> g[6]) const {
    const R p[3] = {R(x) * step[0], R(y) * step[1], R(z) * step[2]};
    R rho2 = 0;
    for (int c = 0; c < 3; ++c) rho2 += p[c] * p[c] / (reach[c] * reach[c]);
    const R weight = step[0] * step[1] * step[2] * taper(std::sqrt(rho2));
    if (weight == 0) {
      for (int c = 0; c < 6; ++c) g[c] = Complex<T>{0, 0};
      return;
    }
    constexpr bool exact = std::is_same_v<Interaction, PointDipole<T>>;
    if constexpr (!exact) interaction(x, y, z, g);
    if (propagates) {
      const Direction<R> d(p[0], p[1], p[2]);
      Complex<R> damped[6], plain[6] = {};
      point_green(Complex<R>{k, k * damping}, d, damped);
      if constexpr (!exact) point_green(k, d, plain);
      const R decay = std::exp(-k * damping * d.r);
      for (int c = 0; c < 6; ++c)
        g[c] = exact ? Complex<T>(damped[c]) : Complex<T>(damped[c] + decay * (Complex<R>(g[c]) - plain[c]));
    }
    for (int c = 0; c < 6; ++c) g[c] = T(weight) * g[c];
  }

 private:
  UMOV_HD static R taper(R rho) {
    constexpr R half_pi = R(1.57079632679489661923132169163975144L), first = R(0.9), last = R(1.95);
    if (rho <= first) return 1;
    if (rho >= last) return 0;
    const R c = std::cos(half_pi * (rho - first) / (last - first));
    return c * c;
  }
};

/// Chan's (1988, SIAM J. Sci. Stat. Comput. 9, 766) periodic interaction on the box, axis by axis: the mean
/// of those lags l and l - n that the period identifies, by how often they occur. Times the dipole's volume.
template <class T, class Interaction>
struct PeriodicInteraction {
  using R = Wide<T>;
  Interaction interaction;
  R volume;
  int n[3];

  UMOV_HD void operator()(long x, long y, long z, Complex<T> g[6]) const {
    const long lag[3] = {x, y, z};
    for (int c = 0; c < 6; ++c) g[c] = Complex<T>{0, 0};
    for (int corner = 0; corner < 8; ++corner) {
      long l[3];
      R share = volume;
      for (int a = 0; a < 3; ++a) {
        const bool wrapped = (corner >> a) & 1;
        l[a] = wrapped ? lag[a] - n[a] : lag[a];
        share *= R(wrapped ? lag[a] : n[a] - lag[a]) / R(n[a]);
      }
      if (share == 0) continue;
      Complex<T> term[6];
      interaction(l[0], l[1], l[2], term);
      for (int c = 0; c < 6; ++c) g[c] += T(share) * term[c];
    }
  }
};

/// For every frequency of an octant [hx][6][hz][hy] holding the transform of V G: scale (V/alpha - V G)^-1 in
/// its place. Runs over hx hz hy frequencies, in double or better. `plane` beyond all frequencies: components
/// one behind another, so far apart.
template <class T>
struct InvertSymbol {
  static constexpr bool costly = true;
  using R = Wide<T>;
  using Z = Complex<R>;
  index_t plane;  ///< hz hy
  Z diagonal[3];  ///< V/alpha
  R scale;
  Complex<T>* octant;

  UMOV_HD void operator()(index_t e) const {
    Complex<T>* s = octant + e / plane * 6 * plane + e % plane;
    Z m[6];
    for (int c = 0; c < 6; ++c) {
      m[c] = -Z(s[c * plane]);
      if (tensor_row(c) == tensor_column(c)) m[c] += diagonal[tensor_row(c)];
    }
    const Z cofactor[6] = {m[YY] * m[ZZ] - m[YZ] * m[YZ], m[XZ] * m[YZ] - m[XY] * m[ZZ],
                           m[XY] * m[YZ] - m[XZ] * m[YY], m[XX] * m[ZZ] - m[XZ] * m[XZ],
                           m[XY] * m[XZ] - m[XX] * m[YZ], m[XX] * m[YY] - m[XY] * m[XY]};
    const Z determinant = m[XX] * cofactor[XX] + m[XY] * cofactor[XY] + m[XZ] * cofactor[XZ];
    const Z inverse = (scale / norm2(determinant)) * conj(determinant);
    for (int c = 0; c < 6; ++c) s[c * plane] = Complex<T>(inverse * cofactor[c]);
  }
};

/// -exp(growth r) times components [component, component + count) of the lags [nx, ny, nz] (x fastest) with
/// six components each: the form of an InteractionTable. Runs over nx ny nz lags, z from `first` on.
template <class T>
struct TakeTable {
  static constexpr bool costly = true;
  int nx, ny, first;
  int component, count;
  index_t along_x, along_z, along_c;  ///< from one value to the next; 1 along y
  double growth, step[3];
  const Complex<T>* values;
  Complex<double>* table;

  UMOV_HD void operator()(index_t e) const {
    const int x = int(e % nx), y = int(e / nx % ny), z = int(e / nx / ny);
    const double p[3] = {x * step[0], y * step[1], (first + z) * step[2]};
    const double weight = -std::exp(growth * std::sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2]));
    const Complex<T>* v = values + x * along_x + z * along_z + y;
    for (int c = 0; c < count; ++c) table[6 * e + component + c] = weight * Complex<double>(v[c * along_c]);
  }
};

/// How many numbers are none. Runs over complex numbers.
struct CountNotFinite {
  const Complex<double>* terms;

  template <class Sums>
  UMOV_HD void operator()(index_t i, Sums& sums) const {
    // a difference with itself is 0 for finite numbers alone
    const double zero = (terms[i].re - terms[i].re) + (terms[i].im - terms[i].im);
    sums.v[0] += zero == 0 ? 0 : 1;
  }
};

/// y += (self - 1) x, which turns x + S^-1 K' S^-1 x into S^-1 K S^-1 x where K' lacks the zero lag; sums
/// x.y, conj(x).y and |y|^2. `conjugate`: the adjoint's factor. Runs over dipoles.
template <class T>
struct AddSelfTerm {
  LatticeView lattice;
  const Complex<T>* self;  // [material][3], less 1
  const Complex<T>* x;
  Complex<T>* y;
  bool conjugate;
  template <class Sums>
  UMOV_HD void operator()(index_t i, Sums& s) const {
    const int m = 3 * lattice.material(i);
    for (int c = 0; c < 3; ++c) {
      const index_t e = c * lattice.dipoles + i;
      const Complex<T> factor = conjugate ? conj(self[m + c]) : self[m + c];
      const Complex<T> a = x[e], b = y[e] + factor * a;
      y[e] = b;
      krylov::add_product(s, a, b);
    }
  }
};

/// The same without the sums.
template <class T>
struct AddSelfTermAlone {
  AddSelfTerm<T> add;
  struct Nowhere {
    T v[5];
  };
  UMOV_HD void operator()(index_t i) const {
    Nowhere none{};
    add(i, none);
  }
};

}  // namespace umov::dda
