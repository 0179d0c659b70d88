// Modes of slabs against exact dispersion: index, group index, dispersion, losses by leaking and by
// absorption.
#include <gtest/gtest.h>

#include "modes/modes_cases.hpp"

namespace umov::modes {
namespace {

using test::Layer, test::mismatch, test::slabs, test::zero;

constexpr double core = 2, half = 0.25, wavelength = 1;

/// The first mode of the slab in vacuum at a wavelength.
double exact(bool te, double lambda) {
  return zero(
             [&](cplx n) {
               return mismatch({{core, -half, half}}, 1, false, 1, te, 2 * pi / lambda, n);
             },
             1.75, 1.76)
      .real();
}

double exact_group(bool te, double lambda) {
  const double h = 1e-4 * lambda;
  return exact(te, lambda) - lambda * (exact(te, lambda + h) - exact(te, lambda - h)) / (2 * h);
}

TEST(Modes, ExtrapolatedIndexIsTheExactOneWithinItsError) {
  for (const bool te : {false, true})
    for (const int levels : {2, 3}) {
      Simulation s = slabs({{core, -half, half}}, 1, 6, te, 20, wavelength);
      s.levels = levels;
      const Outcome o = run(s, 1, {});
      ASSERT_EQ(o.extrapolated.size(), 1u);
      const Limit& e = o.extrapolated[0].n_eff;
      const double grid = std::abs(o.modes[0][0].n_eff.real() - exact(te, wavelength));
      EXPECT_NEAR(e.order, 2, 0.3) << te;
      EXPECT_LT(std::abs(e.value - exact(te, wavelength)), e.error) << te << levels;
      // Ten cells to a wavelength in the core: the fourth order is a twentieth of the second.
      EXPECT_LT(std::abs(e.value - exact(te, wavelength)), 0.1 * grid) << te << levels;
    }
}

// Thirteen modes of silicon in silica, E across: at eleven cells to a wavelength in the core the cells move
// the higher ones by as much as they lie apart. With surfaces on grid lines the next order is (k n dx / 2)^2
// / 3 = 3 % of what the grid is off by, and n_error of two sizes is a quarter of that or more: three of them
// are ample, a wrong partner is ten off.
TEST(Modes, EachModeOfManyIsPairedWithItselfOnTheFinerGrid) {
  const double film = 3.47, clad = 1.444, thick = 3, lambda = 1.55;
  for (const bool te : {false, true}) {
    Simulation s = slabs({{film, -thick / 2, thick / 2}}, clad, 6, te, 25, lambda);
    s.levels = 2;
    s.count = 4;
    const Outcome o = run(s, 1, {});
    ASSERT_EQ(o.extrapolated.size(), 4u);
    for (const Extrapolated& e : o.extrapolated) {
      // k d sqrt(film^2 - n^2) = m pi + 2 atan(a g / q) (Yeh 1988, chapter 11), by bisection.
      const auto off = [&](double n) {
        const double k = 2 * pi / lambda, q = k * std::sqrt(film * film - n * n),
                     g = k * std::sqrt(n * n - clad * clad), a = te ? film * film / (clad * clad) : 1;
        return q * thick - 2 * std::atan(a * g / q) - double(e.mode) * pi;
      };
      double low = clad, high = film;
      for (int i = 0; i < 60; ++i) (off((low + high) / 2) > 0 ? low : high) = (low + high) / 2;
      EXPECT_LT(std::abs(e.n_eff.value - low), 3 * e.n_eff.error) << te << " mode " << e.mode;
    }
    EXPECT_TRUE(o.notes.empty());
  }
}

// On the grid both are of second order in the cell, D with a large factor: vacuum has (2 pi dx)^2 / 4 c of
// it.
TEST(Modes, GroupIndexAndDispersionAreTheExactOnes) {
  for (const bool te : {false, true}) {
    Simulation s = slabs({{core, -half, half}}, 1, 6, te, 40, wavelength);
    s.dispersion = true;
    s.levels = 2;
    const Outcome o = run(s, 1, {});
    const Extrapolated& e = o.extrapolated.at(0);
    const double h = 1e-2, per = 1e12 / 299792458.0, group = exact_group(te, wavelength),
                 d = per * (exact_group(te, wavelength + h) - exact_group(te, wavelength - h)) / (2 * h);
    EXPECT_NEAR((e.group[0] - group) / (e.group[1] - group), 4, 0.6) << te;
    EXPECT_NEAR((e.dispersion[0] - d) / (e.dispersion[1] - d), 4, 0.6) << te;
    // A tenth of the grid's error is left at 20 cells to a wavelength in the core, of the fourth order.
    EXPECT_LT(std::abs(e.n_group.value - group), 0.1 * std::abs(e.group[0] - group)) << te;
    EXPECT_LT(std::abs(e.d.value - d), 0.1 * std::abs(e.dispersion[0] - d)) << te;
  }
}

TEST(Modes, DispersionOfAListIsThatOfOneWavelength) {
  Simulation s = slabs({{core, -half, half}}, 1, 6, false, 30, wavelength);
  s.dispersion = true;
  const double one = run(s, 1, {}).modes[0][0].dispersion;
  s.wavelengths = {0.98, 0.99, 1, 1.01, 1.02};
  // Differences of five, of fourth order in a hundredth, and of two, of second in a fivehundredth: 1e-4.
  EXPECT_NEAR(run(s, 1, {}).modes[2][0].dispersion, one, 1e-3 * std::abs(one));
}

TEST(Modes, AnAbsorbingCoreHasTheExactLoss) {
  const double k_core = 0.01;
  Simulation s = slabs({{core, -half, half}}, 1, 6, false, 40, wavelength);
  s.model.materials[1].extinction = k_core;
  s.model.materials[1].at_wavelength = wavelength;
  const Mode m = test::only(s);
  const auto f = [&](cplx n) {
    const double k = 2 * pi / wavelength;
    const cplx c(core, k_core), g = k * std::sqrt(n * n - 1.0), q = k * std::sqrt(c * c - n * n);
    return q * std::tan(q * half) - g;
  };
  const cplx n = zero(f, {1.76, 0.009}, {1.77, 0.01});
  EXPECT_NEAR(m.n_eff.real(), n.real(), 7e-3);             // the grid, as without absorption
  EXPECT_NEAR(m.n_eff.imag(), n.imag(), 0.01 * n.imag());  // of second order: (k n dx)^2 / 12
  EXPECT_NEAR(m.loss, 20 / std::log(10.0) * 1e4 * 2 * pi / wavelength * m.n_eff.imag(), 1e-6 * m.loss);
}

// A film over a substrate as dense as itself, with a gap between: what goes through the gap is lost.
TEST(Modes, AFilmOverADenseSubstrateLeaksAsTheExactModeDoes) {
  const double gap = 0.3;
  for (const bool te : {false, true}) {
    // from below: substrate, gap of vacuum, film, vacuum
    const std::vector<Layer> between{{1, -half - gap, -half}, {core, -half, half}};
    const double k = 2 * pi / wavelength;
    const double guess = exact(te, wavelength);
    const cplx n = zero([&](cplx x) { return mismatch(between, core, true, 1, te, k, x); }, {guess, 1e-3},
                        {guess, 2e-3});
    ASSERT_GT(n.imag(), 1e-5);
    Simulation s = slabs({{core, -4, -half - gap}, {core, -half, half}}, 1, 6, te, 40, wavelength);
    s.absorber = 40;
    s.index_guess = guess;
    const Mode m = test::only(s);
    EXPECT_NEAR(m.n_eff.real(), n.real(), 7e-3) << te;
    // Of second order like the index; the decay across the gap multiplies its error: 3 % at 40 cells.
    EXPECT_NEAR(m.n_eff.imag(), n.imag(), 0.05 * n.imag()) << te;
  }
}

}  // namespace
}  // namespace umov::modes
