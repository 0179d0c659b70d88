// The transforms along y and z on a mirror fraction, and the product with the tensor between them: the
// kernels of slices.hpp on shorter lines.
#pragma once

#include "dda/tuned/cuda/mirror_view.hpp"
#include "dda/tuned/cuda/slices.hpp"

namespace umov::dda::tuned {

/// One component of one z of one group.
template <class T>
struct MirrorLines {
  const MirrorView<T>& m;
  int group, z, c;
  bool odd;
  __device__ SignedPlace find(int point, int w) const {
    const int y = m.axis(1).site(point);
    if (y < 0) return {-1, false};
    const index_t row = (index_t(c) * m.nz + z) * m.ny + y;
    return {row * m.slots + ((index_t(m.first_group) + group) << m.log_width) + w,
            odd && m.axis(1).turned(point)};
  }
  __device__ Complex<T> get(int, SignedPlace p) const {
    if (p.at < 0) return {0, 0};
    const Complex<T> v = m.lines[p.at];
    return p.minus ? -v : v;
  }
  __device__ void put(int, SignedPlace p, Complex<T> value) const {
    if (p.at >= 0) m.lines[p.at] = p.minus ? -value : value;
  }
};

/// Blocks are (z, component, group). Reads 3 ny nz, writes 3 nz elements of each slot of y, a slot of x.
template <class T, class AxisOf>
__global__ void __launch_bounds__(AxisOf::threads, AxisOf::blocks) mirror_y(AxisOf axis, MirrorView<T> m) {
  extern __shared__ __align__(16) unsigned char memory[];
  auto* shared = reinterpret_cast<Complex<T>*>(memory);
  const MirrorAxis& y = m.axis(1);
  const MirrorLines<T> block{m, int(blockIdx.z), int(blockIdx.x), int(blockIdx.y), y.odd(blockIdx.y == 1)};
  const Columns<> layout{m.log_width, m.swizzle};
  const Passes<T, AxisOf, Columns<>, 1> passes{axis, layout, shared, 0};
  passes.first_forward(block);
#pragma unroll
  for (int p = 1; p < axis.passes(); ++p) passes.template inner<-1>(p);
  const int items = pairs_of(y) << m.log_width;
  for (int item = threadIdx.x; item < items; item += AxisOf::threads) {
    const int k = item >> m.log_width, w = item & (layout.lines() - 1);
    put_slots(y, m.turn[1], m.point_of[1], shared, layout, k, w, block.odd, [&](int slot, Complex<T> value) {
      m.slices[m.slice_at(block.group, slot, block.z, block.c) + w] = value;
    });
  }
}

/// The way back.
template <class T, class AxisOf>
__global__ void __launch_bounds__(AxisOf::threads, AxisOf::blocks)
    mirror_y_back(AxisOf axis, MirrorView<T> m) {
  extern __shared__ __align__(16) unsigned char memory[];
  auto* shared = reinterpret_cast<Complex<T>*>(memory);
  const MirrorAxis& y = m.axis(1);
  const MirrorLines<T> block{m, int(blockIdx.z), int(blockIdx.x), int(blockIdx.y), y.odd(blockIdx.y == 1)};
  const Columns<> layout{m.log_width, m.swizzle};
  const Passes<T, AxisOf, Columns<>, 1> passes{axis, layout, shared, 0};
  const int items = pairs_of(y) << m.log_width;
  for (int item = threadIdx.x; item < items; item += AxisOf::threads) {
    const int k = item >> m.log_width, w = item & (layout.lines() - 1);
    get_slots(y, m.turn[1], m.point_of[1], shared, layout, k, w, block.odd,
              [&](int slot) { return m.slices[m.slice_at(block.group, slot, block.z, block.c) + w]; });
  }
  __syncthreads();
#pragma unroll
  for (int p = axis.passes() - 1; p > 0; --p) passes.template inner<+1>(p);
  passes.last_inverse(block);
}

/// The three components of the slices of one group at one slot of y.
template <class T>
struct MirrorSlices {
  const MirrorView<T>& m;
  index_t first;
  __device__ SignedPlace find(int point, int w) const {
    const int z = m.axis(2).site(point);
    if (z < 0) return {-1, false};
    return {first + ((index_t(z) * 3) << m.log_width) + w, m.axis(2).turned(point)};
  }
  __device__ bool minus(int c, SignedPlace p) const { return p.minus && m.axis(2).odd(c == 2); }
  __device__ Complex<T> get(int c, SignedPlace p) const {
    if (p.at < 0) return {0, 0};
    const Complex<T> v = m.slices[p.at + (c << m.log_width)];
    return minus(c, p) ? -v : v;
  }
  __device__ void put(int c, SignedPlace p, Complex<T> value) const {
    if (p.at >= 0) m.slices[p.at + (c << m.log_width)] = minus(c, p) ? -value : value;
  }
};

/// z forward, product with the tensor, z backward. Blocks are (slot of y, group). Reads and writes 3 nz
/// elements and reads 6 hz of the tensor for each slot of x and y.
template <class T, class AxisOf>
__global__ void __launch_bounds__(AxisOf::threads, AxisOf::blocks)
    mirror_z_and_multiply(AxisOf axis, MirrorView<T> m) {
  extern __shared__ __align__(16) unsigned char memory[];
  auto* shared = reinterpret_cast<Complex<T>*>(memory);
  // without a plane ky beside its mirror image, so that the second finds the tensor in L2
  const int u = int(blockIdx.x), n = m.axis(1).points();
  const int ky = m.axis(1).folded ? u : u % 2 ? n - (u + 1) / 2 : u / 2;
  const int group = int(blockIdx.y), tile = m.first_group + group;
  const MirrorAxis& z = m.axis(2);
  const MirrorSlices<T> block{m, m.slice_at(group, ky, 0, 0)};
  const int stride = ((axis.n() + 3) & ~3) << m.log_width;
  const Columns<> layout{m.log_width, m.swizzle};
  const Passes<T, AxisOf, Columns<>, 3> passes{axis, layout, shared, stride};
  const TileLayout& tiles = m.tensor.tiles;
  ask_for_tensor(m.tensor.elements + m.tensor.place(tile, 0, ky, 0).at, tiles.plane() * tiles.slots.h,
                 tiles.grid.hz * tiles.slots.h);
  passes.first_forward(block);
#pragma unroll
  for (int p = 1; p < axis.passes(); ++p) passes.template inner<-1>(p);

  const int items = pairs_of(z) << m.log_width, points = z.points();
  const bool odd_along = z.odd(false), odd_normal = z.odd(true);
  for (int item = threadIdx.x; item < items; item += AxisOf::threads) {
    const int k = item >> m.log_width, w = item & (layout.lines() - 1), other = points - k;
    const bool pair = z.folded && k > 0;
    const int low = layout.at(m.point_of[2][k], w), high = pair ? layout.at(m.point_of[2][other], w) : low;
    const Complex<T> turn = pair ? constant(m.turn[2] + k) : Complex<T>(1, 0);
    Complex<T> a[3], b[3];
    unrolled<3>([&](auto c) {
      a[c.value] = shared[c.value * stride + low];
      b[c.value] = pair ? shared[c.value * stride + high] : Complex<T>(0, 0);
      if (pair)
        to_slots(a[c.value], b[c.value], turn, c.value == 2 ? odd_normal : odd_along);
      else if (z.folded)
        a[c.value] = T(2) * a[c.value];
    });
    m.tensor.multiply(m.tensor.place(tile, w, ky, k), a[0], a[1], a[2]);
    if (pair && other != k) m.tensor.multiply(m.tensor.place(tile, w, ky, other), b[0], b[1], b[2]);
    unrolled<3>([&](auto c) {
      if (pair) {
        if (other == k) b[c.value] = a[c.value];
        from_slots(a[c.value], b[c.value], turn, c.value == 2 ? odd_normal : odd_along);
        if (other != k) shared[c.value * stride + high] = b[c.value];
      }
      shared[c.value * stride + low] = a[c.value];
    });
  }
  __syncthreads();
#pragma unroll
  for (int p = axis.passes() - 1; p > 0; --p) passes.template inner<+1>(p);
  passes.last_inverse(block);
}

}  // namespace umov::dda::tuned
