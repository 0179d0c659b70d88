// Running Fourier transforms: values that wait in a ring, and the product of phases and values that adds
// them.
#pragma once

#include "core/complex.hpp"
#include "core/fused.hpp"
#include "fdtd/transform_products.hpp"

namespace umov::fdtd {

/// to[i] = field[cell[i]]: one sample of all points, a row of a ring.
template <class F>
struct GatherPoints {
  const F* f;
  const index_t* cell;
  F* to;

  UMOV_HD void operator()(index_t i) const { to[i] = f[cell[i]]; }
};

/// sum + phase value for points side by side, rounded in one way wherever they stand: a transform's point may
/// be one of other points on another number of ranks.
template <int Points, class T>
UMOV_HD inline void add_times(T (&re)[Points], T (&im)[Points], Complex<T> phase, const T* value) {
  for (int p = 0; p < Points; ++p) {
    re[p] = fused(phase.re, value[p], re[p]);
    im[p] = fused(phase.im, value[p], im[p]);
  }
}
template <int Points, class T>
UMOV_HD inline void add_times(T (&re)[Points], T (&im)[Points], Complex<T> phase, const Complex<T>* value) {
  for (int p = 0; p < Points; ++p) {
    re[p] = fused(phase.re, value[p].re, fused(-phase.im, value[p].im, re[p]));
    im[p] = fused(phase.re, value[p].im, fused(phase.im, value[p].re, im[p]));
  }
}

/// sum[frequency][point] += sum over samples, in order, of phase[sample][frequency] ring[sample][point]. One
/// sample after the other is added to each sum, so that its bits do not depend on how many wait together.
/// `Points` x `Together` sums stay in registers meanwhile: a value is read once for `Together` frequencies,
/// a sum once for all samples.
template <class T, class F>
struct AddToFourier {
  const F* ring;
  const Complex<T>* phase;
  Complex<T>* sum;
  index_t points;
  int frequencies, samples;

  template <int Points, int Together>
  UMOV_HD void add(index_t i, int j) const {
    T re[Together][Points], im[Together][Points];
    for (int q = 0; q < Together; ++q)
      for (int p = 0; p < Points; ++p) {
        const Complex<T> s = sum[(j + q) * points + i + p];
        re[q][p] = s.re, im[q][p] = s.im;
      }
    for (int m = 0; m < samples; ++m)
      for (int q = 0; q < Together; ++q)
        add_times(re[q], im[q], phase[m * index_t(frequencies) + j + q], ring + m * points + i);
    for (int q = 0; q < Together; ++q)
      for (int p = 0; p < Points; ++p) sum[(j + q) * points + i + p] = {re[q][p], im[q][p]};
  }
};

/// For GPUs: a thread a point and some frequencies.
template <class T, class F>
struct AddByPoints {
  static constexpr int together = 8;
  AddToFourier<T, F> of;

  int blocks() const { return (of.frequencies + together - 1) / together; }
  UMOV_HD void operator()(int i, int block, int) const {
    int j = block * together;
    if (j + together <= of.frequencies) return of.template add<1, together>(i, j);
    for (; j < of.frequencies; ++j) of.template add<1, 1>(i, j);
  }
};

/// For processors: all frequencies of some points, whose values stay in the nearest cache.
template <class T, class F>
struct AddByTiles {
  static constexpr bool costly = true;
  static constexpr int points = 64 / sizeof(T), together = 2;
  AddToFourier<T, F> of;

  index_t tiles() const { return (of.points + points - 1) / points; }
  void operator()(index_t tile) const {
    const index_t first = tile * points;
    if (first + points <= of.points) return add<points>(first);
    for (index_t i = first; i < of.points; ++i) add<1>(i);
  }

