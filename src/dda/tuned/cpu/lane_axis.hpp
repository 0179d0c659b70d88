// The three transforms of the lanes' product, of a particle or of a mirror fraction of it.
#pragma once

#include <algorithm>
#include <type_traits>

#include "dda/kernels/product.hpp"
#include "dda/mirror/fraction.hpp"
#include "dda/tuned/cpu/folded_transform.hpp"
#include "dda/tuned/cpu/half_transform.hpp"

namespace umov::dda::cpu {

/// One axis of the product for lines of three components. With FoldedTransform it may have a mirror plane:
/// then it has half the sites and half the frequencies, none of them a mirror image of another.
template <class T, class Axis>
class LaneAxis {
  using C = Complex<T>;
  static constexpr bool folds = !std::is_same_v<Axis, HalfTransform<T>>;

 public:
  /// Axis a of g points; `fraction` where Axis folds.
  LaneAxis(int g, int a, const MirrorFraction* fraction, int threads)
      : axis_(make(g, a, fraction, threads)), a_(a), fraction_(fraction) {}

  int half() const { return axis_.half(); }
  int frequency(int p, int slot) const { return axis_.frequency(p, slot); }
  int slot(int k) const { return axis_.slot(k); }
  /// Frequencies of parity p.
  int slots(int p) const {
    if constexpr (folds)
      return axis_.slots(p);
    else
      return axis_.half();
  }
  int most_slots() const { return std::max(slots(0), slots(1)); }
  /// Whether frequencies beyond g/2 are kept, too.
  bool has_images() const {
    if constexpr (folds)
      return axis_.plain();
    else
      return true;
  }
  /// See HalfTransform, for lines of component c.
  void forward(int c, const C* from, std::ptrdiff_t stride, int n, int p, C* to) const {
    if constexpr (folds)
      axis_.forward(from, stride, n, p, to, component_parity(fraction_->parity, c, a_));
    else
      axis_.forward(from, stride, n, p, to);
  }
  void backward(int c, C* from, int p, int n, C* to, std::ptrdiff_t stride) const {
    if constexpr (folds)
      axis_.backward(from, p, n, to, stride, component_parity(fraction_->parity, c, a_));
    else
      axis_.backward(from, p, n, to, stride);
  }

 private:
  static Axis make(int g, int a, const MirrorFraction* fraction, int threads) {
    if constexpr (folds)
      return Axis(g, fraction->whole[a], fraction->planes[a], threads);
    else
      return Axis(g);
  }

  Axis axis_;
  int a_;
  const MirrorFraction* fraction_;
};

}  // namespace umov::dda::cpu
