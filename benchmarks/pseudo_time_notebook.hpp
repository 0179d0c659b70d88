// Versions of the pseudo-time step, from the thesis's to the program's, each in two layouts: what a step
// costs as fields and coefficients are stored less. Half steps of the whole grid, H and then E.
#pragma once

#include <cstdint>

#include "core/complex.hpp"
#include "harmonic/kernels/pseudo_time.hpp"

namespace umov::bench {

using harmonic::advance;
using harmonic::PaddedGrid;

/// Count complex numbers of every cell: those of a cell together (an array of structures) or each in an array
/// of its own.
template <class T, int Count, bool Together>
struct Arrays {
  Complex<T>* data;
  index_t cells;
  UMOV_HD Complex<T>& at(int which, index_t cell) const {
    return Together ? data[cell * Count + which] : data[which * cells + cell];
  }
};

/// Version 1, Split and Stored: two parts of every component, t and s of each in memory.
/// Version 2, Split: t and s by an index of one byte an edge; those of H are the same everywhere.
/// Version 3: six components, as the program has them outside of absorbing layers.
template <class T, bool Split, bool Stored, bool Together, bool Electric>
struct NotebookStep {
  static constexpr int parts = Split ? 2 : 1;
  PaddedGrid grid;
  Arrays<T, 3 * parts, Together> own, other;
  Arrays<T, 6 * parts, Together> coefficients;  ///< t of all parts, then s
  const std::uint8_t* index;                    ///< [3][cells]
  const Complex<T>*t, *s;                       ///< by index

  UMOV_HD void operator()(int i, int j, int k) const {
    const index_t cell = grid.at(i, j, k);
    const index_t stride[3] = {1, grid.pitch, grid.slab};
    for (int c = 0; c < 3; ++c) {
      const int a = (c + 1) % 3, b = (c + 2) % 3;
      const Complex<T> plus = difference(b, cell, stride[a]), minus = difference(a, cell, stride[b]);
      if constexpr (Split) {
        update(c, 0, cell, plus);
        update(c, 1, cell, -minus);
      } else {
        update(c, 0, cell, plus - minus);
      }
    }
  }

 private:
  UMOV_HD Complex<T> total(int c, index_t cell) const {
    if constexpr (Split) return other.at(2 * c, cell) + other.at(2 * c + 1, cell);
    return other.at(c, cell);
  }
  /// Of the other field: backward for E, forward (and with H's sign) for H.
  UMOV_HD Complex<T> difference(int c, index_t cell, index_t stride) const {
    if constexpr (Electric) return total(c, cell) - total(c, cell - stride);
    return total(c, cell) - total(c, cell + stride);
  }
  UMOV_HD void update(int c, int part, index_t cell, Complex<T> drive) const {
    Complex<T>& f = own.at(parts * c + part, cell);
    if constexpr (Stored) {
      const int at = parts * c + part;
      f = advance(coefficients.at(at, cell), f, coefficients.at(3 * parts + at, cell), drive);
    } else {
      const int m = Electric ? index[c * own.cells + cell] : 0;
      f = advance(t[m], f, s[m], drive);
    }
  }
};

/// Values of a start, and coefficients that every version has alike.
template <class T>
UMOV_HD Complex<T> notebook_start(int c, index_t cell) {
  return {T(int((cell * 7 + c * 3) % 11) - 5) / 5, T(int((cell * 5 + c) % 13) - 6) / 6};
}
UMOV_HD inline int notebook_medium(int c, index_t cell) { return int((cell / 3 + c) % 4); }
template <class T>
UMOV_HD Complex<T> notebook_t(int medium) {
  return {T(0.99) - T(0.01) * T(medium), T(0.05)};
}
template <class T>
UMOV_HD Complex<T> notebook_s(int medium) {
  return {T(0.4) / T(medium + 1), T(0.02)};
}

template <class T, bool Split, bool Together>
struct FillNotebook {
  static constexpr int parts = Split ? 2 : 1;
  PaddedGrid grid;
  Arrays<T, 3 * parts, Together> fields[2];
  UMOV_HD void operator()(int i, int j, int k) const {
    const index_t cell = grid.at(i, j, k);
    for (int group = 0; group < 2; ++group)
      for (int c = 0; c < 3; ++c) fields[group].at(parts * c, cell) = notebook_start<T>(3 * group + c, cell);
  }
};
template <class T, int Parts, bool Together>
struct FillCoefficients {
  Arrays<T, 6 * Parts, Together> out;
  bool electric;
  UMOV_HD void operator()(index_t cell) const {
    for (int c = 0; c < 3; ++c)
      for (int part = 0; part < Parts; ++part) {
        const int m = electric ? notebook_medium(c, cell) : 0;
        out.at(Parts * c + part, cell) = notebook_t<T>(m);
        out.at(3 * Parts + Parts * c + part, cell) = notebook_s<T>(m);
      }
  }
};
struct FillIndex {
  std::uint8_t* out;
  index_t cells;
  UMOV_HD void operator()(index_t cell) const {
    for (int c = 0; c < 3; ++c) out[c * cells + cell] = std::uint8_t(notebook_medium(c, cell));
  }
};
template <class T>
struct FillTable {
  Complex<T>*t, *s;
  UMOV_HD void operator()(index_t m) const {
    t[m] = notebook_t<T>(int(m));
    s[m] = notebook_s<T>(int(m));
  }
};

/// Re E of the whole, weighted: the same number for all versions.
template <class T, bool Split, bool Together>
struct SumOfE {
  PaddedGrid grid;
  Arrays<T, 3 * (Split ? 2 : 1), Together> e;
  template <class Sums>
  UMOV_HD void operator()(index_t n, Sums& sums) const {
    const auto [c, at] = harmonic::edge_place(grid, n);
    Complex<T> v = e.at((Split ? 2 : 1) * c, at);
    if constexpr (Split) v += e.at(2 * c + 1, at);
    sums.v[0] += double(v.re) * double(n % 17) + double(v.im) * double(n % 5);
    sums.v[1] += double(norm2(v));
  }
};

/// One version on a device.
template <class Dev, class T, bool Split, bool Stored, bool Together>
class Notebook {
  static constexpr int parts = Split ? 2 : 1;
  using C = Complex<T>;
  template <class X>
  using Array = typename Dev::template Array<X>;

