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

/// [frequency] from the sums over pieces, [frequency][piece].
inline std::vector<double> sums_of_pieces(const std::vector<double>& partial, std::size_t frequencies) {
  std::vector<double> sums(frequencies, 0);
  const std::size_t pieces = partial.size() / frequencies;
  for (std::size_t n = 0; n < partial.size(); ++n) sums[n / pieces] += partial[n];
  return sums;
}

/// TransformProduct at one frequency, over a piece of its terms: in double and in order.
template <class T>
struct SumProducts {
  static constexpr bool costly = true;
  static constexpr index_t piece = 128;
  const Complex<T>*a, *b;
  index_t a_points, b_points;
  const TransformProduct::Term* term;
  index_t terms;
  double* partial;  ///< [frequency][piece]

  UMOV_HD index_t pieces() const { return (terms + piece - 1) / piece; }
  UMOV_HD void operator()(index_t n) const {
    const index_t f = n / pieces(), first = (n - f * pieces()) * piece;
    const index_t last = first + piece < terms ? first + piece : terms;
    double sum = 0;
    for (index_t q = first; q < last; ++q) {
      const TransformProduct::Term t = term[q];
      const Complex<double> x(a[f * a_points + t.first]), y(b[f * b_points + t.second]);
      const double re = fused(x.re, y.re, x.im * y.im), im = fused(x.im, y.re, -(x.re * y.im));
      sum = fused(t.weight.re, re, fused(-t.weight.im, im, sum));
    }
    partial[n] = sum;
  }
};

}  // namespace umov::fdtd
