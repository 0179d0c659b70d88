// The coarsest level: the dense inverse, so that a solve is one small product.
#pragma once

#include <vector>

#include "core/complex.hpp"
#include "linalg/sparse/csr.hpp"

namespace umov::amg {

/// Inverse of a symmetric positive definite matrix by Cholesky, n x n, in place. A pivot below `rounding`
/// times the diagonal (a singular matrix: constants where nothing fixes the potential) counts as infinite:
/// its unknown stays 0. Returns the number of such pivots.
int invert_spd(std::vector<double>& a, int n, double rounding);

/// z = A^-1 r with a full symmetric inverse: threads read it by columns, side by side.
template <class T>
struct DenseProduct {
  int n;
  const T *inverse, *r;
  T* z;
  UMOV_HD void operator()(index_t i) const {
    T sum = 0;
    for (int j = 0; j < n; ++j) sum += inverse[index_t(j) * n + i] * r[j];
    z[i] = sum;
  }
};

/// The inverse on the device; call it unqualified with a view, a backend may overload it.
template <class Device, class T>
void dense_inverse(Device& dev, const sparse::CsrView<T>& a, T* inverse) {
  const int n = a.rows;
  std::vector<int> start(n + 1);
  dev.download(start.data(), a.start, start.size());
  std::vector<int> column(start[n]);
  std::vector<T> value(start[n]);
  dev.download(column.data(), a.column, column.size());
  dev.download(value.data(), a.value, value.size());
  std::vector<double> dense(std::size_t(n) * n, 0.0);
  for (int i = 0; i < n; ++i)
    for (int k = start[i]; k < start[i + 1]; ++k) dense[std::size_t(i) * n + column[k]] = double(value[k]);
  // what rounding of the products leaves where the pivot of a singular matrix would be 0
  invert_spd(dense, n, sizeof(T) == 4 ? 3e-6 : 1e-11);
  const std::vector<T> out(dense.begin(), dense.end());
  dev.upload(inverse, out.data(), out.size());
}

}  // namespace umov::amg
