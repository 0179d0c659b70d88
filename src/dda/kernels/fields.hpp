// Named kernels of fields and sums over dipoles: incident wave, scalings, norms, far field.
#pragma once

#include <cmath>

#include "dda/kernels/lattice.hpp"

namespace umov::dda {

/// E_inc = e0 exp(i k n.r) at every dipole, r from the centre of the box. Runs over words of the lattice.
template <class T>
struct PlaneWave {
  LatticeView lattice;
  double kn[3];  // k n_c d_c: phase per lattice step
  Complex<double> e0[3];
  Complex<T>* field;  // [3][dipoles]
  UMOV_HD void operator()(index_t w) const {
    for_sites_of_words(lattice, w, w + 1, *this);
  }
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
    for (int c = 0; c < 3; ++c)
      out[c * lattice.dipoles + i] = factor[m + c] * in[c * lattice.dipoles + i];
  }
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

/// Partial far-field sums: sum over the dipoles of one chunk of lattice words of P exp(-i k n.r), for one
/// direction. Phases advance by one complex factor along a line, restarted exactly at each line of the box.
/// Runs over directions x chunks; out is [direction][chunk][3] in double.
template <class T>
struct FarFieldChunk {
  LatticeView lattice;
  index_t chunks, words_per_chunk;
  double k;
  double spacing[3];
  const double* directions;  // [n][3]
  const Complex<T>* p;
  Complex<double>* out;

  struct Accumulate {
    const FarFieldChunk& f;
    double kn[3];
    mutable Complex<double> sum[3];
    UMOV_HD void operator()(index_t i, int x, int y, int z) const {
      const double phase = -(kn[0] * (x - 0.5 * (f.lattice.nx - 1)) + kn[1] * (y - 0.5 * (f.lattice.ny - 1)) +
                             kn[2] * (z - 0.5 * (f.lattice.nz - 1)));
      const Complex<double> e(std::cos(phase), std::sin(phase));
      for (int c = 0; c < 3; ++c) sum[c] += e * Complex<double>(f.p[c * f.lattice.dipoles + i]);
    }
  };

  UMOV_HD void operator()(index_t e) const {
    const index_t direction = e / chunks, chunk = e % chunks;
    Accumulate a{*this, {}, {}};
    for (int c = 0; c < 3; ++c) {
      a.kn[c] = k * directions[3 * direction + c] * spacing[c];
      a.sum[c] = Complex<double>(0, 0);
    }
    const index_t first = chunk * words_per_chunk, end = first + words_per_chunk;
    for_sites_of_words(lattice, first, end < lattice.words() ? end : lattice.words(), a);
    for (int c = 0; c < 3; ++c) out[3 * e + c] = a.sum[c];
  }
};

}  // namespace umov::dda
