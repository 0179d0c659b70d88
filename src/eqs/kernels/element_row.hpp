// Single rows of Newton's matrix, summed from their elements when they are asked for.
#pragma once

#include "eqs/kernels/assembly.hpp"
#include "eqs/kernels/element_product.hpp"
#include "eqs/kernels/row_sums.hpp"
#include "linalg/amg/stiff_part.hpp"

namespace umov::eqs {

/// Of second order, in amg::MatrixRows' place where there is no matrix. A row gathers from its elements in
/// their order; the rows asked for are few, so nothing but their sums is kept. Rows with too many entries,
/// and those that are summed in chunks (floating conductors), are none.
template <class T>
struct RowsOfElements {
  ElementView m;
  RowSumsView rows;
  const T* diagonal;
  T theta_squared;

  UMOV_HD bool stiff(index_t i) const {
    Row r;
    if (!(diagonal[i] > 0) || !gather(int(i), r)) return false;
    bool any = false;
    for (int k = 0; k < r.count; ++k) {
      const T v = T(r.value[k]);
      any = any || (r.column[k] != i && v * v > theta_squared * diagonal[i] * diagonal[r.column[k]]);
    }
    return any;
  }
  UMOV_HD int entries(index_t i) const {
    Row r;
    return gather(int(i), r) ? r.count : 0;
  }
  UMOV_HD void columns(index_t i, int* to) const {
    Row r;
    gather(int(i), r);
    for (int k = 0; k < r.count; ++k) to[k] = r.column[k];
  }
  UMOV_HD void values(index_t i, const int* column, int count, T* to) const {
    Row r;
    gather(int(i), r);
    for (int k = 0; k < count; ++k) to[k] = r.column[k] == column[k] ? T(r.value[k]) : T(0);
  }

 private:
  static constexpr int most = amg::longest_stiff_second;
  struct Row {
    int count = 0;
    int column[most];
    double value[most];
    /// false where there is no place for one more.
    UMOV_HD bool add(int j, double v) {
      const int at = count == 0 ? 0 : find_entry(column, 0, count, j);
      if (count > 0 && column[at] == j) {
        value[at] += v;
        return true;
      }
      if (count == most) return false;
      int to = count++;
      for (; to > 0 && column[to - 1] > j; --to) column[to] = column[to - 1], value[to] = value[to - 1];
      column[to] = j, value[to] = v;
      return true;
    }
  };

  /// false where the row is too long.
  UMOV_HD bool gather(int row, Row& r) const {
    constexpr int nodes = element_nodes<2>;
    for (int k = rows.start[row]; k < rows.start[row + 1]; ++k) {
      const int at = rows.list[k];
      if (at < 0) return false;
      const int e = at / nodes;
      double g[point_numbers], u[nodes], y[nodes];
      for (int j = 0; j < nodes; ++j) u[j] = j == at % nodes ? 1 : 0;
      const bool points = element_numbers<2>(m, e, g);
      apply_element<2>(points, g, u, y);
      for (int j = 0; j < nodes; ++j) {
        const NodeFunctions n = element_functions<2>(m.model, e, j);
        if (n.first >= 0 && !r.add(n.first, y[j])) return false;
        if (n.second >= 0 && !r.add(n.second, y[j])) return false;
      }
    }
    return true;
  }
};

}  // namespace umov::eqs
