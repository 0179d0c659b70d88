// Named kernels of fields and sums over dipoles: incident wave, scalings, norms, far field.
#pragma once

#include <cmath>

#include "dda/kernels/lattice.hpp"

namespace umov::dda {

/// E_inc = e0 exp(i k n.r) at every dipole, r from the centre of the box. Runs over words of the lattice.
template <class T>
struct PlaneWave {
  static constexpr bool costly = true;
  LatticeView lattice;
  double kn[3];  // k n_c d_c: phase per lattice step
  Complex<double> e0[3];
  Complex<T>* field;  // [3][dipoles]
  UMOV_HD void operator()(index_t w) const { for_sites_of_words(lattice, w, w + 1, *this); }
  UMOV_HD void operator()(index_t i, int x, int y, int z) const {
    const double phase = kn[0] * (x - 0.5 * (lattice.nx - 1)) + kn[1] * (y - 0.5 * (lattice.ny - 1)) +
                         kn[2] * (z - 0.5 * (lattice.nz - 1));
    const Complex<double> e(std::cos(phase), std::sin(phase));
    for (int c = 0; c < 3; ++c) field[c * lattice.dipoles + i] = Complex<T>(e * e0[c]);
  }
};

/// out = factor(material) in, component by component; the factor is S, 1/S, ... Runs over dipoles.
template <class T>
struct ScaleByMaterial {
  LatticeView lattice;
  const Complex<T>* factor;  // [material][3]
  const Complex<T>* in;
  Complex<T>* out;
  UMOV_HD void operator()(index_t i) const {
    const int m = 3 * lattice.material(i);
    for (int c = 0; c < 3; ++c) out[c * lattice.dipoles + i] = factor[m + c] * in[c * lattice.dipoles + i];
  }
};

/// r = S E_inc - r, with the sum of |r|^2: the right-hand side is never stored. Runs over dipoles.
template <class T>
struct ResidualOfIncident {
  LatticeView lattice;
  const Complex<T>*root, *incident;
  Complex<T>* r;
  template <class Sums>
  UMOV_HD void operator()(index_t i, Sums& sums) const {
    const int m = 3 * lattice.material(i);
    for (int c = 0; c < 3; ++c) {
      const index_t e = c * lattice.dipoles + i;
      const Complex<T> v = root[m + c] * incident[e] - r[e];
      r[e] = v;
      sums.v[0] += norm2(v);
    }
  }
};

/// x += scale d with d in float: a correction of iterative refinement. Runs over 3 dipoles elements.
template <class T>
struct AddCorrection {
  T scale;
  const Complex<float>* d;
  Complex<T>* x;
  UMOV_HD void operator()(index_t e) const { x[e] += scale * Complex<T>(d[e]); }
};

/// x += scale d, a correction in the same precision. Runs over 3 dipoles elements.
template <class T>
struct AddScaled {
  T scale;
  const Complex<T>* d;
  Complex<T>* x;
  UMOV_HD void operator()(index_t e) const { x[e] += scale * d[e]; }
};

/// r = scale r. Runs over 3 dipoles elements.
template <class T>
struct ScaleBy {
  T scale;
  Complex<T>* r;
  UMOV_HD void operator()(index_t e) const { r[e] = scale * r[e]; }
};

/// out = scale r in float. Runs over 3 dipoles elements.
template <class T>
struct InFloat {
  T scale;
  const Complex<T>* r;
  Complex<float>* out;
  UMOV_HD void operator()(index_t e) const { out[e] = Complex<float>(scale * r[e]); }
};

/// Sum of a . conj(b) over all components. Runs over 3 dipoles elements.
template <class T>
struct ProductWithConjugate {
  const Complex<T>*a, *b;
  template <class Sums>
  UMOV_HD void operator()(index_t e, Sums& sums) const {
    const Complex<T> v = a[e] * conj(b[e]);
    sums.v[0] += v.re;
    sums.v[1] += v.im;
  }
};

/// Sum of |p_c|^2 for c = x, y, z over the dipoles of one material. Runs over dipoles.
template <class T>
struct NormsOfMaterial {
  LatticeView lattice;
  int material;
  const Complex<T>* p;
  template <class Sums>
  UMOV_HD void operator()(index_t i, Sums& sums) const {
    if (lattice.material(i) != material) return;
    for (int c = 0; c < 3; ++c) sums.v[c] += norm2(p[c * lattice.dipoles + i]);
  }
};

/// exp(-i k n.r) factorises over the axes: one factor per plane of sites and direction, as
/// [nx + ny + nz][directions], r from the centre of the box. Runs over (nx + ny + nz) directions.
struct PhaseFactors {
  int sites[3];
  index_t count;  // directions
  double k, spacing[3];
  const double* directions;  // [count][3]
  Complex<double>* factors;
  UMOV_HD void operator()(index_t e) const {
    const index_t direction = e % count;
    int plane = int(e / count), axis = 0;
    while (plane >= sites[axis]) plane -= sites[axis++];
    const double step = k * directions[3 * direction + axis] * spacing[axis];
    const double phase = -step * (plane - 0.5 * (sites[axis] - 1));
    factors[e] = Complex<double>(std::cos(phase), std::sin(phase));
  }
};

/// Partial far-field sums: sum over the dipoles of one chunk of lattice words of P exp(-i k n.r), for one
/// direction and several columns P, which share the factor. Neighbouring indices are neighbouring directions
/// of the same chunk: they read the same dipoles, from cache or by broadcast, and adjacent factors. 8 flops a
/// dipole and direction, and 24 for each column.
/// Runs over chunks x directions; out is [column][chunk][direction][3] in double.
template <class T, int columns>
struct FarFieldChunk {
  static constexpr bool costly = true;
  LatticeView lattice;
  index_t words_per_chunk, count;
  const Complex<double>* factors;
  const Complex<T>* p[columns];
  Complex<double>* out;
  index_t column_size;  ///< numbers of a column in `out`

