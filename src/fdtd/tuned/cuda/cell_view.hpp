// Fields, media and absorbing layers as one kernel argument, and passes over segments of cells.
#pragma once

#include <cuda_runtime.h>

#include "fdtd/state.hpp"
#include "fdtd/tuned/cuda/cell_set.hpp"

namespace umov::fdtd::tuned {

/// Share of one component in the layers at one wall; see PmlSlab. Empty: layers == 0.
template <class T>
struct LayerView {
  int first = 0, layers = 0;
  index_t pitch = 0, plane = 0, offset = 0;
  T* psi = nullptr;
  const T* table = nullptr;  ///< b, c, stretch, `layers` entries each
};

/// Everything the curl equations read and write.
template <class T>
struct SweepView {
  T* f[6];
  const std::uint8_t* narrow[6];
  const std::uint16_t* wide[6];
  T decay[6], drive[6];  ///< where a component is uniform
  const T *decay_table, *drive_table;
  int lo[6][3], hi[6][3];  ///< cells to update
  index_t base, pitch, plane;
  LayerView<T> layer[6][2][2];  ///< [component][term of the curl][low, high]
};

/// Which term of a component's curl is the derivative along `axis`: along (c+1)%3 or (c+2)%3.
constexpr int term_along(int component, int axis) { return axis == (component + 1) % 3 ? 0 : 1; }

template <class Dev, class T>
SweepView<T> sweep_view(State<Dev, T, T>& s) {
  SweepView<T> v{};
  for (int c = 0; c < components; ++c) {
    if (!has_component(s.grid.mode, c)) continue;
    v.f[c] = s.field(c);
    v.narrow[c] = s.narrow_ids(c);
    v.wide[c] = s.wide_ids(c);
    if (s.uniform(c)) {
      v.decay[c] = T(s.uniform_coefficients(c).decay);
      v.drive[c] = T(s.uniform_coefficients(c).drive);
    }
    for (int a = 0; a < 3; ++a) v.lo[c][a] = s.box[c].lo[a], v.hi[c][a] = s.box[c].hi[a];
  }
  v.decay_table = s.decay_table();
  v.drive_table = s.drive_table();
  v.base = s.layout.base, v.pitch = s.layout.pitch, v.plane = s.layout.plane;
  for (auto* slabs : {&s.electric_slabs, &s.magnetic_slabs})
    for (auto& slab : *slabs) {
      const PmlSlab& w = slab.where;
      v.layer[w.component][term_along(w.component, w.axis)][w.side] = {
          w.first, w.layers, w.pitch, w.plane, w.offset, slab.psi.data(), slab.table.data()};
    }
  return v;
}

/// Updates one field, layers included, in the cells of the segments.
template <class T>
void sweep_segments(Mode, Field, const SweepView<T>&, const Segment*, index_t segments, cudaStream_t);

/// Copies all fields, and psi where `to` has its own, in the cells of the segments.
template <class T>
void copy_segments(const SweepView<T>& from, const SweepView<T>& to, const Segment*, index_t segments,
                   cudaStream_t);

}  // namespace umov::fdtd::tuned
