// The numbers of the pseudo-time iteration: its time step, and t and s of every half step.
#include "harmonic/pseudo_time_coefficients.hpp"

#include <cmath>

namespace umov::harmonic {

namespace {

/// Norm of the difference along an axis: 2 / d, and K where there is one cell.
double largest_difference(int cells, double spacing, double bloch) {
  return cells == 1 ? std::abs(bloch) : 2 / spacing;
}

/// A field of one column or of all, [3][nz][columns], with its neighbours by lateral differences.
class Curls {
 public:
  /// With `only`, fields have one column, of this lateral wave.
  Curls(const Problem& p, const LateralWave* only, int threads = 1) : p_(p), only_(only), threads_(threads) {
    const auto& g = p.grid;
    for (int axis = 0; axis < 2; ++axis) phase_[axis] = std::polar(1.0, p.bloch[axis] * g.spacing[axis]);
    columns_ = only ? 1 : g.columns();
  }
  index_t columns() const { return columns_; }

  /// (curl E) in `out` [3][nz][columns].
  std::vector<cplx> forward(const std::vector<cplx>& e) const {
    return curl(e, [&](const cplx* f, int axis, int i, int j, int k) { return ahead(f, axis, i, j, k); });
  }
  std::vector<cplx> backward(const std::vector<cplx>& h) const {
    return curl(h, [&](const cplx* f, int axis, int i, int j, int k) { return behind(f, axis, i, j, k); });
  }

 private:
  template <class Difference>
  std::vector<cplx> curl(const std::vector<cplx>& f, const Difference& d) const {
    const auto& g = p_.grid;
    const index_t part = g.nz * columns_;
    const cplx *x = f.data(), *y = x + part, *z = y + part;
    std::vector<cplx> out(f.size());
#pragma omp parallel for num_threads(threads_) schedule(static) if (threads_ > 1)
    for (int k = 0; k < g.nz; ++k)
      for (int j = 0; j < (only_ ? 1 : g.ny); ++j)
        for (int i = 0; i < (only_ ? 1 : g.nx); ++i) {
          const index_t at = place(i, j, k);
          out[at] = d(z, 1, i, j, k) - d(y, 2, i, j, k);
          out[part + at] = d(x, 2, i, j, k) - d(z, 0, i, j, k);
          out[2 * part + at] = d(y, 0, i, j, k) - d(x, 1, i, j, k);
        }
    return out;
  }

  index_t place(int i, int j, int k) const {
    return k * columns_ + (only_ ? 0 : index_t(j) * p_.grid.nx + i);
  }

  cplx ahead(const cplx* f, int axis, int i, int j, int k) const {
    const auto& g = p_.grid;
    const cplx here = f[place(i, j, k)];
    if (axis == 2)
      return ((k + 1 < g.nz ? f[place(i, j, k + 1)] : 0.0) - here) / (g.spacing[2] * p_.stretch_half[k]);
    if (only_) return (axis == 0 ? only_->dx : only_->dy) * here;
    if ((axis == 0 ? g.nx : g.ny) == 1) return i_unit * p_.bloch[axis] * here;
    const cplx next = axis == 0 ? f[place((i + 1) % g.nx, j, k)] : f[place(i, (j + 1) % g.ny, k)];
    return (phase_[axis] * next - here) / g.spacing[axis];
  }

  cplx behind(const cplx* f, int axis, int i, int j, int k) const {
    const auto& g = p_.grid;
    const cplx here = f[place(i, j, k)];
    if (axis == 2) return (here - (k > 0 ? f[place(i, j, k - 1)] : 0.0)) / (g.spacing[2] * p_.stretch[k]);
    if (only_) return -std::conj(axis == 0 ? only_->dx : only_->dy) * here;
    if ((axis == 0 ? g.nx : g.ny) == 1) return i_unit * p_.bloch[axis] * here;
    const cplx before =
        axis == 0 ? f[place((i + g.nx - 1) % g.nx, j, k)] : f[place(i, (j + g.ny - 1) % g.ny, k)];
    return (here - before / phase_[axis]) / g.spacing[axis];
  }

