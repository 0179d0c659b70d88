// Sparse matrices in compressed rows, on any backend.
#pragma once

#include <vector>

#include "core/types.hpp"
#include "linalg/sparse/long_rows.hpp"

namespace umov::sparse {

/// Rows of a matrix: row i has entries start[i] .. start[i + 1] in `column` (ascending) and `value`.
template <class T>
struct CsrView {
  int rows = 0, columns = 0;
  const int* start = nullptr;
  const int* column = nullptr;
  const T* value = nullptr;
  index_t entries = 0;       ///< 0 where nobody said: only a hint for how work is shared out
  LongRowsView long_rows{};  ///< a hint, too
};

/// The same, owned, in the memory of `Device`. At most 2^31 - 1 entries.
template <class Device, class T>
struct Csr {
  int rows = 0, columns = 0;
  typename Device::template Array<int> start, column;
  typename Device::template Array<T> value;
  LongRows<Device> long_rows;  ///< empty until they have been looked for
  index_t entries() const { return index_t(column.size()); }
  CsrView<T> view() const {
    return {rows, columns, start.data(), column.data(), value.data(), entries(), long_rows.view()};
  }
  /// Once the pattern is there, of matrices that vectors are multiplied with.
  void look_for_long_rows(Device& dev) { find_long_rows(dev, rows, start.data(), long_rows); }
  std::size_t bytes() const { return start.bytes() + column.bytes() + value.bytes() + long_rows.bytes(); }
};

/// The same in plain vectors: what readers and set-up on the host make.
struct HostCsr {
  int rows = 0, columns = 0;
  std::vector<int> start, column;
  std::vector<double> value;
  CsrView<double> view() const {
    return {rows, columns, start.data(), column.data(), value.data(), index_t(column.size()), {}};
  }
};

template <class T, class Device>
Csr<Device, T> upload(Device& dev, const HostCsr& a) {
  Csr<Device, T> out;
  out.rows = a.rows, out.columns = a.columns;
  out.start = dev.template allocate<int>(a.start.size());
  out.column = dev.template allocate<int>(a.column.size());
  out.value = dev.template allocate<T>(a.value.size());
  dev.upload(out.start.data(), a.start.data(), a.start.size());
  dev.upload(out.column.data(), a.column.data(), a.column.size());
  const std::vector<T> value(a.value.begin(), a.value.end());
  dev.upload(out.value.data(), value.data(), value.size());
  return out;
}

}  // namespace umov::sparse
