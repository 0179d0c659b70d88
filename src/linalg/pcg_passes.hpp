// The passes over vectors of the conjugate gradients, and the scalars they share.
#pragma once

#include <cmath>

#include "core/complex.hpp"
#include "core/types.hpp"

namespace umov::linalg {

/// The scalars of the iteration, in the memory of the device.
struct PcgScalars {
  static constexpr double running = 0, converged = 1, indefinite_matrix = 2, indefinite_preconditioner = 3,
                          not_a_number = 4;
  double pq;     // p . A p
  double rr;     // r . r
  double rz[2];  // r . z, z . q
  double rho;    // r . z of the direction at hand
  double alpha, beta;
  double scale;    // of the residual that the preconditioner sees: 1 / |r| in single precision
  double unscale;  // of its answer
  double target;   // r . r at which the iteration ends
  double state, iterations;
};

namespace pcg {

struct FindAlpha {
  PcgScalars* s;
  UMOV_HD void operator()(index_t) const {
    s->alpha = 0;
    if (s->state != PcgScalars::running) return;
    if (s->pq > 0)
      s->alpha = s->rho / s->pq;
    else
      s->state = s->pq <= 0 ? PcgScalars::indefinite_matrix : PcgScalars::not_a_number;
  }
};
/// r = r - alpha q, its copy for the preconditioner, r . r. Bytes per unknown in double and single: 28.
template <class P>
struct UpdateResidual {
  const PcgScalars* s;
  const double* q;
  double* r;
  P* rp;
  template <class S>
  UMOV_HD void operator()(index_t i, S& sums) const {
    const double v = r[i] - s->alpha * q[i];
    r[i] = v;
    rp[i] = P(v * s->scale);
    sums.v[0] += v * v;
  }
};
struct NoteResidual {
  PcgScalars* s;
  double* history;
  bool single;
  UMOV_HD void operator()(index_t) const {
    s->unscale = 1 / s->scale;
    if (s->state != PcgScalars::running) return;
    s->iterations += 1;
    history[int(s->iterations)] = s->rr;
    if (!(s->rr - s->rr == 0))
      s->state = PcgScalars::not_a_number;
    else if (s->rr <= s->target)
      s->state = PcgScalars::converged;
    else if (single)
      s->scale = 1 / sqrt(s->rr);
  }
};
/// r . z and z . q; 20 bytes.
template <class P>
struct ProductsWithZ {
  const PcgScalars* s;
  const double *r, *q;
  const P* z;
  template <class S>
  UMOV_HD void operator()(index_t i, S& sums) const {
    const double v = double(z[i]) * s->unscale;
    sums.v[0] += r[i] * v;
    sums.v[1] += q[i] * v;
  }
};
struct FindBeta {
  PcgScalars* s;
  bool flexible;
  UMOV_HD void operator()(index_t) const {
    s->beta = 0;
    if (s->state != PcgScalars::running) return;
    if (!(s->rz[0] > 0)) {
      s->state = s->rz[0] <= 0 ? PcgScalars::indefinite_preconditioner : PcgScalars::not_a_number;
      return;
    }
    // z . (r - r_before) = -alpha z . q
    s->beta = (flexible ? -s->alpha * s->rz[1] : s->rz[0]) / s->rho;
    s->rho = s->rz[0];
  }
};
/// x = x + alpha p, p = z + beta p; 36 bytes.
template <class P>
struct Advance {
  const PcgScalars* s;
  const P* z;
  double *x, *p;
  UMOV_HD void operator()(index_t i) const {
    const double before = p[i];
    x[i] += s->alpha * before;
    p[i] = double(z[i]) * s->unscale + s->beta * before;
  }
};
struct AdvanceX {
  const PcgScalars* s;
  const double* p;
  double* x;
  UMOV_HD void operator()(index_t i) const { x[i] += s->alpha * p[i]; }
};
struct Dot {
  const double *a, *b;
  template <class S>
  UMOV_HD void operator()(index_t i, S& sums) const {
    sums.v[0] += a[i] * b[i];
  }
};
struct SquareOf {
  const double* v;
  template <class S>
  UMOV_HD void operator()(index_t i, S& sums) const {
    sums.v[0] += v[i] * v[i];
  }
};
struct ResidualFrom {  // r = b - q, r . r
  const double *b, *q;
  double* r;
  template <class S>
  UMOV_HD void operator()(index_t i, S& sums) const {
    const double v = q ? b[i] - q[i] : b[i];
    r[i] = v;
    sums.v[0] += v * v;
  }
};
template <class P>
struct Scaled {
  const double* from;
  double scale;
  P* to;
  UMOV_HD void operator()(index_t i) const { to[i] = P(from[i] * scale); }
};
template <class P>
struct FirstDirection {  // p = z
  const PcgScalars* s;
  const P* z;
  double* p;
  UMOV_HD void operator()(index_t i) const { p[i] = double(z[i]) * s->unscale; }
};

}  // namespace pcg

}  // namespace umov::linalg
