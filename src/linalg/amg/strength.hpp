// Which connections of a matrix are strong, and the graph of them.
#pragma once

#include "core/complex.hpp"
#include "linalg/sparse/csr.hpp"

namespace umov::amg {

/// a_ij is strong where a_ij^2 > theta^2 |a_ii a_jj| (Vanek, Mandel, Brezina 1996, eq. 3).
template <class T>
struct Strength {
  sparse::CsrView<T> a;
  const T* diagonal;
  T theta_squared;

  /// Entry k of row i. Never the diagonal.
  UMOV_HD bool operator()(index_t i, int k) const {
    const int j = a.column[k];
    const T v = a.value[k], d = diagonal[i] * diagonal[j];
    return j != i && v * v > theta_squared * (d < 0 ? -d : d);
  }
};

/// Entries that came from cancellation differ between machines: below this they are no connection.
inline constexpr double least_strength = 1e-5;

template <class T>
Strength<T> make_strength(const sparse::CsrView<T>& a, const T* diagonal, double theta) {
  const double t = theta > least_strength ? theta : least_strength;
  return {a, diagonal, T(t * t)};
}

/// Rows this long couple with everything (a conductor whose nodes share one unknown): they stay alone, and
/// their neighbours do not meet through them.
template <class T>
UMOV_HD inline bool is_dense(const sparse::CsrView<T>& a, index_t i, int limit) {
  return a.start[i + 1] - a.start[i] > limit;
}

/// Strong neighbours of every row, without dense rows.
template <class Device>
struct Graph {
  int rows = 0;
  typename Device::template Array<int> start, column;
};

template <class T>
struct CountNeighbours {
  Strength<T> strong;
  int dense;
  int* count;
  UMOV_HD void operator()(index_t i) const {
    const auto& a = strong.a;
    int n = 0;
    if (!is_dense(a, i, dense))
      for (int k = a.start[i]; k < a.start[i + 1]; ++k) n += strong(i, k) && !is_dense(a, a.column[k], dense);
    count[i] = n;
  }
};
template <class T>
struct FillNeighbours {
  Strength<T> strong;
  int dense;
  const int* start;
  int* column;
  UMOV_HD void operator()(index_t i) const {
    const auto& a = strong.a;
    if (is_dense(a, i, dense)) return;
    int to = start[i];
    for (int k = a.start[i]; k < a.start[i + 1]; ++k)
      if (strong(i, k) && !is_dense(a, a.column[k], dense)) column[to++] = a.column[k];
  }
};

template <class Device, class T>
Graph<Device> strong_graph(Device& dev, const Strength<T>& strong, int dense) {
  const int n = strong.a.rows;
  Graph<Device> g;
  g.rows = n;
  g.start = dev.template allocate<int>(n + 1);
  dev.fill_zero(g.start.data(), n + 1);
  dev.for_each(n, CountNeighbours<T>{strong, dense, g.start.data()});
  g.column = dev.template allocate<int>(dev.exclusive_scan(g.start.data(), n + 1));
  dev.for_each(n, FillNeighbours<T>{strong, dense, g.start.data(), g.column.data()});
  return g;
}

}  // namespace umov::amg
