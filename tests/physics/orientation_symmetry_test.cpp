// Averages over orientations of bodies with rotational symmetry, exact and nearly so, against quadratures of
// single runs.
#include "dda/observables/orientation_symmetry.hpp"

#include <gtest/gtest.h>

#include "dda/observables/angles.hpp"
#include "support/dda_runs.hpp"

namespace umov {
namespace {

using dda::Outcome;
using dda::Simulation;
using dda::Turns;

/// Nodes and weights of Gauss's rule with 6 points on [0, 1] (Abramowitz and Stegun 1964, table 25.4,
/// mapped).
constexpr std::array<double, 6> nodes{0.033765242898424, 0.169395306766868, 0.380690406958402,
                                      0.619309593041598, 0.830604693233132, 0.966234757101576};
constexpr std::array<double, 6> weights{0.085662246189585, 0.180380786524069, 0.233956967286346,
                                        0.233956967286346, 0.180380786524069, 0.085662246189585};

/// A cube of 7 dipoles across (kd = 0.7, m = 1.7),
/// less what `lacks` says.
template <class Lacks>
std::string cube(Lacks lacks) {
  test::Sites sites;
  for (int z = 0; z < 7; ++z)
    for (int y = 0; y < 7; ++y)
      for (int x = 0; x < 7; ++x)
        if (!lacks(x, y, z)) sites[{x, y, z}] = 1;
  return test::shape_text(sites);
}

struct OrientationSymmetry : testing::Test {
  test::Scratch folder;

  std::string command(const std::string& shape) const {
    return fmt::format(
        "-shape read {} -m 1.7 0.05 -lambda 6.283185307179586 -dpl 9 -pol rrc -eps 6 -scat_matr none",
        folder.write("p.geom", shape));
  }

  Outcome averaged(const std::string& shape, dda::Front front) const {
    return test::run(command(shape), [&](Simulation& sim) {
      sim.front = front;
      sim.orientation.average = true;
    });
  }

  /// Cext and Cabs by Gauss's rule in cos beta over [0, 1] (Cext is the same from behind) and 12 gammas.
  std::array<double, 2> quadrature(const std::string& shape) const {
    std::array<double, 2> sum{};
    for (std::size_t i = 0; i < nodes.size(); ++i)
      for (int j = 0; j < 12; ++j) {
        const auto one = test::run(command(shape), [&](Simulation& sim) {
          sim.orientation.beta = std::acos(nodes[i]) * 180 / pi;
          sim.orientation.gamma = 30 * (j + 0.3);
        });
        for (const auto& p : one.polarizations) {
          const double share = weights[i] / 12 / double(one.polarizations.size());
          sum[0] += share * p.cross.cext;
          sum[1] += share * p.cross.cabs;
        }
      }
    return sum;
  }

