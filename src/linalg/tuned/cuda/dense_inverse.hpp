// The inverse of the coarsest matrix on a GPU: one launch per pivot, all entries at once.
#pragma once

#include <utility>

#include "backend/cuda/cuda.hpp"
#include "linalg/amg/bottom.hpp"
#include "linalg/sparse/rows.hpp"

namespace umov::amg {

template <class T>
struct SpreadDense {
  sparse::CsrView<T> a;
  double *dense, *diagonal;
  UMOV_HD void operator()(index_t i) const {
    for (int k = a.start[i]; k < a.start[i + 1]; ++k) {
      dense[i * a.rows + a.column[k]] = double(a.value[k]);
      if (a.column[k] == i) diagonal[i] = double(a.value[k]);
    }
  }
};

/// Step k of Gauss and Jordan's inversion in place, from one array into another. The pivots of a positive
/// definite matrix in the order of its rows are those of Cholesky; see invert_spd for those that count as
/// infinite.
struct SweepPivot {
  int n, k;
  double rounding;
  const double *diagonal, *in;
  double* out;
  UMOV_HD void operator()(index_t at) const {
    const index_t i = at / n, j = at % n;
    const double pivot = in[index_t(k) * n + k], v = in[at];
    const double before = diagonal[k] < 0 ? -diagonal[k] : diagonal[k];
    if (!(pivot > rounding * before)) {
      out[at] = i == k || j == k ? 0 : v;
    } else if (i == k) {
      out[at] = (j == k ? 1 : v) / pivot;
    } else {
      const double factor = in[i * n + k] / pivot;
      out[at] = j == k ? -factor : v - factor * in[index_t(k) * n + j];
    }
  }
};

template <class T>
void dense_inverse(backend::Cuda& dev, const sparse::CsrView<T>& a, T* inverse) {
  const int n = a.rows;
  const index_t entries = index_t(n) * n;
  auto now = dev.allocate<double>(entries), next = dev.allocate<double>(entries);
  auto diagonal = dev.allocate<double>(n);
  dev.fill_zero(now.data(), entries);
  dev.fill_zero(diagonal.data(), n);
  dev.for_each(n, SpreadDense<T>{a, now.data(), diagonal.data()});
  for (int k = 0; k < n; ++k) {
    dev.for_each(entries,
                 SweepPivot{n, k, sizeof(T) == 4 ? 3e-6 : 1e-11, diagonal.data(), now.data(), next.data()});
    std::swap(now, next);
  }
  dev.for_each(entries, sparse::Convert<double, T>{now.data(), inverse});
}

}  // namespace umov::amg
