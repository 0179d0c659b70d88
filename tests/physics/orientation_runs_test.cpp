// Averages over orientations against runs of single orientations, against the three axes of a small particle,
// and against bodies that look alike from everywhere.
#include <gtest/gtest.h>

#include "core/error.hpp"
#include "dda/observables/angles.hpp"
#include "support/dda_runs.hpp"

namespace umov {
namespace {

using dda::CrossSections;
using dda::Mueller;
using dda::Outcome;
using dda::Simulation;

/// An asymmetric absorbing particle of 12 dipoles, kd = 0.6; LDR depends on the polarization, rrc does not.
const std::string particle_of_orientation_runs =
    "-shape read {} -m 1.6 0.1 1.3 0.2 -dpl 10.5 -pol rrc -eps 10 -ntheta 6";

std::string angles(const char* alpha, const char* beta, const char* gamma) {
  return fmt::format("alpha:\n{}beta:\n{}gamma:\n{}", alpha, beta, gamma);
}
const char* quarter_turn_of_two = "min=0\nmax=90\nJmin=1\nJmax=1\neps=0\nequiv=false\nperiodic=false\n";
const char* full_turn_of_four = "min=0\nmax=360\nJmin=2\nJmax=2\neps=0\nequiv=true\nperiodic=true\n";
const char* two_of_cosine = "min=20\nmax=130\nJmin=1\nJmax=1\neps=0\nequiv=false\nperiodic=false\n";

void want_everything(Simulation& sim, const std::string& grid) {
  auto& o = sim.outputs;
  o.csca = o.vec = o.asym = o.cpr = o.store_scat_grid = o.yz = true;
  o.phi_integr = 3;
  o.scat_grid_file = grid;
}

/// Everything that one run averages, in one list.
std::vector<double> list(const Outcome& o) {
  std::vector<double> all;
  const double share = 1.0 / double(o.polarizations.size());
  const auto add = [&](std::size_t at, double x) {
    if (at >= all.size()) all.resize(at + 1, 0);
    all[at] += share * x;
  };
  for (const auto& p : o.polarizations) {
    std::size_t at = 0;
    for (const double x : {p.cross.cext, p.cross.cabs, *p.cross.csca}) add(at++, x);
    for (const auto& v : {p.cross.csca_g, p.cross.cpr, p.cross.cext_a, p.cross.csca_g_force})
      for (const double x : *v) add(at++, x);
  }
  for (std::size_t t = 0; t < 7; ++t)
    all.insert(all.end(), o.plane[t].mueller.begin(), o.plane[t].mueller.end());
  for (const auto& row : o.grid) all.insert(all.end(), row.mueller.begin(), row.mueller.end());
  for (const auto& integral : o.phi_integrals)
    for (const auto& m : integral.mueller) all.insert(all.end(), m.begin(), m.end());
  return all;
}

struct OrientationRuns : testing::Test {
  test::Scratch folder;
  std::string shape =
      folder.write("p.geom",
                   "Nmat=2\n0 0 0 1\n1 0 0 1\n2 0 0 1\n3 0 0 2\n0 1 0 1\n0 2 0 2\n1 1 0 1\n0 0 1 2\n"
                   "1 0 1 1\n0 1 1 1\n0 0 2 1\n3 0 1 2\n");
  std::string grid =
      folder.write("grid.dat",
                   "global_type=grid\ntheta:\ntype=range\nN=3\nmin=0\nmax=120\nphi_integr:\nmin=0\nmax=360\n"
                   "Jmin=2\nJmax=2\neps=0\nequiv=true\nperiodic=true\n");

