// Matrices of elements with constant coefficients, a row at a time: no two threads write one place, and every
// sum is in the order of the elements.
#pragma once

#include "eqs/kernels/element.hpp"

namespace umov::eqs {

/// Where `column` stands in a row of ascending columns [begin, end).
UMOV_HD inline int find_entry(const int* columns, int begin, int end, int column) {
  while (end - begin > 1) {
    const int middle = begin + (end - begin) / 2;
    if (columns[middle] <= column)
      begin = middle;
    else
      end = middle;
  }
  return begin;
}

/// Which elements touch a row: list[start[r] .. start[r + 1]] holds element * nodes + local node.
struct IncidenceView {
  const int* start = nullptr;
  const index_t* list = nullptr;
};

/// Rows of eps (into m) and kappa (into k; nullptr: nowhere conducting) of all elements where these are
/// constant.
template <int Order>
struct AssembleRows {
  static constexpr bool costly = true;
  ModelView model;
  IncidenceView touching;
  const int *start, *column;
  double *m, *k;

  UMOV_HD void operator()(index_t row) const {
    constexpr int nodes = element_nodes<Order>;
    const int begin = start[row], end = start[row + 1];
    for (int e = begin; e < end; ++e) {
      m[e] = 0;
      if (k) k[e] = 0;
    }
    for (int t = touching.start[row]; t < touching.start[row + 1]; ++t) {
      const int element = int(touching.list[t] / nodes), local = int(touching.list[t] % nodes);
      const MaterialEntry c = model.materials[model.material[element]];
      const double eps = c.eps_curve < 0 ? c.eps : 0, kappa = c.kappa_curve < 0 ? c.kappa : 0;
      const Products p{Shape(model, element)};
      for (int j = 0; j < nodes; ++j) {
        const NodeFunctions n = element_functions<Order>(model, element, j);
        const double s = stiffness<Order>(p.d, local, j);
        add(n.first, begin, end, eps * s, kappa * s);
        add(n.second, begin, end, eps * s, kappa * s);
      }
    }
  }

 private:
  UMOV_HD void add(int n, int begin, int end, double charge, double current) const {
    if (n < 0) return;
    const int at = find_entry(column, begin, end, n);
    m[at] += charge;
    if (k) k[at] += current;
  }
};

/// The same for the columns of electrodes at fixed potential, only in the rows that have any.
template <int Order>
struct AssembleFixed {
  static constexpr bool costly = true;
  ModelView model;
  IncidenceView touching;
  const int *row, *start, *electrode;
  double *m, *k;

  UMOV_HD void operator()(index_t r) const {
    constexpr int nodes = element_nodes<Order>;
    const int begin = start[r], end = start[r + 1];
    for (int e = begin; e < end; ++e) m[e] = k[e] = 0;
    for (int t = touching.start[row[r]]; t < touching.start[row[r] + 1]; ++t) {
      const int element = int(touching.list[t] / nodes), local = int(touching.list[t] % nodes);
      const MaterialEntry c = model.materials[model.material[element]];
      const double eps = c.eps_curve < 0 ? c.eps : 0, kappa = c.kappa_curve < 0 ? c.kappa : 0;
      const Products p{Shape(model, element)};
      for (int j = 0; j < nodes; ++j) {
        const NodeFunctions n = element_functions<Order>(model, element, j);
        const double s = stiffness<Order>(p.d, local, j);
        add(n.first, begin, end, eps * s, kappa * s);
        add(n.second, begin, end, eps * s, kappa * s);
      }
    }
  }

 private:
  UMOV_HD void add(int n, int begin, int end, double charge, double current) const {
    if (!is_fixed(n)) return;
    const int at = find_entry(electrode, begin, end, -1 - n);
    m[at] += charge;
    k[at] += current;
  }
};

}  // namespace umov::eqs
