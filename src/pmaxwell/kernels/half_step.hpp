// A half step of the split iteration: x' = t x + s * (curl's part) + boundary source.
#pragma once

#include "core/complex.hpp"
#include "core/types.hpp"

namespace umov::pmaxwell {

/// Where point (i, j, k) of a component lies.
struct Points {
  index_t row = 0, plane = 0;  ///< points along x; along x and y
  UMOV_HD index_t at(int i, int j, int k) const { return k * plane + j * row + i; }
};

/// One of the two parts of a component: what one derivative drives.
template <class T>
struct Part {
  Complex<T>* field;
  const Complex<T>*t, *s;
  const Complex<T>*other0, *other1;  ///< parts of the component that is differentiated
  const Complex<T>* source;          ///< of the boundary; null: none
  Points points;                     ///< of the other component
  index_t step,
      wrap;  ///< to the other point of the difference; to it from the first point of a periodic axis
  int axis;  ///< of the derivative
  T sign;    ///< of the difference: the other point less this one
};

/// Both parts of one component at (i, j, k). H takes forward differences of E: E has a point at both ends of
/// a cell. E takes backward differences of H: at the first point of a periodic axis the other one is in the
/// last cell.
template <class T, bool electric>
struct HalfStep {
  Part<T> a, b;
  Points own;
  T strength;  ///< of the source

  UMOV_HD void operator()(int i, int j, int k) const {
    const index_t at = own.at(i, j, k);
    const Complex<T> next_a = next(a, at, i, j, k), next_b = next(b, at, i, j, k);
    a.field[at] = next_a;
    b.field[at] = next_b;
  }

 private:
  UMOV_HD Complex<T> next(const Part<T>& p, index_t at, int i, int j, int k) const {
    const index_t here = p.points.at(i, j, k);
    index_t there = here + p.step;
    if constexpr (electric)
      if (p.axis == 0 ? i == 0 : p.axis == 1 && j == 0) there = here + p.wrap;
    const Complex<T> difference = (p.other0[there] + p.other1[there]) - (p.other0[here] + p.other1[here]);
    Complex<T> out = p.t[at] * p.field[at] + p.s[at] * (p.sign * difference);
    if (p.source) out += strength * p.source[at];
    return out;
  }
};

/// Both parts of a component in one plane across an axis become those of another one, each its own. Called
/// for plane 0.
template <class T>
struct Repeat {
  Complex<T>*a, *b;
  Points points;
  index_t from, to;  ///< places of both planes behind plane 0

  UMOV_HD void operator()(int i, int j, int k) const {
    const index_t at = points.at(i, j, k);
    a[at + to] = a[at + from];
    b[at + to] = b[at + from];
  }
};

}  // namespace umov::pmaxwell
