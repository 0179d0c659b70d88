// Rows with thousands of entries among rows with tens: which they are, for devices that share such a row out.
#pragma once

#include "core/types.hpp"

namespace umov::sparse {

/// Entries from which on a row is long, and those of a chunk of it.
inline constexpr int long_row = 1024;

/// The long rows of a pattern, ascending, in chunks of at most long_row entries: row[i] has the chunks
/// first_chunk[i] .. first_chunk[i + 1]. `partial` has room for a number a chunk. Nothing: there is no such
/// row, or nobody looked.
struct LongRowsView {
  int rows = 0, chunks = 0;
  const int *row = nullptr, *first_chunk = nullptr;
  double* partial = nullptr;
};

/// The same, owned, in the memory of `Device`; of a pattern, whatever its values.
template <class Device>
struct LongRows {
  typename Device::template Array<int> row, first_chunk;
  mutable typename Device::template Array<double> partial;
  LongRowsView view() const {
    return {int(row.size()), int(partial.size()), row.data(), first_chunk.data(), partial.data()};
  }
  std::size_t bytes() const { return row.bytes() + first_chunk.bytes() + partial.bytes(); }
};

/// Looks for the long rows of start[0 .. rows]. On processors a thread has many rows, and one of a thousand
/// entries is no matter: none. Call it unqualified: a backend may overload it on the device.
template <class Device>
void find_long_rows(Device&, int, const int*, LongRows<Device>&) {}

}  // namespace umov::sparse
