// Newton's matrix: the constant parts, and the differential tensors of nonlinear elements.
#pragma once

#include <cstdint>

#include "eqs/kernels/evaluation.hpp"

namespace umov::eqs {

UMOV_HD inline double combine(Weights w, double m, double k) { return w.charge * m + w.current * k; }

/// Entries of charge * M + current * K.
struct CombineEntries {
  const double *m, *k;
  Weights w;
  double* out;
  UMOV_HD void operator()(index_t e) const { out[e] = combine(w, m[e], k ? k[e] : 0); }
};

/// A symmetric tensor: xx, yy, zz, xy, xz, yz.
struct Tensor {
  double v[6];
  UMOV_HD void apply(const double* a, double* out) const {
    out[0] = v[0] * a[0] + v[3] * a[1] + v[4] * a[2];
    out[1] = v[3] * a[0] + v[1] * a[1] + v[5] * a[2];
    out[2] = v[4] * a[0] + v[5] * a[1] + v[2] * a[2];
  }
};

/// The exact derivative of the flux by the field at each quadrature point of a nonlinear element:
/// p I + (p' / |E|) E E^T with p = charge * eps + current * kappa (of the properties that have a curve).
/// [element][point]
template <int Order>
struct DifferentialTensor {
  static constexpr bool costly = true;
  ModelView model;
  NonlinearView list;
  const double *u, *fixed;
  Weights weight;
  Tensor* out;

  UMOV_HD void operator()(index_t t) const {
    constexpr int points = element_points<Order>;
    const int e = list.element[t];
    const MaterialEntry c = model.materials[model.material[e]];
    const Shape s(model, e);
    const NodeValues<Order> v(model, e, u, fixed);
    for (int p = 0; p < points; ++p) {
      double w[3];
      v.gradient_at_point(s, p, w);
      const double field = sqrt(w[0] * w[0] + w[1] * w[1] + w[2] * w[2]);
      const CurveValue eps = c.eps_curve < 0 ? CurveValue{0, 0} : model.curves(c.eps_curve, field);
      const CurveValue kappa = c.kappa_curve < 0 ? CurveValue{0, 0} : model.curves(c.kappa_curve, field);
      const double iso = combine(weight, eps.value, kappa.value);
      const double along = field > 0 ? combine(weight, eps.slope, kappa.slope) / field : 0;
      out[points * t + p] = {{iso + along * w[0] * w[0], iso + along * w[1] * w[1], iso + along * w[2] * w[2],
                              along * w[0] * w[1], along * w[0] * w[2], along * w[1] * w[2]}};
    }
  }
};

/// sum = keep sum + more; keep 0 where there is no sum yet.
struct AddTensors {
  const Tensor* more;
  double keep;
  Tensor* sum;
  UMOV_HD void operator()(index_t t) const {
    for (int k = 0; k < 6; ++k) sum[t].v[k] = (keep == 0 ? 0 : keep * sum[t].v[k]) + more[t].v[k];
  }
};

/// Flux sums of nonlinear elements for a small change v of the potentials: the tensors times grad v.
template <int Order>
struct TensorFlux {
  static constexpr bool costly = true;
  ModelView model;
  NonlinearView list;
  const Tensor* tensor;
  const double *v, *fixed;
  double *charge, *current;

  UMOV_HD void operator()(index_t t) const {
    constexpr int nodes = element_nodes<Order>, points = element_points<Order>;
    const int e = list.element[t];
    const Shape s(model, e);
    const NodeValues<Order> values(model, e, v, fixed);
    double sum[nodes];
    for (int k = 0; k < nodes; ++k) sum[k] = 0;
    for (int p = 0; p < points; ++p) {
      double l[4], w[3], image[3], towards[4], test[nodes];
      for (int a = 0; a < 4; ++a) l[a] = point_weight<Order>(p, a);
      values.gradient(s, l, w);
      tensor[points * t + p].apply(w, image);
      for (int a = 0; a < 4; ++a)
        towards[a] = s.g[a][0] * image[0] + s.g[a][1] * image[1] + s.g[a][2] * image[2];
      test_gradients<Order>(l, towards, test);
      for (int k = 0; k < nodes; ++k) sum[k] += s.volume / points * test[k];
    }
    for (int k = 0; k < nodes; ++k) {
      charge[nodes * t + k] = sum[k];
      current[nodes * t + k] = 0;
    }
  }
};

/// The mean over an element's points: what first-order functions on the same mesh see.
struct MeanTensor {
  const Tensor* from;
  int points;
  Tensor* to;
  UMOV_HD void operator()(index_t t) const {
    Tensor sum = from[points * t];
    for (int p = 1; p < points; ++p)
      for (int k = 0; k < 6; ++k) sum.v[k] += from[points * t + p].v[k];
    for (int k = 0; k < 6; ++k) sum.v[k] /= points;
    to[t] = sum;
  }
};

/// Couplings V grad lambda_a . D grad lambda_b of the ends of each edge of a nonlinear element, D its tensor:
/// of first-order functions, whose matrix they are. Four of them go to `first`, two to `rest`, both
/// [element][stride].
struct ElementCouplings {
  static constexpr bool costly = true;
  ModelView model;
  NonlinearView list;
  const Tensor* tensor;
  double *first, *rest;
  int stride;

