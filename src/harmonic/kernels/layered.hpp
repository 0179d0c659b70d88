// The layered Yee cell inverted: for each lateral wave two tridiagonal systems along z.
#pragma once

#include "core/complex.hpp"
#include "core/types.hpp"

namespace umov::harmonic {

/// With the components of E and b along (L) and across (T) the lateral wave of length kappa, and Q = df EL -
/// kappa Ez (df, db: forward and backward differences over z with the stretch of the absorbing layers), curl
/// curl E - k0^2 eps E = b is
///     (-db df + kappa^2 - k0^2 ep) ET = bT                                        on planes k
///     (-df (1/ep) db + kappa^2 / ez - k0^2) Q = df (bL / ep) - kappa bz / ez      on planes k + 1/2
///     EL = -(db Q + bL) / (k0^2 ep),    Ez = -(kappa Q + bz) / (k0^2 ez)
/// with ep, ez the permittivity of Ex, Ey and of Ez. The equation of Q is taken, not that of EL with Ez
/// eliminated: kappa^2 - k0^2 ez vanishes for some waves. Beyond an open end the medium goes on and there are
/// only waves that leave, by a factor `leaves` from plane to plane: eliminating all of its planes leaves the
/// pivot leaves dz^2 (ET), leaves ep dz^2 (Q). Beyond ends that absorb H = 0 half a plane above the first
/// plane, E = 0 one below the last.
template <class T>
struct LayeredView {
  index_t waves;   ///< lateral ones
  int nz;          ///< planes of the cell
  int begin, end;  ///< planes with b, and where E is wanted
  T k0sq, dz;
  const Complex<T>*inv_stretch, *inv_stretch_half;  ///< from plane -1 to nz, what is beyond as the last
  const Complex<T>*ep, *ez, *inv_ep, *inv_ez;       ///< so too
  const T* kappa;                                   ///< [waves]
  const Complex<T>*cx, *cy;                         ///< [waves]
  const Complex<T>*leaves_above, *leaves_below;     ///< [waves], see above; null where an end absorbs
  Complex<T>*pivot_t, *pivot_q;  ///< inverse pivots: [end - begin][waves], [end - begin + 1][waves]

  UMOV_HD Complex<T> lower_t(int k) const {
    if (k == 0 && !leaves_above) return {0, 0};
    return (T(-1) / (dz * dz)) * (inv_stretch[k] * inv_stretch_half[k - 1]);
  }
  UMOV_HD Complex<T> upper_t(int k) const {
    return (T(-1) / (dz * dz)) * (inv_stretch[k] * inv_stretch_half[k]);
  }
  UMOV_HD Complex<T> diagonal_t(int k, T kappa2) const {
    return Complex<T>(kappa2) - lower_t(k) - upper_t(k) - k0sq * ep[k];
  }
  UMOV_HD Complex<T> lower_q(int k) const {
    return (T(-1) / (dz * dz)) * (inv_stretch_half[k] * inv_stretch[k] * inv_ep[k]);
  }
  UMOV_HD Complex<T> upper_q(int k) const {
    if (k == nz - 1 && !leaves_below) return {0, 0};
    return (T(-1) / (dz * dz)) * (inv_stretch_half[k] * inv_stretch[k + 1] * inv_ep[k + 1]);
  }
  UMOV_HD Complex<T> diagonal_q(int k, T kappa2) const {
    return kappa2 * inv_ez[k] - Complex<T>(k0sq) - lower_q(k) - upper_q(k);
  }
};

/// Inverse pivots of both systems between `begin` and `end`: planes above are eliminated downwards and planes
/// below upwards, which is exact, since b is 0 there.
template <class T>
struct FactorLayers {
  static constexpr bool costly = true;
  LayeredView<T> v;

