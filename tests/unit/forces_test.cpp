// Radiation forces against ADDA's and against the gradient of a dipole's field.
#include <gtest/gtest.h>

#include <algorithm>

#include "adda_samples.hpp"
#include "dda/observables/radiation_force.hpp"

using namespace umov;
using namespace umov::dda;

namespace {

std::vector<CVec3> plane_wave(const std::vector<Vec3>& r, double k, const Vec3& prop, const Vec3& e0) {
  std::vector<CVec3> e(r.size());
  for (std::size_t j = 0; j < r.size(); ++j) {
    const cplx phase = std::polar(1.0, k * dot(prop, r[j]));
    for (int c = 0; c < 3; ++c) e[j][c] = e0[c] * phase;
  }
  return e;
}

/// The rows of RadForce, of all dipoles or some, and the sums in CrossSec.
void expect_forces(const std::string& folder, const samples::Dipoles& d, double wavelength, const Vec3& prop,
                   char label, bool reference) {
  const double k = 2 * pi / wavelength;
  const BeamFrame frame = make_beam_frame(prop, {});
  const auto incident = plane_wave(d.r, k, frame.propagation, label == 'Y' ? frame.pol_y : frame.pol_x);
  const auto forces = radiation_forces(d.r, d.p, incident, k, frame.propagation);
  const auto expected = samples::table(folder + "/RadForce-" + label);
  ASSERT_FALSE(expected.empty());
  double scale = 0, worst = 0;
  for (const auto& row : expected) {
    const Vec3 f{row[4], row[5], row[6]};
    const auto at = std::find(d.r.begin(), d.r.end(), Vec3{row[0], row[1], row[2]});
    ASSERT_NE(at, d.r.end());
    const std::size_t j = at - d.r.begin();
    scale = std::max(scale, norm(f));
    worst = std::max(worst, norm(f - forces.per_dipole[j]));
  }
  // near neighbours' forces are many times the net one, which costs about a digit of the ten printed
  EXPECT_LT(worst, 1e-8 * scale);
  CrossSections cross;
  set_force_cross_sections(forces, frame, cross);
  const std::string file = folder + "/CrossSec-" + label;
  const double cext = samples::quantity(file, "Cext")[0];
  const auto a = samples::quantity(file, "Cext.a"), g = samples::quantity(file, "Csca.g", 1),
             pr = samples::quantity(file, "Cpr");
  // positions have seven digits where the wavelength is 6.2832, and enter through nearest distances
  const double tolerance = (reference ? 1e-8 : 2e-9) * cext;
  for (int c = 0; c < 3; ++c) {
    EXPECT_NEAR((*cross.cext_a)[c], a[c], tolerance);
    EXPECT_NEAR((*cross.csca_g_force)[c], g[c], tolerance);
    EXPECT_NEAR((*cross.cpr)[c], pr[c], tolerance);
  }
}

}  // namespace

TEST(Forces, MatchAddaOnAnObliqueAnisotropicParticle) {
  const std::string folder = samples::data("oblique");
  for (char label : {'Y', 'X'})
    expect_forces(folder, samples::dipoles(folder + "/DipPol-" + label), 5, {1, 2, -1.5}, label, false);
}

TEST(Forces, SampleRunsOfTheReferenceMatch) {
  const samples::SphereRun sphere = samples::sphere_run();
  expect_forces(sphere.folder, sphere.y, 6.2832, {0, 0, 1}, 'Y', true);
  if (!sphere.whole) return;
  const std::string aniso = samples::reference("outputs/ref_aniso");
  expect_forces(aniso, samples::dipoles(aniso + "/DipPol-X"), 6.2832, {1, 2, 3}, 'X', true);
}

TEST(Forces, EqualTheGradientOfTheOtherDipolesField) {
  const double k = 1.3;
  const Vec3 origin{0.2, -0.1, 0.4}, place{1.0, 0.5, -0.3};
  const CVec3 p{cplx(0.3, 0.1), cplx(-0.2, 0.5), cplx(0.7, -0.4)};
  const CVec3 q{cplx(-0.1, 0.6), cplx(0.4, 0.2), cplx(0.2, 0.9)};
  auto work = [&](const Vec3& r) {  // Re conj(q).E(r) / 2, E from Jackson eq. 9.18 without rearrangement
    const Vec3 d = r - origin;
    const double s = norm(d);
    const Vec3 n = (1 / s) * d;
    const cplx wave = std::polar(1.0, k * s), pn = dot(p, n);
    cplx sum = 0;
    for (int c = 0; c < 3; ++c) {
      const cplx far = k * k / s * (p[c] - n[c] * pn);
      const cplx near = (3.0 * n[c] * pn - p[c]) * cplx(1 / (s * s * s), -k / (s * s));
      sum += std::conj(q[c]) * wave * (far + near);
    }
    return 0.5 * sum.real();
  };
  const std::vector<Vec3> r{place, origin};
  const std::vector<CVec3> both{q, p};
  std::vector<Vec3> force(2, Vec3{0, 0, 0});
  dipole_forces_direct(r, both, k, force);
  const double h = 1e-4;
  for (int c = 0; c < 3; ++c) {
    Vec3 a = place, b = place, a2 = place, b2 = place;
    a[c] += h;
    b[c] -= h;
    a2[c] += 2 * h;
    b2[c] -= 2 * h;
    // fourth-order difference: truncation about h^4, rounding about 1e-16/h
    const double slope = (8 * (work(a) - work(b)) - (work(a2) - work(b2))) / (12 * h);
    EXPECT_NEAR(force[0][c], slope, 1e-10) << c;
  }
}

TEST(Forces, StaticDipolesActAndReact) {
  const std::vector<Vec3> r{{0, 0, 0}, {0, 0, 1}};
  const std::vector<CVec3> p{{cplx(1), cplx(0), cplx(0.5)}, {cplx(-2), cplx(1), cplx(1)}};
  std::vector<Vec3> force(2, Vec3{0, 0, 0});
  dipole_forces_direct(r, p, 1e-9, force);
  EXPECT_NEAR(norm(force[0] + force[1]), 0, 1e-12);
  EXPECT_GT(norm(force[0]), 1);
}

TEST(Forces, PositionsRunOverOccupiedSitesXFastest) {
  shapes::Particle particle;
  particle.box = {2, 1, 2};
  particle.material = {0, 1, 1, 1};
  particle.spacing = {1, 2, 4};
  particle.dipoles_per_material = {3};
  const auto r = dipole_positions(particle);
  ASSERT_EQ(r.size(), 3u);
  EXPECT_EQ(r[0], (Vec3{0.5, 0, -2}));
  EXPECT_EQ(r[1], (Vec3{-0.5, 0, 2}));
}