  UMOV_HD void operator()(index_t t) const {
    const Shape s(model, list.element[t]);
    double image[3][3];
    for (int a = 0; a < 3; ++a) tensor[t].apply(s.g[a], image[a]);
    for (int k = 0; k < 6; ++k) {
      const int a = edge_first(k), b = edge_second(k);
      const double v =
          s.volume * (image[a][0] * s.g[b][0] + image[a][1] * s.g[b][1] + image[a][2] * s.g[b][2]);
      (k < 4 ? first[stride * t + k] : rest[stride * t + k - 4]) = v;
    }
  }
};

/// Where the four nodes of each element in `list.touching` stand in its row: as a byte, or one of these.
inline constexpr std::uint8_t far_in_row = 254, not_in_row = 255;
struct PlacesInRows {
  ModelView model;
  NonlinearView list;
  const int *start, *column;
  std::uint8_t* place;

  UMOV_HD void operator()(index_t r) const {
    const int row = list.row[r], begin = start[row], end = start[row + 1];
    for (int t = list.touching.start[r]; t < list.touching.start[r + 1]; ++t)
      for (int j = 0; j < 4; ++j) {
        const int n = model.unknown[element_node<1>(model, list.element[list.touching.list[t] / 4], j)];
        const int at = n < 0 ? int{not_in_row} : find_entry(column, begin, end, n) - begin;
        place[4 * index_t(t) + j] = std::uint8_t(n < 0 || at < far_in_row ? at : int{far_in_row});
      }
  }
};

/// NonlinearRows of first order from couplings and places, where no node has a base. A row's diagonal is
/// minus the sum of its couplings.
struct CouplingRows {
  static constexpr bool costly = true;
  ModelView model;
  NonlinearView list;
  const double *first, *rest;
  int stride;
  const std::uint8_t* place;
  const int *start, *column;
  const double *m, *k;
  Weights weight;
  double* out;
  int most = INT_MAX;

  UMOV_HD void operator()(index_t r) const {
    if (list.touching.start[r + 1] - list.touching.start[r] > most) return;
    const int row = list.row[r], begin = start[row], end = start[row + 1];
    for (int e = begin; e < end; ++e) out[e] = combine(weight, m[e], k ? k[e] : 0);
    double own = 0;
    for (int t = list.touching.start[r]; t < list.touching.start[r + 1]; ++t)
      for (int j = 0; j < 4; ++j) {
        if (j == local_of(t)) continue;
        const double v = coupling(t, j);
        own -= v;
        const std::uint8_t at = place[4 * index_t(t) + j];
        if (at == not_in_row) continue;
        out[at == far_in_row ? find_entry(column, begin, end, unknown_of(t, j)) : begin + at] += v;
      }
    out[find_entry(column, begin, end, row)] += own;
  }

  /// Of a long row: what goes to its diagonal. Couplings of the row's own nodes with one another cancel
  /// there.
  UMOV_HD RowTerms terms(index_t r, int begin, int end) const {
    RowTerms s;
    for (int t = begin; t < end; ++t)
      for (int j = 0; j < 4; ++j)
        if (j != local_of(t) && unknown_of(t, j) != list.row[r]) s.q -= coupling(t, j);
    return s;
  }
  UMOV_HD void store(index_t r, const RowTerms& s) const {
    const int row = list.row[r], e = find_entry(column, start[row], start[row + 1], row);
    out[e] = combine(weight, m[e], k ? k[e] : 0) + s.q;
  }

  UMOV_HD int local_of(int t) const { return int(list.touching.list[t] % 4); }
  UMOV_HD int unknown_of(int t, int j) const {
    return model.unknown[element_node<1>(model, list.element[list.touching.list[t] / 4], j)];
  }
  UMOV_HD double coupling(int t, int j) const {
    const index_t element = list.touching.list[t] / 4;
    const int edge = edge_between(local_of(t), j);
    return edge < 4 ? first[stride * element + edge] : rest[stride * element + edge - 4];
  }

