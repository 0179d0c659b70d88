// A whole step of pseudo-time in one pass: threads march along z through columns of cells, H and then E of
// every plane, from one copy of the fields to the other.
#pragma once

#include <cstdint>

#include "harmonic/kernels/pseudo_time.hpp"

/// Before a loop of a number of turns that is known: its arrays are registers then.
#if defined(__CUDACC__)
#define UMOV_UNROLL _Pragma("unroll")
#else
#define UMOV_UNROLL _Pragma("GCC unroll 4")
#endif

namespace umov::harmonic {

/// What a pass reads and writes. Periodic neighbours are read at the other side, times a phase: nothing lies
/// beyond the grid's edges but planes of zeros above and below.
template <class T>
struct ColumnStep {
  using C = Complex<T>;
  PaddedGrid grid;
  const C *e_in[3], *h_in[3];
  C *e_out[3], *h_out[3];
  Complex<T> t, s;     ///< of H
  T rx, ry, rz;        ///< 1 / spacing
  C phase_x, phase_y;  ///< of the value beyond the last cell over that of the first
  /// Absorbing planes: those before low_end and from high_begin on; memory [E x, E y, H x, H y][slots].
  int low_end, high_begin;
  const C* psi_in;
  C* psi_out;
  index_t slots;
  AbsorbingPlanes<T> ends[2];  ///< of E, of H; of these share, keep and feed
  LayerCoefficients<T> layers;
  /// Edges of planes [rough_begin, rough_end): by index of one byte or of four, or one by one.
  int rough_begin, rough_end;
  const std::uint8_t* index8;
  const std::uint32_t* index32;
  const C *rough_t, *rough_s;
  /// Sources: in planes sheet and sheet + 1 (see AddSheet), in all (see AddSource); null: none.
  int sheet;
  const C *gain, *column_x, *column_y, *spread;
  T amplitude;
  /// Columns that a tile writes along x, and how the grid is cut: `planes` of them for each block.
  int width, tiles_x, tiles_y, planes;
};

/// Neighbouring cells of one thread, loaded and stored together.
template <class T, int N>
struct alignas(N * sizeof(Complex<T>)) Cells {
  Complex<T> at[N];
};

/// Memory as plain C++ has it; a GPU has one of its own.
struct PlainMemory {
  template <class V>
  UMOV_HD static V load(const V* from) {
    return *from;
  }
  template <class V>
  UMOV_HD static void store(V* to, const V& value) {
    *to = value;
  }
};

/// Shape of a block: 32 lanes of 16 bytes along x by Rows. Around the cells that it writes there are margins:
/// of what is needed one cell on each side, but rows of memory begin at whole sectors of 32 bytes.
template <class T, int Rows>
struct ColumnShape {
  static constexpr int cells = int(16 / sizeof(Complex<T>)), lanes = 32, tile = lanes * cells;
  static constexpr int margin = 2 * cells, most_width = tile - 2 * margin;
  static constexpr int rows = Rows, written_rows = Rows - 2, threads = lanes * Rows;
};

/// One thread of a block. All threads call begin, and after a barrier for each plane `magnetic`, after
/// another barrier `electric`: what passes between threads lies in Shared, where E and H of two planes have
/// room.
template <class T, int Rows, class Memory>
class ColumnThread {
 public:
  using C = Complex<T>;
  using Shape = ColumnShape<T, Rows>;
  static constexpr int n = Shape::cells;
  using Group = Cells<T, n>;
  struct Shared {
    Group e[2][3][Shape::threads], h[2][3][Shape::threads];  ///< by parity of the plane
  };

  UMOV_HD ColumnThread(const ColumnStep<T>& p, Shared& shared, int block, int thread)
      : p_(p), shared_(shared), me_(thread) {
    const int tiles = p.tiles_x * p.tiles_y, tile = block % tiles;
    const int lane = thread % Shape::lanes, row = thread / Shape::lanes;
    const int x = tile % p.tiles_x * p.width, y = tile / p.tiles_x * Shape::written_rows;
    const PaddedGrid& g = p.grid;
    i_ = x - Shape::margin + lane * n;
    j_ = y - 1 + row;
    begin_ = block / tiles * p.planes;
    end_ = begin_ + p.planes < g.nz ? begin_ + p.planes : g.nz;
    right_ = lane + 1 < Shape::lanes ? thread + 1 : thread;
    left_ = lane > 0 ? thread - 1 : thread;
    above_ = row + 1 < Rows ? thread + Shape::lanes : thread;
    below_ = row > 0 ? thread - Shape::lanes : thread;
    writes_ = lane * n >= Shape::margin && lane * n < Shape::margin + p.width && row > 0 && row + 1 < Rows &&
              j_ < g.ny;
    whole_ = i_ >= 0 && i_ + n <= g.nx && j_ >= 0 && j_ < g.ny;
    const int j = j_ < 0 ? j_ + g.ny : j_ >= g.ny ? j_ - g.ny : j_;
    row_ = index_t(j) * g.pitch + g.lead;
    flat_row_ = index_t(j) * g.nx;
  }

