// Extrapolation in the size of the dipoles: the fit against statistics, and the grids it takes.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "core/error.hpp"
#include "dda/observables/extrapolation_fit.hpp"
#include "dda/run/grids.hpp"
#include "dda/run/run.hpp"
#include "dda/run/shares.hpp"
#include "support/accuracy_runs.hpp"

using namespace umov;
using test::flagged;

TEST(DdaExtrapolation, ParabolasOfFilledBodiesAndLinesOfSteppedOnesAreFoundExactly) {
  const std::vector<double> y{0.1, 0.15, 0.25, 0.4};
  std::vector<double> values, line;
  for (const double t : y) values.push_back(3 - 0.7 * t + 0.2 * t * t), line.push_back(3 - 0.7 * t);
  EXPECT_NEAR(dda::extrapolate(y, values, true).value, 3, 1e-12);
  EXPECT_NEAR(dda::extrapolate(y, line, false).value, 3, 1e-12);
  // what a line changes on the finest grid is its bar, where nothing scatters
  EXPECT_NEAR(dda::extrapolate(y, line, false).error, 0.7 * 0.1, 1e-12);
}

// A bisphere's neck jumps between grids: the fit runs away from values that differ little.
TEST(DdaExtrapolation, AChangeBeyondWhatTheGridsDifferByIsNotBelieved) {
  const std::vector<double> y{0.5, 0.55, 0.6, 0.7, 0.8, 0.9, 1};
  const std::vector<double> values{1.02, 1.0, 1.01, 1.0, 1.005, 0.9995, 1.0};
  for (const bool cubical : {false, true}) {
    const auto x = dda::extrapolate(y, values, cubical);
    EXPECT_FALSE(x.believed);
    EXPECT_EQ(x.value, values.front());
    EXPECT_GE(x.error, 0.0205) << "all that the grids differ by";
  }
}

// A metal's line passes zero: -246 % of a cross section is no answer.
TEST(DdaExtrapolation, ABarOfMoreThanHalfTheValueLeavesTheFinestGrid) {
  const std::vector<double> y{0.5, 0.55, 0.6, 0.7, 0.8, 0.9, 1};
  std::vector<double> steep, gentle;
  for (const double t : y) steep.push_back(1 + 1.5 * (t - 0.5)), gentle.push_back(1 + 0.1 * (t - 0.5));
  const auto x = dda::extrapolate(y, steep, false);
  EXPECT_FALSE(x.believed);
  EXPECT_EQ(x.value, 1);
  EXPECT_GE(x.error, 0.75 - 1e-12);
  EXPECT_TRUE(dda::extrapolate(y, gentle, false).believed);
}

// Errors that grow as y^1.5, as they do at edges between the linear and the quadratic law, are smooth: their
// parabola fits them to 10 standard errors of next to nothing, and is off.
TEST(DdaExtrapolation, ErrorsThatNoParabolaHasAreWithinTheBar) {
  const std::vector<double> y{0.5, 0.6, 0.7, 0.85, 1};
  for (const double power : {1.2, 1.4, 1.5, 1.6, 1.8}) {
    std::vector<double> values;
    for (const double t : y) values.push_back(1 + 0.1 * std::pow(t, power));
    const auto x = dda::extrapolate(y, values, true);
    EXPECT_LE(std::abs(x.value - 1), x.error) << power;
    EXPECT_LE(x.error, 0.1) << power << ": less than the coarsest grid is off";
  }
}

// What materials have too much on a grid is taken out: two of them, whose surpluses scatter by per cents.
TEST(DdaExtrapolation, SurplusesOfMaterialsAreTakenOut) {
  std::mt19937_64 random(3);
  std::normal_distribution<double> normal;
  std::vector<double> y, values;
  std::vector<std::vector<double>> surplus(2);
  for (int j = 0; j < 11; ++j) {
    y.push_back(0.5 * std::pow(2, j / 10.0));
    for (auto& s : surplus) s.push_back(0.03 * normal(random));
    values.push_back(2 + 0.2 * y[j] + 1.5 * surplus[0][j] - 0.8 * surplus[1][j]);
  }
  const auto with = dda::extrapolate(y, values, false, surplus), without = dda::extrapolate(y, values, false);
  EXPECT_NEAR(with.value, 2, 1e-12);
  EXPECT_GT(without.error, 0.1) << "the scatter";
  // the same column twice, and one of zeros, change nothing
  const auto twice =
      dda::extrapolate(y, values, false, {surplus[0], surplus[1], surplus[1], std::vector<double>(11, 0.0)});
  EXPECT_NEAR(twice.value, 2, 1e-11);
  // as many grids as terms tell nothing: then they are left out
  const auto few = [](std::vector<double> all) {
    all.resize(5);
    return all;
  };
  const auto short_of = dda::extrapolate(few(y), few(values), false, {few(surplus[0]), few(surplus[1])});
  EXPECT_GT(short_of.error, 0);
  const auto none = [](std::vector<double> all) {
    all.resize(4);
    return all;
  };
  EXPECT_DOUBLE_EQ(dda::extrapolate(none(y), none(values), false, {none(surplus[0]), none(surplus[1])}).value,
                   dda::extrapolate(none(y), none(values), false).value);
}

