// Runs to an accuracy: the fit against statistics, error bars against Mie theory, the T-matrix and the
// electrostatics of spheroids, what ends a refinement.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <random>
#include <stdexcept>
#include <string>

#include "core/error.hpp"
#include "dda/command/front.hpp"
#include "dda/observables/extrapolation_fit.hpp"
#include "dda/run/accuracy.hpp"
#include "dda/run/grids.hpp"
#include "dda/run/many.hpp"
#include "dda/run/run.hpp"
#include "mie/mie.hpp"
#include "support/adda_cases.hpp"
#include "support/spheroid.hpp"

using namespace umov;

namespace {

dda::Simulation simulation(const std::string& flags) {
  return dda::parse(
             test::words(flags + " --backend cpu --threads 1 --no-pictures --no-hdf5 --no-mueller-matrix"))
      .simulation;
}

const dda::ExtrapolatedQuantity& quantity(const dda::Extrapolation& e, const std::string& name) {
  for (const auto& q : e.quantities)
    if (q.name == name) return q;
  throw std::runtime_error("no quantity " + name);
}

/// How many error bars there are, and how many hold the truth.
struct Held {
  int bars = 0, holding = 0;
  void add(const dda::Extrapolated& x, double truth, double most = 1) {
    ++bars;
    holding += std::abs(x.value - truth) <= most * x.error;
  }
};

struct Body {
  const char* name;
  std::string flags;
  mie::Sphere sphere;
  double radius;  ///< um
};

/// Spheres of one and two materials, of glass, absorbing, metallic.
std::vector<Body> bodies() {
  const auto x = [](double radius, double wavelength) { return 2 * pi * radius / wavelength; };
  return {{"glass", "--eq-radius 0.3 --lambda 1.2 --m 1.5", {x(0.3, 1.2), 1.5}, 0.3},
          {"soft", "--eq-radius 0.4 --lambda 1 --m 1.3,0.01", {x(0.4, 1.0), cplx(1.3, 0.01)}, 0.4},
          {"metal", "--eq-radius 0.1 --lambda 1.2 --m 0.8,1.5", {x(0.1, 1.2), cplx(0.8, 1.5)}, 0.1},
          {"coated",
           "--eq-radius 0.3 --lambda 1.2 --shape coated --shape-arguments 0.6 --m 1.33 --m 1.6,0.05",
           {x(0.3, 1.2), 1.33, 0.6 * x(0.3, 1.2), cplx(1.6, 0.05)},
           0.3}};
}

/// Every fit of nine grids whose finest lies in the range, against the true cross sections (um^2; cabs 0:
/// no absorption); one run a grid.
Held bars_against(const std::string& flags, int from, int to, double cext, double cabs) {
  const auto sim = simulation(fmt::format("{} --shape-grid {} --epsilon 1e-6", flags, from));
  const dda::Outcome own = dda::plan(sim);
  const dda::Grids grids(sim, own.particle);
  std::map<int, dda::CaseRow> rows;
  Held held;
  for (int finest = from; finest <= to; ++finest) {
    std::vector<double> y, ext, abs;
    for (const int n : grids.fitted(finest)) {
      if (!rows.count(n)) rows[n] = dda::row_of(dda::run(grids.on(n)));
      y.push_back(rows[n].spacing[0]);
      ext.push_back(rows[n].polarizations[0].cross.cext);
      abs.push_back(rows[n].polarizations[0].cross.cabs);
    }
    held.add(dda::extrapolate(y, ext, false), cext);
    if (cabs > 0) held.add(dda::extrapolate(y, abs, false), cabs);
  }
  return held;
}

/// A spheroid with light along its axis; a T-matrix knows of no dipoles, and its own error is below 1e-5 here
/// (spheroid_test.cpp).
struct SpheroidBody {
  double ratio;  ///< along over across
  cplx m;
  static constexpr double radius = 0.25, wavelength = 1.2;  ///< um, of equal volume

  std::string flags() const {
    return fmt::format("--shape ellipsoid --shape-arguments 1,{} --eq-radius {} --lambda {} --m {},{}", ratio,
                       radius, wavelength, m.real(), m.imag());
  }
  /// um^2
  test::SpheroidSections truth() const {
    const double k = 2 * pi / wavelength, across = k * radius / std::cbrt(ratio);
    const auto s = test::scattering_along_axis({across, across * ratio, m}, 16);
    return {s.ext / (k * k), s.sca / (k * k)};
  }
};
const SpheroidBody spheroids[] = {{2, 1.5}, {0.5, cplx(1.4, 0.1)}};

}  // namespace