  UMOV_HD void operator()(index_t w) const {
    const T kappa2 = v.kappa[w] * v.kappa[w];
    const Complex<T> one(1, 0), none(0, 0);
    Complex<T> above = v.leaves_above ? (v.dz * v.dz) * v.leaves_above[w] : none;
    Complex<T> below = v.leaves_below ? (v.dz * v.dz) * v.leaves_below[w] : none;
    for (int k = v.nz - 1; k >= v.end; --k)
      below = one / (v.diagonal_t(k, kappa2) - v.upper_t(k) * v.lower_t(k + 1) * below);
    for (int k = 0; k < v.end; ++k) {
      Complex<T> d = v.diagonal_t(k, kappa2) - v.lower_t(k) * v.upper_t(k - 1) * above;
      if (k == v.end - 1) d -= v.upper_t(k) * v.lower_t(k + 1) * below;
      above = one / d;
      if (k >= v.begin) v.pivot_t[(k - v.begin) * v.waves + w] = above;
    }
    above = v.leaves_above ? (v.dz * v.dz) * (v.ep[0] * v.leaves_above[w]) : none;
    below = v.leaves_below ? (v.dz * v.dz) * (v.ep[v.nz] * v.leaves_below[w]) : none;
    for (int k = v.nz - 1; k >= v.end; --k)
      below = one / (v.diagonal_q(k, kappa2) - v.upper_q(k) * v.lower_q(k + 1) * below);
    if (v.begin == 0) v.pivot_q[w] = above;  // 0 where there is no H above the first plane
    for (int k = 0; k < v.end; ++k) {
      Complex<T> d = v.diagonal_q(k, kappa2) - v.lower_q(k) * v.upper_q(k - 1) * above;
      if (k == v.end - 1) d -= v.upper_q(k) * v.lower_q(k + 1) * below;
      above = one / d;
      if (k >= v.begin - 1) v.pivot_q[(k + 1 - v.begin) * v.waves + w] = above;
    }
  }
};

/// Transformed b [3][end - begin][waves] becomes transformed E, times `scale`. Of each wave and plane 3
/// numbers are read and written twice, 2 pivots twice, 1 number of Q twice: 288 bytes in double. b and E may
/// be `Stored` in another type than the systems are solved in.
template <class T, class Stored = T>
struct SolveLayers {
  static constexpr bool costly = true;
  LayeredView<T> v;
  Complex<Stored>* f;
  Complex<T>* q;  ///< [end - begin + 1][waves]
  T scale;

  /// b and E of one component and wave: as T, whatever they are stored in.
  struct Numbers {
    Complex<Stored>* at;
    UMOV_HD Complex<T> operator[](index_t i) const { return Complex<T>(at[i]); }
    UMOV_HD void put(index_t i, Complex<T> value) const { at[i] = Complex<Stored>(value); }
  };

  UMOV_HD void operator()(index_t w) const {
    const index_t planes = v.end - v.begin, n = v.waves;
    const Numbers fx{f + w}, fy{fx.at + planes * n}, fz{fy.at + planes * n};
    Complex<T>* qw = q + w;
    const Complex<T> cx = v.cx[w], cy = v.cy[w];
    const T kappa = v.kappa[w];
    // downwards: L, T in place of x, y; right sides and eliminated rows
    Complex<T> t_before(0, 0), q_before(0, 0), l_before(0, 0);
    const bool open = v.leaves_above;  // Q above the first plane is an unknown
    for (int k = v.begin; k < v.end; ++k) {
      const index_t at = (k - v.begin) * n;
      const Complex<T> bx = scale * fx[at], by = scale * fy[at];
      const Complex<T> l = conj(cx) * bx + conj(cy) * by, t = cx * by - cy * bx;
      t_before = (t - v.lower_t(k) * t_before) * v.pivot_t[at + w];
      fy.put(at, t_before);
      fx.put(at, l);
      // the row of Q above this plane is complete now
      const Complex<T> l_here = v.inv_ep[k] * l;
      if (k > 0 || open) {
        Complex<T> rhs = (T(1) / v.dz) * (v.inv_stretch_half[k - 1] * (l_here - l_before));
        if (k > v.begin) rhs -= kappa * (v.inv_ez[k - 1] * (scale * fz[at - n]));
        q_before = (rhs - v.lower_q(k - 1) * q_before) * v.pivot_q[at + w];
      }
      qw[at] = q_before;
      l_before = l_here;
    }
    const int last = v.end - 1;
    {
      const index_t at = (planes - 1) * n;
      Complex<T> rhs = (T(-1) / v.dz) * (v.inv_stretch_half[last] * l_before);
      rhs -= kappa * (v.inv_ez[last] * (scale * fz[at]));
      q_before = (rhs - v.lower_q(last) * q_before) * v.pivot_q[planes * n + w];
      qw[planes * n] = q_before;
    }
    // upwards
    Complex<T> t_after(0, 0), q_below = q_before;
    for (int k = last; k >= v.begin; --k) {
      const index_t at = (k - v.begin) * n;
      const Complex<T> t = fy[at] - v.upper_t(k) * v.pivot_t[at + w] * t_after;
      const Complex<T> q_above =
          k > 0 || open ? qw[at] - v.upper_q(k - 1) * v.pivot_q[at + w] * q_below : Complex<T>(0, 0);
      const Complex<T> dq = (T(1) / v.dz) * (v.inv_stretch[k] * (q_below - q_above));
      const Complex<T> l = (T(-1) / v.k0sq) * (v.inv_ep[k] * (dq + fx[at]));
      fz.put(at, (T(-1) / v.k0sq) * (v.inv_ez[k] * (kappa * q_below + scale * fz[at])));
      fx.put(at, cx * l - conj(cy) * t);
      fy.put(at, cy * l + conj(cx) * t);
      t_after = t;
      q_below = q_above;
    }
  }
};

}  // namespace umov::harmonic