  /// First and last plane of the march: H of the plane before those that are written is needed too.
  UMOV_HD int first() const { return begin_ > 0 ? begin_ - 1 : 0; }
  UMOV_HD int last() const { return end_; }

  UMOV_HD void begin() {
    const int k = first();
    UMOV_UNROLL
    for (int c = 0; c < 3; ++c) {
      shared_.e[k & 1][c][me_] = fetch(p_.e_in[c], k);
      up_[c] = fetch(p_.e_in[c], k + 1);
      h_[c] = fetch(p_.h_in[c], k);
    }
    // above the first plane
    shared_.h[(k + 1) & 1][0][me_] = shared_.h[(k + 1) & 1][1][me_] = Group{};
  }

  /// H of plane k half a step on.
  UMOV_HD void magnetic(int k) {
    if (k + 1 < end_) {
      UMOV_UNROLL
      for (int c = 0; c < 3; ++c) ahead_[c] = fetch(p_.e_in[c], k + 2);
    }
    const Group(&e)[3][Shape::threads] = shared_.e[k & 1];
    const Group own[3] = {e[0][me_], e[1][me_], e[2][me_]};
    const Group y_x = e[0][above_], y_z = e[2][above_];
    const C right_y = e[1][right_].at[0], right_z = e[2][right_].at[0];
    const bool absorbing = k < p_.low_end || k >= p_.high_begin;
    UMOV_UNROLL
    for (int m = 0; m < n; ++m) {
      const C ex = own[0].at[m], ey = own[1].at[m], ez = own[2].at[m];
      const C x_y = m + 1 < n ? own[1].at[(m + 1) % n] : right_y,
              x_z = m + 1 < n ? own[2].at[(m + 1) % n] : right_z;
      C ex_z = up_[0].at[m] - ex, ey_z = up_[1].at[m] - ey;
      if (absorbing) {
        ey_z = absorbed_in(1, 0, m, k, ey_z);
        ex_z = absorbed_in(1, 1, m, k, ex_z);
      } else {
        ey_z = p_.rz * ey_z;
        ex_z = p_.rz * ex_z;
      }
      new_h_[0].at[m] = advance(p_.t, h_[0].at[m], -p_.s, p_.ry * (y_z.at[m] - ez) - ey_z);
      new_h_[1].at[m] = advance(p_.t, h_[1].at[m], -p_.s, ex_z - p_.rx * (x_z - ez));
      new_h_[2].at[m] = advance(p_.t, h_[2].at[m], -p_.s, p_.rx * (x_y - ey) - p_.ry * (y_x.at[m] - ex));
    }
    UMOV_UNROLL
    for (int c = 0; c < 3; ++c) {
      shared_.h[k & 1][c][me_] = new_h_[c];
      shared_.e[(k + 1) & 1][c][me_] = up_[c];
      if (k + 1 < end_) h_[c] = fetch(p_.h_in[c], k + 1);
    }
  }

  /// E of plane k half a step on; what was found of the plane is written.
  UMOV_HD void electric(int k) {
    if (k >= begin_ && writes_) advance_e(k);
    UMOV_UNROLL
    for (int c = 0; c < 3; ++c) up_[c] = ahead_[c];
  }

 private:
  UMOV_HD void advance_e(int k) {
    const Group(&h)[3][Shape::threads] = shared_.h[k & 1];
    const Group y_x = h[0][below_], y_z = h[2][below_];
    // own values of the plane before are still there
    const Group before[2] = {shared_.h[(k + 1) & 1][0][me_], shared_.h[(k + 1) & 1][1][me_]};
    const C left_y = h[1][left_].at[n - 1], left_z = h[2][left_].at[n - 1];
    const bool absorbing = k < p_.low_end || k >= p_.high_begin;
    Group out[3];
    UMOV_UNROLL
    for (int m = 0; m < n; ++m) {
      const C hx = new_h_[0].at[m], hy = new_h_[1].at[m], hz = new_h_[2].at[m];
      const C x_y = m > 0 ? new_h_[1].at[(m + n - 1) % n] : left_y,
              x_z = m > 0 ? new_h_[2].at[(m + n - 1) % n] : left_z;
      C hx_z = hx - before[0].at[m], hy_z = hy - before[1].at[m];
      if (absorbing) {
        hy_z = absorbed_in(0, 0, m, k, hy_z);
        hx_z = absorbed_in(0, 1, m, k, hx_z);
      } else {
        hy_z = p_.rz * hy_z;
        hx_z = p_.rz * hx_z;
      }
      out[0].at[m] = update(0, m, k, p_.ry * (hz - y_z.at[m]) - hy_z);
      out[1].at[m] = update(1, m, k, hx_z - p_.rx * (hz - x_z));
      out[2].at[m] = update(2, m, k, p_.rx * (hy - x_y) - p_.ry * (hx - y_x.at[m]));
    }
    UMOV_UNROLL
    for (int c = 0; c < 3; ++c) {
      keep(p_.e_out[c], k, out[c]);
      keep(p_.h_out[c], k, new_h_[c]);
    }
  }

