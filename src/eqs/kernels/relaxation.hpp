// How fast charges relax: rates of elements, and the passes of stabilised explicit stages.
#pragma once

#include <cmath>

#include "eqs/integrators/stabilised_scheme.hpp"
#include "eqs/kernels/element.hpp"

namespace umov::eqs {

/// The faster of the two rates at which a small change of the field relaxes at a point, 1/s: across the field
/// kappa / eps, along it (dJ/dE) / (dD/dE).
///
/// No rate of the discrete model is faster than the largest over its quadrature points. With the differential
/// tensors k and e of conductivity and permittivity, which have the same axes, a vector v of potentials has
/// v.Kv = sum over points w_p grad v.k_p grad v <= max_p(k_p / e_p) sum w_p grad v.e_p grad v = max v.Mv, as
/// all weights w_p are positive; so Rayleigh's quotient of K v = rate M v, whatever the mesh. Where a
/// property is constant, the sum is its exact integral (element_points). Floating electrodes and bases
/// restrict v or name it otherwise.
UMOV_HD inline double relaxation_rate(const ModelView& m, const MaterialEntry& c, double field) {
  const CurveValue eps = c.eps_curve < 0 ? CurveValue{c.eps, 0} : m.curves(c.eps_curve, field);
  const CurveValue kappa = c.kappa_curve < 0 ? CurveValue{c.kappa, 0} : m.curves(c.kappa_curve, field);
  const double across = kappa.value / eps.value;
  const double along = (kappa.value + kappa.slope * field) / (eps.value + eps.slope * field);
  return along > across ? along : across;
}

inline constexpr double endless_rate = 1e300;

/// The same over the points of an element, [place in `element`].
template <int Order>
struct LargestRate {
  static constexpr bool costly = true;
  ModelView model;
  const int* element;
  const double *u, *fixed;

  UMOV_HD double operator()(index_t t) const {
    const int e = element[t];
    const MaterialEntry c = model.materials[model.material[e]];
    const Shape s(model, e);
    const NodeValues<Order> v(model, e, u, fixed);
    double most = 0;
    for (int p = 0; p < element_points<Order>; ++p) {
      double w[3];
      v.gradient_at_point(s, p, w);
      const double rate = relaxation_rate(model, c, std::sqrt(w[0] * w[0] + w[1] * w[1] + w[2] * w[2]));
      // one that is no number counts as endless
      if (!(rate <= most)) most = rate < endless_rate ? rate : endless_rate;
    }
    return most;
  }
};

/// The charge of a stage (StabilisedStage), in the place of that of the stage before the last.
struct StageCharge {
  StabilisedStage s;
  double h;
  const double *start, *last, *current, *first_current;
  double* before;
  UMOV_HD void operator()(index_t n) const {
    before[n] = (1 - s.last - s.before) * start[n] + s.last * last[n] + s.before * before[n] -
                h * (s.slope * current[n] + s.first_slope * first_current[n]);
  }
};

/// 0.8 (q_n - q_{n+1}) + 0.4 h (F_n + F_{n+1}) with F = -i (Sommeijer et al. 1998, equation (2.12)). In
/// linear problems, with R = 1 + z + z^2 / 2 + c z^3, it is (0.2 - 0.8 c) z^3 where the error is (1/6 - c)
/// z^3: 1.2 (two stages) to 1.8 times that of rkc, 1.5 (three) to 2 times that of rkl2.
struct StabilisedError {
  double h;
  const double *q, *q_end, *i, *i_end;
  double* out;
  UMOV_HD void operator()(index_t n) const { out[n] = 0.8 * (q[n] - q_end[n]) - 0.4 * h * (i[n] + i_end[n]); }
};

/// sum a_k x_k of three vectors, of which the last may be missing.
struct Blend3 {
  double a;
  const double* x;
  double b;
  const double* y;
  double c;
  const double* z;
  double* out;
  UMOV_HD void operator()(index_t n) const { out[n] = a * x[n] + b * y[n] + (z ? c * z[n] : 0); }
};

/// Charges that hold something of every mode, the same on every machine.
struct ScatteredCharge {
  double* out;
  UMOV_HD void operator()(index_t n) const {
    unsigned h = unsigned(n) * 2654435761u;
    h ^= h >> 15;
    h *= 2246822519u;
    h ^= h >> 13;
    out[n] = double(h & 0xffff) / 65536 - 0.5;
  }
};

/// Sums of d.(i' - i) and d.q: Rayleigh's quotient of a change d of the potentials, q its charges.
struct QuotientOf {
  const double *d, *i, *i_before, *q;
  template <class S>
  UMOV_HD void operator()(index_t n, S& sums) const {
    sums.v[0] += d[n] * (i[n] - i_before[n]);
    sums.v[1] += d[n] * q[n];
  }
};

}  // namespace umov::eqs