 private:
  template <int Points>
  void add(index_t i) const {
    int j = 0;
    for (; j + together <= of.frequencies; j += together) of.template add<Points, together>(i, j);
    if (j < of.frequencies) of.template add<Points, 1>(i, j);
  }
};

/// The sums of a transform, [frequency][point].
template <class T>
struct TransformView {
  const Complex<T>* sum;
  index_t points;
};

/// TransformProduct at one frequency, in double and in an order that the number of terms alone decides. Terms
/// lie in tiles of `width` x `width`; column c of a tile sums its terms c, c + width, c + 2 width, ..., so
/// that threads side by side read terms side by side. SumGroups adds the columns of a tile, then the tiles.
template <class T>
struct SumProducts {
  static constexpr bool costly = true;
  static constexpr index_t width = 32, tile = width * width;
  const Complex<T>*a, *b;
  index_t a_points, b_points;
  const TransformProduct::Term* term;
  index_t terms;
  double* sum;  ///< [frequency][tile][column]

  static UMOV_HD index_t tiles_of(index_t terms) { return (terms + tile - 1) / tile; }
  UMOV_HD index_t columns() const { return tiles_of(terms) * width; }
  UMOV_HD void operator()(index_t n) const {
    const index_t f = n / columns(), column = n - f * columns();
    const index_t from = column / width * tile, last = from + tile < terms ? from + tile : terms;
    double s = 0;
    for (index_t q = from + column % width; q < last; q += width) {
      const TransformProduct::Term t = term[q];
      const Complex<double> x(a[f * a_points + t.first]), y(b[f * b_points + t.second]);
      const double re = fused(x.re, y.re, x.im * y.im), im = fused(x.im, y.re, -(x.re * y.im));
      s = fused(t.weight.re, re, fused(-t.weight.im, im, s));
    }
    sum[n] = s;
  }
};

/// to[i] = the sum of `each` numbers side by side, in order.
struct SumGroups {
  const double* from;
  double* to;
  index_t each;

  UMOV_HD void operator()(index_t i) const {
    double s = 0;
    for (index_t q = i * each; q < (i + 1) * each; ++q) s += from[q];
    to[i] = s;
  }
};

/// s += a b, rounded in one way wherever it is compiled.
UMOV_HD inline void add_times(Complex<double>& s, Complex<double> a, Complex<double> b) {
  s.re = fused(a.re, b.re, fused(-a.im, b.im, s.re));
  s.im = fused(a.re, b.im, fused(a.im, b.re, s.im));
}

/// LateralSum along the second axis, for every wave n and every place i of the first: threads side by side
/// read points side by side.
template <class T>
struct SumColumns {
  static constexpr bool costly = true;
  const Complex<T>* a;
  index_t a_points;
  const LateralSum::Point* point;
  const Complex<double>* second;
  index_t places, layers;
  int count[2], waves;
  Complex<double>* column;  ///< [frequency][n][i]

  UMOV_HD void operator()(index_t at) const {
    const index_t wave = at / count[0], f = wave / waves;
    Complex<double> s(0, 0);
    for (index_t j = 0; j < count[1]; ++j)
      for (index_t layer = 0; layer < layers; ++layer) {
        const LateralSum::Point p = point[layer * places + j * count[0] + at - wave * count[0]];
        Complex<double> value(0, 0);
        add_times(value, p.factor, Complex<double>(a[f * a_points + p.stored]));
        add_times(s, second[wave * count[1] + j], value);
      }
    column[at] = s;
  }
};

/// The same along the first axis, of what SumColumns gave.
struct SumWaves {
  static constexpr bool costly = true;
  const Complex<double>*first, *column;
  int count, waves[2];
  Complex<double>* sum;  ///< [frequency][n][m]

  UMOV_HD void operator()(index_t at) const {
    const index_t n = at / waves[0], m = at - n * waves[0], f = n / waves[1];
    Complex<double> s(0, 0);
    for (index_t i = 0; i < count; ++i)
      add_times(s, first[(f * waves[0] + m) * count + i], column[n * count + i]);
    sum[at] = s;
  }
};

}  // namespace umov::fdtd