  UMOV_HD C update(int c, int m, int k, C curl) const {
    const PaddedGrid& g = p_.grid;
    const int i = i_ + m;
    C t, s;
    if (k >= p_.rough_begin && k < p_.rough_end) {
      if (i >= g.nx) return C(0, 0);
      const index_t edge =
          (index_t(c) * (p_.rough_end - p_.rough_begin) + k - p_.rough_begin) * g.ny * g.nx + flat_row_ + i;
      const index_t at = p_.index8 ? index_t(p_.index8[edge]) : p_.index32 ? index_t(p_.index32[edge]) : edge;
      t = p_.rough_t[at];
      s = p_.rough_s[at];
    } else {
      p_.layers.get(c, 0, 0, k, t, s);
    }
    C e = advance(t, shared_.e[k & 1][c][me_].at[m], s, curl);  // own, until the plane after next
    if (i >= g.nx) return e;
    if (p_.gain && unsigned(k - p_.sheet) < 2u)
      e += p_.amplitude * (p_.column_x[i] * p_.column_y[j_]) * p_.gain[2 * c + k - p_.sheet];
    if (p_.spread) e += p_.amplitude * p_.spread[(index_t(c) * g.nz + k) * g.ny * g.nx + flat_row_ + i];
    return e;
  }

  /// As `absorbed`, from one copy of the memory to the other; `part` 0: for the x component, 1: for y.
  UMOV_HD C absorbed_in(int magnetic, int part, int m, int k, C d) const {
    const PaddedGrid& g = p_.grid;
    const int i = i_ + m;
    if (!inside(i)) return C(0, 0);
    const AbsorbingPlanes<T>& a = p_.ends[magnetic];
    const int slot = k < p_.low_end ? k : k - p_.high_begin + p_.low_end;
    const index_t at = (2 * magnetic + part) * p_.slots + index_t(slot) * g.ny * g.nx + flat_row_ + around(i);
    const C before = whole_ ? p_.psi_in[at] : phase(i) * p_.psi_in[at];
    if (writes_ && k >= begin_ && i < g.nx) p_.psi_out[at] = a.keep[k] * before + a.feed[k] * d;
    return {a.share[k] * d.re + before.re, a.share[k] * d.im + before.im};
  }

  /// Whether a value here is needed: in the grid or one cell beyond.
  UMOV_HD bool inside(int i) const { return i >= -1 && i <= p_.grid.nx && j_ >= -1 && j_ <= p_.grid.ny; }
  UMOV_HD int around(int i) const { return i < 0 ? i + p_.grid.nx : i >= p_.grid.nx ? i - p_.grid.nx : i; }
  /// Of a cell beyond the grid's edges over the one that it repeats.
  UMOV_HD C phase(int i) const {
    const PaddedGrid& g = p_.grid;
    C out(1, 0);
    if (i < 0) out = conj(p_.phase_x);
    if (i >= g.nx) out = p_.phase_x;
    if (j_ < 0) out = out * conj(p_.phase_y);
    if (j_ >= g.ny) out = out * p_.phase_y;
    return out;
  }

  UMOV_HD Group fetch(const C* field, int k) const {
    const C* row = field + (k + 1) * p_.grid.slab + p_.grid.pitch + row_;
    if (whole_) return Memory::load(reinterpret_cast<const Group*>(row + i_));
    Group out{};
    UMOV_UNROLL
    for (int m = 0; m < n; ++m)
      if (inside(i_ + m)) out.at[m] = phase(i_ + m) * row[around(i_ + m)];
    return out;
  }

  UMOV_HD void keep(C* field, int k, const Group& value) const {
    C* row = field + (k + 1) * p_.grid.slab + p_.grid.pitch + row_;
    if (whole_) return Memory::store(reinterpret_cast<Group*>(row + i_), value);
    UMOV_UNROLL
    for (int m = 0; m < n; ++m)
      if (i_ + m < p_.grid.nx) row[i_ + m] = value.at[m];
  }

  const ColumnStep<T>& p_;
  Shared& shared_;
  int me_, i_, j_, begin_, end_, right_, left_, above_, below_;
  bool writes_, whole_;
  index_t row_, flat_row_;
  Group up_[3], ahead_[3], h_[3], new_h_[3];
};

}  // namespace umov::harmonic

#undef UMOV_UNROLL
