// Pseudo-time on the staggered grid: half steps of complex fields, their coefficients, the grid's edges, and
// what is watched.
#pragma once

#include "core/complex.hpp"
#include "core/types.hpp"

namespace umov::harmonic {

/// Every half step of the iteration: t * field + s * (curl, source, ...). N. Apelt's thesis (Erlangen 2011)
/// and THIIM differ from each other in t and s only; see pseudo_time_coefficients.hpp.
template <class T>
UMOV_HD inline Complex<T> advance(Complex<T> t, Complex<T> field, Complex<T> s, Complex<T> drive) {
  return {t.re * field.re - t.im * field.im + s.re * drive.re - s.im * drive.im,
          t.re * field.im + t.im * field.re + s.re * drive.im + s.im * drive.re};
}

/// One field component in memory: nx x ny x nz values and one layer of padding on every side. Values at
/// i = 0 are aligned to 64 bytes.
struct PaddedGrid {
  int nx = 0, ny = 0, nz = 0, lead = 0;
  index_t pitch = 0, slab = 0;

  /// `lead` is how many elements fill 64 bytes.
  static PaddedGrid make(int nx, int ny, int nz, int lead) {
    const index_t pitch = lead + (nx + 1 + lead - 1) / lead * lead;
    return {nx, ny, nz, lead, pitch, pitch * (ny + 2)};
  }
  UMOV_HD index_t at(int i, int j, int k) const { return (k + 1) * slab + (j + 1) * pitch + lead + i; }
  index_t size() const { return (nz + 2) * slab; }
};

/// E and H, all of one layout. Ex at (i + 1/2, j, k), Ey at (i, j + 1/2, k), Ez at (i, j, k + 1/2); Hx at (i,
/// j + 1/2, k + 1/2) and so on.
template <class T>
struct StaggeredFields {
  PaddedGrid grid;
  Complex<T>*e[3], *h[3];
};

/// Derivatives along z in the absorbing planes, (1 / s) d with s = kappa + i sigma / k0: d / a + psi, where
/// psi remembers what was there a step ago,
///     psi' = keep psi + feed d,   a = kappa + sigma tau / 2,
/// which for fields that are steady is d / s to the last digit (docs/theory/harmonic.md). Without splitting a
/// field, and whatever the medium.
template <class T>
struct AbsorbingPlanes {
  int first = 0, slot = 0;   ///< the memory of plane `first` is in this slot, of others after it
  const T* share = nullptr;  ///< 1 / (a dz) of plane k [nz]
  const Complex<T>*keep = nullptr, *feed = nullptr;  ///< [nz], feed with 1 / dz
  Complex<T>*psi_x = nullptr, *psi_y = nullptr;      ///< for the x and y component [slots][ny][nx]
};

/// Derivative along z of a component's difference `d` over plane k; advances its memory.
template <class T>
UMOV_HD inline Complex<T> absorbed(const AbsorbingPlanes<T>& a, Complex<T>* psi, index_t at, int k,
                                   Complex<T> d) {
  const Complex<T> before = psi[at];
  psi[at] = a.keep[k] * before + a.feed[k] * d;
  return {a.share[k] * d.re + before.re, a.share[k] * d.im + before.im};
}

/// H half a step on: H' = t H - s curl E with forward differences. With `Absorbing` planes of the absorbing
/// layers.
template <class T, bool Absorbing>
struct StepH {
  StaggeredFields<T> f;
  Complex<T> t, s;  ///< the same everywhere: nothing is magnetic
  T rx, ry, rz;     ///< 1 / spacing
  AbsorbingPlanes<T> ends;