  void expect_right(const std::string& shape) const {
    const auto exact = quadrature(shape);
    const auto c = averaged(shape, dda::Front::dda).polarizations.at(0).cross;
    // 1e-3 is asked for in Cext
    EXPECT_NEAR(c.cext / exact[0], 1, 1e-3);
    EXPECT_NEAR(c.cabs / exact[1], 1, 3e-3);
  }
};

TEST_F(OrientationSymmetry, AverageOfACubeIsThatOfAQuadrature) {
  expect_right(cube([](int, int, int) { return false; }));
}

TEST_F(OrientationSymmetry, AverageOfABodyThatIsNearlyItsOwnImageIsThatOfAQuadrature) {
  // a voxel of the 343 is missing: no rotation maps it on itself, and yet four gammas see nearly the same
  expect_right(cube([](int x, int y, int z) { return x == 6 && y == 6 && z == 6; }));
}

TEST_F(OrientationSymmetry, AddasAnglesStayAddasAndAreWarnedOf) {
  const std::string shape = cube([](int, int, int) { return false; });
  const auto adda = averaged(shape, dda::Front::adda);
  ASSERT_FALSE(adda.warnings.empty());
  EXPECT_NE(adda.warnings.back().find("the first 4 angles of gamma are equivalent"), std::string::npos);
  EXPECT_NE(adda.warnings.back().find("give gamma from 0 to 90 (or Jmin=4)"), std::string::npos);
  // 4.5e-3 (measured), called 1e-3
  EXPECT_GT(std::abs(adda.polarizations[0].cross.cext / quadrature(shape)[0] - 1), 3e-3);
}

TEST_F(OrientationSymmetry, TimesOfAllOrientationsAreCounted) {
  const auto o = test::run(command(cube([](int, int, int) { return false; })), [](Simulation& sim) {
    sim.orientation.average = true;
    sim.outputs.mueller = true;
  });
  std::map<std::string, int> rows;
  for (const auto& t : o.timings) ++rows[t.name];
  EXPECT_GT(rows["scattered field"], 0);
  EXPECT_GT(rows["cross sections"], 0);
}

TEST(ParticleTurns, AreThoseOfItsVoxelsAndMaterials) {
  const auto turns = [](const std::string& command) {
    const auto sim = test::simulation(command);
    return dda::turns_of(shapes::make_particle(sim.shape), sim.m);
  };
  const auto expect = [](const Turns& t, int about_z, bool over) {
    EXPECT_EQ(t.about_z, about_z);
    EXPECT_EQ(t.over, over);
  };
  expect(turns("-shape box -grid 6"), 4, true);
  expect(turns("-shape box 2 1 -grid 6"), 2, true);
  expect(turns("-shape box -grid 6 -anisotr -m 1.5 0 1.6 0 1.5 0"), 2, true);
  expect(turns("-shape box -grid 6 -anisotr -m 1.5 0 1.5 0 1.6 0"), 4, true);
  expect(turns("-shape egg 0.5 0.3 -grid 12"), 4, false);
  test::Scratch folder;
  const auto read = [&](const char* text) {
    return turns("-shape read " + folder.write("p.geom", text) + " -grid 8");
  };
  expect(read("0 0 0\n1 0 0\n0 1 0\n"), 1, true);          // an L turns over its diagonal
  expect(read("0 0 0\n1 0 0\n0 1 0\n0 0 1\n"), 1, false);  // three arms turn about (1, 1, 1) alone
  expect(read("0 0 0\n1 1 0\n0 1 1\n1 0 1\n"), 2, true);   // a tetrahedron
  expect(read("0 0 0\n1 0 0\n2 0 0\n0 0 1\n"), 1, false);
}

TEST(OrientationAngles, OfASymmetricBodyArePeriodsOfIt) {
  const auto all = dda::load_orientation_angles("");
  const auto part = dda::use_turns(all, {4, true});
  EXPECT_EQ(part.gamma.max, 90);
  EXPECT_EQ(part.beta.max, 90);
  EXPECT_EQ(part.beta.axis.lower, 0);
  EXPECT_EQ(part.beta.axis.upper, 1);
  // sixteen angles, then the same shifted by 5/14 of the range
  ASSERT_EQ(part.gamma.values.size(), 32u);
  EXPECT_NEAR(part.gamma.values[17], 90.0 / 16 + 90 * 5.0 / 14, 1e-12);
  EXPECT_EQ(dda::use_turns(all, {2, false}).gamma.max, 180);
  EXPECT_EQ(dda::use_turns(all, {2, false}).beta.max, 180);
  EXPECT_EQ(dda::use_turns(all, {1, true}).beta.max, 90);
  auto quarter = all;  // of alpha: nothing turns the particle over
  quarter.alpha = dda::make_integration_angle({.max = 90, .equivalent = false, .periodic = false}, false, "");
  EXPECT_EQ(dda::use_turns(quarter, {4, true}).beta.max, 180);
  EXPECT_TRUE(dda::estimate_is_blind(all, {4, true}));
  EXPECT_FALSE(dda::estimate_is_blind(all, {2, true}));
}

}  // namespace
}  // namespace umov
