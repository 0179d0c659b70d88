// Smoothing by a longer polynomial where a few couplings outweigh a row's others: on flat elements.
#pragma once

#include <utility>

#include "linalg/amg/polynomial.hpp"
#include "linalg/amg/spectrum.hpp"
#include "linalg/amg/strength.hpp"
#include "linalg/sparse/fast_rows.hpp"

namespace umov::amg {

/// A row is stiff where some |a_ij| > 1/4 sqrt(a_ii a_jj): five or seven points of equal weight do not reach
/// that, nor do tetrahedra of fair shape.
inline constexpr double stiff_coupling = 0.25;
/// Of second order: cubes cut into tetrahedra exceed 0.35 in 6 % of their rows and 0.4 in none to speak of.
/// And the longest row that can be one (a vertex has some 65 entries).
inline constexpr double stiff_coupling_second = 0.3;
inline constexpr int longest_stiff_second = 256;
/// Of the polynomial on stiff rows: degree, and largest over smallest eigenvalue that it damps.
inline constexpr int stiff_degree = 10;
inline constexpr double stiff_ratio = 200;
/// Shares of stiff rows for which it is worth while: fewer are damped by the iteration around, and where most
/// are, it is the level's own smoother that would have to be longer.
inline constexpr double fewest_stiff = 0.02, most_stiff = 0.5;

/// Degree of the smoother of all rows of a second-order level that has stiff ones: one more than asked for.
/// Fewer iterations pay for it, as products of second order are a part of an iteration only
/// (docs/decisions/0050).
inline int degree_beside_stiff(const Options& options, bool any_stiff) {
  const bool more = any_stiff && options.smoother == Smoother::chebyshev;
  return (options.degree > 1 ? options.degree : 1) + (more ? 1 : 0);
}

/// Rows of a matrix for StiffPart. Whatever has these members may stand in its place: which rows are stiff,
/// and of those their entries' number, columns (ascending) and values.
template <class T>
struct MatrixRows {
  Strength<T> strong;
  int longest;  ///< rows with more entries are none
  UMOV_HD bool stiff(index_t i) const {
    const auto& a = strong.a;
    bool any = false;
    if (!is_dense(a, i, longest) && strong.diagonal[i] > 0)
      for (int k = a.start[i]; k < a.start[i + 1]; ++k) any = any || strong(i, k);
    return any;
  }
  UMOV_HD int entries(index_t i) const { return strong.a.start[i + 1] - strong.a.start[i]; }
  UMOV_HD void columns(index_t i, int* to) const {
    const auto& a = strong.a;
    for (int k = a.start[i]; k < a.start[i + 1]; ++k) *to++ = a.column[k];
  }
  UMOV_HD void values(index_t i, const int* /*column*/, int /*count*/, T* to) const {
    const auto& a = strong.a;
    for (int k = a.start[i]; k < a.start[i + 1]; ++k) *to++ = a.value[k];
  }
};

template <class Rows>
struct MarkStiff {
  static constexpr bool costly = true;
  Rows rows;
  int* mark;
  UMOV_HD void operator()(index_t i) const { mark[i] = rows.stiff(i); }
};
/// Rows in their order, and how many entries they have.
template <class Rows>
struct ListStiff {
  static constexpr bool costly = true;
  Rows rows;
  const int* number;  // the first n + 1 sums of the marks
  int *row, *all;
  UMOV_HD void operator()(index_t i) const {
    const int s = number[i];
    if (number[i + 1] == s) return;
    row[s] = int(i);
    all[s] = rows.entries(i);
  }
};
/// Their columns, and how many of them are stiff.
template <class Rows>
struct StiffColumns {
  static constexpr bool costly = true;
  Rows rows;
  const int *number, *row, *all_start;
  int *all_column, *among;
  UMOV_HD void operator()(index_t s) const {
    rows.columns(row[s], all_column + all_start[s]);
    among[s] = 0;
    for (int k = all_start[s]; k < all_start[s + 1]; ++k)
      among[s] += number[all_column[k] + 1] > number[all_column[k]];
  }
};
template <class Rows, class T>
struct StiffValues {
  static constexpr bool costly = true;
  Rows rows;
  const int *number, *row, *all_start, *all_column, *among_start;
  const T* inverse_diagonal;
  T* all_value;
  int* among_column;
  T *among_value, *inverse;
  UMOV_HD void operator()(index_t s) const {
    const int begin = all_start[s], end = all_start[s + 1];
    inverse[s] = inverse_diagonal[row[s]];
    rows.values(row[s], all_column + begin, end - begin, all_value + begin);
    int at = among_start[s];
    for (int k = begin; k < end; ++k) {
      const int j = all_column[k];
      if (number[j + 1] > number[j]) among_column[at] = number[j], among_value[at++] = all_value[k];
    }
  }
};
template <class T>
struct FirstOnStiff {  // r = b - A x on stiff rows, and the first step from zero
  const int* row;
  const T *b, *inverse;
  T *r, *e;
  T step;
  UMOV_HD void operator()(index_t s, T ax) const {
    const T v = b[row[s]] - ax;
    r[s] = v;
    e[s] = step * inverse[s] * v;
  }
};
template <class T>
struct AddOnStiff {
  const int* row;
  const T* e;
  T* x;
  UMOV_HD void operator()(index_t s) const { x[row[s]] += e[s]; }
};

/// Flat elements tie nodes to one another a hundred times more than to the rest. The parts of an error that
/// are alike along such ties and end beside them are smooth for the level's smoother, and no coarse function
/// that spans the neighbours, too, has them. A polynomial in A restricted to the rows of such nodes, with the
/// rest of x held, sees them: x_S = x_S + p(D^-1 A_SS) D^-1 (b - A x)_S, p by Chebyshev. It is symmetric and
/// positive definite as the point smoothers are, and done after the steps before the coarse level and before
/// those behind it, it keeps the cycle so. Its work is that of the stiff rows alone.
template <class Device, class T>
class StiffPart {
 public:
  /// Which rows they are, of a square matrix of n.
  template <class Rows>
  void find(Device& dev, int n, const Rows& rows) {
    rows_ = 0;
    auto number = dev.template allocate<int>(n + 1);
    dev.fill_zero(number.data(), n + 1);
    dev.for_each(n, MarkStiff<Rows>{rows, number.data()});
    const index_t count = dev.exclusive_scan(number.data(), n + 1);
    if (double(count) < fewest_stiff * n || double(count) > most_stiff * n) return;
    number_ = std::move(number);
    rows_ = int(count);
    row_ = dev.template allocate<int>(count);
    const auto begin = [&](sparse::Csr<Device, T>& m, int columns) {
      m.rows = rows_, m.columns = columns;
      m.start = dev.template allocate<int>(count + 1);
      dev.fill_zero(m.start.data(), count + 1);
    };
    const auto fill = [&](sparse::Csr<Device, T>& m) {
      const index_t entries = dev.exclusive_scan(m.start.data(), count + 1);
      m.column = dev.template allocate<int>(entries);
      m.value = dev.template allocate<T>(entries);
    };
    begin(all_, n);
    begin(among_, rows_);
    dev.for_each(n, ListStiff<Rows>{rows, std::as_const(number_).data(), row_.data(), all_.start.data()});
    fill(all_);
    dev.for_each(
        rows_, StiffColumns<Rows>{rows, std::as_const(number_).data(), std::as_const(row_).data(),
                                  std::as_const(all_.start).data(), all_.column.data(), among_.start.data()});
    fill(among_);
    all_.look_for_long_rows(dev), among_.look_for_long_rows(dev);
    for (auto* v : {&inverse_, &r_, &e_, &other_}) *v = dev.template allocate<T>(count);
    built_ = false;
  }