  UMOV_HD void operator()(int i, int j, int k) const {
    const PaddedGrid& g = f.grid;
    const index_t c = g.at(i, j, k), y = c + g.pitch, z = c + g.slab;
    const Complex<T> ex = f.e[0][c], ey = f.e[1][c], ez = f.e[2][c];
    Complex<T> ex_z = f.e[0][z] - ex, ey_z = f.e[1][z] - ey;
    if constexpr (Absorbing) {
      const index_t at = (index_t(k - ends.first + ends.slot) * g.ny + j) * g.nx + i;
      ey_z = absorbed(ends, ends.psi_x, at, k, ey_z);
      ex_z = absorbed(ends, ends.psi_y, at, k, ex_z);
    } else {
      ey_z = rz * ey_z;
      ex_z = rz * ex_z;
    }
    const Complex<T> x = ry * (f.e[2][y] - ez) - ey_z, w = ex_z - rx * (f.e[2][c + 1] - ez),
                     v = rx * (f.e[1][c + 1] - ey) - ry * (f.e[0][y] - ex);
    f.h[0][c] = advance(t, f.h[0][c], -s, x);
    f.h[1][c] = advance(t, f.h[1][c], -s, w);
    f.h[2][c] = advance(t, f.h[2][c], -s, v);
  }
};

/// t and s of edges in layers: one pair per plane for Ex and Ey, one for Ez.
template <class T>
struct LayerCoefficients {
  const Complex<T>*t[2], *s[2];  ///< tangential, normal [nz]
  UMOV_HD void get(int c, int, int, int k, Complex<T>& a, Complex<T>& b) const {
    a = t[c == 2][k];
    b = s[c == 2][k];
  }
};

/// t and s by an index per edge into a table of all that occur.
template <class T, class Index>
struct IndexedCoefficients {
  int nx, ny, first, planes;  ///< indices cover planes [first, first + planes)
  const Index* index;         ///< [3][planes][ny][nx]
  const Complex<T>*t, *s;     ///< the table
  UMOV_HD void get(int c, int i, int j, int k, Complex<T>& a, Complex<T>& b) const {
    const Index m = index[((index_t(c) * planes + k - first) * ny + j) * nx + i];
    a = t[m];
    b = s[m];
  }
};

/// t and s of every edge in memory, as the thesis has them: 48 bytes more per voxel in single precision.
template <class T>
struct StoredCoefficients {
  int nx, ny, first, planes;
  const Complex<T>*t, *s;  ///< [3][planes][ny][nx]
  UMOV_HD void get(int c, int i, int j, int k, Complex<T>& a, Complex<T>& b) const {
    const index_t m = ((index_t(c) * planes + k - first) * ny + j) * nx + i;
    a = t[m];
    b = s[m];
  }
};

/// E half a step on: E' = t E + s curl H with backward differences. The source is added by AddSheet.
template <class T, class Coefficients, bool Absorbing>
struct StepE {
  StaggeredFields<T> f;
  Coefficients media;
  T rx, ry, rz;
  AbsorbingPlanes<T> ends;

