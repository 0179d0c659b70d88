// Observations of fields on the way: how large they are, how they change, their norm.
#pragma once

#include "core/complex.hpp"
#include "core/types.hpp"
#include "pmaxwell/kernels/half_step.hpp"

namespace umov::pmaxwell {

/// The sums of both parts of all components at the points that every cell has.
template <class T>
struct Totals {
  Int3 cells;
  const Complex<T>* parts[2][3][2];  ///< E, H; component; part
  Points points[2][3];

  UMOV_HD index_t place(int group, int c, index_t cell) const {
    const int i = int(cell % cells[0]), j = int(cell / cells[0] % cells[1]),
              k = int(cell / cells[0] / cells[1]);
    return points[group][c].at(i, j, k);
  }
  UMOV_HD Complex<T> of(int group, int c, index_t cell) const {
    const index_t at = place(group, c, cell);
    return parts[group][c][0][at] + parts[group][c][1][at];
  }
  UMOV_HD double parts_norm2(int group, int c, index_t cell) const {
    const index_t at = place(group, c, cell);
    return norm2(Complex<double>(parts[group][c][0][at])) + norm2(Complex<double>(parts[group][c][1][at]));
  }
  UMOV_HD index_t count() const { return index_t(cells[0]) * cells[1] * cells[2]; }
};

/// E into memory [3][cells].
template <class T>
struct Keep {
  Totals<T> totals;
  Complex<T>* out;
  UMOV_HD void operator()(index_t i) const {
    out[i] = totals.of(0, int(i / totals.count()), i % totals.count());
  }
};

/// abs(E) of one component in one cell.
template <class T>
struct Size {
  Totals<T> totals;
  UMOV_HD double operator()(index_t i) const {
    const Complex<T> e = totals.of(0, int(i / totals.count()), i % totals.count());
    return sqrt(norm2(Complex<double>(e)));
  }
};

/// abs(E - E of the step before).
template <class T>
struct Change {
  Totals<T> totals;
  const Complex<T>* before;
  UMOV_HD double operator()(index_t i) const {
    const Complex<T> e = totals.of(0, int(i / totals.count()), i % totals.count());
    return sqrt(norm2(Complex<double>(e - before[i])));
  }
};

/// abs((x2 - x1) - turn (x1 - x0)): the change of a stride without what turns by `turn` in each.
template <class T>
struct ChangeWithoutTurning {
  Totals<T> totals;
  const Complex<T>*x0, *x1;
  Complex<T> turn;
  UMOV_HD double operator()(index_t i) const {
    const Complex<T> e = totals.of(0, int(i / totals.count()), i % totals.count());
    return sqrt(norm2(Complex<double>((e - x1[i]) - turn * (x1[i] - x0[i]))));
  }
};

/// The Euclidean norm of the six components, or of their twelve parts.
template <class T>
struct Norm {
  Totals<T> totals;
  T* out;
  bool of_parts;
  UMOV_HD void operator()(index_t i) const {
    double sum = 0;
    for (int group = 0; group < 2; ++group)
      for (int c = 0; c < 3; ++c)
        sum += of_parts ? totals.parts_norm2(group, c, i) : norm2(Complex<double>(totals.of(group, c, i)));
    out[i] = T(sqrt(sum));
  }
};

}  // namespace umov::pmaxwell