TEST(DdaExtrapolation, SharesOfMaterialsAreThoseOfTheShape) {
  shapes::Request coated;
  coated.shape = "coated";
  coated.arguments = {0.6};
  coated.size = 1;
  coated.grid = {15, 0, 0};
  const auto particle = shapes::make_particle(coated);
  const auto shares = dda::true_shares(coated, particle.box);
  ASSERT_EQ(shares.size(), 2u);
  // lattice points miss the volume of a ball of R spacings by some R^-1.5, four lattices by half of that; the
  // core has an R of some 65
  const double off = 0.5 * 0.216 * std::pow(65, -1.5);
  EXPECT_NEAR(shares[1], 0.216, off);
  const auto surplus = dda::share_surplus(particle, shares);
  ASSERT_EQ(surplus.size(), 1u);
  EXPECT_NEAR(surplus[0], double(particle.dipoles_per_material[0]) / double(particle.dipoles()) - (1 - 0.216),
              off);
}

TEST(DdaExtrapolation, TwoAndThreeGridsCountTheirWholeChangeAsError) {
  // the line through both, and the parabola through three
  const auto two = dda::extrapolate({0.2, 0.4}, {1.1, 1.3}, true);
  EXPECT_NEAR(two.value, 0.9, 1e-12);
  EXPECT_NEAR(two.error, 0.2, 1e-12);
  const auto three = dda::extrapolate({0.4, 0.2, 0.1}, {1.16, 1.04, 1.01}, true);  // 1 + y^2
  EXPECT_NEAR(three.value, 1, 1e-12);
  EXPECT_NEAR(three.error, 0.01, 1e-12);
}

// Errors that are normal with a deviation growing as y^3, as the fit takes them to be: a0 over its standard
// error is Student's t, of which 99 % lie within the standard errors of a bar; the change on the finest grid,
// of nothing but scatter here, makes bars longer.
TEST(DdaExtrapolation, BarsOfSteppedBodiesHoldTheTruthAsOftenAsStudentSays) {
  std::mt19937_64 random(1);
  std::normal_distribution<double> normal;
  constexpr int trials = 20000;
  for (const int grids : {4, 5, 6, 9}) {
    std::vector<double> y;
    for (int j = 0; j < grids; ++j) y.push_back(0.5 * std::pow(2, j / (grids - 1.0)));
    int held = 0;
    for (int i = 0; i < trials; ++i) {
      std::vector<double> values;
      for (const double t : y) values.push_back(2 + 0.05 * t * t * t * normal(random));
      const auto x = dda::extrapolate(y, values, false);
      held += std::abs(x.value - 2) <= x.error;
    }
    EXPECT_GE(double(held) / trials, 0.99 - 4 * std::sqrt(0.99 * 0.01 / trials)) << grids;
  }
}

TEST(DdaAccuracyGrids, AreMultiplesForABoxAndAllNumbersForGivenSites) {
  const auto grids = [](const std::string& flags) {
    const auto sim = flagged(flags);
    return dda::Grids(sim, dda::plan(sim, sim.machine).particle);
  };
  const auto sphere = grids("--shape-grid 16");
  EXPECT_FALSE(sphere.cubical());
  EXPECT_EQ(sphere.fitted(32), (std::vector<int>{16, 17, 19, 21, 23, 25, 27, 29, 32}));
  EXPECT_EQ(sphere.fitted(35, {16, 17, 19, 21, 23, 25, 27, 29, 32}),
            (std::vector<int>{18, 19, 21, 23, 25, 27, 29, 32, 35}))
      << "of those before, what lies within the half";
  const auto cube = grids("--shape box --shape-grid 16");
  EXPECT_TRUE(cube.cubical());
  EXPECT_EQ(cube.fitted(16), (std::vector<int>{8, 10, 11, 13, 16}));
  const auto brick = grids("--shape box --shape-arguments 0.5,1.5 --shape-grid 17");
  EXPECT_TRUE(brick.cubical());
  EXPECT_EQ(brick.own() % 2, 0) << "half the edge is a whole number of dipoles";
  EXPECT_FALSE(grids("--shape box --shape-arguments 0.618,1 --shape-grid 16").cubical());
  const auto rough = grids("--shape-grid 5 --jagged 2");
  EXPECT_TRUE(rough.cubical());
  EXPECT_EQ(rough.fitted(5), (std::vector<int>{2, 3, 4, 5}));
  EXPECT_EQ(rough.on(3).shape.jagged, 3);
  EXPECT_EQ(dda::plan(rough.on(3)).particle.box, (Int3{15, 15, 15}));
}

TEST(DdaAccuracyGrids, MoreMaterialsThanAFitCanTellApartAreRefused) {
  const auto grids = [](const std::string& flags) {
    const auto sim = flagged(flags);
    return dda::Grids(sim, dda::plan(sim, sim.machine).particle);
  };
  const auto m = [](int n) {
    std::string out;
    for (int i = 0; i < n; ++i) out += fmt::format(" --m 1.{}", 2 + i);
    return out;
  };
  EXPECT_EQ(grids("--shape onion --shape-arguments 0.8,0.6 --shape-grid 32" + m(3)).fitted(32).size(), 11u);
  EXPECT_THROW(grids("--shape onion --shape-arguments 0.9,0.8,0.7,0.6,0.5,0.4,0.3 --shape-grid 32" + m(8)),
               BadInput);
}