  UMOV_HD void operator()(int i, int j, int k) const {
    const PaddedGrid& g = f.grid;
    const index_t c = g.at(i, j, k), y = c - g.pitch, z = c - g.slab;
    const Complex<T> hx = f.h[0][c], hy = f.h[1][c], hz = f.h[2][c];
    Complex<T> hx_z = hx - f.h[0][z], hy_z = hy - f.h[1][z];
    if constexpr (Absorbing) {
      const index_t at = (index_t(k - ends.first + ends.slot) * g.ny + j) * g.nx + i;
      hy_z = absorbed(ends, ends.psi_x, at, k, hy_z);
      hx_z = absorbed(ends, ends.psi_y, at, k, hx_z);
    } else {
      hy_z = rz * hy_z;
      hx_z = rz * hx_z;
    }
    Complex<T> t, s;
    media.get(0, i, j, k, t, s);
    f.e[0][c] = advance(t, f.e[0][c], s, ry * (hz - f.h[2][y]) - hy_z);
    media.get(1, i, j, k, t, s);
    f.e[1][c] = advance(t, f.e[1][c], s, hx_z - rx * (hz - f.h[2][c - 1]));
    media.get(2, i, j, k, t, s);
    f.e[2][c] = advance(t, f.e[2][c], s, rx * (hy - f.h[1][c - 1]) - ry * (hx - f.h[0][y]));
  }
};

/// All of an array, padding included.
template <class T>
struct FillAll {
  Complex<T>* out;
  Complex<T> value;
  UMOV_HD void operator()(index_t i) const { out[i] = value; }
};

/// Fields at rest, the planes around them too: H = 0 above the first, E = 0 below the last.
template <class T>
struct FieldsAtRest {
  StaggeredFields<T> f;
  UMOV_HD void operator()(int i, int j, int k) const {
    const index_t at = f.grid.at(i, j, k);
    for (int c = 0; c < 3; ++c) f.e[c][at] = f.h[c][at] = Complex<T>(0, 0);
  }
};

/// The value beyond the last E (first H) along x: that of the other side times the Bloch phase. Where there
/// is one cell, 1 + i K d (1 - i K d) in place of a phase gives the derivative i K.
template <class T>
struct WrapX {
  StaggeredFields<T> f;
  bool magnetic;
  Complex<T> phase;
  UMOV_HD void operator()(int j, int k, int) const {
    const PaddedGrid& g = f.grid;
    for (int c = 0; c < 3; ++c) {
      if (magnetic)
        f.h[c][g.at(-1, j, k)] = phase * f.h[c][g.at(g.nx - 1, j, k)];
      else
        f.e[c][g.at(g.nx, j, k)] = phase * f.e[c][g.at(0, j, k)];
    }
  }
};

/// The same along y.
template <class T>
struct WrapY {
  StaggeredFields<T> f;
  bool magnetic;
  Complex<T> phase;
  UMOV_HD void operator()(int i, int k, int) const {
    const PaddedGrid& g = f.grid;
    for (int c = 0; c < 3; ++c) {
      if (magnetic)
        f.h[c][g.at(i, -1, k)] = phase * f.h[c][g.at(i, g.ny - 1, k)];
      else
        f.e[c][g.at(i, g.ny, k)] = phase * f.e[c][g.at(i, 0, k)];
    }
  }
};

/// What the source adds to E in the two planes where the wave enters: the same in every column but for the
/// phase of an oblique wave.
template <class T>
struct AddSheet {
  StaggeredFields<T> f;
  int first;                                  ///< plane
  T amplitude;                                ///< of the ramp
  const Complex<T>*gain, *phase_x, *phase_y;  ///< gain [3][2]; phases [nx], [ny]
  UMOV_HD void operator()(int i, int j, int row) const {
    const index_t at = f.grid.at(i, j, first + row);
    const Complex<T> phase = amplitude * (phase_x[i] * phase_y[j]);
    for (int c = 0; c < 3; ++c) f.e[c][at] += phase * gain[2 * c + row];
  }
};

/// What a source in many planes adds to E.
template <class T>
struct AddSource {
  StaggeredFields<T> f;
  int first, planes;
  T amplitude;
  const Complex<T>* gain;  ///< [3][planes][ny][nx]
  UMOV_HD void operator()(int i, int j, int k) const {
    const PaddedGrid& g = f.grid;
    for (int c = 0; c < 3; ++c)
      f.e[c][g.at(i, j, first + k)] += amplitude * gain[((index_t(c) * planes + k) * g.ny + j) * g.nx + i];
  }
};

/// The padded place of the n-th of 3 nx ny nz values, and its component.
struct EdgePlace {
  int c;
  index_t at;
};
UMOV_HD inline EdgePlace edge_place(const PaddedGrid& g, index_t n) {
  const index_t row = n / g.nx, plane = row / g.ny;
  return {int(plane / g.nz), g.at(int(n % g.nx), int(row % g.ny), int(plane % g.nz))};
}

/// |E|^2 of an edge.
template <class T>
struct SquareE {
  StaggeredFields<T> f;
  UMOV_HD double operator()(index_t n) const {
    const EdgePlace p = edge_place(f.grid, n);
    return double(norm2(f.e[p.c][p.at]));
  }
};

/// |weight sum + own E|^2 of an edge.
template <class T>
struct SquareOfSum {
  StaggeredFields<T> f;
  const Complex<T>* sum;  ///< [3 nx ny nz]
  T weight, own;
  UMOV_HD double operator()(index_t n) const {
    const EdgePlace p = edge_place(f.grid, n);
    return double(norm2(weight * sum[n] + own * f.e[p.c][p.at]));
  }
};

/// Some edges of weight sum + own E.
template <class T>
struct Probe {
  StaggeredFields<T> f;
  const Complex<T>* sum;
  T weight, own;
  index_t stride;
  Complex<T>* out;
  UMOV_HD void operator()(index_t n) const {
    const EdgePlace p = edge_place(f.grid, n * stride);
    out[n] = weight * sum[n * stride] + own * f.e[p.c][p.at];
  }
};

/// sum = weight sum + own E.
template <class T>
struct AddToSum {
  StaggeredFields<T> f;
  Complex<T>* sum;
  T weight, own;
  UMOV_HD void operator()(index_t n) const {
    const EdgePlace p = edge_place(f.grid, n);
    sum[n] = weight * sum[n] + own * f.e[p.c][p.at];
  }
};

}  // namespace umov::harmonic
