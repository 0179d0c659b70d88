// Where the tuned product on a mirror fraction puts sites, frequencies and tensor: index arithmetic and the
// step between complex and cosine transforms, for GPU and host alike.
#pragma once

#include <cmath>
#include <vector>

#include "dda/mirror/fraction.hpp"
#include "dda/tuned/cuda/layout.hpp"
#if defined(__CUDACC__)
#include "dda/tuned/cuda/passes.hpp"
#endif

namespace umov::dda::tuned {

/// One axis of a fraction and its transform.
///
/// Along an axis with a plane the n stored sites j lie j + 1/2 steps above it, and a transform of g = 2L
/// points of the even line they unfold to is 2 C(k), C(k) = sum_j x_j cos(pi k (2j + 1)/(2L)), of the odd one
/// -2i S(k) with the sine. Both come from one complex transform V of L points (Makhoul 1980, IEEE Trans.
/// Acoust. Speech Signal Process. 28, 27): point p holds the site that lies |q|/2 steps above the plane, q =
/// 4 (p - r) + 1, r = floor(L/4), odd lines with the sign of q. So sites fill the lower half of the points,
/// as padded lines of the whole do. With X(k) = t_k V(k), X(-k) = t_k* V(L - k), t_k = exp(i pi k (4r - 1)/
/// (2L)): 2 C(k) = X(k) + X(-k), 2 S(k) = i (X(k) - X(-k)), C(L - k) = S(k).
///
/// Frequency s is kept at slot s, 0 <= s < L; slot 0 of odd lines holds L, since S(0) = 0 = C(L).
struct MirrorAxis {
  int grid;     ///< points of the whole's transform
  int sites;    ///< that are stored
  bool folded;  ///< by a plane
  int parity;   ///< of the sector

  UMOV_HD int points() const { return folded ? grid / 2 : grid; }
  UMOV_HD int shift() const { return folded ? points() / 4 : 0; }
  /// The site that stands at a point, -1 for padding.
  UMOV_HD int site(int point) const {
    const int q = point - shift(), s = !folded || q >= 0 ? (folded ? 2 * q : q) : -2 * q - 1;
    return s < sites ? s : -1;
  }
  /// Whether odd lines change sign at the point.
  UMOV_HD bool turned(int point) const { return point < shift(); }
  /// Whether a component, `normal` to the axis' plane or along it, has odd lines.
  UMOV_HD bool odd(bool normal) const { return folded && (normal ? parity > 0 : parity < 0); }
  /// Frequency of the whole's transform that slot s of an even or odd line holds, up to g/2; beyond, and only
  /// without a plane, its mirror image.
  UMOV_HD int stored(int s, bool odd_line) const {
    if (folded) return s == 0 && odd_line ? grid / 2 : s;
    return 2 * s > grid ? grid - s : s;
  }
  UMOV_HD bool mirrored(int s) const { return !folded && 2 * s > grid; }
};

template <class T>
UMOV_HD inline Complex<T> times_i(Complex<T> a) {
  return {-a.im, a.re};
}

/// V(k) and V(L - k) to what slots k and L - k hold, 0 < k <= L/2; the factor is t_k.
template <class T>
UMOV_HD inline void to_slots(Complex<T>& v, Complex<T>& w, Complex<T> factor, bool odd) {
  const Complex<T> a = factor * v, b = conj(factor) * w, sum = a + b, difference = times_i(a - b);
  v = odd ? difference : sum;
  w = odd ? sum : difference;
}
/// The way back: V(k) = t_k* (Y(k) - i Y(L - k)), V(L - k) = t_k (Y(k) + i Y(L - k)), of odd lines with the
/// two exchanged. Slot 0 is V(0), both ways but for the factor 2 of `to_slots`.
template <class T>
UMOV_HD inline void from_slots(Complex<T>& v, Complex<T>& w, Complex<T> factor, bool odd) {
  const Complex<T> y = odd ? w : v, z = times_i(odd ? v : w);
  v = conj(factor) * (y - z);
  w = factor * (y + z);
}

/// The factors t_k, k = 0 ... L/2, of an axis with a plane.
template <class T>
std::vector<Complex<T>> turns_of(const MirrorAxis& axis) {
  std::vector<Complex<T>> list;
  const int points = axis.points();
  for (int k = 0; axis.folded && k <= points / 2; ++k) {
    const long step = long(k) * (4 * axis.shift() - 1) % (4 * points);
    const long double a = 2 * 3.14159265358979323846264338327950288L * step / (4 * points);
    list.push_back(Complex<T>(T(std::cos(a)), T(std::sin(a))));
  }
  return list;
}

/// Lines hold slots along x in groups of `width` lanes, as SlotLayout has them: without a plane 2h lanes of
/// frequencies and their mirror images, with one h = width slots, which want a tensor element each.
inline SlotLayout mirror_slots(const MirrorAxis& x, int width) {
  return slot_layout(x.grid, x.folded ? 2 * width : width);
}

/// The tensor at the slots of a sector. Lines of odd parity are kept as i times their transform, so that the
/// tensor between two components takes a power of i, and its inverse the other way.
template <class T>
struct MirrorTensor {
  using C = Complex<T>;
  MirrorAxis axis[3];
  TileLayout tiles;
  int width;        ///< lanes of a group, a power of two
  int quarters[3];  ///< powers of i of the components XY, XZ, YZ
  const C* elements;

