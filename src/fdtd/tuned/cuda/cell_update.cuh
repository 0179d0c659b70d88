// One cell of a Yee step with its absorbing layers in one go: what patches and persistent kernels are made
// of.
#pragma once

#include "fdtd/kernels/rounding.hpp"
#include "fdtd/tuned/cuda/cell_view.hpp"

namespace umov::fdtd::tuned {

/// The curl's term `which` of component c: the derivative along axis (c+1)%3 or (c+2)%3 of the other field.
template <Mode M>
struct Term {
  static constexpr bool active(int a) { return a < dimensions(M); }
  static constexpr int axis(int c, int which) { return (c + 1 + which) % 3; }
  static constexpr int of(int c, int which) { return (c + 2 - which) % 3 + (is_electric(c) ? 3 : 0); }
  static constexpr bool exists(int c, int which) {
    return active(axis(c, which)) && has_component(M, of(c, which));
  }
};

template <Mode M, class T>
__device__ __forceinline__ T add_layer(const LayerView<T>& l, int position, int i, int j, int k, T derivative,
                                       T signed_drive, T value) {
  const unsigned s = unsigned(position - l.first);
  if (s >= unsigned(l.layers)) return value;
  T* const psi = l.psi + (l.offset + i + l.pitch * j + (M == Mode::full ? l.plane * k : 0));
  const T p = layer_memory(l.table[s], *psi, l.table[l.layers + s], derivative);
  *psi = p;
  return absorbed(value, signed_drive, p, l.table[2 * l.layers + s], derivative);
}

/// Component C of cell (i, j, k), layers included: the same operations as the simple sweeps.
template <Mode M, int C, class T>
__device__ __forceinline__ void update_component(const SweepView<T>& v, int i, int j, int k) {
  constexpr int c = C;
  if (i < v.lo[c][0] || i >= v.hi[c][0]) return;
  if (dimensions(M) > 1 && (j < v.lo[c][1] || j >= v.hi[c][1])) return;
  if (dimensions(M) > 2 && (k < v.lo[c][2] || k >= v.hi[c][2])) return;
  const index_t e =
      v.base + i + (dimensions(M) > 1 ? v.pitch * j : 0) + (dimensions(M) > 2 ? v.plane * k : 0);
  T d[2] = {T(0), T(0)};
#pragma unroll
  for (int w = 0; w < 2; ++w) {
    if (!Term<M>::exists(c, w)) continue;
    const int a = Term<M>::axis(c, w);
    const index_t shift = a == 0 ? 1 : a == 1 ? v.pitch : v.plane;
    const T* const f = v.f[Term<M>::of(c, w)];
    d[w] = is_electric(c) ? f[e] - f[e - shift] : f[e + shift] - f[e];
  }
  T decay = v.decay[c], drive = v.drive[c];
  if (v.narrow[c]) {
    const int id = v.narrow[c][e];
    decay = v.decay_table[id];
    drive = v.drive_table[id];
  } else if (v.wide[c]) {
    const int id = v.wide[c][e];
    decay = v.decay_table[id];
    drive = v.drive_table[id];
  }
  const T forward = is_electric(c) ? drive : -drive;
  T value = updated(decay, v.f[c][e], forward, d[0] - d[1]);
  constexpr int first_term = Term<M>::axis(c, 0) < Term<M>::axis(c, 1) ? 0 : 1;  // x, y, z in this order
#pragma unroll
  for (int n = 0; n < 2; ++n) {
    const int w = n == 0 ? first_term : 1 - first_term;
    if (!Term<M>::exists(c, w)) continue;
    const int a = Term<M>::axis(c, w), position = a == 0 ? i : a == 1 ? j : k;
    for (int side = 0; side < 2; ++side)
      value = add_layer<M>(v.layer[c][w][side], position, i, j, k, d[w], w == 0 ? forward : -forward, value);
  }
  v.f[c][e] = value;
}

/// All components of one field at one cell.
template <Mode M, bool Electric, class T>
__device__ __forceinline__ void update_cell(const SweepView<T>& v, int i, int j, int k) {
  constexpr int first = Electric ? Ex : Hx;
  if constexpr (has_component(M, first)) update_component<M, first>(v, i, j, k);
  if constexpr (has_component(M, first + 1)) update_component<M, first + 1>(v, i, j, k);
  if constexpr (has_component(M, first + 2)) update_component<M, first + 2>(v, i, j, k);
}

}  // namespace umov::fdtd::tuned