 public:
  /// Bytes of a voxel and step: own fields read and written, the other's read, twice; coefficients.
  static constexpr double bytes_per_step =
      double(sizeof(C)) * 2 * 9 * parts + (Stored ? double(sizeof(C)) * 12 * parts : 3.0);

  Notebook(Dev& dev, const Int3& n)
      : dev_(dev), grid_(PaddedGrid::make(n[0], n[1], n[2], int(64 / sizeof(C)))) {
    const index_t cells = grid_.size();
    fields_ = dev.template allocate<C>(std::size_t(6 * parts * cells));
    dev.fill_zero(fields_.data(), fields_.size());
    view_[0] = {fields_.data(), cells};
    view_[1] = {fields_.data() + 3 * parts * cells, cells};
    dev.for_each_box({0, 0, 0}, n, FillNotebook<T, Split, Together>{grid_, {view_[0], view_[1]}});
    if constexpr (Stored) {
      stored_ = dev.template allocate<C>(std::size_t(12 * parts * cells));
      for (int group = 0; group < 2; ++group) {
        coefficients_[group] = {stored_.data() + group * 6 * parts * cells, cells};
        dev.for_each(cells, FillCoefficients<T, parts, Together>{coefficients_[group], group == 0});
      }
    } else {
      index_ = dev.template allocate<std::uint8_t>(std::size_t(3 * cells));
      dev.for_each(cells, FillIndex{index_.data(), cells});
      table_ = dev.template allocate<C>(8);
      dev.for_each(4, FillTable<T>{table_.data(), table_.data() + 4});
    }
  }
  void step() {
    const Int3 n{grid_.nx, grid_.ny, grid_.nz};
    const C *t = table_.data(), *s = t ? t + 4 : nullptr;
    dev_.for_each_box({0, 0, 0}, n,
                      NotebookStep<T, Split, Stored, Together, false>{grid_, view_[1], view_[0],
                                                                      coefficients_[1], nullptr, t, s});
    dev_.for_each_box({0, 0, 0}, n,
                      NotebookStep<T, Split, Stored, Together, true>{grid_, view_[0], view_[1],
                                                                     coefficients_[0], index_.data(), t, s});
  }
  double check() const {
    const index_t n = 3 * index_t(grid_.nx) * grid_.ny * grid_.nz;
    const auto s = dev_.template map_reduce<2, double>(n, SumOfE<T, Split, Together>{grid_, view_[0]});
    return s.v[0] / std::sqrt(s.v[1]);
  }

 private:
  Dev& dev_;
  PaddedGrid grid_;
  Array<C> fields_, stored_, table_;
  Array<std::uint8_t> index_;
  Arrays<T, 3 * parts, Together> view_[2];
  Arrays<T, 6 * parts, Together> coefficients_[2]{};
};

}  // namespace umov::bench