  MirrorTensor(const MirrorAxis (&a)[3], const TileLayout& layout, int lanes, const C* first)
      : axis{a[0], a[1], a[2]}, tiles(layout), width(lanes), elements(first) {
    for (const int e : {XY, XZ, YZ}) {
      const int c = e == YZ ? 1 : 0, d = e == XY ? 1 : 2;
      int& turns = quarters[c + d - 1];
      turns = 0;
      for (int i = 0; i < 3; ++i) turns += int(axis[i].odd(c == i)) - int(axis[i].odd(d == i));
    }
  }

  /// Lane w of a group at slots ky and kz.
  struct Place {
    index_t at, step;  ///< of the first component, and between components
    int slot[3];
    bool special;  ///< the first slot of an axis: components have frequencies of their own
  };
  UMOV_HD Place place(int group, int lane, int ky, int kz) const {
    const SlotLayout& s = tiles.slots;
    const int in_tile = lane & (s.h - 1), i = group * s.h + in_tile;
    const bool image = lane >= s.h;
    const int kx = !image ? i : i == 0 ? s.gx / 2 : s.gx - i;
    const int y = axis[1].stored(ky, false), z = axis[2].stored(kz, false);
    return {
        group * tiles.tile() + (index_t(y) * tiles.grid.hz + z) * s.h + in_tile,
        tiles.plane() * s.h,
        {kx, ky, kz},
        (i == 0 && (image || axis[0].folded)) || (axis[1].folded && ky == 0) || (axis[2].folded && kz == 0)};
  }

  UMOV_HD static C load(const C* p) {
#if defined(__CUDA_ARCH__)
    return constant(p);
#else
    return *p;
#endif
  }
  /// Tensor component e, between components c and d of the fields, at a special place.
  UMOV_HD C special(const Place& p, int e, int c, int d) const {
    int k[3];
    for (int a = 0; a < 3; ++a) {
      // where one line is even and the other odd, the first slot holds 0 and L, which nothing couples
      const bool odd = axis[a].odd(c == a);
      if (odd != axis[a].odd(d == a) && p.slot[a] == 0) return {0, 0};
      k[a] = axis[a].stored(p.slot[a], odd);
    }
    if (k[0] >= tiles.grid.hx) return {0, 0};  // padding
    return load(elements + tiles.at(e, k[0], k[1], k[2]));
  }
  /// Adds what the tensor component v between c and d gives each of the other.
  UMOV_HD void couple(const Place& p, C v, int c, int d, C from_c, C from_d, C& to_c, C& to_d) const {
    const int quarter = quarters[c + d - 1];
    const bool mirrored = axis[c].mirrored(p.slot[c]) != axis[d].mirrored(p.slot[d]);
    if (mirrored != ((quarter & 2) != 0)) v = -v;
    if (quarter & 1) v = times_i(v);
    to_c += v * from_d;
    to_d += (quarter & 1 ? -v : v) * from_c;
  }
  /// Three components at one place, times the tensor.
  UMOV_HD void multiply(const Place& p, C& x, C& y, C& z) const {
    C d[6];
    if (!p.special) {
      for (int e = 0; e < 6; ++e) d[e] = load(elements + p.at + e * p.step);
    } else {
      d[XX] = special(p, XX, 0, 0);
      d[XY] = special(p, XY, 0, 1);
      d[XZ] = special(p, XZ, 0, 2);
      d[YY] = special(p, YY, 1, 1);
      d[YZ] = special(p, YZ, 1, 2);
      d[ZZ] = special(p, ZZ, 2, 2);
    }
    const C a = x, b = y, c = z;
    x = d[XX] * a;
    y = d[YY] * b;
    z = d[ZZ] * c;
    couple(p, d[XY], 0, 1, a, b, x, y);
    couple(p, d[XZ], 0, 2, a, c, x, z);
    couple(p, d[YZ], 1, 2, b, c, y, z);
  }
};

}  // namespace umov::dda::tuned
