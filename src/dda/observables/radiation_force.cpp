// Direct sum of dipole-dipole forces.
#include "dda/observables/radiation_force.hpp"

namespace umov::dda {
namespace {

/// Derivative along r of the field of a dipole. With n = r/|r| the field is A p + B n (n.p),
///   A = e^{ikr} (k^2/r + ik/r^2 - 1/r^3),  B = e^{ikr} (-k^2/r - 3ik/r^2 + 3/r^3)
/// (Jackson, Classical Electrodynamics, eq. 9.18), so that
///   grad(q.E) = A' n (q.p) + B' n (q.n)(n.p) + B/r [(q - n(q.n)) (n.p) + (p - n(n.p)) (q.n)].
struct RadialTerms {
  cplx a_slope, b_slope, b_over_r;
};

RadialTerms radial_terms(double k, double r) {
  const double u = 1 / r, u2 = u * u, k2 = k * k;
  const cplx wave = u * std::polar(1.0, k * r);
  return {wave * cplx(-2 * k2 * u + 3 * u2 * u, k2 * k - 3 * k * u2),
          wave * cplx(4 * k2 * u - 9 * u2 * u, -k2 * k + 9 * k * u2),
          wave * cplx(-k2 * u + 3 * u2 * u, -3 * k * u2)};
}

/// Product without conjugation: q is conjugated by the caller, once per dipole.
cplx bilinear(const CVec3& q, const CVec3& p) { return q[0] * p[0] + q[1] * p[1] + q[2] * p[2]; }

void add_pair(double k, const Vec3& separation, const CVec3& q, const CVec3& p, Vec3& force) {
  const double r = norm(separation);
  const Vec3 n = (1 / r) * separation;
  const RadialTerms t = radial_terms(k, r);
  const cplx qn = dot(q, n), pn = dot(p, n);
  const cplx along = t.a_slope * bilinear(q, p) + (t.b_slope - 2.0 * t.b_over_r) * qn * pn;
  const cplx to_q = t.b_over_r * pn, to_p = t.b_over_r * qn;
  for (int c = 0; c < 3; ++c) force[c] += 0.5 * (along * n[c] + to_q * q[c] + to_p * p[c]).real();
}

}  // namespace

void dipole_forces_direct(std::span<const Vec3> r, std::span<const CVec3> p, double wavenumber,
                          std::span<Vec3> force) {
  dipole_forces_on(0, r.size(), r, p, wavenumber, force);
}

void dipole_forces_on(std::size_t first, std::size_t end, std::span<const Vec3> r, std::span<const CVec3> p,
                      double wavenumber, std::span<Vec3> force) {
  const std::ptrdiff_t n = std::ptrdiff_t(r.size());
#pragma omp parallel for schedule(static)
  for (std::ptrdiff_t j = std::ptrdiff_t(first); j < std::ptrdiff_t(end); ++j) {
    const CVec3 q{std::conj(p[j][0]), std::conj(p[j][1]), std::conj(p[j][2])};
    Vec3 sum{0, 0, 0};
    for (std::ptrdiff_t i = 0; i < n; ++i) {
      if (i != j) add_pair(wavenumber, r[j] - r[i], q, p[i], sum);
    }
    force[j] = force[j] + sum;
  }
}

RadiationForces radiation_forces(std::span<const Vec3> r, std::span<const CVec3> p,
                                 std::span<const CVec3> incident, double wavenumber, const Vec3& propagation,
                                 const DipoleForces& dipole_forces) {
  RadiationForces out;
  std::vector<Vec3> scattered(r.size(), Vec3{0, 0, 0});
  dipole_forces(r, p, wavenumber, scattered);
  out.per_dipole.resize(r.size());
  for (std::size_t j = 0; j < r.size(); ++j) {
    cplx work = 0;
    for (int c = 0; c < 3; ++c) work += p[j][c] * std::conj(incident[j][c]);
    const Vec3 push = (0.5 * wavenumber * work.imag()) * propagation;
    out.incident = out.incident + push;
    out.scattering = out.scattering + scattered[j];
    out.per_dipole[j] = push + scattered[j];
  }
  return out;
}

void set_force_cross_sections(const RadiationForces& forces, const BeamFrame& frame, CrossSections& out) {
  const Vec3 incident = 8 * pi * frame.to_beam(forces.incident);
  const Vec3 scattering = 8 * pi * frame.to_beam(forces.scattering);
  out.cext_a = incident;
  out.csca_g_force = -1 * scattering;
  out.cpr = incident + scattering;
}

std::vector<Vec3> dipole_positions(const shapes::Particle& particle) {
  std::vector<Vec3> r;
  r.reserve(particle.dipoles());
  std::size_t site = 0;
  for (int z = 0; z < particle.box[2]; ++z) {
    for (int y = 0; y < particle.box[1]; ++y) {
      for (int x = 0; x < particle.box[0]; ++x, ++site) {
        if (particle.material[site] != 0) r.push_back(particle.position(x, y, z));
      }
    }
  }
  return r;
}

}  // namespace umov::dda
