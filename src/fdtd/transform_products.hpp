// Sums of products of transforms, formed where the transforms are.
#pragma once

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

/// What every engine is besides an Engine: a sum of a plane's transforms costs a fraction of a millisecond on
/// a GPU, and a thousand times that where all of them come to the host first.
class TransformProducts {
 public:
  virtual ~TransformProducts() = default;
  /// [frequency] so far.
  virtual std::vector<double> product(const TransformProduct&) const = 0;
};

}  // namespace umov::fdtd
