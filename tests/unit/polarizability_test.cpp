// Polarizabilities against ADDA's numbers and against what theory demands of them.
#include "dda/scheme/polarizability.hpp"

#include <gtest/gtest.h>

#include "core/error.hpp"
#include "dda/observables/cross_sections.hpp"
#include "dda/scheme/frames.hpp"
#include "dda/scheme/polarizability_rectangular.hpp"

namespace umov::dda {
namespace {

void expect_near_relative(cplx actual, cplx expected, double tolerance) {
  EXPECT_LT(std::abs(actual - expected), tolerance * std::abs(expected)) << actual << " versus " << expected;
}

Simulation with_material(cplx m) {
  Simulation sim;
  sim.m = {{m, m, m}};
  return sim;
}

// A single dipole does not interact, so that P = alpha E_inc: Cext = 4 pi k Im alpha.
TEST(Polarizability, SingleDipoleGivesAddasCrossSections) {
  const Simulation sim = with_material({1.1, 0.1});
  const double d = 8 * std::cbrt(pi / 6);  // one dipole of the volume of a sphere of diameter 8
  const Vec3 spacing{d, d, d};
  const auto alpha = polarizability(sim, spacing, 1, {0, 0, 1}, {0, 1, 0});
  const auto factor = absorption_multipliers(sim.formula, 1, d * d * d, alpha, sim.m);
  // ADDA: -grid 1 -size 8 -m 1.1 0.1; the tolerance is rounding.
  EXPECT_NEAR(4 * pi * alpha[0][1].imag(), 15.6441680593964, 1e-12);
  EXPECT_NEAR(4 * pi * factor[0][1] * std::norm(alpha[0][1]), 2.23353058586248, 1e-12);
}

// Values ADDA prints with ten digits.
TEST(Polarizability, LatticeDispersionMatchesAddaForAnisotropicMaterialsAndObliqueLight) {
  Simulation sim;
  sim.anisotropic = true;
  sim.m = {{cplx(1.5, 0.1), 1.4, cplx(1.6, 0.05)}, {1.3, cplx(1.2, 0.1), cplx(1.1, 0.2)}};
  sim.propagation = {1, 2, 3};
  const IncidentFrame frame = laboratory_frame(sim.propagation);
  const double d = 6.2832 / 20, k = 2 * pi / 6.2832;
  const auto y = polarizability(sim, {d, d, d}, k, frame.propagation, frame.pol_y);
  expect_near_relative(y[0][0], {0.002219424416, 0.0003824589293}, 1e-9);
  expect_near_relative(y[0][1], {0.001814852578, 2.195781063e-06}, 1e-9);
  expect_near_relative(y[1][2], {0.0005247236805, 0.0009597188805}, 1e-9);
  const auto x = polarizability(sim, {d, d, d}, k, frame.propagation, frame.pol_x);
  expect_near_relative(x[0][2], {0.002602039052, 0.0001863477973}, 1e-9);
  expect_near_relative(x[1][1], {0.000964614254, 0.0004588992306}, 1e-9);
}

TEST(Polarizability, LatticeDispersionMatchesAddaForGlassAlongZ) {
  const double d = 6.2832 / 15;
  const auto a = polarizability(with_material(1.5), {d, d, d}, 2 * pi / 6.2832, {0, 0, 1}, {0, 1, 0});
  expect_near_relative(a[0][0], {0.005259074092, 1.843867084e-05}, 1e-9);
}

// Energy conservation: Im(1/alpha) = -(2/3)k^3 for every formulation with exact radiative reaction.
TEST(Polarizability, TransparentDipoleDoesNotAbsorb) {
  for (auto kind : {Polarizability::rrc, Polarizability::ldr, Polarizability::cldr, Polarizability::fcd,
                    Polarizability::dgf, Polarizability::igt_so}) {
    Simulation sim = with_material(1.7);
    sim.polarizability = kind;
    const Vec3 spacing{0.3, 0.3, 0.3};
    const auto alpha = polarizability(sim, spacing, 1.2, {0.6, 0, 0.8}, {0, 1, 0});
    const Vec3 factor = absorption_multipliers(sim.formula, 1.2, 0.3 * 0.3 * 0.3, alpha, sim.m)[0];
    for (double f : factor) EXPECT_NEAR(f, 0, 1e-14 / std::abs(alpha[0][0]));
  }
}

// All corrections vanish with kd, but for the lattice of non-local dipoles.
TEST(Polarizability, AllFormulationsTendToClausiusMossottiForSmallDipoles) {
  Simulation sim = with_material({1.5, 0.2});
  const Vec3 spacing{1e-4, 1e-4, 1e-4};
  sim.polarizability = Polarizability::cm;
  const cplx cm = polarizability(sim, spacing, 1, {0, 0, 1}, {0, 1, 0})[0][0];
  for (auto kind : {Polarizability::rrc, Polarizability::ldr, Polarizability::cldr, Polarizability::fcd,
                    Polarizability::dgf, Polarizability::lak, Polarizability::igt_so, Polarizability::nloc,
                    Polarizability::nloc_av}) {
    sim.polarizability = kind;
    // Corrections are of order (kd)^2 = 1e-8.
    expect_near_relative(polarizability(sim, spacing, 1, {0, 0, 1}, {0, 1, 0})[0][0], cm, 1e-8);
  }
}

TEST(Polarizability, AveragedLatticeDispersionIsTheMeanTermOfBothPolarizations) {
  Simulation sim = with_material({1.5, 0.2});
  sim.propagation = {1, 2, 3};
  const IncidentFrame f = laboratory_frame(sim.propagation);
  const Vec3 spacing{0.3, 0.3, 0.3};
  const cplx y = polarizability(sim, spacing, 1, f.propagation, f.pol_y)[0][0];
  const cplx x = polarizability(sim, spacing, 1, f.propagation, f.pol_x)[0][0];
  sim.ldr_average = true;
  const cplx mean = polarizability(sim, spacing, 1, f.propagation, f.pol_y)[0][0];
  // 1/alpha is linear in the term that is averaged; the tolerance is rounding.
  expect_near_relative(1.0 / mean, 0.5 * (1.0 / x + 1.0 / y), 1e-14);
}

TEST(Polarizability, MassasCuboidIsTheCubeOfIntegratedGreen) {
  Simulation sim = with_material({1.5, 0.2});
  sim.polarizability = Polarizability::igt_so;
  const Vec3 cube{0.3, 0.3, 0.3};
  const CVec3 a =
      rectangular_polarizability(Polarizability::igt_so, sim.m[0][0], cube, {1, 1, 1}, 1, {0, 0, 1});
  const cplx expected = polarizability(sim, cube, 1, {0, 0, 1}, {0, 1, 0})[0][0];
  for (const cplx& c : a) expect_near_relative(c, expected, 1e-13);  // rounding
}

TEST(Polarizability, TabulatedLatticeOfCubesIsTheCubicLattice) {
  Simulation sim = with_material({1.5, 0.2});
  sim.polarizability = Polarizability::cldr;
  const Vec3 cube{0.3, 0.3, 0.3}, prop{0.6, 0, 0.8};
  const CVec3 a = rectangular_polarizability(Polarizability::cldr, sim.m[0][0], cube, {1, 1, 1}, 1, prop);
  const auto expected = polarizability(sim, cube, 1, prop, {0, 1, 0});
  // The table's coefficients have eight digits.
  for (int c = 0; c < 3; ++c) expect_near_relative(a[c], expected[0][c], 1e-8);
}

TEST(Polarizability, PermutedAxesOfADipolePermuteItsPolarizability) {
  const cplx m(1.5, 0.2);
  for (auto kind : {Polarizability::cm, Polarizability::cldr, Polarizability::igt_so}) {
    const CVec3 a = rectangular_polarizability(kind, m, {0.1, 0.2, 0.3}, {1, 2, 3}, 1, {0.36, 0.48, 0.8});
    const CVec3 b = rectangular_polarizability(kind, m, {0.3, 0.1, 0.2}, {3, 1, 2}, 1, {0.8, 0.36, 0.48});
    expect_near_relative(b[0], a[2], 1e-14);
    expect_near_relative(b[1], a[0], 1e-14);
    expect_near_relative(b[2], a[1], 1e-14);
    EXPECT_GT(std::abs(a[0] - a[1]), 1e-3 * std::abs(a[0]));
  }
}

TEST(Polarizability, RefusesFormulationsThatDoNotGoTogether) {
  auto refuses = [](auto&& change) {
    Simulation sim;
    change(sim);
    EXPECT_THROW(check_formulation(sim), BadInput);
  };
  auto rectangular = [](Simulation& s) { s.shape.rectangular = {1, 2, 1}; };
  EXPECT_NO_THROW(check_formulation(Simulation{}));
  Simulation anisotropic;  // warned of alone: DDSCAT does this
  anisotropic.anisotropic = true;
  anisotropic.polarizability = Polarizability::cldr;
  EXPECT_NO_THROW(check_formulation(anisotropic));
  refuses([&](Simulation& s) { rectangular(s); });  // the default, ldr
  refuses([&](Simulation& s) {
    rectangular(s);
    s.polarizability = Polarizability::cldr;
    s.interaction = Interaction::fcd;
  });
  refuses([](Simulation& s) { s.m = {{1.0, 1.0, 1.0}}; });
  refuses([](Simulation& s) { s.m = {{cplx(NAN, 0), 1.5, 1.5}}; });
  refuses([](Simulation& s) {
    s.solver.initial = InitialField::wkb;
    s.propagation = {1, 0, 0};
  });
  refuses([](Simulation& s) {
    s.outputs.cpr = true;
    s.beam.kind = BeamKind::davis3;
  });
}

TEST(Polarizability, RefusesProportionsOutsideTheTableAndTooCoarseFilters) {
  EXPECT_THROW(rectangular_polarizability(Polarizability::cldr, 1.5, {1, 1, 1.7}, {1, 1, 1.7}, 1, {0, 0, 1}),
               BadInput);
  Simulation sim;
  sim.polarizability = Polarizability::fcd;
  EXPECT_THROW(polarizability(sim, {1, 1, 1}, pi, {0, 0, 1}, {0, 1, 0}), BadInput);
}

}  // namespace
}  // namespace umov::dda
