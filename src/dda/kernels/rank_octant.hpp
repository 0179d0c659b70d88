// The named kernels of an octant in stretches, a rank each: lags of its planes z, frequencies of its planes
// kx.
#pragma once

#include "dda/kernels/tensor.hpp"

namespace umov::dda {

/// Components [component, component + count) of the interaction for the lags of a stretch of z, scaled, each
/// as [hx][lags z][hy] and `apart` numbers from the next; zero for lags that the particle does not have. Runs
/// over hx lags hy lags.
template <class T, class Interaction>
struct FillLags {
  static constexpr bool costly = true;
  Interaction interaction;
  int nx, ny, nz;       ///< lags of the particle
  int first, lags, hy;  ///< the stretch of z
  int component, count;
  index_t apart;
  T scale;
  Complex<T>* out;

  UMOV_HD void operator()(index_t e) const {
    const int y = int(e % hy), z = first + int(e / hy % lags), x = int(e / hy / lags);
    Complex<T> g[6] = {};
    if (x < nx && y < ny && z < nz && (x | y | z) != 0) interaction(x, y, z, g);
    for (int c = 0; c < count; ++c) out[c * apart + e] = scale * g[component + c];
  }
};

/// From stretches of z as ranks have sent them, [rank][own hx][lags z of the rank][hy], to one component of
/// an octant [own hx][slots][hz][hy], which takes place `slot`. Runs over own hx hz hy.
template <class T>
struct JoinLags {
  int own, hy, hz, slots, slot;
  const int* first;  ///< [hz] first lag z of the rank that has z
  const int* count;  ///< [hz] lags z of that rank
  const Complex<T>* sent;
  Complex<T>* octant;

  UMOV_HD void operator()(index_t e) const {
    const int y = int(e % hy), z = int(e / hy % hz), x = int(e / hy / hz);
    const index_t plane = index_t(hz) * hy;
    octant[(index_t(x) * slots + slot) * plane + index_t(z) * hy + y] =
        sent[((index_t(own) * first[z] + index_t(x) * count[z]) + (z - first[z])) * hy + y];
  }
};

/// The way back, of lags below ny and nz alone: from [own hx][hz][hy] to what each rank gets, [rank][own
/// hx][lags z of the rank][ny]. Runs over own hx nz ny.
template <class T>
struct PartLags {
  int own, hy, hz, ny, nz;
  const int* first;  ///< [nz] first lag z of the rank that has z
  const int* count;  ///< [nz] lags z of that rank
  const Complex<T>* octant;
  Complex<T>* parts;

  UMOV_HD void operator()(index_t e) const {
    const int y = int(e % ny), z = int(e / ny % nz), x = int(e / ny / nz);
    parts[((index_t(own) * first[z] + index_t(x) * count[z]) + (z - first[z])) * ny + y] =
        octant[(index_t(x) * hz + z) * hy + y];
  }
};

/// Terms of the lags z from `first` on, [z][ny][nx][6], for lags that are among them.
template <class T>
struct TableOfStretch {
  const Complex<double>* terms;
  int nx, ny, first;

  UMOV_HD void operator()(long x, long y, long z, Complex<T> g[6]) const {
    const Complex<double>* row = terms + 6 * ((index_t(z - first) * ny + y) * nx + x);
    for (int c = 0; c < 6; ++c) g[c] = Complex<T>(row[c]);
  }
};

}  // namespace umov::dda
