// Modes of planes in space: a fibre against its exact index, a strip against a published one, orthogonality.
#include <gtest/gtest.h>

#include <boost/math/special_functions/bessel.hpp>
#include <boost/math/special_functions/bessel_prime.hpp>
#include <boost/math/tools/roots.hpp>

#include "core/error.hpp"
#include "modes/modes_cases.hpp"

namespace umov::modes {
namespace {

/// HE11 of a rod of index n1 in n2 (Snyder and Love 1983, Optical Waveguide Theory, chapter 12).
double fibre(double n1, double n2, double radius, double lambda) {
  using namespace boost::math;
  const double k = 2 * pi / lambda;
  const auto f = [&](double n) {
    const double u = radius * k * std::sqrt(n1 * n1 - n * n), w = radius * k * std::sqrt(n * n - n2 * n2);
    const double j = cyl_bessel_j_prime(1, u) / (u * cyl_bessel_j(1, u));
    const double q = cyl_bessel_k_prime(1, w) / (w * cyl_bessel_k(1, w));
    const double v = 1 / (u * u) + 1 / (w * w);
    return (j + q) * (n1 * n1 * j + n2 * n2 * q) - n * n * v * v;
  };
  double high = n1 - 1e-9, step = 1e-3;
  while (f(high) * f(high - step) > 0) high -= step;
  return tools::bisect(f, high - step, high, tools::eps_tolerance<double>(45)).first;
}

Simulation space(double y, double z, double resolution, double lambda) {
  Simulation s;
  s.model.size = {1, y, z};
  s.model.resolution = resolution;
  s.model.pml.layers = 2;
  s.wavelengths = {lambda};
  s.levels = 1;
  s.dispersion = false;
  return s;
}

TEST(Modes, AFibreHasItsExactIndexAndGroupIndex) {
  const double lambda = 2, radius = 0.5;
  Simulation s = space(4, 4, 12, lambda);
  s.model.materials = {test::medium("core", 2)};
  fdtd::BodySpec rod;
  rod.shape = "cylinder";
  rod.axis = {1, 0, 0};
  rod.radius = radius;
  rod.material = "core";
  s.model.bodies = {rod};
  s.count = 2;
  s.levels = 3;
  const Outcome o = run(s, 2, {});
  const double exact = fibre(2, 1, radius, lambda), h = 1e-3;
  const double group =
      exact - lambda * (fibre(2, 1, radius, lambda + h) - fibre(2, 1, radius, lambda - h)) / (2 * h);
  ASSERT_EQ(o.modes[0].size(), 2u);
  EXPECT_NEAR(o.modes[0][0].n_eff.real(), o.modes[0][1].n_eff.real(), 1e-7) << "two polarisations";
  // A few cells to the radius; the plane ends where the field has fallen to 1e-2 (measured 5e-3).
  EXPECT_NEAR(o.modes[0][0].n_eff.real(), exact, 0.02);
  EXPECT_NEAR(o.extrapolated[0].n_eff.value, exact, 5e-3);
  EXPECT_NEAR(o.modes[0][0].n_group, group, 0.05);
  EXPECT_LT(o.orthogonality, 1e-6);
}

/// Silicon strip in silica.
Simulation strip(double width, double height, double resolution) {
  Simulation s = space(2, 1.6, resolution, 1.55);
  s.model.materials = {test::medium("silica", 1.444), test::medium("silicon", 3.476)};
  s.model.background = "silica";
  fdtd::BodySpec b;
  b.material = "silicon";
  b.size = Vec3{0, width, height};
  s.model.bodies = {b};
  return s;
}

// 500 nm x 220 nm at 1.55 um: n_eff 2.445, n_g 4.198 with the dispersion of silicon (Chrostowski and Hochberg
// 2015, Silicon Photonics Design, chapter 3), of which -dn/dlambda lambda = 0.12 is missing here.
TEST(Modes, AStripHasThePublishedIndices) {
  Simulation s = strip(0.5, 0.22, 50);
  s.levels = 2;
  s.count = 2;
  const Outcome o = run(s, 2, {});
  ASSERT_EQ(o.modes[0].size(), 2u);
  const Mode& te = o.modes[0][0];
  EXPECT_NEAR(o.extrapolated[0].n_eff.value, 2.445, 0.01);
  EXPECT_NEAR(o.extrapolated[0].n_group.value, 4.198 - 0.12, 0.05);
  EXPECT_GT(te.te, 0.9);
  EXPECT_LT(o.modes[0][1].te, 0.2);
  EXPECT_LT(o.orthogonality, 1e-8);
  EXPECT_LT(te.residual, 1e-9);
  EXPECT_NEAR(te.confined[0] + te.confined[1] + (te.confined.size() > 2 ? te.confined[2] : 0), 1, 1e-9);
}

TEST(Modes, GroupIndexIsTheDifferenceOfIndicesOfTheGrid) {
  Simulation s = strip(0.5, 0.22, 20);
  const Section section = make_section(s);
  const double f = 1 / 1.55, h = 1e-3 * f;
  const auto index = [&](double at) { return solve(section, s, at).at(0); };
  const double slope = ((f + h) * index(f + h).n_eff.real() - (f - h) * index(f - h).n_eff.real()) / (2 * h);
  EXPECT_NEAR(index(f).n_group, slope, 1e-4);  // second order in h
}

TEST(Modes, AMirrorAndAnAbsorberLeaveAGuidedMode) {
  Simulation s = strip(0.5, 0.22, 20);
  const Mode whole = test::only(s);
  s.absorber = 6;
  const Mode open = test::only(s);
  EXPECT_NEAR(open.n_eff.real(), whole.n_eff.real(), 1e-4);
  EXPECT_LT(std::abs(open.n_eff.imag()), 1e-4);  // layers of six cells, measured 3e-5
  s.absorber = 0;
  s.model.walls[1][0] = fdtd::WallKind::mirror_odd;  // E along y is even about it: tangential Ez odd
  const Mode half = test::only(s);
  EXPECT_NEAR(half.n_eff.real(), whole.n_eff.real(), 1e-6);
}

TEST(Modes, APlaneThatGuidesNothingIsRefused) {
  Simulation s = space(2, 2, 10, 1);
  EXPECT_THROW(run(s, 1, {}), BadInput);
}

}  // namespace
}  // namespace umov::modes
