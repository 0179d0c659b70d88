// Sizes of the hash tables and blocks of sparse products on a GPU: pure functions of its limits, tested
// without one.
#pragma once

#include <cstddef>

#include "backend/cuda/limits.hpp"

namespace umov::sparse::gpu {

using backend::cuda::Limits;

inline constexpr int threads = 128;  ///< of a block, at most
/// Columns that a table of `size` holds: it is filled to three quarters.
constexpr int most_in(int size) { return size / 4 * 3; }

/// Static shared memory of the kernels: where the rows of a block go (row_sink.cuh).
inline constexpr std::size_t beside_tables = 128;

/// The largest table that one warp can have to itself, of `bytes` a column; rows with more get tables in
/// device memory.
inline int largest_table(std::size_t bytes, const Limits& l) {
  int size = 8192;
  while (size > 1024 && size * bytes + beside_tables > l.shared_block) size /= 2;
  return size;
}

struct Shape {
  unsigned blocks, threads;
  std::size_t shared;
};
/// One table for each group of lanes, as many groups as shared memory holds. Large tables have blocks of one
/// warp.
inline Shape shape(int rows, int lanes, int size, std::size_t bytes, const Limits& l) {
  int in_block = size > 512 ? 32 : threads;
  const auto shared = [&] { return in_block / lanes * size * bytes; };
  while (in_block > 32 && shared() + beside_tables > l.shared_block) in_block /= 2;
  const int groups = in_block / lanes;
  return {unsigned((rows + groups - 1) / groups), unsigned(in_block), shared()};
}

/// Whether one warp's row of `entries`, of `bytes` each, fits shared memory.
inline bool row_fits(int entries, std::size_t bytes, const Limits& l) {
  return entries * bytes + beside_tables <= l.shared_block;
}

}  // namespace umov::sparse::gpu
