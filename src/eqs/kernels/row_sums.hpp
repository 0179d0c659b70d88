// Sums by rows of what elements wrote: no two threads add into one place, and every sum has the order of the
// elements.
#pragma once

#include "eqs/kernels/element.hpp"

namespace umov::eqs {

/// Places (element * nodes + local node) of a row: list[start[r] .. start[r + 1]]. Of a row with very many
/// (a floating conductor's) the list holds -1 - c instead, c a chunk of its places that is summed before.
struct RowSumsView {
  int rows = 0, chunks = 0;
  const int *start = nullptr, *list = nullptr;
  const int *chunk_start = nullptr, *chunk_list = nullptr, *chunk_row = nullptr;
  double* chunk = nullptr;  ///< [chunk][2]
};

/// Value has K = 1 or 2 numbers per place: value(place, row, sums) adds them.
template <class Value>
struct ChunkSum {
  RowSumsView v;
  Value value;
  UMOV_HD void operator()(index_t c) const {
    double s[2] = {0, 0};
    for (int k = v.chunk_start[c]; k < v.chunk_start[c + 1]; ++k) value(v.chunk_list[k], v.chunk_row[c], s);
    v.chunk[2 * c] = s[0];
    v.chunk[2 * c + 1] = s[1];
  }
};
template <class Value>
UMOV_HD inline void sum_of_row(const RowSumsView& v, const Value& value, int row, double* s) {
  for (int k = v.start[row]; k < v.start[row + 1]; ++k) {
    const int at = v.list[k];
    if (at >= 0) {
      value(at, row, s);
    } else {
      s[0] += v.chunk[2 * (-1 - at)];
      s[1] += v.chunk[2 * (-1 - at) + 1];
    }
  }
}
template <class Value, class Then>
struct RowSum {
  RowSumsView v;
  Value value;
  Then then;
  UMOV_HD void operator()(index_t row) const {
    double s[2] = {0, 0};
    sum_of_row(v, value, int(row), s);
    then(row, s);
  }
};
template <class Value, class Then>
struct RowSumReduced {
  RowSumsView v;
  Value value;
  Then then;
  template <class S>
  UMOV_HD void operator()(index_t row, S& sums) const {
    double s[2] = {0, 0};
    sum_of_row(v, value, int(row), s);
    then(row, s, sums);
  }
};

/// then(row, s) for every row, s the sums of `value`.
template <class Device, class Value, class Then>
void sum_rows(Device& dev, const RowSumsView& v, const Value& value, const Then& then) {
  if (v.chunks) dev.for_each(v.chunks, ChunkSum<Value>{v, value});
  dev.for_each(v.rows, RowSum<Value, Then>{v, value, then});
}
/// then(row, s, sums) alike; the K sums are left in the device's memory.
template <int K, class Device, class Value, class Then>
void sum_rows_reduced(Device& dev, const RowSumsView& v, const Value& value, const Then& then, double* sums) {
  if (v.chunks) dev.for_each(v.chunks, ChunkSum<Value>{v, value});
  dev.template reduce_to<K>(v.rows, RowSumReduced<Value, Then>{v, value, then}, sums);
}

/// What elements wrote.
template <class T>
struct Share {
  const T* from;
  UMOV_HD void operator()(int at, int, double* s) const { s[0] += double(from[at]); }
};
/// Of ElementDiagonal: only of nodes whose first (second) function is the row's.
template <int Order>
struct DiagonalShare {
  ModelView model;
  bool second;
  const double* from;
  UMOV_HD void operator()(int at, int row, double* s) const {
    constexpr int nodes = element_nodes<Order>;
    const NodeFunctions n = element_functions<Order>(model, at / nodes, at % nodes);
    if ((second ? n.second : n.first) == row) s[0] += from[at];
  }
};
/// Times the constants of the materials, both: charge and conduction.
template <int Order>
struct MaterialShare {
  ModelView model;
  const double* from;
  UMOV_HD void operator()(int at, int, double* s) const {
    const MaterialEntry c = model.materials[model.material[at / element_nodes<Order>]];
    if (c.eps_curve < 0) s[0] += c.eps * from[at];
    if (c.kappa_curve < 0) s[1] += c.kappa * from[at];
  }
};

}  // namespace umov::eqs
