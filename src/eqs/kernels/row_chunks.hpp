// Sums over rows of which a few are a thousand times longer than the rest (a floating conductor's): those are
// cut into chunks, so that no thread adds thousands of terms while all others have ended.
#pragma once

#include <climits>

#include "core/types.hpp"

namespace umov::eqs {

/// Terms from which on a row is cut into chunks, and the most terms of a chunk.
inline constexpr int row_of_chunks = 1024, chunk_terms = 256;

/// What a row adds up: charge, conduction, size; or what else there is.
struct RowTerms {
  double q = 0, i = 0, size = 0;
};

/// The long rows of a list start[0 .. n], ascending: row[i] has the chunks first_chunk[i] .. first_chunk[i +
/// 1], each with three numbers at `partial`, chunks apart.
struct RowChunksView {
  int rows = 0, chunks = 0;
  const int *row = nullptr, *first_chunk = nullptr, *of_chunk = nullptr, *start = nullptr;
  double* partial = nullptr;
};

/// Rows is a functor with terms(r, begin, end), the RowTerms of places [begin, end) of row r, and
/// store(r, terms). It passes over rows of more than its `most` terms; these come here.
template <class Rows>
struct ChunkTerms {
  static constexpr bool costly = true;
  Rows f;
  RowChunksView c;
  UMOV_HD void operator()(index_t chunk) const {
    const int i = c.of_chunk[chunk], r = c.row[i];
    const int begin = c.start[r] + (int(chunk) - c.first_chunk[i]) * chunk_terms, row_end = c.start[r + 1];
    const RowTerms s = f.terms(r, begin, begin + chunk_terms < row_end ? begin + chunk_terms : row_end);
    c.partial[chunk] = s.q;
    c.partial[c.chunks + chunk] = s.i;
    c.partial[2 * c.chunks + chunk] = s.size;
  }
};
template <class Rows>
struct ChunkSums {
  static constexpr bool costly = true;
  Rows f;
  RowChunksView c;
  UMOV_HD void operator()(index_t i) const {
    RowTerms s;
    for (int k = c.first_chunk[i]; k < c.first_chunk[i + 1]; ++k) {
      s.q += c.partial[k];
      s.i += c.partial[c.chunks + k];
      s.size += c.partial[2 * c.chunks + k];
    }
    f.store(c.row[i], s);
  }
};

/// f for all n rows, the long ones by chunks.
template <class Device, class Rows>
void for_each_row(Device& dev, index_t n, Rows f, const RowChunksView& c) {
  if (c.rows > 0) f.most = row_of_chunks;
  dev.for_each(n, f);
  if (c.rows == 0) return;
  dev.for_each(c.chunks, ChunkTerms<Rows>{f, c});
  dev.for_each(c.rows, ChunkSums<Rows>{f, c});
}

}  // namespace umov::eqs