 private:
  /// Number of the edge between vertices a and b, in the order of mesh::tet_edges.
  UMOV_HD static int edge_between(int a, int b) {
    const int low = a < b ? a : b, high = a < b ? b : a;
    return low == 0 ? (high == 1 ? 0 : high) : low == 1 ? (high == 2 ? 1 : 4) : 5;
  }
};

/// Entries of long rows beside the diagonal, after all other rows: the matrix is symmetric, so each is that
/// of its column's row. Where two long rows meet an entry is added up from the elements.
struct MirroredEntries {
  static constexpr bool costly = true;
  CouplingRows rows;
  RowChunksView c;
  const int* first_entry;  ///< per long row: its entries before
  UMOV_HD void operator()(index_t n) const {
    int i = 0;
    while (first_entry[i + 1] <= n) ++i;
    const int r = c.row[i], row = rows.list.row[r], e = rows.start[row] + int(n) - first_entry[i];
    const int other = rows.column[e];
    if (other == row) return;
    for (int l = 0; l < c.rows; ++l)
      if (rows.list.row[c.row[l]] == other) return add_up(r, e, other);
    rows.out[e] = rows.out[find_entry(rows.column, rows.start[other], rows.start[other + 1], row)];
  }

 private:
  UMOV_HD void add_up(int r, int e, int other) const {
    double sum = combine(rows.weight, rows.m[e], rows.k ? rows.k[e] : 0);
    for (int t = rows.list.touching.start[r]; t < rows.list.touching.start[r + 1]; ++t)
      for (int j = 0; j < 4; ++j)
        if (j != rows.local_of(t) && rows.unknown_of(t, j) == other) sum += rows.coupling(t, j);
    rows.out[e] = sum;
  }
};

/// Rows that nonlinear elements touch: the constant part again, then their share.
template <int Order>
struct NonlinearRows {
  static constexpr bool costly = true;
  ModelView model;
  NonlinearView list;
  const Tensor* tensor;
  const int *start, *column;
  const double *m, *k;
  Weights weight;
  double* out;

  UMOV_HD void operator()(index_t r) const {
    constexpr int nodes = element_nodes<Order>, points = element_points<Order>;
    const int row = list.row[r], begin = start[row], end = start[row + 1];
    for (int e = begin; e < end; ++e) out[e] = combine(weight, m[e], k ? k[e] : 0);
    for (int t = list.touching.start[r]; t < list.touching.start[r + 1]; ++t) {
      const index_t place = list.touching.list[t] / nodes;
      const int local = int(list.touching.list[t] % nodes), e = list.element[place];
      const Shape s(model, e);
      double sum[nodes];
      for (int j = 0; j < nodes; ++j) sum[j] = 0;
      for (int p = 0; p < points; ++p) add_point(s, tensor[points * place + p], p, local, sum);
      for (int j = 0; j < nodes; ++j) {
        const NodeFunctions n = element_functions<Order>(model, e, j);
        if (n.first >= 0) out[find_entry(column, begin, end, n.first)] += sum[j];
        if (n.second >= 0) out[find_entry(column, begin, end, n.second)] += sum[j];
      }
    }
  }

 private:
  /// grad N_local . D grad N_j for all j.
  UMOV_HD static void add_point(const Shape& s, const Tensor& d, int p, int local, double* sum) {
    constexpr int nodes = element_nodes<Order>, points = element_points<Order>;
    double l[4], own[3], image[3], towards[4], test[nodes];
    for (int b = 0; b < 4; ++b) l[b] = point_weight<Order>(p, b);
    for (int x = 0; x < 3; ++x) {
      if (local < 4) {
        own[x] = (Order == 1 ? 1 : 4 * l[local & 3] - 1) * s.g[local & 3][x];
      } else {
        const int a = edge_first(local - 4), b = edge_second(local - 4);
        own[x] = 4 * (l[a] * s.g[b][x] + l[b] * s.g[a][x]);
      }
    }
    d.apply(own, image);
    for (int b = 0; b < 4; ++b)
      towards[b] = s.g[b][0] * image[0] + s.g[b][1] * image[1] + s.g[b][2] * image[2];
    test_gradients<Order>(l, towards, test);
    const double part = s.volume / points;
    for (int j = 0; j < nodes; ++j) sum[j] += part * test[j];
  }
};

}  // namespace umov::eqs
