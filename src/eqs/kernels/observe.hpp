// Quantities of a solution: fields at vertices, largest fields, energy and loss of elements.
#pragma once

#include "eqs/kernels/ellipse.hpp"
#include "eqs/kernels/evaluation.hpp"

namespace umov::eqs {

struct NodePotential {
  const int *unknown, *base;
  const double *u, *fixed;
  double* out;
  UMOV_HD void operator()(index_t node) const {
    const auto n = node_functions(unknown[node], base ? base[node] : no_unknown, false);
    out[node] = value_of(n.first, u, fixed) + value_of(n.second, u, fixed);
  }
};

/// E at the four vertices of an element.
template <int Order>
struct FieldAtVertices {
  ModelView model;
  const double *u, *fixed;
  float* out;
  UMOV_HD void operator()(index_t e) const {
    const Shape s(model, int(e));
    const NodeValues<Order> v(model, int(e), u, fixed);
    for (int k = 0; k < 4; ++k) {
      const double l[4] = {k == 0 ? 1. : 0., k == 1 ? 1. : 0., k == 2 ? 1. : 0., k == 3 ? 1. : 0.};
      double w[3];
      v.gradient(s, l, w);
      for (int x = 0; x < 3; ++x) out[12 * e + 3 * k + x] = float(-w[x]);
    }
  }
};

/// Largest |E| over an element's vertices (|E| is convex inside, so that is its largest). With an imaginary
/// part: the largest over a period, the longer half axis of the ellipse that E runs through.
template <int Order>
struct LargestField {
  ModelView model;
  const int* element;
  const double *u, *imaginary, *fixed, *fixed_imaginary;
  double* out;  ///< [place in the list]
  int* vertex;

  UMOV_HD void operator()(index_t t) const {
    const int e = element[t];
    const Shape s(model, e);
    const NodeValues<Order> v(model, e, u, fixed);
    double most = 0;
    int where = 0;
    for (int k = 0; k < (Order == 1 ? 1 : 4); ++k) {
      const double l[4] = {k == 0 ? 1. : 0., k == 1 ? 1. : 0., k == 2 ? 1. : 0., k == 3 ? 1. : 0.};
      double a[3], square;
      v.gradient(s, l, a);
      const double aa = a[0] * a[0] + a[1] * a[1] + a[2] * a[2];
      square = aa;
      if (imaginary) {
        const NodeValues<Order> vi(model, e, imaginary, fixed_imaginary);
        double b[3];
        vi.gradient(s, l, b);
        const double bb = b[0] * b[0] + b[1] * b[1] + b[2] * b[2],
                     ab = a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
        square = peak_square(aa, bb, ab);
      }
      if (k == 0 || square > most) {
        most = square;
        where = k;
      }
    }
    out[t] = sqrt(most);
    vertex[t] = where;
  }
};
struct ValueAt {
  const double* v;
  UMOV_HD double operator()(index_t i) const { return v[i]; }
};
/// Its largest value is n - (the first place that holds `value`).
struct FirstPlaceOf {
  const double* v;
  double value;
  index_t n;
  UMOV_HD double operator()(index_t i) const { return v[i] == value ? double(n - i) : 0; }
};

/// Stored energy density, J/m^3: integral of E dD = eps E^2 - integral of eps(s) s ds from 0 to E, the last
/// by Gauss' rule of four points on each of eight equal parts.
UMOV_HD inline double energy_density(const CurveView& curves, const MaterialEntry& c, double field) {
  if (c.eps_curve < 0) return 0.5 * c.eps * field * field;
  const double x[2] = {0.33998104358485626, 0.86113631159405258},
               w[2] = {0.65214515486254614, 0.34785484513745386};
  double sum = 0;
  const double half = field / 16;
  for (int part = 0; part < 8; ++part)
    for (int k = 0; k < 4; ++k) {
      const double s = half * (2 * part + 1 + (k % 2 ? x[k / 2] : -x[k / 2]));
      sum += w[k / 2] * half * s * curves(c.eps_curve, s).value;
    }
  return curves(c.eps_curve, field).value * field * field - sum;
}

/// Energy and loss of the elements in a list of one material, J and W.
template <int Order>
struct EnergyAndLoss {
  ModelView model;
  const int* element;
  const double *u, *fixed;
  template <class S>
  UMOV_HD void operator()(index_t t, S& sums) const {
    const int e = element[t];
    const MaterialEntry c = model.materials[model.material[e]];
    const Shape s(model, e);
    const NodeValues<Order> v(model, e, u, fixed);
    for (int p = 0; p < element_points<Order>; ++p) {
      double w[3];
      v.gradient_at_point(s, p, w);
      const double square = w[0] * w[0] + w[1] * w[1] + w[2] * w[2], field = sqrt(square);
      const double kappa = c.kappa_curve < 0 ? c.kappa : model.curves(c.kappa_curve, field).value;
      const double part = s.volume / element_points<Order>;
      sums.v[0] += part * energy_density(model.curves, c, field);
      sums.v[1] += part * kappa * square;
    }
  }
};

}  // namespace umov::eqs
