// The multigrid preconditioner: levels by smoothed aggregation, V-cycles, and three ways to follow a changed
// matrix.
#pragma once

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "core/timer.hpp"
#include "linalg/amg/aggregate.hpp"
#include "linalg/amg/bottom.hpp"
#include "linalg/amg/nested.hpp"
#include "linalg/amg/options.hpp"
#include "linalg/amg/polynomial.hpp"
#include "linalg/amg/prolongation.hpp"
#include "linalg/amg/spectrum.hpp"
#include "linalg/amg/stiff_part.hpp"
#include "linalg/sparse/fast_rows.hpp"
#include "linalg/sparse/galerkin.hpp"

namespace umov::amg {

/// 1 / diagonal; 0 where the diagonal is not positive, so that such rows stay as they are.
template <class T>
struct InvertDiagonal {
  sparse::CsrView<T> a;
  T *diagonal, *inverse;
  UMOV_HD void operator()(index_t i) const {
    T d = 0;
    int begin = a.start[i], end = a.start[i + 1];
    while (end - begin > 1) {
      const int middle = begin + (end - begin) / 2;
      (a.column[middle] <= i ? begin : end) = middle;
    }
    if (end > begin && a.column[begin] == i) d = a.value[begin];
    diagonal[i] = d;
    inverse[i] = d > 0 ? T(1) / d : T(0);
  }
};
/// b = R r, and the first step of the smoother on the coarse level.
template <class T>
struct RestrictAndStep {
  const T* inverse_diagonal;
  T *b, *x;
  T step;
  UMOV_HD void operator()(index_t i, T v) const {
    b[i] = v;
    x[i] = step * inverse_diagonal[i] * v;
  }
};

/// One V-cycle of smoothed aggregation approximates A^-1; T is the arithmetic of levels and cycle. The matrix
/// given to setup must stay where it is, and refresh may only change its values.
template <class Device, class T>
class Hierarchy {
 public:
  /// `nested`: of the first levels; aggregates follow below them. Must outlive set-ups; may be null.
  Hierarchy(Device& dev, const Options& options, const Nested* nested = nullptr)
      : dev_(dev), options_(options), nested_(nested) {}

  /// From scratch. The matrix is symmetric with ascending columns.
  void setup(const sparse::CsrView<double>& a) {
    const auto begin = ScopedTimer::Clock::now();
    levels_.clear();
    levels_.emplace_back();
    take_finest(a);
    while (grow())
      ;
    finish();
    info_.seconds = std::chrono::duration<double>(ScopedTimer::Clock::now() - begin).count();
  }

  /// The same pattern with other values.
  void refresh(const sparse::CsrView<double>& a, Refresh how) {
    if (how == Refresh::all || levels_.empty()) return setup(a);
    const auto begin = ScopedTimer::Clock::now();
    take_finest(a);
    if (how == Refresh::galerkin) {
      for (std::size_t l = 0; l + 1 < levels_.size(); ++l) {
        Level& f = levels_[l];
        triple_product_again(dev_, f.r.view(), f.a, f.p.view(), f.products);
        prepare(levels_[l + 1]);
        levels_[l + 1].fast.refill(dev_, levels_[l + 1].a);
      }
      make_bottom();
    }
    info_.seconds = std::chrono::duration<double>(ScopedTimer::Clock::now() - begin).count();
  }

  /// z = V-cycle from zero on A z = r. r is not changed; z and r are different arrays.
  void apply(const T* r, T* z) {
    Level& top = levels_[0];
    if (levels_.size() == 1) return solve_bottom(top, r, z);
    // an odd number of steps exchanges x and the other array, so that the last one lands in z
    T *x = top.other.data(), *other = z;
    dev_.for_each(top.a.rows, FirstStep<T>{r, top.inverse_diagonal.data(), x, T(top.polynomial.step[0])});
    cycle(0, r, x, other);
  }

  const SetupInfo& info() const { return info_; }
  int unknowns() const { return levels_.empty() ? 0 : levels_[0].a.rows; }

 private:
  struct Level {
    sparse::CsrView<T> a;
    typename Device::template Array<T> value;  // finest: the matrix in T
    typename Device::template Array<T> diagonal, inverse_diagonal;
    Polynomial polynomial;
    double largest = 0;  // eigenvalue of D^-1 A
    StiffPart<Device, T> stiff;
    sparse::FastRows<Device, T> fast, fast_p, fast_r;
    sparse::Csr<Device, T> p, r;
    sparse::Galerkin<Device, T> products;  // with the next level's matrix
    typename Device::template Array<T> x,
        other;  // two arrays that steps alternate between (finest: one is z)
    typename Device::template Array<T> b, residual;
    typename Device::template Array<T> inverse;  // coarsest: dense
  };

