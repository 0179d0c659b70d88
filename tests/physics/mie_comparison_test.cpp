// Which runs have a Mie answer, and that it is the right sphere's.
#include "dda/output/mie_comparison.hpp"

#include <gtest/gtest.h>

namespace umov::dda {
namespace {

dda::Outcome sphere_run() {
  dda::Outcome o;
  o.simulation.wavelength = 0.5;
  o.simulation.shape.shape = "sphere";
  const cplx m(1.5, 0.1);
  o.simulation.m = {{m, m, m}};
  o.particle.eq_radius = 0.4;
  o.polarizations.resize(1);
  for (const double theta : {0.0, 40.0, 180.0, 300.0}) o.plane.push_back({theta, 0, {}, {}, {}, {}});
  return o;
}

TEST(MieComparison, SphereIsComparedAtItsEqualVolumeSize) {
  const auto o = sphere_run();
  const auto sphere = equivalent_sphere(o);
  ASSERT_TRUE(sphere);
  EXPECT_DOUBLE_EQ(sphere->x, 2 * pi * 0.4 / 0.5);
  const auto c = compare_with_mie(o);
  ASSERT_TRUE(c);
  EXPECT_DOUBLE_EQ(c->qext, mie::efficiencies(*sphere).qext);
  ASSERT_EQ(c->theta.size(), 4u);
  const auto m = mie::mueller(mie::amplitudes(mie::coefficients(*sphere), std::cos(40 * pi / 180)));
  EXPECT_NEAR(c->s11[1], m[0], 1e-12 * m[0]);
}

TEST(MieComparison, CoatedSphereHasTheShellFirst) {
  auto o = sphere_run();
  o.simulation.shape.shape = "coated";
  o.simulation.shape.arguments = {0.6};
  o.simulation.m.push_back({cplx(2), cplx(2), cplx(2)});
  const auto sphere = equivalent_sphere(o);
  ASSERT_TRUE(sphere);
  EXPECT_DOUBLE_EQ(sphere->core_x, 0.6 * sphere->x);
  EXPECT_EQ(sphere->core_m, cplx(2));
  EXPECT_EQ(sphere->m, cplx(1.5, 0.1));
  EXPECT_FALSE(compare_with_mie(o)->intensity);
}

TEST(MieComparison, OtherParticlesHaveNone) {
  auto o = sphere_run();
  o.simulation.shape.shape = "box";
  EXPECT_FALSE(compare_with_mie(o));
  o = sphere_run();
  o.simulation.anisotropic = true;
  EXPECT_FALSE(compare_with_mie(o));
  o = sphere_run();
  o.simulation.beam.kind = dda::BeamKind::davis3;
  EXPECT_FALSE(compare_with_mie(o));
}

TEST(MieComparison, IntensityTurnsWithPolarizationAndDirection) {
  // The same point of the sphere relative to the wave, lit from two directions.
  auto o = sphere_run();
  const auto first = compare_with_mie(o)->intensity;  // along z, polarised along y
  o.propagation = {1, 0, 0};
  o.polarizations[0].inc_pol = {0, 0, 1};
  const auto second = compare_with_mie(o)->intensity;  // z -> x, y -> z, x -> y
  EXPECT_NEAR(first({0.1, 0.2, -0.15}), second({-0.15, 0.1, 0.2}), 1e-12);
  EXPECT_GT(std::abs(first({0.1, 0.2, -0.15}) - first({0.2, 0.1, -0.15})), 1e-3);
}

}  // namespace
}  // namespace umov::dda
