// Efficiencies and moments from umov's scattered amplitudes.
#include "dda/ddscat/reduce.hpp"

#include <algorithm>
#include <cmath>

#include "dda/kernels/integrated_green.hpp"

namespace umov::dda::ddscat {

namespace {

constexpr double rad = pi / 180;

/// Gauss's rule in the cosine times equal steps in phi.
struct DirectionRule {
  GaussRule cosine;
  int phis;
  std::size_t size() const { return cosine.node.size() * std::size_t(phis); }
};
DirectionRule sphere_for(const Job& job, double x) {
  const double q = (3 + x) / job.parameters.eta;
  const int thetas = std::clamp(int(std::ceil(1.8 * q)), 4, 2000);
  return {make_gauss_rule(thetas), 2 * thetas};
}

std::array<Jones, 2> lights(const Job& job) { return {job.light.jones, orthogonal(job.light.jones)}; }

const PolarizationResult* result_of(const Outcome& o, char label) {
  for (const auto& p : o.polarizations)
    if (p.label == label) return &p;
  return nullptr;
}

/// Cross sections of any polarization from those of X and Y.
struct Linear {
  QuadraticCross ext, abs, phase;
};
Linear linear_cross(const Job& job, const Outcome& o, const Amplitude& forward, double k) {
  const PolarizationResult &x = *result_of(o, 'X'), &y = *result_of(o, 'Y');
  Linear c;
  c.ext = forward_cross(forward, k, false);
  c.ext.xx = x.cross.cext;
  c.ext.yy = y.cross.cext;
  c.phase = forward_cross(forward, k, true);
  c.abs = {x.cross.cabs, y.cross.cabs, 0};
  if (!job.light.linear() && !x.polarization.empty())
    c.abs.xy = absorption_between(k, x.alpha, o.particle, x.polarization, y.polarization);
  return c;
}

/// Moments of the scattered intensity over the sphere; rows begin with its directions.
Efficiencies moments(const Job& job, const DirectionRule& sphere, std::span<const ScatteringRow> rows,
                     const Jones& e) {
  Efficiencies m;
  for (std::size_t i = 0; i < sphere.size(); ++i) {
    const auto [par, per] = scattered(rows[i].amplitude, rows[i].phi, e);
    const std::size_t t = i / std::size_t(sphere.phis);
    const double c = sphere.cosine.node[t], s = std::sqrt(1 - c * c);
    const double phi = (rows[i].phi + job.light.turn) * rad;
    const double flux = sphere.cosine.weight[t] * 2 * pi / sphere.phis * (std::norm(par) + std::norm(per));
    m.sca += flux;
    m.sca_g2 += flux * c * c;
    m.sca_g[0] += flux * c;
    m.sca_g[1] += flux * s * std::cos(phi);
    m.sca_g[2] += flux * s * std::sin(phi);
  }
  return m;
}

void scale(Efficiencies& e, double by) {
  e.sca *= by;
  e.sca_g2 *= by;
  for (double& g : e.sca_g) g *= by;
}

}  // namespace

std::size_t integral_directions(const Job& job, double x) { return sphere_for(job, x).size(); }

std::vector<std::array<double, 2>> case_directions(const Job& job, double x) {
  auto out = job.translation.directions;
  out.push_back({0, 0});
  out.push_back({180, 0});
  const DirectionRule sphere = sphere_for(job, x);
  for (const double c : sphere.cosine.node)
    for (int j = 0; j < sphere.phis; ++j) out.push_back({std::acos(c) / rad, 360.0 * j / sphere.phis});
  return out;
}

std::size_t reduced_size(const Job& job) {
  return 2 * Efficiencies::numbers + 8 * job.translation.directions.size();
}

std::vector<double> reduce(const Job& job, double x, const Outcome& o) {
  const std::size_t n = job.translation.directions.size();
  const double k = o.simulation.wavenumber(), area = pi * o.particle.eq_radius * o.particle.eq_radius;
  const Linear cross = linear_cross(job, o, o.grid[n].amplitude, k);
  const DirectionRule sphere = sphere_for(job, x);
  std::vector<double> out;
  for (const Jones& e : lights(job)) {
    Efficiencies m = moments(job, sphere, std::span(o.grid).subspan(n + 2), e);
    scale(m, 1 / (k * k * area));
    m.ext = cross.ext.of(e) / area;
    m.abs = cross.abs.of(e) / area;
    m.phase = 0.5 * cross.phase.of(e) / area;
    const auto [par, per] = scattered(o.grid[n + 1].amplitude, 0, e);
    m.back = (std::norm(par) + std::norm(per)) / (k * k * area);
    // As DDSCAT: where much is scattered extinction less absorption is the better Qsca, else the integral.
    const double albedo = std::pow(m.sca / (0.03 * m.ext), 2);
    const double sca = (m.sca + (m.ext - m.abs) * albedo) / (1 + albedo);
    scale(m, sca / m.sca);
    out.insert(out.end(),
               {m.ext, m.abs, m.sca, m.back, m.phase, m.sca_g[0], m.sca_g[1], m.sca_g[2], m.sca_g2});
  }
  for (std::size_t i = 0; i < n; ++i)
    for (const cplx& s : o.grid[i].amplitude) out.push_back(s.real()), out.push_back(s.imag());
  return out;
}

Reduced reduced(const Job& job, const CaseRow& row) {
  Reduced r;
  const double* at = row.extra.data();
  for (Efficiencies& e : r.light) {
    e = {at[0], at[1], at[2], at[3], at[4], {at[5], at[6], at[7]}, at[8]};
    at += Efficiencies::numbers;
  }
  for (std::size_t i = 0; i < job.translation.directions.size(); ++i) {
    Amplitude a;
    for (cplx& s : a) s = {at[0], at[1]}, at += 2;
    r.directions.push_back(a);
  }
  return r;
}

std::vector<ExtraColumn> matrix_arrays(const Job& job, const ManyOutcome& o) {
  const auto angles = plane_directions(job.parameters);
  if (angles.empty()) return {};
  ExtraColumn directions{
      "directions", "degree", "theta and phi of ddscat.par's directions", {}, {angles.size(), 2}};
  for (const auto& [theta, phi] : angles) directions.values.insert(directions.values.end(), {theta, phi});
  ExtraColumn mueller{"mueller",
                      "1",
                      "Mueller matrix of each case in each direction, S11, S12, ... S44",
                      {},
                      {o.rows.size(), angles.size(), 16}};
  for (const CaseRow& row : o.rows)
    for (const Amplitude& s : reduced(job, row).directions) {
      const Mueller m = mueller_matrix(s);
      mueller.values.insert(mueller.values.end(), m.begin(), m.end());
    }
  return {directions, mueller};
}

std::array<double, 4> fields_of(const Job& job, const Amplitude& s, std::size_t i) {
  const auto [par, per] = scattered(s, job.translation.directions[i][1], job.light.jones);
  const cplx between = -std::conj(par) * per;  // f11 = i f_par, f21 = -i f_per
  return {std::norm(par), std::norm(per), between.real(), between.imag()};
}

Averaged averaged(const Job& job, const ManyOutcome& o, std::size_t wavelength, std::size_t radius) {
  const std::size_t n = job.translation.directions.size();
  Averaged a;
  a.mueller.assign(n, Mueller{});
  a.fields.assign(n, {});
  const auto& w = job.orientations;
  for (std::size_t i = 0; i < o.rows.size(); ++i) {
    const Place p = place_of(job, i);
    if (p.wavelength != wavelength || p.radius != radius) continue;
    const double weight = w.theta_weight[p.theta] * w.beta_weight[p.beta] * w.phi_weight[p.phi];
    const Reduced r = reduced(job, o.rows[i]);
    for (int j = 0; j < 2; ++j) {
      Efficiencies& sum = a.light[j];
      const Efficiencies& e = r.light[j];
      sum.ext += weight * e.ext, sum.abs += weight * e.abs, sum.sca += weight * e.sca;
      sum.back += weight * e.back, sum.phase += weight * e.phase, sum.sca_g2 += weight * e.sca_g2;
      for (int c = 0; c < 3; ++c) sum.sca_g[c] += weight * e.sca_g[c];
    }
    for (std::size_t d = 0; d < n; ++d) {
      const Mueller m = mueller_matrix(r.directions[d]);
      const auto f = fields_of(job, r.directions[d], d);
      for (int c = 0; c < 16; ++c) a.mueller[d][c] += weight * m[c];
      for (int c = 0; c < 4; ++c) a.fields[d][c] += weight * f[c];
    }
  }
  return a;
}

}  // namespace umov::dda::ddscat