  int coarsest() const { return options_.coarsest > 0 ? options_.coarsest : 300; }
  static constexpr int most_dense = 3000;  // unknowns of a dense inverse
  int dense_limit(const sparse::CsrView<T>& a, index_t entries) const {
    return int(std::max<index_t>(500, 10 * entries / std::max(1, a.rows)));
  }

  void take_finest(const sparse::CsrView<double>& a) {
    Level& top = levels_[0];
    const bool first = top.a.rows == 0;
    if (first) entries_.assign(1, last_start(a.start, a.rows));
    if constexpr (sizeof(T) == sizeof(double)) {
      top.a = a;
    } else {
      if (first) top.value = dev_.template allocate<T>(entries_[0]);
      dev_.for_each(entries_[0], sparse::Convert<double, T>{a.value, top.value.data()});
      top.a = {a.rows, a.columns, a.start, a.column, top.value.data(), a.entries, a.long_rows};
    }
    if (first)
      top.fast.build(dev_, top.a);
    else
      top.fast.refill(dev_, top.a);
    prepare(top);
  }

  int last_start(const int* start, int rows) const {
    int last = 0;
    dev_.download(&last, start + rows, 1);
    return last;
  }

  /// Diagonal, spectrum and smoother of a level whose matrix is there.
  void prepare(Level& level) {
    const int n = level.a.rows;
    const bool first = int(level.diagonal.size()) != n;
    if (first) {
      level.diagonal = dev_.template allocate<T>(n);
      level.inverse_diagonal = dev_.template allocate<T>(n);
    }
    dev_.for_each(n, InvertDiagonal<T>{level.a, level.diagonal.data(), level.inverse_diagonal.data()});
    if (first && options_.stiff_rows) level.stiff.find(dev_, n, rows_of(level));
    level.largest = largest_eigenvalue<Device, T>(
        dev_, n, level.inverse_diagonal.data(),
        [&](const T* x, const auto& f, double* sums) { rows_then_sum<1>(dev_, level.a, x, f, sums); });
    if (!(level.largest > 0)) level.largest = 1;
    // Lanczos approaches from below
    const double ratio = options_.eigenvalue_ratio > 1 ? options_.eigenvalue_ratio : default_ratio;
    level.polynomial =
        make_polynomial(options_.smoother, std::max(1, options_.degree), ratio, 1.1 * level.largest);
    level.stiff.refill(dev_, rows_of(level), std::as_const(level.inverse_diagonal).data(), level.largest,
                       options_.smoother);
  }
  MatrixRows<T> rows_of(const Level& level) const {
    return {make_strength(level.a, level.diagonal.data(), stiff_coupling),
            dense_limit(level.a, entries_.back())};
  }

  /// One level more below the last; false when this one is the coarsest.
  bool grow() {
    Level& fine = levels_.back();
    const int n = fine.a.rows;
    if (n <= coarsest() || int(levels_.size()) >= options_.max_levels) return false;
    if (levels_.size() <= nested())
      fine.p = sparse::upload<T>(dev_, (*nested_)[levels_.size() - 1]);
    else if (!aggregate_and_smooth(fine))
      return false;
    fine.r = transpose(dev_, std::as_const(fine.p).view());
    fine.r.look_for_long_rows(dev_);
    triple_product(dev_, std::as_const(fine.r).view(), fine.a, std::as_const(fine.p).view(), fine.products);
    fine.products.rap.look_for_long_rows(dev_);
    fine.fast_p.build(dev_, std::as_const(fine.p).view());
    fine.fast_r.build(dev_, std::as_const(fine.r).view());
    entries_.push_back(fine.products.rap.entries());
    const auto coarse_matrix = std::as_const(fine.products.rap).view();
    levels_.emplace_back();
    Level& coarse = levels_.back();
    coarse.a = coarse_matrix;
    coarse.fast.build(dev_, coarse.a);
    prepare(coarse);
    return true;
  }

  /// None where they are of other elements than the matrix (aggregates over all of second order).
  std::size_t nested() const {
    const bool fit = nested_ && !nested_->empty() && nested_->front().rows == levels_[0].a.rows;
    return fit ? nested_->size() : 0;
  }
  bool aggregate_and_smooth(Level& fine) {
    const int n = fine.a.rows;
    const double theta = options_.strength * std::pow(0.5, double(levels_.size() - 1 - nested()));
    const auto strong = make_strength(fine.a, std::as_const(fine.diagonal).data(), theta);
    const int dense = dense_limit(fine.a, entries_.back());
    const auto aggregates = aggregate(dev_, strong, dense);
    if (aggregates.count == 0 || aggregates.count > 0.8 * n) return false;
    const T omega = T(4 / (3 * fine.largest));
    fine.p = smoothed_prolongation(dev_, RowSmoothing<T>{strong, omega, dense}, aggregates.of_node.data(),
                                   aggregates.count);
    return true;
  }

