// The transform along x on a mirror fraction: the kernels of lines.hpp on shorter lines.
#pragma once

#include "dda/tuned/cuda/lines.hpp"
#include "dda/tuned/cuda/mirror_view.hpp"

namespace umov::dda::tuned {

/// Occupied sites of rows of the fraction.
template <class T>
struct MirrorSite {
  const LinesView<T>& v;
  const MirrorAxis& axis;
  int first_row, component;
  bool odd;
  __device__ SignedPlace find(int point, int line) const {
    const int site = axis.site(point);
    if (site < 0) return {-1, false};
    const unsigned i = Site<T>{v, first_row, component}.find(site, line);
    return {i == no_dipole ? index_t(-1) : index_t(i), odd && axis.turned(point)};
  }
};

template <class T>
struct MirrorScatter : MirrorSite<T> {
  __device__ Complex<T> get(int, SignedPlace p) const {
    if (p.at < 0) return {0, 0};
    const Complex<T> value =
        ScatterSource<T>{{this->v, this->first_row, this->component}}.get(0, unsigned(p.at));
    return p.minus ? -value : value;
  }
};

template <class T>
struct MirrorGather : MirrorSite<T> {
  GatherSink<T> sink;
  __device__ Complex<T> met(SignedPlace p) const { return sink.met(p.at < 0 ? no_dipole : unsigned(p.at)); }
  __device__ void put(SignedPlace p, Complex<T> g, Complex<T> a) {
    sink.put(p.at < 0 ? no_dipole : unsigned(p.at), p.minus ? -g : g, a);
  }
};

/// Blocks are (rows, component). Reads x, writes the lines: 3 (dipoles + slots rows) elements.
template <class T, class AxisOf>
__global__ void __launch_bounds__(AxisOf::threads, AxisOf::blocks)
    mirror_scatter_x(AxisOf axis, MirrorView<T> m, LinesView<T> v) {
  extern __shared__ __align__(16) unsigned char memory[];
  auto* shared = reinterpret_cast<Complex<T>*>(memory);
  const Rows layout = rows_layout(axis, v.rows_at_once);
  const int first_row = blockIdx.x * layout.count, component = blockIdx.y;
  const MirrorAxis& x = m.axis(0);
  const bool odd = x.odd(component == 0);
  const Passes<T, AxisOf, Rows, 1> passes{axis, layout, shared, 0};
  passes.first_forward(MirrorScatter<T>{{v, x, first_row, component, odd}});
#pragma unroll
  for (int p = 1; p < axis.passes(); ++p) passes.template inner<-1>(p);
  const int lines = min(layout.count, v.rows() - first_row);
  Complex<T>* to = m.lines + (index_t(component) * m.rows() + first_row) * m.slots;
  if (x.folded) {
    const int pairs = pairs_of(x);
    for (int item = threadIdx.x; item < pairs * lines; item += AxisOf::threads) {
      const int line = item / pairs, k = item - line * pairs;
      put_slots(x, m.turn[0], m.point_of[0], shared, layout, k, line, odd,
                [&](int slot, Complex<T> value) { to[index_t(line) * m.slots + slot] = value; });
    }
    for (int slot = x.points() + threadIdx.x; slot < m.slots; slot += AxisOf::threads)
      for (int line = 0; line < lines; ++line) to[index_t(line) * m.slots + slot] = {0, 0};
  } else {
    for (int slot = threadIdx.x; slot < m.slots; slot += AxisOf::threads) {
      const int k = m.slot_of_x[slot];
      for (int line = 0; line < lines; ++line)
        to[index_t(line) * m.slots + slot] =
            k < 0 ? Complex<T>(0, 0) : shared[layout.at(m.point_of[0][k], line)];
    }
  }
}

/// Reads the lines and x, writes y: 3 (2 dipoles + slots rows) elements. A fixed number of blocks walks over
/// the rows, so that the order of the sums is fixed.
template <class T, class AxisOf>
__global__ void __launch_bounds__(AxisOf::threads, AxisOf::blocks)
    mirror_gather_x(AxisOf axis, MirrorView<T> m, LinesView<T> v, Complex<T>* y,
                    backend::Cuda::Ticket ticket) {
  extern __shared__ __align__(16) unsigned char memory[];
  auto* shared = reinterpret_cast<Complex<T>*>(memory);
  const Rows layout = rows_layout(axis, v.rows_at_once);
  const MirrorAxis& x = m.axis(0);
  const Passes<T, AxisOf, Rows, 1> passes{axis, layout, shared, 0};
  backend::Sums<double, 5> sums{};
  const int parts = (v.rows() + layout.count - 1) / layout.count;
  for (int task = blockIdx.x; task < 3 * parts; task += gridDim.x) {
    const int component = task % 3, first_row = task / 3 * layout.count;
    const bool odd = x.odd(component == 0);
    const int lines = min(layout.count, v.rows() - first_row);
    const Complex<T>* from = m.lines + (index_t(component) * m.rows() + first_row) * m.slots;
    if (x.folded) {
      const int pairs = pairs_of(x);
      for (int item = threadIdx.x; item < pairs * lines; item += AxisOf::threads) {
        const int line = item / pairs, k = item - line * pairs;
        get_slots(x, m.turn[0], m.point_of[0], shared, layout, k, line, odd,
                  [&](int slot) { return from[index_t(line) * m.slots + slot]; });
      }
    } else {
      for (int slot = threadIdx.x; slot < m.slots; slot += AxisOf::threads) {
        const int k = m.slot_of_x[slot];
        for (int line = 0; k >= 0 && line < lines; ++line)
          shared[layout.at(m.point_of[0][k], line)] = from[index_t(line) * m.slots + slot];
      }
    }
    __syncthreads();
#pragma unroll
    for (int p = axis.passes() - 1; p > 0; --p) passes.template inner<+1>(p);
    MirrorGather<T> gather{{v, x, first_row, component, odd}, {{v, first_row, component}, y, sums}};
    passes.last_inverse(gather);
    sums = gather.sink.sums;
  }
  backend::cuda::finish_reduction<5, AxisOf::threads>(sums, ticket.partial, ticket.arrived, ticket.mailbox,
                                                      ticket.number);
}

}  // namespace umov::dda::tuned
