// Sums of products of transforms, and over planes of them, formed where the transforms are.
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "core/complex.hpp"
#include "core/types.hpp"

namespace umov::fdtd {

/// A sum of products of two transforms with the same frequencies, as a flux is: for each frequency
/// Re(sum over terms of weight a[first] conj(b[second])), a and b entries of Problem::fouriers.
struct TransformProduct {
  struct Term {
    index_t first = 0, second = 0;  ///< points
    Complex<double> weight{0, 0};
  };
  int a = 0, b = 0;
  std::vector<Term> terms;
};

/// One or more products, of the same frequencies, whose sum is asked for again and again: an engine takes
/// their terms to its transforms once, and keeps them.
using ProductSum = std::shared_ptr<const std::vector<TransformProduct>>;

/// Sums of a transform over a rectangle of places, the first axis fastest, with factors along both axes, as
/// Fourier components of a plane are: for each frequency f and each pair of waves (m, n)
///   sum over places (i, j) of second[f][n][j] first[f][m][i] (sum over layers of factor a[stored]).
struct LateralSum {
  struct Point {
    index_t stored = 0;
    Complex<double> factor{1, 0};
  };
  int a = 0;  ///< entry of Problem::fouriers
  int frequencies = 0;
  std::array<int, 2> count{0, 0}, waves{0, 0};  ///< places and waves along the axes
  std::vector<Point> points;                    ///< [layer][j][i]; none where nothing is stored
  std::vector<Complex<double>> first, second;   ///< [frequency][wave][place]

  index_t places() const { return index_t(count[0]) * count[1]; }
};

/// What an engine keeps as it keeps a ProductSum.
using LateralSums = std::shared_ptr<const std::vector<LateralSum>>;

/// What every engine is besides an Engine: a sum of a plane's transforms costs a fraction of a millisecond on
/// a GPU, and a thousand times that where all of them come to the host first.
class TransformProducts {
 public:
  virtual ~TransformProducts() = default;
  /// [frequency] so far.
  virtual std::vector<double> product_sum(const ProductSum&) const = 0;
  /// Of each sum [frequency][n][m] so far.
  virtual std::vector<std::vector<cplx>> lateral_sums(const LateralSums&) const = 0;
};

}  // namespace umov::fdtd