  struct Accumulate {
    const FarFieldChunk& f;
    const Complex<double>* mine;  // factors of this direction
    mutable int y, z;
    mutable Complex<double> row, sum[columns][3];
    UMOV_HD void operator()(index_t i, int ix, int iy, int iz) const {
      const LatticeView& l = f.lattice;
      if (iy != y || iz != z) {
        y = iy;
        z = iz;
        row = mine[(l.nx + y) * f.count] * mine[(l.nx + l.ny + z) * f.count];
      }
      const Complex<double> e = mine[ix * f.count] * row;
      for (int j = 0; j < columns; ++j)
        for (int c = 0; c < 3; ++c) sum[j][c] += e * Complex<double>(f.p[j][c * l.dipoles + i]);
    }
  };

  UMOV_HD void operator()(index_t e) const {
    const index_t direction = e % count, chunk = e / count;
    const Complex<double> zero(0, 0);
    Accumulate a{*this, factors + direction, -1, -1, zero, {}};
    for (int j = 0; j < columns; ++j)
      for (int c = 0; c < 3; ++c) a.sum[j][c] = zero;
    const index_t first = chunk * words_per_chunk, end = first + words_per_chunk;
    for_sites_of_words(lattice, first, end < lattice.words() ? end : lattice.words(), a);
    for (int j = 0; j < columns; ++j)
      for (int c = 0; c < 3; ++c) out[j * column_size + 3 * e + c] = a.sum[j][c];
  }
};

/// Sums of so many far-field sums that follow each other, in their order. Runs over columns x runs x size;
/// out is [column][run][size].
struct SumFarFieldChunks {
  index_t size, chunks;  ///< numbers of one sum, sums of a column
  index_t run, runs;     ///< sums that are added, and how often
  index_t column_size;   ///< numbers of a column in `from`
  const Complex<double>* from;
  Complex<double>* out;
  UMOV_HD void operator()(index_t e) const {
    const index_t item = e % size, number = e / size % runs, column = e / (size * runs);
    const index_t first = number * run, end = first + run < chunks ? first + run : chunks;
    Complex<double> sum(0, 0);
    for (index_t j = first; j < end; ++j) sum += from[column * column_size + j * size + item];
    out[e] = sum;
  }
};

}  // namespace umov::dda