  /// The values, after they have changed; `largest`: eigenvalue of D^-1 A.
  template <class Rows>
  void refill(Device& dev, const Rows& rows, const T* inverse_diagonal, double largest, Smoother kind) {
    if (rows_ == 0) return;
    dev.for_each(rows_,
                 StiffValues<Rows, T>{rows, std::as_const(number_).data(), std::as_const(row_).data(),
                                      std::as_const(all_.start).data(), std::as_const(all_.column).data(),
                                      std::as_const(among_.start).data(), inverse_diagonal, all_.value.data(),
                                      among_.column.data(), among_.value.data(), inverse_.data()});
    const auto all = std::as_const(all_).view(), among = std::as_const(among_).view();
    if (built_)
      fast_all_.refill(dev, all), fast_among_.refill(dev, among);
    else
      fast_all_.build(dev, all), fast_among_.build(dev, among);
    built_ = true;
    // a longer polynomial forgives less beyond its interval: fewer rows show their largest eigenvalue better
    const double own = largest_eigenvalue<Device, T>(
        dev, rows_, std::as_const(inverse_).data(),
        [&](const T* x, const auto& f, double* sums) { rows_then_sum<1>(dev, among, x, f, sums); });
    polynomial_ = make_polynomial(kind, stiff_degree, stiff_ratio, 1.1 * (own > largest ? own : largest));
  }

  int rows() const { return rows_; }

  /// x is changed on stiff rows only.
  void smooth(Device& dev, const T* b, T* x) {
    if (rows_ == 0) return;
    const T* inverse = std::as_const(inverse_).data();
    T *e = e_.data(), *other = other_.data();
    fast_all_.then(
        dev, std::as_const(x),
        FirstOnStiff<T>{std::as_const(row_).data(), b, inverse, r_.data(), e, T(polynomial_.step[0])});
    smooth_from_first(polynomial_, std::as_const(r_).data(), inverse, e, other,
                      [&](const T* v, const auto& f) { fast_among_.then(dev, v, f); });
    dev.for_each(rows_, AddOnStiff<T>{std::as_const(row_).data(), e, x});
  }

  std::size_t bytes() const {
    return number_.bytes() + row_.bytes() + all_.bytes() + among_.bytes() + fast_all_.bytes() +
           fast_among_.bytes() + inverse_.bytes() + r_.bytes() + e_.bytes() + other_.bytes();
  }

 private:
  int rows_ = 0;
  bool built_ = false;
  typename Device::template Array<int> number_, row_;
  sparse::Csr<Device, T> all_, among_;
  sparse::FastRows<Device, T> fast_all_, fast_among_;
  typename Device::template Array<T> inverse_, r_, e_, other_;
  Polynomial polynomial_;
};

}  // namespace umov::amg