TEST(DdaExtrapolation, AParabolaIsFoundExactly) {
  const std::vector<double> y{0.2, 0.25, 0.3, 0.4};
  std::vector<double> values;
  for (const double t : y) values.push_back(3 - 0.7 * t + 0.2 * t * t);
  for (const bool cubical : {false, true}) {
    const auto x = dda::extrapolate(y, values, cubical);
    EXPECT_NEAR(x.value, 3, 1e-12);
    EXPECT_LT(x.error, 1e-12);
  }
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
// error is Student's t with 9 - 3 degrees of freedom, of which 90.8 % lie within 2.
TEST(DdaExtrapolation, TwoStandardErrorsHoldTheTruthAsOftenAsStudentSays) {
  std::mt19937_64 random(1);
  std::normal_distribution<double> normal;
  std::vector<double> y;
  for (int j = 0; j < 9; ++j) y.push_back(0.5 * std::pow(2, j / 8.0));
  constexpr int trials = 20000;
  int held = 0;
  for (int i = 0; i < trials; ++i) {
    std::vector<double> values;
    for (const double t : y) values.push_back(2 + 0.3 * t - 0.1 * t * t + 0.05 * t * t * t * normal(random));
    const auto x = dda::extrapolate(y, values, false);
    held += std::abs(x.value - 2) <= x.error;
  }
  EXPECT_NEAR(double(held) / trials, 0.908, 4 * std::sqrt(0.908 * 0.092 / trials));
}

TEST(DdaAccuracyGrids, AreMultiplesForABoxAndAllNumbersForGivenSites) {
  const auto grids = [](const std::string& flags) {
    const auto sim = simulation(flags);
    return dda::Grids(sim, dda::plan(sim).particle);
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

// About nine bars in ten hold, as two standard errors with six degrees of freedom would (124 of these 133
// do); 80 % leaves room for bars that share grids and are not independent.
TEST(ValidateDdaAccuracy, BarsHoldMieTheoryNineTimesInTen) {
  Held all;
  for (const Body& body : bodies()) {
    const auto mie = mie::efficiencies(body.sphere);
    const double area = pi * body.radius * body.radius;
    const Held held = bars_against(body.flags, 14, 32, area * mie.qext, area * mie.qabs);
    std::printf("%s: %d of %d error bars hold\n", body.name, held.holding, held.bars);
    all.bars += held.bars;
    all.holding += held.holding;
  }
  EXPECT_GE(all.holding, 0.8 * all.bars) << all.holding << " of " << all.bars;
}

// As above, of what a run itself chooses: of these eleven bars two may miss by chance, none by twice its
// length (four standard errors: 0.7 % with six degrees of freedom).
TEST(DdaAccuracy, ErrorBarsOfSpheresHoldMieTheory) {
  Held bars, twice;
  for (const Body& body : bodies()) {
    if (body.name == std::string("coated")) continue;  // half a minute: its layer is thin for so few dipoles
    const dda::Outcome o =
        dda::run_accurate(simulation(body.flags + " --accuracy 6% --shape-grid 12 --epsilon 1e-5"));
    ASSERT_TRUE(o.extrapolation.has_value());
    const auto& e = *o.extrapolation;
    EXPECT_TRUE(e.reached) << e.verdict;
    EXPECT_TRUE(o.converged);
    const auto mie = mie::efficiencies(body.sphere);
    const auto add = [&](const char* name, double truth) {
      const auto& q = quantity(e, name);
      bars.add(q.limit, truth);
      twice.add(q.limit, truth, 2);
      EXPECT_LE(q.limit.error, 0.06 * std::abs(q.limit.value)) << body.name << " " << name;
      EXPECT_EQ(q.values.size(), e.grids.size());
    };
    add("Qext_Y", mie.qext);
    if (mie.qabs > 0) add("Qabs_Y", mie.qabs);
    add("Qsca_difference_Y", mie.qsca);
  }
  EXPECT_EQ(bars.bars, 8);
  EXPECT_GE(bars.holding, 7);
  EXPECT_EQ(twice.holding, 8);
}

// Extinction and scattering of one run miss together, so that these five bars are no five throws: none may
// miss by twice its length. How often single ones hold is ValidateDdaAccuracy's.
TEST(DdaAccuracy, ErrorBarsOfSpheroidsHoldTheTMatrix) {
  Held twice;
  for (const SpheroidBody& body : spheroids) {
    const dda::Outcome o = dda::run_accurate(simulation(fmt::format(
        "{} --accuracy 6% --shape-grid {} --epsilon 1e-5", body.flags(), body.ratio > 1 ? 10 : 16)));
    const auto& e = *o.extrapolation;
    EXPECT_TRUE(e.reached) << e.verdict;
    const auto truth = body.truth();
    const auto add = [&](const char* name, double value) {
      const auto& q = quantity(e, name);
      twice.add(q.limit, value, 2);
      EXPECT_LE(q.limit.error, 0.06 * std::abs(q.limit.value)) << body.ratio << " " << name;
    };
    add("Cext_Y", truth.ext);
    add("Csca_difference_Y", truth.sca);
    if (body.m.imag() > 0) add("Cabs_Y", truth.ext - truth.sca);
  }
  EXPECT_EQ(twice.bars, 5);
  EXPECT_EQ(twice.holding, 5);
}

// As of spheres: 80 % of all bars, for the same reason (36 of these 39 hold).
TEST(ValidateDdaAccuracy, BarsOfSpheroidsHoldTheTMatrix) {
  Held all;
  for (const SpheroidBody& body : spheroids) {
    const auto truth = body.truth();
    const int from = body.ratio > 1 ? 12 : 16;
    const Held held =
        bars_against(body.flags(), from, from + 12, truth.ext, body.m.imag() > 0 ? truth.ext - truth.sca : 0);
    std::printf("%g to 1: %d of %d error bars hold\n", body.ratio, held.holding, held.bars);
    all.bars += held.bars;
    all.holding += held.holding;
  }
  EXPECT_GE(all.holding, 0.8 * all.bars) << all.holding << " of " << all.bars;
}

// A spheroid far below the wavelength: Cabs = k Im(alpha) with alpha = V (e - 1)/(1 + L (e - 1)) along an
// axis of depolarization factor L (Bohren and Huffman 1983, eqs. 5.32 and 5.33); the next terms are of the
// order x^2 = 2e-6.
TEST(DdaAccuracy, ErrorBarsHoldTheElectrostaticsOfASpheroid) {
  const double wavelength = 20, radius = 0.005;
  const cplx m(1.5, 0.4);
  // prolate, three to one along z; the light along z is polarised along an equatorial axis
  auto sim =
      simulation(fmt::format("--shape ellipsoid --shape-arguments 1,3 --eq-radius {} --lambda {} --m 1.5,0.4 "
                             "--accuracy 3% --shape-grid 8",
                             radius, wavelength));
  const dda::Outcome o = dda::run_accurate(sim);
  const double e2 = 1 - 1.0 / 9, e = std::sqrt(e2);
  const double polar = (1 - e2) / e2 * (std::log((1 + e) / (1 - e)) / (2 * e) - 1),
               equatorial = (1 - polar) / 2;
  const cplx contrast = m * m - 1.0;
  const double volume = 4 * pi / 3 * radius * radius * radius;
  const double cabs = 2 * pi / wavelength * (volume * contrast / (1.0 + equatorial * contrast)).imag();
  const auto& q = quantity(*o.extrapolation, "Cabs_Y");
  EXPECT_TRUE(o.extrapolation->reached) << o.extrapolation->verdict;
  // twice the bar is four standard errors: 0.7 % lie beyond by chance
  EXPECT_LE(std::abs(q.limit.value - cabs), 2 * q.limit.error) << q.limit.value / cabs - 1;
}

// No theory has a number for a cube: what its bars must hold is a grid three times finer than theirs, whose
// own error (cubically shaped: smooth in y, below 1e-3 there) is allowed for.
TEST(ValidateDdaAccuracy, BarsOfACubeHoldAMuchFinerGrid) {
  const std::string cube = "--shape box --size 0.6 --lambda 1.2 --m 1.5,0.01";
  const dda::Outcome coarse = dda::run_accurate(simulation(cube + " --accuracy 0.5% --shape-grid 16"));
  const auto far = [&](int n) {
    return dda::run(simulation(fmt::format("{} --shape-grid {} --epsilon 1e-7", cube, n)))
        .polarizations[0]
        .cross;
  };
  const auto fine = far(48), finer = far(64);
  const auto expect = [&](const char* name, double a, double b) {
    const double beyond = std::abs(a - b);  // what the next step changes, larger than what is left after it
    const auto& q = quantity(*coarse.extrapolation, name);
    EXPECT_LE(std::abs(q.limit.value - b), q.limit.error + 2 * beyond)
        << name << " " << q.limit.value << " +- " << q.limit.error << " against " << b;
  };
  EXPECT_TRUE(coarse.extrapolation->reached) << coarse.extrapolation->verdict;
  expect("Cext_Y", fine.cext, finer.cext);
  expect("Cabs_Y", fine.cabs, finer.cabs);
}

TEST(DdaAccuracy, ACubeIsMoreAccurateThanItsGrids) {
  const dda::Outcome o = dda::run_accurate(
      simulation("--shape box --size 0.3 --lambda 1.2 --m 1.5,0.05 --accuracy 1% --shape-grid 12"));
  const auto& e = *o.extrapolation;
  EXPECT_TRUE(e.cubical);
  EXPECT_TRUE(e.reached) << e.verdict;
  // own runs: grids of 40 and 48 extrapolated quadratically from 24 to 48 agree to 1e-4
  const auto fine = dda::run(simulation("--shape box --size 0.3 --lambda 1.2 --m 1.5,0.05 --shape-grid 32"));
  const auto& q = quantity(e, "Cext_Y");
  const double reference = fine.polarizations[0].cross.cext;
  EXPECT_NEAR(q.limit.value, reference, q.limit.error + 0.005 * reference);
}

TEST(DdaAccuracy, GivenSitesAreDivided) {
  const dda::Outcome o = dda::run_accurate(
      simulation("--shape-grid 4 --jagged 2 --size 0.2 --lambda 1.2 --m 1.4,0.1 --accuracy 5%"));
  const auto& e = *o.extrapolation;
  EXPECT_TRUE(e.reached) << e.verdict;
  EXPECT_EQ(e.grids.front().box, (Int3{4, 4, 4}));
  EXPECT_EQ(e.grids.back().box[0] % 4, 0);
  EXPECT_EQ(o.particle.box, e.grids.back().box);
}

TEST(DdaAccuracy, TimeEndsItAndItSaysSo) {
  auto sim = simulation(
      "--eq-radius 0.3 --lambda 1.2 --m 1.5 --accuracy 0.01% --shape-grid 8 --accuracy-time 0.001");
  const dda::Outcome o = dda::run_accurate(sim);
  EXPECT_FALSE(o.converged);
  EXPECT_FALSE(o.extrapolation->reached);
  EXPECT_NE(o.extrapolation->verdict.find("NOT reached"), std::string::npos);
  EXPECT_NE(o.extrapolation->verdict.find("would take"), std::string::npos) << o.extrapolation->verdict;
}

TEST(DdaAccuracy, MuellerMatricesHaveErrorsToo) {
  auto sim = simulation("--eq-radius 0.2 --lambda 1.2 --m 1.5 --accuracy 10% --shape-grid 10");
  sim.outputs.mueller = true;
  sim.outputs.ntheta = 4;
  const dda::Outcome o = dda::run_accurate(sim);
  ASSERT_EQ(o.extrapolation->matrices.size(), 1u);
  const auto& m = o.extrapolation->matrices[0];
  ASSERT_EQ(m.value.size(), 5u);
  const auto partial = mie::coefficients({2 * pi * 0.2 / 1.2, 1.5});
  Held s11;
  for (std::size_t i = 0; i < m.value.size(); ++i) {
    const auto mie = mie::mueller(mie::amplitudes(partial, std::cos(m.theta[i] * pi / 180)));
    EXPECT_GT(m.error[i][0], 0) << m.theta[i];
    s11.add({m.value[i][0], m.error[i][0]}, mie[0]);
  }
  EXPECT_GE(s11.holding, 4) << "of five directions";
}
