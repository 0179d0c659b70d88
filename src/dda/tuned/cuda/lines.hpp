// The transform along x, fused with the scatter of S x before it and with the gather and the sums after it.
#pragma once

#include "dda/kernels/product.hpp"
#include "dda/tuned/cuda/passes.hpp"

namespace umov::dda::tuned {

/// Lines of frequencies along x: [component][z][y][slots].
template <class T>
struct LinesView {
  LatticeView lattice;
  int slots;
  const int* point_of_slot;  // where the frequency of a slot is after the passes; -1 for padding
  int rows_at_once;
  const Complex<T>* root;  // [material][3]
  const Complex<T>* x;
  Complex<T>* lines;
  bool conjugate;
  UMOV_HD int rows() const { return lattice.ny * lattice.nz; }
};

inline constexpr unsigned no_dipole = 0xffffffffu;

/// Occupied sites of a row as dipole numbers.
template <class T>
struct Site {
  const LinesView<T>& v;
  int first_row;
  __device__ unsigned find(int ix, int line) const {
    const int row = first_row + line;
    if (ix >= v.lattice.nx || row >= v.rows()) return no_dipole;
    const index_t s = index_t(row) * v.lattice.nx + ix;
    const std::uint64_t word = v.lattice.occupied[s >> 6];
    if (!((word >> (s & 63)) & 1)) return no_dipole;
    return v.lattice.before[s >> 6] + unsigned(__popcll(word & ((std::uint64_t(1) << (s & 63)) - 1)));
  }
};

template <class T>
struct ScatterSource : Site<T> {
  __device__ Complex<T> get(int c, unsigned i) const {
    if (i == no_dipole) return {0, 0};
    const auto& v = this->v;
    Complex<T> value = v.x[c * v.lattice.dipoles + i];
    if (v.conjugate) value.im = -value.im;
    return v.root[3 * v.lattice.material(i) + c] * value;
  }
};

/// Reads x, writes the lines: 3 (dipoles + slots rows) elements.
template <class T>
__global__ void __launch_bounds__(block_threads, 2) scatter_and_transform_x(AxisView<T> axis, LinesView<T> v) {
  extern __shared__ __align__(16) unsigned char memory[];
  auto* shared = reinterpret_cast<Complex<T>*>(memory);
  const Rows layout{v.rows_at_once, axis.n + (axis.n >> 3) + 1};
  const int stride = layout.count * layout.pitch, first_row = blockIdx.x * layout.count;
  const Passes<T, Rows, 3> passes{axis, layout, shared, stride};
  passes.first_forward(ScatterSource<T>{{v, first_row}});
  for (int p = 1; p < axis.passes; ++p) passes.template inner<-1>(p);
  for (int line = 0; line < layout.count && first_row + line < v.rows(); ++line)
    for (int slot = threadIdx.x; slot < v.slots; slot += block_threads) {
      const int point = v.point_of_slot[slot];
      for (int c = 0; c < 3; ++c)
        v.lines[(index_t(c) * v.rows() + first_row + line) * v.slots + slot] =
            point < 0 ? Complex<T>(0, 0) : shared[c * stride + layout.at(point, line)];
    }
}

template <class T>
struct GatherSink : Site<T> {
  Complex<T>* y;
  backend::Sums<double, 5> sums;
  __device__ void put(int c, unsigned i, Complex<T> g) {
    if (i == no_dipole) return;
    const auto& v = this->v;
    const Complex<T> a = v.x[c * v.lattice.dipoles + i];
    g = v.root[3 * v.lattice.material(i) + c] * g;
    if (v.conjugate) g.im = -g.im;
    const Complex<T> b = a - g;
    y[c * v.lattice.dipoles + i] = b;
    const Complex<T> ab = a * b, ahb = conj(a) * b;
    sums.v[0] += ab.re;
    sums.v[1] += ab.im;
    sums.v[2] += ahb.re;
    sums.v[3] += ahb.im;
    sums.v[4] += norm2(b);
  }
};

/// Reads the lines and x, writes y: 3 (2 dipoles + slots rows) elements. A fixed number of blocks walks over
/// the rows, so that the order of the sums is fixed.
template <class T>
__global__ void __launch_bounds__(block_threads, 2)
    transform_x_and_gather(AxisView<T> axis, LinesView<T> v, Complex<T>* y, backend::Cuda::Ticket ticket) {
  extern __shared__ __align__(16) unsigned char memory[];
  auto* shared = reinterpret_cast<Complex<T>*>(memory);
  const Rows layout{v.rows_at_once, axis.n + (axis.n >> 3) + 1};
  const int stride = layout.count * layout.pitch;
  const Passes<T, Rows, 3> passes{axis, layout, shared, stride};
  backend::Sums<double, 5> sums{};
  for (int first_row = blockIdx.x * layout.count; first_row < v.rows(); first_row += gridDim.x * layout.count) {
    for (int line = 0; line < layout.count; ++line) {
      if (first_row + line >= v.rows()) continue;
      for (int slot = threadIdx.x; slot < v.slots; slot += block_threads) {
        const int point = v.point_of_slot[slot];
        if (point < 0) continue;
        for (int c = 0; c < 3; ++c)
          shared[c * stride + layout.at(point, line)] =
              v.lines[(index_t(c) * v.rows() + first_row + line) * v.slots + slot];
      }
    }
    __syncthreads();
    for (int p = axis.passes - 1; p > 0; --p) passes.template inner<+1>(p);
    GatherSink<T> sink{{v, first_row}, y, sums};
    passes.last_inverse(sink);
    sums = sink.sums;
  }
  backend::cuda::finish_reduction<5, block_threads>(sums, ticket.partial, ticket.arrived, ticket.mailbox,
                                                    ticket.number);
}

}  // namespace umov::dda::tuned
