// Cuts through a particle: which planes, and which dipoles' intensity.
#include "dda/observables/field_cuts.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace umov::dda {
namespace {

/// A full box of 5 x 4 x 2 dipoles but one, 0.1 um apart.
shapes::Particle box() {
  shapes::Particle p;
  p.box = {5, 4, 2};
  p.spacing = {0.1, 0.1, 0.1};
  p.material.assign(40, 1);
  p.material[0] = 0;
  p.dipoles_per_material = {39};
  return p;
}

Simulation beam_at(double x, double y) {
  Simulation sim;
  sim.beam.kind = BeamKind::barton5;
  sim.beam.center = {x, y, 0};
  return sim;
}

using GivenPlanes = std::array<int, 2>;

TEST(FieldCuts, LieInTheMiddleOrAtTheBeamsCentreWithinTheBox) {
  const auto p = box();
  EXPECT_EQ(cut_planes(p, Simulation{}), (GivenPlanes{2, 2}));
  EXPECT_EQ(cut_planes(p, beam_at(0, 0)), (GivenPlanes{2, 2}));
  EXPECT_EQ(cut_planes(p, beam_at(0.18, -0.13)), (GivenPlanes{4, 0}));
  EXPECT_EQ(cut_planes(p, beam_at(-0.2, 7)), (GivenPlanes{0, 2})) << "outside of the box along y";
}

TEST(FieldCuts, HaveTheIntensityOfTheirDipoles) {
  const auto p = box();
  std::vector<CVec3> field;  // of dipole (x, y, z): |E|^2 = (1 + x + 10 y + 100 z)^2
  for (int z = 0; z < 2; ++z)
    for (int y = 0; y < 4; ++y)
      for (int x = 0; x < 5; ++x)
        if (x + y + z > 0) field.push_back({cplx(1 + x + 10 * y + 100 * z), 0, 0});
  const auto cuts = cuts_of(p, {0, 2, 0, field, field}, {4, 0});
  ASSERT_EQ(cuts[0].size(), 8u);
  ASSERT_EQ(cuts[1].size(), 10u);
  for (int z = 0; z < 2; ++z) {
    for (int y = 0; y < 4; ++y)
      EXPECT_DOUBLE_EQ(std::sqrt(cuts[0][std::size_t(4 * z + y)]), 5 + 10 * y + 100 * z);
    for (int x = z == 0 ? 1 : 0; x < 5; ++x)
      EXPECT_DOUBLE_EQ(std::sqrt(cuts[1][std::size_t(5 * z + x)]), 1 + x + 100 * z);
  }
  EXPECT_TRUE(std::isnan(cuts[1][0])) << "the void";
}

}  // namespace
}  // namespace umov::dda
