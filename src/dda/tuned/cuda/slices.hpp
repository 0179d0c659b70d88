// The transforms along y and z of a few groups of kx, and the product with the tensor between them.
#pragma once

#include <type_traits>

#include "backend/cuda/launch.hpp"
#include "dda/tuned/cuda/layout.hpp"
#include "dda/tuned/cuda/passes.hpp"

namespace umov::dda::tuned {

/// How the lines of a component c, z and y lie: row c * of_c + z * of_z + y * of_y of `pitch` slots.
struct LineRows {
  int of_c, of_z, of_y, pitch;
};

/// Groups [first_group, first_group + ...) of the lines, from slot `place` of a row on, and their slices
/// [group][gy][nz][component][2h], which are small enough to stay in the L2 cache between the three kernels.
template <class T>
struct SlicesView {
  SlotLayout slots;
  GridView grid;
  int ny, nz, first_group, log_width, swizzle;
  Complex<T>*lines, *slices;
  const Complex<T>* tiles;  // of group `first_group`
  const Complex<T>* edge;   // the plane kx = gx/2
  LineRows rows;
  int place;
  UMOV_HD index_t slice_at(int group, int ky, int z, int c) const {
    return (((index_t(group) * grid.gy + ky) * nz + z) * 3 + c) << log_width;
  }
};

/// One component of one z of one group.
template <class T>
struct LinesOfBlock {
  const SlicesView<T>& v;
  int group, z, c;
  __device__ index_t line_at(int y, int w) const {
    const int row = c * v.rows.of_c + z * v.rows.of_z + y * v.rows.of_y;
    return index_t(row) * v.rows.pitch + v.place + (group << v.log_width) + w;
  }
  __device__ index_t find(int y, int w) const { return y < v.ny ? line_at(y, w) : -1; }
  __device__ Complex<T> get(int, index_t at) const { return at < 0 ? Complex<T>(0, 0) : v.lines[at]; }
  __device__ void put(int, index_t at, Complex<T> value) {
    if (at >= 0) v.lines[at] = value;
  }
};

/// Blocks are (z, component, group). Reads 3 ny nz, writes 3 gy nz elements a slot.
template <class T, class AxisOf>
__global__ void __launch_bounds__(AxisOf::threads, AxisOf::blocks) transform_y(AxisOf axis, SlicesView<T> v) {
  extern __shared__ __align__(16) unsigned char memory[];
  const LinesOfBlock<T> block{v, int(blockIdx.z), int(blockIdx.x), int(blockIdx.y)};
  const auto layout = columns_layout(axis, v.log_width, v.swizzle);
  const Passes<T, AxisOf, std::decay_t<decltype(layout)>, 1> passes{axis, layout,
                                                                    reinterpret_cast<Complex<T>*>(memory), 0};
  passes.first_forward(block);
#pragma unroll
  for (int p = 1; p < axis.passes() - 1; ++p) passes.template inner<-1>(p);
  passes.last_forward([&](int, int ky, int w, Complex<T> value) {
    v.slices[v.slice_at(block.group, ky, block.z, block.c) + w] = value;
  });
}

/// The way back: reads 3 gy nz, writes 3 ny nz elements a slot.
template <class T, class AxisOf>
__global__ void __launch_bounds__(AxisOf::threads, AxisOf::blocks)
    transform_y_back(AxisOf axis, SlicesView<T> v) {
  extern __shared__ __align__(16) unsigned char memory[];
  LinesOfBlock<T> block{v, int(blockIdx.z), int(blockIdx.x), int(blockIdx.y)};
  const auto layout = columns_layout(axis, v.log_width, v.swizzle);
  const Passes<T, AxisOf, std::decay_t<decltype(layout)>, 1> passes{axis, layout,
                                                                    reinterpret_cast<Complex<T>*>(memory), 0};
  passes.first_inverse(
      [&](int, int ky, int w) { return v.slices[v.slice_at(block.group, ky, block.z, block.c) + w]; });
#pragma unroll
  for (int p = axis.passes() - 2; p > 0; --p) passes.template inner<+1>(p);
  passes.last_inverse(block);
}

__device__ inline double with_sign(double v, bool minus) {
  return __hiloint2double(__double2hiint(v) ^ (int(minus) << 31), __double2loint(v));
}
__device__ inline float with_sign(float v, bool minus) {
  return __int_as_float(__float_as_int(v) ^ (int(minus) << 31));
}
template <class T>
__device__ inline Complex<T> with_sign(Complex<T> v, bool minus) {
  return {with_sign(v.re, minus), with_sign(v.im, minus)};
}

/// Which lines of a group a block has: half of them frequencies, half their mirror images, which need the
/// same tensor.
struct LanesOfBlock {
  int half, first, h;
  __device__ int operator()(int lane) const { return lane < half ? first + lane : h + first + lane - half; }
};

/// The three components of the slices of one group at one ky.
template <class T>
struct SlicesOfBlock {
  const SlicesView<T>& v;
  index_t first;
  LanesOfBlock lanes;
  __device__ index_t find(int z, int lane) const {
    return z < v.nz ? first + ((index_t(z) * 3) << v.log_width) + lanes(lane) : -1;
  }
  __device__ Complex<T> get(int c, index_t at) const {
    return at < 0 ? Complex<T>(0, 0) : v.slices[at + (c << v.log_width)];
  }
  __device__ void put(int c, index_t at, Complex<T> value) {
    if (at >= 0) v.slices[at + (c << v.log_width)] = value;
  }
};

/// Brings a row of each of the six components from memory to the L2 cache while the block transforms; `part`
/// of `parts` blocks that want it.
template <class T>
__device__ inline void ask_for_tensor(const Complex<T>* row, index_t component, int length, int part = 0,
                                      int parts = 1) {
  constexpr int line = int(128 / sizeof(Complex<T>));
  const int lines = (length + line - 1) / line;
  for (int i = threadIdx.x + part * blockDim.x; i < 6 * lines; i += parts * blockDim.x) {
    const int c = i / lines;
    backend::cuda::prefetch(row + c * component + (i - c * lines) * line);
  }
}

/// z forward, product with the tensor, z backward. Blocks are (ky and part of the lines, group), ky beside gy
/// - ky so that the second finds the tensor in L2; the two halves of a group ask for the same tensor elements
/// in the same instruction. Reads and writes 3 gy nz elements a slot and reads 6 hy hz of the tensor for each
/// two slots.
template <class T, class AxisOf>
__global__ void __launch_bounds__(AxisOf::threads, AxisOf::blocks)
    transform_z_and_multiply(AxisOf axis, SlicesView<T> v) {
  extern __shared__ __align__(16) unsigned char memory[];
  const auto layout = columns_layout(axis, v.log_width, v.swizzle);
  const int log_parts = v.log_width - layout.log();
  const int part = int(blockIdx.x) & ((1 << log_parts) - 1), u = int(blockIdx.x) >> log_parts;
  const int ky = u % 2 ? v.grid.gy - (u + 1) / 2 : u / 2, group = int(blockIdx.y);
  const bool my = ky >= v.grid.hy;
  const int rounded = (axis.n() + 3) & ~3;
  const Passes<T, AxisOf, std::decay_t<decltype(layout)>, 3> passes{
      axis, layout, reinterpret_cast<Complex<T>*>(memory), rounded << layout.log()};
  const int h = v.slots.h, hz = v.grid.hz;
  const LanesOfBlock lanes{layout.lines() / 2, part * (layout.lines() / 2), h};
  SlicesOfBlock<T> block{v, v.slice_at(group, ky, 0, 0), lanes};
  const index_t plane = index_t(v.grid.hy) * hz, row = index_t(my ? v.grid.gy - ky : ky) * hz;
  const Complex<T>* tile = v.tiles + group * 6 * plane * h;
  ask_for_tensor(tile + row * h, plane * h, hz * h, part, 1 << log_parts);
  passes.first_forward(block);
#pragma unroll
  for (int p = 1; p < axis.passes() - 1; ++p) passes.template inner<-1>(p);

  const bool holds_edge = v.first_group + group == 0 && v.slots.gx % 2 == 0;
  passes.middle([&](int kz, int lane, Complex<T>& a, Complex<T>& b, Complex<T>& c) {
    const int w = lanes(lane);
    const bool edge = holds_edge && w == h, mx = w >= h && !edge, mz = kz >= hz;
    const index_t yz = row + (mz ? v.grid.gz - kz : kz);
    const Complex<T>* d = edge ? v.edge + yz : tile + yz * h + (w & (h - 1));
    const index_t step = edge ? plane : plane * h;
    const Complex<T> xx = constant(d), xy = with_sign(constant(d + step), mx != my),
                     xz = with_sign(constant(d + 2 * step), mx != mz), yy = constant(d + 3 * step),
                     yz_ = with_sign(constant(d + 4 * step), my != mz), zz = constant(d + 5 * step);
    const Complex<T> p = a, q = b, r = c;
    a = xx * p + xy * q + xz * r;
    b = xy * p + yy * q + yz_ * r;
    c = xz * p + yz_ * q + zz * r;
  });
#pragma unroll
  for (int p = axis.passes() - 2; p > 0; --p) passes.template inner<+1>(p);
  passes.last_inverse(block);
}

}  // namespace umov::dda::tuned
