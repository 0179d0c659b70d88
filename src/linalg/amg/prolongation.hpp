// Smoothed prolongation P = (I - omega D_F^-1 A_F) T.
#pragma once

#include <algorithm>
#include <vector>

#include "linalg/amg/strength.hpp"
#include "linalg/sparse/multiply.hpp"

namespace umov::amg {

/// The factor of entry (i, j) and of the diagonal in row i of I - omega D_F^-1 A_F. A_F has the weak entries
/// of A added to its diagonal (Vanek, Mandel, Brezina 1996, eq. 4); where that leaves no positive diagonal,
/// the diagonal of A stands.
template <class T>
struct RowSmoothing {
  Strength<T> strong;
  T omega;
  int dense;
  /// -omega / d_F of row i; 0 for rows that are not smoothed (dense ones).
  UMOV_HD T scale(index_t i) const {
    const auto& a = strong.a;
    if (is_dense(a, i, dense)) return 0;
    T d = strong.diagonal[i];
    for (int k = a.start[i]; k < a.start[i + 1]; ++k)
      if (a.column[k] != i && !strong(i, k)) d += a.value[k];
    if (!(d > T(0.01) * strong.diagonal[i])) d = strong.diagonal[i];
    return d > 0 ? -omega / d : T(0);
  }
};

/// Rows of P by running over the strong neighbours' aggregates; of_node as in Aggregates.
template <sparse::OnHost Device, class T>
sparse::Csr<Device, T> smoothed_prolongation(Device& dev, const RowSmoothing<T>& smoothing,
                                             const int* of_node, int aggregates) {
  const auto& a = smoothing.strong.a;
  constexpr int stretch = 2048;
  const int n = a.rows, stretches = (n + stretch - 1) / stretch;
  std::vector<sparse::detail::Stretch<T>> part(stretches);
#pragma omp parallel num_threads(sparse::threads_of(dev)) if (stretches > 1)
  {
    std::vector<int> seen(aggregates, -1);
    std::vector<T> sum(aggregates);
#pragma omp for schedule(dynamic, 1)
    for (int s = 0; s < stretches; ++s)
      for (int i = s * stretch; i < std::min(n, (s + 1) * stretch); ++i) {
        auto& out = part[s];
        const std::size_t begin = out.column.size();
        const auto add = [&](int node, T v) {
          const int j = of_node[node];
          if (j < 0) return;
          if (seen[j] != i) seen[j] = i, sum[j] = 0, out.column.push_back(j);
          sum[j] += v;
        };
        if (of_node[i] >= 0) {
          const T scale = smoothing.scale(i);
          add(i, T(1) - smoothing.omega * (scale != 0));
          if (scale != 0)
            for (int k = a.start[i]; k < a.start[i + 1]; ++k)
              if (smoothing.strong(i, k)) add(a.column[k], scale * a.value[k]);
        }
        std::sort(out.column.begin() + begin, out.column.end());
        for (std::size_t k = begin; k < out.column.size(); ++k) out.value.push_back(sum[out.column[k]]);
        out.length.push_back(int(out.column.size() - begin));
      }
  }
  return sparse::detail::join<T>(dev, part, stretch, n, aggregates);
}

}  // namespace umov::amg