  /// The average, and the same average of runs of single orientations by romberg_average alone.
  void expect_average_of_single_runs(const std::string& text) {
    const std::string file = folder.write("avg.dat", text),
                      command = fmt::format(fmt::runtime(particle_of_orientation_runs), shape);
    const auto averaged = test::run(command, [&](Simulation& sim) {
      want_everything(sim, grid);
      sim.orientation.average = true;
      sim.orientation.average_file = file;
    });
    ASSERT_EQ(averaged.polarizations.size(), 1u);
    EXPECT_EQ(averaged.polarizations[0].name(), "average");
    const auto a = dda::load_orientation_angles(file);
    std::vector<double> over_beta;
    std::size_t block = 0;
    for (const double beta : a.beta.values) {
      std::vector<double> over_gamma;
      for (const double gamma : a.gamma.values) {
        std::vector<double> over_alpha;
        for (const double alpha : a.alpha.values) {
          const auto one = list(test::run(command, [&](Simulation& sim) {
            want_everything(sim, grid);
            sim.orientation = {alpha, beta, gamma, false, ""};
          }));
          block = one.size();
          over_alpha.insert(over_alpha.end(), one.begin(), one.end());
        }
        append_average(a.alpha, block, over_alpha, over_gamma);
      }
      append_average(a.gamma, block, over_gamma, over_beta);
    }
    std::vector<double> expected;
    append_average(a.beta, block, over_beta, expected);
    const auto found = list(averaged);
    ASSERT_EQ(found.size(), expected.size());
    // solved to 1e-10; the largest element of its kind sets the scale
    for (std::size_t i = 0; i < found.size(); ++i) {
      const double scale = i < 15 ? expected[0] : expected[15];
      EXPECT_NEAR(found[i], expected[i], 3e-9 * scale) << i;
    }
  }

