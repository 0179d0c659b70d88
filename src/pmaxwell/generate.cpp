// A directory's arrays from a time-harmonic cell: coefficients of the split iteration, sources of a plane
// wave.
#include "pmaxwell/generate.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/error.hpp"

namespace umov::pmaxwell {

Coefficients coefficients(cplx m, double k0, double tau, double d) {
  const double half = std::asin(k0 * tau / 2);  // w tau / 2
  const cplx p = std::polar(1.0, -half);
  const double sigma = k0 * m.imag() / std::cos(half);
  const double plus = m.real() / tau + sigma / 2, minus = m.real() / tau - sigma / 2;
  if (m.real() >= least_inertia) return {minus / plus / (p * p), 1.0 / (plus * p * d)};
  if (m.real() <= -least_inertia) return {plus / minus * p * p, -p / (minus * d)};
  const double inertia = (1 - m.real() * std::pow(std::sin(half), 2)) / std::cos(half) / tau;
  const cplx turn = i_unit * k0 * m / 2.0;
  return {(inertia + turn) / (inertia - turn), 1.0 / ((inertia - turn) * d)};
}

Generator::Generator(const harmonic::LayeredCell& cell, const harmonic::Problem& p,
                     layers::Polarization polarization, double courant)
    : cell_(cell), p_(p), polarization_(polarization) {
  if (p.bloch[0] != 0 || p.bloch[1] != 0)
    throw BadInput(
        "the light falls in at an angle (the periodic kernels of pmaxwell copy without a phase: normal "
        "incidence only); "
        "leave out angle, or solve the case with `umov fdtd`");
  const auto& g = p.grid;
  double inverse = 1 / (g.spacing[2] * g.spacing[2]);
  if (g.nx > 1) inverse += 1 / (g.spacing[0] * g.spacing[0]);
  if (g.ny > 1) inverse += 1 / (g.spacing[1] * g.spacing[1]);
  tau_ =
      std::min(courant * std::sqrt(smallest_inertia() / inverse), 1 / p.k0);  // far from sin(w tau / 2) = 1
  const double d = g.spacing[2], above = p.tangential[g.source - 1].real();
  kz_ = std::acos(cplx(1 - d * d / 2 * p.k0 * p.k0 * above)) / d;
}

double Generator::steps_per_period() const { return pi / std::asin(p_.k0 * tau_ / 2); }

cplx Generator::permittivity(int c, int i, int j, int k) const {
  const auto& g = p_.grid;
  i %= g.nx, j %= g.ny, k = std::min(k, g.nz - 1);  // planes behind the last repeat
  if (k >= p_.rough_begin && k < p_.rough_end)
    return p_.permittivity[((index_t(c) * p_.rough_planes() + k - p_.rough_begin) * g.ny + j) * g.nx + i];
  return c == 2 ? p_.normal[k] : p_.tangential[k];
}

/// What stands before the field in its part of the equation.
cplx Generator::medium(int a, int i, int j, int k) const {
  const auto& stretch = is_electric(a) ? p_.stretch : p_.stretch_half;
  const cplx along = axis_of(a) == 2 ? stretch[std::min(k, p_.grid.nz - 1)] : 1.0;
  return is_electric(a) ? along * permittivity(component_of(a), i, j, k) : along;
}

double Generator::smallest_inertia() const {
  const auto& g = p_.grid;
  double least = std::numeric_limits<double>::max();
  for (int part = 0; part < 6; ++part)
    for (int k = 0; k < g.nz; ++k) {
      const bool rough = k >= p_.rough_begin && k < p_.rough_end;
      for (int j = 0; j < (rough ? g.ny : 1); ++j)
        for (int i = 0; i < (rough ? g.nx : 1); ++i)
          least = std::min(least, std::abs(medium(6 * s_e + part, i, j, k).real()));
    }
  return std::max(least, least_inertia);
}

/// The total field begins at plane `source`: E there lacks the incident H below it, H there the incident E
/// above it.
Value Generator::source(int a, int k) const {
  const auto& g = p_.grid;
  const bool electric = is_electric(a);
  const int c = component_of(a), along = polarization_ == layers::Polarization::s ? 1 : 0;  // of E
  if (k != (electric ? g.source : g.source - 1) || c != (electric ? along : 1 - along)) return Value(0);
  const double d = g.spacing[2];
  const cplx s = coefficients(medium(a, 0, 0, k), p_.k0, tau_, d).s;
  // E = exp(i kz (z - z_source)); H_y' = H_y = dz Ex / (i k0), H_x = -dz Ey / (i k0)
  const cplx derivative = (1.0 - std::exp(-i_unit * kz_ * d)) / (i_unit * p_.k0);  // times d, as s has 1/d
  if (electric) return Value(s / d * derivative);
  return Value(along == 0 ? s : -s);
}

std::vector<Value> Generator::array(int a) const {
  const auto& g = p_.grid;
  const Int3 n = points_of(is_electric(a), component_of(a), cells());
  std::vector<Value> out(index_t(n[0]) * n[1] * n[2], Value(0));
  if (a < 12) return out;  // fields begin at 0
  const bool is_t = a < 6 * s_e;
  const auto value = [&](int i, int j, int k) {
    if (a >= bnd_e) return source(a, k);
    const auto both = coefficients(medium(a, i, j, k), p_.k0, tau_, g.spacing[axis_of(a)]);
    return Value(is_t ? both.t : both.s);
  };
  for (int k = 0; k < n[2]; ++k) {
    const bool rough = a < bnd_e && is_electric(a) && k >= p_.rough_begin && k < p_.rough_end;
    const Value flat = value(0, 0, k);
    for (int j = 0; j < n[1]; ++j)
      for (int i = 0; i < n[0]; ++i) out[(index_t(k) * n[1] + j) * n[0] + i] = rough ? value(i, j, k) : flat;
  }
  return out;
}

std::array<std::vector<double>, 3> Generator::nodes() const {
  const auto& g = p_.grid;
  std::array<std::vector<double>, 3> out;
  for (int i = 0; i <= g.nx; ++i) out[0].push_back(i * g.spacing[0]);
  for (int j = 0; j <= g.ny; ++j) out[1].push_back(j * g.spacing[1]);
  for (int k = 0; k <= g.nz; ++k) out[2].push_back(cell_.depth_of(k));
  return out;
}

System Generator::system() const {
  System out;
  out.cells = cells();
  out.nodes = nodes();
  for (int a = 0; a < array_count; ++a) out.arrays[a] = array(a);
  return out;
}

}  // namespace umov::pmaxwell