  const Problem& p_;
  const LateralWave* only_;
  int threads_;
  cplx phase_[2];
  index_t columns_;
};

}  // namespace

PseudoTimeStep pseudo_time_step(const Problem& p, double courant, int steps) {
  const auto& g = p.grid;
  const double x = largest_difference(g.nx, g.spacing[0], p.bloch[0]),
               y = largest_difference(g.ny, g.spacing[1], p.bloch[1]), z = 2 / g.spacing[2];
  PseudoTimeStep out;
  out.limit = 2 / std::sqrt(x * x + y * y + z * z) * std::sqrt(least_inertia);
  // tau = (2 / k0) sin(pi / steps) <= courant * limit
  out.steps =
      steps > 0 ? steps
                : std::max(8, int(std::ceil(pi / std::asin(std::min(1.0, p.k0 * courant * out.limit / 2)))));
  out.steps += out.steps % 2;
  out.tau = 2 / p.k0 * std::sin(pi / out.steps);
  return out;
}

HalfStep electric_step(cplx eps, double k0, const PseudoTimeStep& step, bool backwards) {
  const double tau = step.tau, c = step.cosine(), sigma = k0 * eps.imag() / c;
  const cplx p = step.p();
  const double up = eps.real() / tau + sigma / 2, down = eps.real() / tau - sigma / 2;
  if (eps.real() >= least_inertia || !backwards) return {down / (up * p * p), 1.0 / (up * p)};
  if (eps.real() <= -least_inertia) return {up / down * p * p, -p / down};
  const double sine = std::sin(pi / step.steps), inertia = (1 - eps.real() * sine * sine) / (c * tau);
  const cplx half = i_unit * k0 * eps / 2.0;
  return {(inertia + half) / (inertia - half), 1.0 / (inertia - half)};
}

HalfStep magnetic_step(const PseudoTimeStep& step) { return {1.0 / step.q(), step.tau / step.p()}; }

StretchStep stretch_step(cplx stretch, double k0, const PseudoTimeStep& step) {
  const double kappa = stretch.real(), half = k0 * stretch.imag() / step.cosine() * step.tau / 2;
  const double a = kappa + half;
  return {1 / a, (kappa - half) / a / step.q(), -2 * half / (a * a) / step.q()};
}

std::vector<cplx> sheet_current(const Problem& p, const std::vector<cplx>& layered) {
  const LateralWave specular = lateral_wave(p, 0, 0);
  const Curls curls(p, &specular);
  const auto cc = curls.backward(curls.forward(layered));
  const int nz = p.grid.nz;
  std::vector<cplx> out;
  for (int c = 0; c < 3; ++c)
    for (int k = p.grid.source - 1; k <= p.grid.source; ++k) {
      const cplx eps = (c == 2 ? p.normal : p.tangential)[k];
      // Ez of the row below the source has no source: there is the whole field on both sides
      out.push_back(c == 2 && k == p.grid.source
                        ? 0.0
                        : (cc[c * nz + k] - p.k0 * p.k0 * eps * layered[c * nz + k]) / (i_unit * p.k0));
    }
  return out;
}

std::vector<cplx> bloch_phases(const Problem& p) {
  const auto& g = p.grid;
  std::vector<cplx> out;
  for (int j = 0; j < g.ny; ++j)
    for (int i = 0; i < g.nx; ++i)
      out.push_back(std::polar(1.0, p.bloch[0] * g.spacing[0] * i + p.bloch[1] * g.spacing[1] * j));
  return out;
}

std::vector<cplx> equation_residual(const Problem& p, const std::vector<cplx>& layered, const Fields& e,
                                    int threads) {
  const auto& g = p.grid;
  const Curls curls(p, nullptr, threads);
  auto out = curls.backward(curls.forward(e.values));
  const index_t columns = g.columns();
  const auto current = sheet_current(p, layered);
#pragma omp parallel for num_threads(threads) collapse(2) schedule(static) if (threads > 1)
  for (int c = 0; c < 3; ++c)
    for (int k = 0; k < g.nz; ++k) {
      const int row = k - g.source + 1;
      const cplx b = row == 0 || row == 1 ? i_unit * p.k0 * current[2 * c + row] : 0.0;
      for (index_t n = 0; n < columns; ++n) {
        const index_t at = (index_t(c) * g.nz + k) * columns + n;
        out[at] = b - out[at] + p.k0 * p.k0 * edge_permittivity(p, c, k, n) * e.values[at];
      }
    }
  return out;
}

}  // namespace umov::harmonic
