// Runs to an accuracy: error bars against Mie theory, the T-matrix and the electrostatics of spheroids, what
// ends a refinement.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <string>

#include "dda/run/accuracy.hpp"
#include "mie/mie.hpp"
#include "support/accuracy_runs.hpp"
#include "support/spheroid.hpp"

using namespace umov;
using namespace umov::test;

namespace {

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

// More than nine bars in ten hold, as two standard errors with six degrees of freedom would; 80 % leaves room
// for bars that share grids and are not independent.
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
    const dda::Outcome o =
        test::run_accurate(flagged(body.flags + " --accuracy 6% --shape-grid 12 --epsilon 1e-5"));
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
  EXPECT_EQ(bars.bars, 11);
  EXPECT_GE(bars.holding, 9);
  EXPECT_EQ(twice.holding, 11);
}

// Shares of the core's volume scatter by per cents on grids as coarse as these: without a term for them no
// number would be known to 10 %.
TEST(DdaAccuracy, TheSharesOfACoatAreTakenOut) {
  const Body coated = bodies().back();
  const dda::Outcome o =
      test::run_accurate(flagged(coated.flags + " --accuracy 5% --shape-grid 16 --epsilon 1e-5"));
  const auto& e = *o.extrapolation;
  EXPECT_TRUE(e.reached) << e.verdict;
  EXPECT_LE(e.grids.back().box[0], 20);
  const auto mie = mie::efficiencies(coated.sphere);
  for (const auto& [name, truth] : {std::pair("Qext_Y", mie.qext), {"Qabs_Y", mie.qabs}}) {
    const auto& q = quantity(e, name);
    EXPECT_LE(std::abs(q.limit.value - truth), q.limit.error) << name;
  }
}

// Extinction and scattering of one run miss together, so that these five bars are no five throws: none may
// miss by twice its length. How often single ones hold is ValidateDdaAccuracy's.
TEST(DdaAccuracy, ErrorBarsOfSpheroidsHoldTheTMatrix) {
  Held twice;
  for (const SpheroidBody& body : spheroids) {
    const dda::Outcome o = test::run_accurate(flagged(fmt::format(
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
      flagged(fmt::format("--shape ellipsoid --shape-arguments 1,3 --eq-radius {} --lambda {} --m 1.5,0.4 "
                          "--accuracy 3% --shape-grid 8",
                          radius, wavelength));
  const dda::Outcome o = test::run_accurate(sim);
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

TEST(DdaAccuracy, GivenSitesAreDivided) {
  const dda::Outcome o = test::run_accurate(
      flagged("--shape-grid 4 --jagged 2 --size 0.2 --lambda 1.2 --m 1.4,0.1 --accuracy 5%"));
  const auto& e = *o.extrapolation;
  EXPECT_TRUE(e.reached) << e.verdict;
  EXPECT_EQ(e.grids.front().box, (Int3{4, 4, 4}));
  EXPECT_EQ(e.grids.back().box[0] % 4, 0);
  EXPECT_EQ(o.particle.box, e.grids.back().box);
}

TEST(DdaAccuracy, TimeEndsItAndItSaysSo) {
  auto sim =
      flagged("--eq-radius 0.3 --lambda 1.2 --m 1.5 --accuracy 0.01% --shape-grid 8 --accuracy-time 0.001");
  const dda::Outcome o = test::run_accurate(sim);
  EXPECT_FALSE(o.converged);
  EXPECT_FALSE(o.extrapolation->reached);
  EXPECT_NE(o.extrapolation->verdict.find("NOT reached"), std::string::npos);
  EXPECT_NE(o.extrapolation->verdict.find("would take"), std::string::npos) << o.extrapolation->verdict;
}

TEST(DdaAccuracy, MuellerMatricesHaveErrorsToo) {
  auto sim = flagged("--eq-radius 0.2 --lambda 1.2 --m 1.5 --accuracy 10% --shape-grid 10");
  sim.outputs.mueller = true;
  sim.outputs.ntheta = 4;
  const dda::Outcome o = test::run_accurate(sim);
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
