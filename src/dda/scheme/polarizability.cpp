// Polarizability formulae for cubical dipoles.
#include "dda/scheme/polarizability.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/error.hpp"
#include "dda/scheme/polarizability_rectangular.hpp"

namespace umov::dda {
namespace {

// Coefficients of the lattice dispersion relation: Draine and Goodman 1993, Astrophys. J. 405, 685.
constexpr double ldr_b1 = 1.8915316529870796511106114030718259;
constexpr double ldr_b2 = -0.16484691508771947307079362778185226;
constexpr double ldr_b3 = 1.7700004019321371908592738404451742;
// Integral of 1/r over the unit cube, times 2/3.
constexpr double igt_so_b1 = 1.5867182426530356710958782335227693;

/// One cubical dipole: edge (um), volume (um^3) and k d.
struct Cube {
  double d, volume, kd;
};

/// Clausius-Mossotti: alpha = (3V/4pi)(m^2-1)/(m^2+2).
cplx clausius_mossotti(const Cube& c, cplx m) {
  return 3 / (4 * pi) * c.volume * (m * m - 1.0) / (m * m + 2.0);
}

/// Corrects Clausius-Mossotti for the field of the dipole on itself, M:
/// alpha = alpha_CM / (1 - M alpha_CM / V) (Yurkin and Hoekstra 2007, JQSRT 106, 558, eq. 23).
cplx with_self_term(const Cube& c, cplx m, cplx self) {
  const cplx cm = clausius_mossotti(c, m);
  return cm / (1.0 - cm / c.volume * self);
}

/// Self term with the radiative reaction (2/3) i (kd)^3 (Draine 1988, Astrophys. J. 333, 848).
cplx with_reaction(const Cube& c, cplx m, cplx self) {
  return with_self_term(c, m, self + cplx(0, 2 * c.kd * c.kd * c.kd / 3));
}

/// LDR and CLDR; S is sum_c (a_c e_c)^2 for LDR (Draine and Goodman 1993) and a_c^2 for the component c
/// of CLDR (Gutkowicz-Krusin and Draine 2004, arXiv:astro-ph/0403082).
cplx lattice_dispersion(const Cube& c, cplx m, double s) {
  return with_reaction(c, m, (ldr_b1 + (ldr_b2 + ldr_b3 * s) * m * m) * (c.kd * c.kd));
}

/// Digitised Green's function (Hage and Greenberg 1990, Astrophys. J. 361, 251), to second order in kd.
cplx digitized_green(const Cube& c, cplx m) {
  return with_reaction(c, m, std::cbrt(4 * pi / 3) * c.kd * c.kd);
}

/// Filtered coupled dipoles (Piller and Martin 1998, IEEE Trans. Antennas Propag. 46, 1126).
cplx filtered(const Cube& c, cplx m) {
  const double kd = c.kd;
  return with_reaction(c, m, 4 * kd * kd / 3 + 2 * kd * kd * kd / (3 * pi) * std::log((pi - kd) / (pi + kd)));
}

/// Exact integral of the Green's tensor over the sphere of equal volume (Lakhtakia 1992, Optik 91, 134).
cplx lakhtakia(const Cube& c, cplx m) {
  const cplx ika(0, c.kd * std::cbrt(3 / (4 * pi)));
  return with_self_term(c, m, 8 * pi / 3 * ((1.0 - ika) * std::exp(ika) - 1.0));
}

/// Integral of the Green's tensor over the cube, to second order in kd.
cplx integrated_green(const Cube& c, cplx m) { return with_reaction(c, m, igt_so_b1 * c.kd * c.kd); }

/// a^3 (theta_3(0, exp(-pi a^2))^3 - 1): the sum of a lattice of Gaussians without the central one.
/// theta_3(q(a)) = theta_3(q(1/a))/a, so that three terms of the faster series give all digits.
double gaussian_lattice_sum(double a) {
  const double fast = std::max(a, 1 / a);
  const double q = std::exp(-pi * fast * fast);
  const double tail = 2 * (q + std::pow(q, 4) + std::pow(q, 9));
  if (a >= 1) return a * a * a * tail * (3 + tail * (3 + tail));
  return std::pow(1 + tail, 3) - a * a * a;
}

/// Non-local dipoles of Gaussian width rp: the lattice sum of the non-local interaction is -4 pi/(3V).
cplx non_local(const Cube& c, cplx m, double rp) {
  if (rp == 0) return clausius_mossotti(c, m);
  return with_self_term(c, m, 4 * pi / 3 * gaussian_lattice_sum(c.d / (std::sqrt(2 * pi) * rp)));
}

/// Non-local dipoles averaged over the cube: M = (4 pi/3)(1 - erf(d/(2 sqrt2 rp))^3).
cplx non_local_averaged(const Cube& c, cplx m, double rp) {
  if (rp == 0) return clausius_mossotti(c, m);
  // 1 - erf^3 written with erfc keeps its digits where erf is nearly 1.
  const double t = std::erfc(c.d / (2 * std::sqrt(2.0) * rp));
  return with_self_term(c, m, 4 * pi / 3 * t * (3 - 3 * t + t * t));
}

/// S of the lattice dispersion relation for component i.
double propagation_term(const Simulation& sim, const Vec3& a, const Vec3& e, int i) {
  auto squares = [](const Vec3& u, const Vec3& v) {
    double s = 0;
    for (int c = 0; c < 3; ++c) s += u[c] * u[c] * v[c] * v[c];
    return s;
  };
  if (sim.polarizability == Polarizability::cldr) return a[i] * a[i];
  // Mean over two perpendicular polarizations, whose squares sum to 1 - a_c^2.
  if (sim.ldr_average || sim.orientation.average) return 0.5 * (1 - squares(a, a));
  return squares(a, e);
}

cplx cubical_component(const Simulation& sim, const Cube& c, cplx m, double s) {
  switch (sim.polarizability) {
    case Polarizability::cm:
      return clausius_mossotti(c, m);
    case Polarizability::rrc:
      return with_reaction(c, m, 0);
    case Polarizability::ldr:
    case Polarizability::cldr:
      return lattice_dispersion(c, m, s);
    case Polarizability::fcd:
      return filtered(c, m);
    case Polarizability::dgf:
      return digitized_green(c, m);
    case Polarizability::lak:
      return lakhtakia(c, m);
    case Polarizability::igt_so:
      return integrated_green(c, m);
    case Polarizability::nloc:
      return non_local(c, m, sim.pol_nloc_rp);
    case Polarizability::nloc_av:
      return non_local_averaged(c, m, sim.pol_nloc_rp);
  }
  throw Error(Exit::bug, "unknown polarizability formulation");
}

}  // namespace

std::vector<CVec3> polarizability(const Simulation& sim, const Vec3& spacing, double k, const Vec3& prop,
                                  const Vec3& inc_pol) {
  check_formulation(sim);
  const Cube cube{spacing[0], spacing[0] * spacing[1] * spacing[2], k * spacing[0]};
  if ((sim.polarizability == Polarizability::fcd || sim.interaction == Interaction::fcd) && cube.kd >= pi)
    throw BadInput(fmt::format(
        "filtered coupled dipoles need more than 2 dipoles per wavelength (here {:g}); use a finer grid",
        2 * pi / cube.kd));
  std::vector<CVec3> alpha;
  for (const CVec3& m : sim.m) {
    if (has_rectangular_dipoles(sim)) {
      alpha.push_back(
          rectangular_polarizability(sim.polarizability, m[0], spacing, sim.shape.rectangular, k, prop));
      continue;
    }
    CVec3 a;
    for (int c = 0; c < 3; ++c)
      a[c] = cubical_component(sim, cube, m[c], propagation_term(sim, prop, inc_pol, c));
    alpha.push_back(a);
  }
  return alpha;
}

}  // namespace umov::dda
