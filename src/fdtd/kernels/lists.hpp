// Work on lists of cells: sources, off-diagonal permittivity, polarization currents.
#pragma once

#include <cstdint>

#include "fdtd/kernels/curl.hpp"

namespace umov::fdtd {

/// The fields by component; nullptr where the mode has none.
template <class F>
struct FieldPointers {
  F* of[6];
};

/// One target of the sources per call: field += (or =) sum of weight value over its entries.
template <class F>
struct DriveFields {
  FieldPointers<F> fields;
  const std::uint8_t *component, *hard;  // [target]
  const index_t *cell, *first;           // [target], [target + 1]
  const int* column;                     // [entry]
  const F* weight;                       // [entry]
  const F* value;                        // [column], of this step

  UMOV_HD void operator()(index_t t) const {
    F sum(0);
    for (index_t e = first[t]; e < first[t + 1]; ++e) sum = sum + weight[e] * value[column[e]];
    F* const p = fields.of[component[t]] + cell[t];
    *p = hard[t] ? sum : *p + sum;
  }
};

/// TensorTerm: E_c += sum over the other axes p and both ends of the edge of w (curl H)_p summed over the two
/// p-edges that meet there (Werner and Cary 2007, eq. 21).
template <class T, class F>
struct AddOffDiagonal {
  F* f;
  CurlView<F> curl[2];  // of p = c + 1, c + 2
  index_t stride[2];    // along these
  index_t along;        // stride along c
  const index_t* cell;
  const T* weight;  // [p][end][term]
  index_t terms;

  UMOV_HD void operator()(index_t t) const {
    const index_t e = cell[t];
    F sum = f[e];
    for (int p = 0; p < 2; ++p)
      for (int end = 0; end < 2; ++end) {
        const index_t node = e + end * along;
        sum = sum + weight[(2 * p + end) * terms + t] * (curl[p].at(node) + curl[p].at(node - stride[p]));
      }
    f[e] = sum;
  }
};

/// The same where an axis is graded: weights of both terms of both p-edges.
template <class T, class F>
struct AddOffDiagonalGraded {
  F* f;
  CurlView<F> curl[2];  // of p = c + 1, c + 2
  index_t stride[2];    // along these
  index_t along;        // stride along c
  const index_t* cell;
  const T* weight;  // [p][end][above, below][first term, second][term]
  index_t terms;

  UMOV_HD void operator()(index_t t) const {
    const index_t e = cell[t];
    F sum = f[e];
    for (int p = 0; p < 2; ++p)
      for (int end = 0; end < 2; ++end)
        for (int back = 0; back < 2; ++back) {
          const index_t at = e + end * along - back * stride[p], row = 4 * (2 * p + end) + 2 * back;
          sum = sum + weight[row * terms + t] * (curl[p].a_hi[at] - curl[p].a_lo[at]) -
                weight[(row + 1) * terms + t] * (curl[p].b_hi[at] - curl[p].b_lo[at]);
        }
    f[e] = sum;
  }
};

template <class T>
struct PoleNumbers {
  int debye;
  T a, b, c, gain;
};

/// One edge of a dispersive material: E from the polarization of the step before, then the polarization from
/// the new E. State [pole][2][edge]: (j, p), or (q, p) of Debye poles. See DispersiveGroup.
template <class T, class F>
struct Polarize {
  F* f;
  const index_t* cell;
  F* state;
  index_t edges;
  const PoleNumbers<T>* pole;
  int poles;
  T dt;

  UMOV_HD void operator()(index_t t) const {
    const index_t e = cell[t];
    F field = f[e];
    for (int m = 0; m < poles; ++m) {
      const F* s = state + 2 * m * edges + t;
      field = pole[m].debye ? field + pole[m].gain * s[edges] : field - pole[m].gain * s[0];
    }
    f[e] = field;
    for (int m = 0; m < poles; ++m) {
      F* s = state + 2 * m * edges + t;
      const PoleNumbers<T> n = pole[m];
      if (n.debye) {
        const F p = s[0] + n.b * field;
        s[edges] = p;
        s[0] = n.a * p + n.b * field;
      } else {
        const F j = n.a * s[0] + n.b * field - n.c * s[edges];
        s[0] = j;
        s[edges] = s[edges] + dt * j;
      }
    }
  }
};

}  // namespace umov::fdtd
