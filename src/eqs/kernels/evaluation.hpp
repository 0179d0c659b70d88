// Charge q(u) and conduction i(u) of the unknowns' rows: q = integral of eps grad phi . grad N, i with kappa.
#pragma once

#include "eqs/kernels/assembly.hpp"
#include "eqs/kernels/row_chunks.hpp"

namespace umov::eqs {

/// What an equation is made of: charge * q(u) + current * i(u). Electrostatics (1, 0), conduction (0, 1), a
/// stage of a time step (1, a).
struct Weights {
  double charge = 1, current = 0;
};

/// Where an evaluation writes, per unknown. `size` is the sum of the absolute values of all contributions to
/// the weighted sum before they cancel: entries times differences of potentials, and flux sums of elements.
struct Evaluation {
  double *q, *i, *size;
  Weights w;
};

UMOV_HD inline double magnitude(double v) { return v < 0 ? -v : v; }

/// Per unknown: the base that it is a potential over, or no_unknown where it is a potential itself. nullptr:
/// all are potentials.
struct HeldView {
  const int* base = nullptr;
  UMOV_HD bool over_base(index_t n) const { return base && base[n] != no_unknown; }
  /// The potential near unknown n: that of its base, or its own.
  UMOV_HD double potential(index_t n, const double* u, const double* fixed) const {
    return over_base(n) ? value_of(base[n], u, fixed) : u[n];
  }
};

/// The part of constant coefficients. Rows sum to zero over all potentials (with the electrodes' columns), so
/// differences of potentials do, and what cancels is gone before it is added.
struct EvaluateRows {
  const int *start, *column;
  const double *m, *k, *u, *fixed;
  HeldView held;
  Evaluation out;
  int most = INT_MAX;

  UMOV_HD RowTerms terms(index_t row, int begin, int end) const {
    RowTerms s;
    const double here = held.potential(row, u, fixed);
    for (int e = begin; e < end; ++e) {
      const double v = u[column[e]], d = held.over_base(column[e]) ? v : v - here, charge = m[e] * d;
      s.q += charge;
      s.size += out.w.charge * magnitude(charge);
      if (!k) continue;
      const double current = k[e] * d;
      s.i += current;
      s.size += out.w.current * magnitude(current);
    }
    return s;
  }
  UMOV_HD void store(index_t row, const RowTerms& s) const {
    out.q[row] = s.q;
    out.i[row] = s.i;
    out.size[row] = s.size;
  }
  UMOV_HD void operator()(index_t row) const {
    const int begin = start[row], end = start[row + 1];
    if (end - begin <= most) store(row, terms(row, begin, end));
  }
};

/// Adds the columns of electrodes.
struct EvaluateFixed {
  const int *row, *start, *electrode;
  const double *m, *k, *u, *fixed;
  HeldView held;
  Evaluation out;

  UMOV_HD void operator()(index_t r) const {
    const int n = row[r];
    double q = out.q[n], i = out.i[n], size = out.size[n];
    const double here = held.potential(n, u, fixed);
    for (int e = start[r]; e < start[r + 1]; ++e) {
      const double d = fixed[electrode[e]] - here, charge = m[e] * d, current = k[e] * d;
      q += charge;
      i += current;
      size += out.w.charge * magnitude(charge) + out.w.current * magnitude(current);
    }
    out.q[n] = q;
    out.i[n] = i;
    out.size[n] = size;
  }
};

/// The elements whose material has a curve, in a list of their own.
struct NonlinearView {
  const int* element = nullptr;
  const int* row = nullptr;  ///< unknowns that they touch
  IncidenceView touching;    ///< per such row: place in the list of elements * nodes + local node
};

/// Flux sums of nonlinear elements, one element each: charge [element][node] and current [element][node].
/// Only properties that have a curve; the others are in the matrices.
template <int Order>
struct NonlinearFlux {
  static constexpr bool costly = true;
  ModelView model;
  NonlinearView list;
  const double *u, *fixed;
  double *charge, *current;

  UMOV_HD void operator()(index_t t) const {
    constexpr int nodes = element_nodes<Order>, points = element_points<Order>;
    const int e = list.element[t];
    const MaterialEntry c = model.materials[model.material[e]];
    const Shape s(model, e);
    const NodeValues<Order> v(model, e, u, fixed);
    double q[nodes], i[nodes];
    for (int k = 0; k < nodes; ++k) q[k] = i[k] = 0;
    for (int p = 0; p < points; ++p) {
      double l[4], w[3], slope[4], test[nodes];
      for (int a = 0; a < 4; ++a) l[a] = point_weight<Order>(p, a);
      v.gradient(s, l, w);
      const double field = sqrt(w[0] * w[0] + w[1] * w[1] + w[2] * w[2]);
      const double eps = c.eps_curve < 0 ? 0 : model.curves(c.eps_curve, field).value;
      const double kappa = c.kappa_curve < 0 ? 0 : model.curves(c.kappa_curve, field).value;
      for (int a = 0; a < 4; ++a) slope[a] = s.g[a][0] * w[0] + s.g[a][1] * w[1] + s.g[a][2] * w[2];
      test_gradients<Order>(l, slope, test);
      const double part = s.volume / points;
      for (int k = 0; k < nodes; ++k) {
        q[k] += part * eps * test[k];
        i[k] += part * kappa * test[k];
      }
    }
    for (int k = 0; k < nodes; ++k) {
      charge[nodes * t + k] = q[k];
      current[nodes * t + k] = i[k];
    }
  }
};

/// Adds them to the rows they belong to.
struct GatherNonlinear {
  NonlinearView list;
  const double *charge, *current;
  Evaluation out;
  int most = INT_MAX;

  UMOV_HD RowTerms terms(index_t, int begin, int end) const {
    RowTerms s;
    for (int t = begin; t < end; ++t) add(list.touching.list[t], s);
    return s;
  }
  UMOV_HD void store(index_t r, const RowTerms& s) const {
    const int n = list.row[r];
    out.q[n] += s.q;
    out.i[n] += s.i;
    out.size[n] += s.size;
  }
  UMOV_HD void operator()(index_t r) const {
    const int n = list.row[r], begin = list.touching.start[r], end = list.touching.start[r + 1];
    if (end - begin > most) return;
    RowTerms s{out.q[n], out.i[n], out.size[n]};
    for (int t = begin; t < end; ++t) add(list.touching.list[t], s);
    out.q[n] = s.q;
    out.i[n] = s.i;
    out.size[n] = s.size;
  }

 private:
  UMOV_HD void add(index_t at, RowTerms& s) const {
    s.q += charge[at];
    s.i += current[at];
    s.size += out.w.charge * magnitude(charge[at]) + out.w.current * magnitude(current[at]);
  }
};

}  // namespace umov::eqs
