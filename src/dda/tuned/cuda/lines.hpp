// The transform along x, fused with the scatter of S x before it and with the gather and the sums after it.
#pragma once

#include "dda/kernels/product.hpp"
#include "dda/tuned/cuda/passes.hpp"

namespace umov::dda::tuned {

/// One slot of rows that follow each other.
template <class T>
struct SlotColumn {
  Complex<T>* first;
  index_t step;
};

/// What all lines of frequencies along x have, wherever they lie.
template <class T>
struct LinesBase {
  LatticeView lattice;
  int slots;
  const int* point_of_slot;  // where the frequency of a slot is after the passes; -1 for padding
  int rows_at_once;
  const Complex<T>* root;  // [material][3]
  const Complex<T>* x;
  Complex<T>* lines;
  bool conjugate;
  bool full;  // every site of the box holds a dipole
  UMOV_HD int rows() const { return lattice.ny * lattice.nz; }
};

/// [component][z][y][slots].
template <class T>
struct LinesView : LinesBase<T> {
  UMOV_HD SlotColumn<T> column(int component, int row, int slot) const {
    return {this->lines + (index_t(component) * this->rows() + row) * this->slots + slot, this->slots};
  }
};

/// Of one of several ranks: [z][y][component][slots of a chunk], chunk by chunk (rank_layout.hpp).
template <class T>
struct RankLinesView : LinesBase<T> {
  const index_t* place_of_slot;  // in the lines, at this rank's first row
  const int* pitch_of_slot;      // slots of its chunk
  UMOV_HD SlotColumn<T> column(int component, int row, int slot) const {
    const index_t step = 3 * pitch_of_slot[slot];
    return {this->lines + place_of_slot[slot] + row * step + component * pitch_of_slot[slot], step};
  }
};

inline constexpr unsigned no_dipole = 0xffffffffu;

/// Occupied sites of a row as dipole numbers.
template <class T>
struct Site {
  const LinesBase<T>& v;
  int first_row, component;
  __device__ unsigned find(int ix, int line) const {
    const int row = first_row + line;
    if (ix >= v.lattice.nx || row >= v.rows()) return no_dipole;
    const index_t s = index_t(row) * v.lattice.nx + ix;
    if (v.full) return unsigned(s);
    const std::uint64_t word = v.lattice.occupied[s >> 6];
    if (!((word >> (s & 63)) & 1)) return no_dipole;
    return v.lattice.before[s >> 6] + unsigned(__popcll(word & ((std::uint64_t(1) << (s & 63)) - 1)));
  }
};

template <class T>
struct ScatterSource : Site<T> {
  __device__ Complex<T> get(int, unsigned i) const {
    if (i == no_dipole) return {0, 0};
    const auto& v = this->v;
    Complex<T> value = v.x[this->component * v.lattice.dipoles + i];
    if (v.conjugate) value.im = -value.im;
    return v.root[3 * v.lattice.material(i) + this->component] * value;
  }
};

/// Blocks are (rows, component). Reads x, writes the lines: 3 (dipoles + slots rows) elements.
template <class T, class AxisOf, class View>
__global__ void __launch_bounds__(AxisOf::threads, AxisOf::blocks)
    scatter_and_transform_x(AxisOf axis, View v) {
  extern __shared__ __align__(16) unsigned char memory[];
  auto* shared = reinterpret_cast<Complex<T>*>(memory);
  const Rows layout = rows_layout(axis, v.rows_at_once);
  const int first_row = blockIdx.x * layout.count, component = blockIdx.y;
  const Passes<T, AxisOf, Rows, 1> passes{axis, layout, shared, 0};
  passes.first_forward(ScatterSource<T>{{v, first_row, component}});
#pragma unroll
  for (int p = 1; p < axis.passes(); ++p) passes.template inner<-1>(p);
  const int lines = min(layout.count, v.rows() - first_row);
  const OwnLines mine = layout.template own<AxisOf>();
  for (int slot = mine.thread; slot < v.slots; slot += mine.threads) {
    const int point = v.point_of_slot[slot];
    const SlotColumn<T> to = v.column(component, first_row, slot);
#pragma unroll 4
    for (int line = mine.first; line < min(lines, mine.end); ++line)
      to.first[line * to.step] = point < 0 ? Complex<T>(0, 0) : shared[layout.at(point, line)];
  }
}

template <class T>
struct GatherSink : Site<T> {
  Complex<T>* y;
  backend::Sums<double, 5> sums;
  __device__ index_t element(unsigned i) const { return this->component * this->v.lattice.dipoles + i; }
  /// The x of the site: asked for before any y is stored, so that all of a butterfly travel together.
  __device__ Complex<T> met(unsigned i) const {
    return i == no_dipole ? Complex<T>(0, 0) : this->v.x[element(i)];
  }
  __device__ void put(unsigned i, Complex<T> g, Complex<T> a) {
    if (i == no_dipole) return;
    const auto& v = this->v;
    g = v.root[3 * v.lattice.material(i) + this->component] * g;
    if (v.conjugate) g.im = -g.im;
    const Complex<T> b = a - g;
    y[element(i)] = b;
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
template <class T, class AxisOf, class View>
__global__ void __launch_bounds__(AxisOf::threads, AxisOf::blocks)
    transform_x_and_gather(AxisOf axis, View v, Complex<T>* y, backend::Cuda::Ticket ticket) {
  extern __shared__ __align__(16) unsigned char memory[];
  auto* shared = reinterpret_cast<Complex<T>*>(memory);
  const Rows layout = rows_layout(axis, v.rows_at_once);
  const Passes<T, AxisOf, Rows, 1> passes{axis, layout, shared, 0};
  const OwnLines mine = layout.template own<AxisOf>();
  backend::Sums<double, 5> sums{};
  const int parts = (v.rows() + layout.count - 1) / layout.count;
  for (int task = blockIdx.x; task < 3 * parts; task += gridDim.x) {
    const int component = task % 3, first_row = task / 3 * layout.count;
    const int lines = min(layout.count, v.rows() - first_row);
    for (int slot = mine.thread; slot < v.slots; slot += mine.threads) {
      const int point = v.point_of_slot[slot];
      if (point < 0) continue;
      const SlotColumn<T> from = v.column(component, first_row, slot);
#pragma unroll 4
      for (int line = mine.first; line < min(lines, mine.end); ++line)
        shared[layout.at(point, line)] = from.first[line * from.step];
    }
    wait_for_team<AxisOf>();
#pragma unroll
    for (int p = axis.passes() - 1; p > 0; --p) passes.template inner<+1>(p);
    GatherSink<T> sink{{v, first_row, component}, y, sums};
    passes.last_inverse(sink);
    sums = sink.sums;
  }
  backend::cuda::finish_reduction<5, AxisOf::threads>(sums, ticket.partial, ticket.arrived, ticket.mailbox,
                                                      ticket.number);
}

}  // namespace umov::dda::tuned