  static void append_average(const dda::IntegrationAngle& angle, std::size_t block,
                             const std::vector<double>& data, std::vector<double>& to) {
    std::vector<double> mean(block);
    dda::romberg_average(angle.axis, block, data, mean);
    to.insert(to.end(), mean.begin(), mean.end());
  }
};

TEST_F(OrientationRuns, AverageIsThatOfSingleRunsAtTheSameAngles) {
  expect_average_of_single_runs(angles(full_turn_of_four, two_of_cosine, full_turn_of_four));
}

TEST_F(OrientationRuns, PartOfATurnKeepsTheVectorsAcrossTheBeam) {
  expect_average_of_single_runs(angles(quarter_turn_of_two,
                                       "min=40\nmax=40\nJmin=1\nJmax=1\neps=0\nequiv=true\nperiodic=true\n",
                                       quarter_turn_of_two));
}

TEST_F(OrientationRuns, FullTurnOfAlphaLeavesNoVectorAcrossTheBeam) {
  const auto o =
      test::run(fmt::format(fmt::runtime(particle_of_orientation_runs), shape), [&](Simulation& sim) {
        want_everything(sim, grid);
        sim.orientation.average = true;
      });
  const auto& c = o.polarizations[0].cross;
  for (int k = 0; k < 2; ++k) {
    EXPECT_NEAR((*c.csca_g)[k], 0, 1e-14 * c.cext);
    EXPECT_NEAR((*c.cpr)[k], 0, 1e-14 * c.cext);
  }
  // and the mirror image of every orientation is one: no preferred phi (Mishchenko et al. 2002, sec. 4.2)
  for (const auto& row : o.grid)
    for (const auto& other : o.grid)
      if (row.theta == other.theta) {
        EXPECT_NEAR(row.mueller[0], other.mueller[0], 1e-9 * o.grid[0].mueller[0]);
      }
}

TEST_F(OrientationRuns, CscaAndPressureAgreeWithTheOpticalTheoremAndMomentum) {
  // Cext - Cabs = Csca to the quadrature over all directions and the solver; Cpr = Cext - Csca g along the
  // beam.
  const auto o =
      test::run(fmt::format(fmt::runtime(particle_of_orientation_runs), shape), [&](Simulation& sim) {
        want_everything(sim, grid);
        sim.orientation.average = true;
      });
  const auto& c = o.polarizations[0].cross;
  EXPECT_NEAR(*c.csca, c.cext - c.cabs, 1e-8 * c.cext);
  EXPECT_NEAR((*c.cpr)[2], c.cext - (*c.csca_g)[2], 1e-8 * c.cext);
}

TEST_F(OrientationRuns, SmallParticleAveragesToTheMeanOfItsThreeAxes) {
  // In the limit of Rayleigh the particle is a polarizability tensor: <C> is a third of its trace (Bohren and
  // Huffman 1983, eq. 5.47), here of a spheroid of 1:1:2, axes found by three runs; corrections are of order
  // (k a)^2 = 1e-6.
  const std::string command = "-shape ellipsoid 1 2 -grid 6 -size 0.001 -m 1.5 0.3 -pol cm -eps 10";
  const auto averaged = test::run(command, [](Simulation& sim) {
    sim.orientation.average = true;
    sim.outputs.csca = sim.outputs.vec = true;
  });
  const auto along_z = test::run(command + " -sym no"), along_x = test::run(command + " -prop 1 0 0 -sym no");
  const auto &y = along_z.polarizations[0].cross, &x = along_z.polarizations[1].cross;
  // incidence along x: X is polarized along -z
  const auto& z = along_x.polarizations[1].cross;
  const auto& c = averaged.polarizations[0].cross;
  EXPECT_NEAR(c.cabs / ((x.cabs + y.cabs + z.cabs) / 3), 1, 1e-6);
  EXPECT_GT(std::abs(z.cabs / y.cabs - 1), 0.1);  // the axes differ, or this would prove little
  const double csca = *c.csca, g = (*c.csca_g)[2];
  EXPECT_NEAR(g / csca, 0, 1e-5);
  // Analytic spheroid, L of the long axis from Bohren and Huffman, eq. 5.33 with e^2 = 3/4. The staircase of
  // 6 dipoles across is off by 3 % in each axis (measured).
  const double e = std::sqrt(0.75), l_z = (1 - e * e) / (e * e) * (std::log((1 + e) / (1 - e)) / (2 * e) - 1);
  const cplx eps = cplx(1.5, 0.3) * cplx(1.5, 0.3);
  const double k = 1, volume = 4 * pi / 3 * std::pow(averaged.particle.eq_radius, 3);
  double exact = 0;
  for (const double l : {(1 - l_z) / 2, (1 - l_z) / 2, l_z})
    exact += k * volume * ((eps - 1.0) / (1.0 + l * (eps - 1.0))).imag() / 3;
  EXPECT_NEAR(c.cabs / exact, 1, 0.03);
}

TEST_F(OrientationRuns, BodyThatLooksAlikeFromEverywhereHasTheAverageOfOneRun) {
  // One dipole is isotropic: all rounding.
  const std::string command = "-grid 1 -dpl 8 -m 1.5 0.2 -pol cm -eps 12 -ntheta 8";
  const auto one = test::run(
      command, [](Simulation& sim) { sim.outputs.csca = sim.outputs.vec = sim.outputs.cpr = true; });
  const auto averaged = test::run(command, [](Simulation& sim) {
    sim.orientation.average = true;
    sim.outputs.csca = sim.outputs.vec = sim.outputs.cpr = true;
  });
  const auto &a = averaged.polarizations[0].cross, &b = one.polarizations[0].cross;
  EXPECT_NEAR(a.cext / b.cext, 1, 1e-12);
  EXPECT_NEAR(a.cabs / b.cabs, 1, 1e-12);
  EXPECT_NEAR(*a.csca / *b.csca, 1, 1e-12);
  EXPECT_NEAR((*a.cpr)[2] / (*b.cpr)[2], 1, 1e-12);
  ASSERT_EQ(averaged.plane.size(), 9u);
  for (std::size_t i = 0; i < 9; ++i)
    EXPECT_NEAR(averaged.plane[i].mueller[0], one.plane[i].mueller[0], 1e-12 * one.plane[0].mueller[0]);
}

TEST_F(OrientationRuns, WhatHasNoAverageIsRefusedByTheRunItself) {
  for (int which = 0; which < 6; ++which)
    EXPECT_THROW(test::run("-grid 2",
                           [&](Simulation& sim) {
                             auto& o = sim.outputs;
                             bool* const wanted[] = {&o.store_int_field, &o.store_dip_pol, &o.store_beam,
                                                     &o.store_force,     &o.amplitude,     &o.efield};
                             *wanted[which] = sim.orientation.average = true;
                           }),
                 BadInput)
        << which;
}

TEST_F(OrientationRuns, AnAverageThatMissesItsAccuracyIsSaid) {
  const std::string file = folder.write(
      "avg.dat",
      angles(full_turn_of_four, "min=0\nmax=180\nJmin=1\nJmax=1\neps=1e-9\nequiv=false\nperiodic=false\n",
             full_turn_of_four));
  const auto o =
      test::run(fmt::format(fmt::runtime(particle_of_orientation_runs), shape), [&](Simulation& sim) {
        sim.orientation.average = true;
        sim.orientation.average_file = file;
      });
  ASSERT_FALSE(o.warnings.empty());
  EXPECT_NE(o.warnings.back().find("the average over orientations reached a relative error of"),
            std::string::npos);
  EXPECT_EQ(o.orientations, 1 + 4 + 1);  // the poles need one gamma each
  EXPECT_GT(o.polarizations[0].solve.iterations, 12);
  EXPECT_LT(o.polarizations[0].solve.residual, 1e-10);
  EXPECT_GT(o.polarizations[0].solve.residual, 0);
}

}  // namespace
}  // namespace umov