  /// Vectors of the cycle, the bottom, and the account.
  void finish() {
    for (std::size_t l = 0; l < levels_.size(); ++l) {
      Level& level = levels_[l];
      const int n = level.a.rows;
      level.other = dev_.template allocate<T>(n);
      level.residual = dev_.template allocate<T>(n);
      if (l == 0) continue;
      level.x = dev_.template allocate<T>(n);
      level.b = dev_.template allocate<T>(n);
    }
    make_bottom();
    info_ = {};
    index_t unknowns = 0, entries = 0;
    for (std::size_t l = 0; l < levels_.size(); ++l) {
      const Level& v = levels_[l];
      info_.levels.push_back({v.a.rows, entries_[l], v.stiff.rows()});
      unknowns += v.a.rows, entries += entries_[l];
      info_.bytes += v.value.bytes() + v.diagonal.bytes() + v.inverse_diagonal.bytes() + v.fast.bytes() +
                     v.fast_p.bytes() + v.fast_r.bytes() + v.p.bytes() + v.r.bytes() + v.products.bytes() +
                     v.x.bytes() + v.other.bytes() + v.b.bytes() + v.residual.bytes() + v.inverse.bytes() +
                     v.stiff.bytes();
    }
    info_.grid_complexity = double(unknowns) / std::max(1, levels_[0].a.rows);
    info_.operator_complexity = double(entries) / double(std::max<index_t>(1, entries_[0]));
  }

  void make_bottom() {
    Level& last = levels_.back();
    const int n = last.a.rows;
    if (n > most_dense) {
      // coarsening stalled (rows that couple with nothing): a longer polynomial has to do
      last.polynomial = make_polynomial(Smoother::chebyshev, 12, 100, 1.1 * last.largest);
      return;
    }
    if (last.inverse.size() == 0) last.inverse = dev_.template allocate<T>(std::size_t(n) * n);
    dense_inverse(dev_, last.a, last.inverse.data());
  }

  void solve_bottom(Level& level, const T* b, T* x) {
    const int n = level.a.rows;
    if (n <= most_dense)
      return dev_.for_each(n, DenseProduct<T>{n, std::as_const(level.inverse).data(), b, x});
    // an even degree makes an odd number of exchanges after the first step
    T *now = level.other.data(), *other = x;
    dev_.for_each(n, FirstStep<T>{b, level.inverse_diagonal.data(), now, T(level.polynomial.step[0])});
    smooth_from_first(level.polynomial, b, level.inverse_diagonal.data(), now, other, product_of(level));
  }

  auto product_of(const Level& level) {
    return [this, &level](const T* x, const auto& f) { level.fast.then(dev_, x, f); };
  }

  /// From x_1 (first step done) in `x`; the result ends in what was `other`.
  void cycle(std::size_t l, const T* b, T* x, T* other) {
    Level& fine = levels_[l];
    Level& coarse = levels_[l + 1];
    const auto product = product_of(fine);
    const T* inverse_diagonal = fine.inverse_diagonal.data();
    smooth_from_first(fine.polynomial, b, inverse_diagonal, x, other, product);
    fine.stiff.smooth(dev_, b, x);
    product(x, sparse::StoreResidual<T>{b, fine.residual.data()});
    const T* correction = nullptr;
    if (l + 2 == levels_.size()) {
      fine.fast_r.then(dev_, std::as_const(fine.residual).data(), sparse::Store<T>{coarse.b.data()});
      solve_bottom(coarse, coarse.b.data(), coarse.x.data());
      correction = coarse.x.data();
    } else {
      fine.fast_r.then(dev_, std::as_const(fine.residual).data(),
                       RestrictAndStep<T>{coarse.inverse_diagonal.data(), coarse.b.data(), coarse.x.data(),
                                          T(coarse.polynomial.step[0])});
      cycle(l + 1, coarse.b.data(), coarse.x.data(), coarse.other.data());
      correction = coarse.other.data();
    }
    fine.fast_p.then(dev_, correction, sparse::StoreSum<T>{x});
    fine.stiff.smooth(dev_, b, x);
    smooth(fine.polynomial, b, inverse_diagonal, x, other, product);
  }

  Device& dev_;
  Options options_;
  const Nested* nested_;
  std::vector<Level> levels_;
  std::vector<index_t> entries_;
  SetupInfo info_;
};

}  // namespace umov::amg
