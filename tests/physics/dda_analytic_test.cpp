// The discrete dipole approximation against closed solutions: one and two dipoles, Mie theory.
#include <gtest/gtest.h>

#include "dda/observables/mie_comparison.hpp"
#include "mie/mie.hpp"
#include "support/dda_runs.hpp"

using namespace umov;

namespace {

/// |Q - Mie|/Mie of extinction for a sphere run.
double extinction_error(const dda::Outcome& o) {
  const auto sphere = dda::equivalent_sphere(o);
  const double area = pi * o.particle.eq_radius * o.particle.eq_radius;
  return o.polarizations[0].cross.cext / area / mie::efficiencies(*sphere).qext - 1;
}

double absorption_error(const dda::Outcome& o) {
  const auto sphere = dda::equivalent_sphere(o);
  const double area = pi * o.particle.eq_radius * o.particle.eq_radius;
  return o.polarizations[0].cross.cabs / area / mie::efficiencies(*sphere).qabs - 1;
}

/// Largest difference of any Mueller element from Mie theory, relative to S11 forward.
double mueller_error(const dda::Outcome& o) {
  const auto coefficients = mie::coefficients(*dda::equivalent_sphere(o));
  double largest = 0, scale = 0;
  for (const auto& row : o.plane) {
    const auto expected = mie::mueller(mie::amplitudes(coefficients, std::cos(row.theta * pi / 180)));
    scale = std::max(scale, expected[0]);
    for (int k = 0; k < 16; ++k) largest = std::max(largest, std::abs(row.mueller[k] - expected[k]));
  }
  return largest / scale;
}

}  // namespace

TEST(DdaAnalytic, OneDipoleIsRayleighScattering) {
  // Cext = 4 pi k Im alpha, Csca = 8 pi k^4 |alpha|^2 / 3, S11 = k^6 |alpha|^2 (1 + cos^2) / 2
  // (Bohren and Huffman 1983, sec. 5.2), exact for one dipole: only rounding is allowed.
  const auto o =
      test::run("-shape box -grid 1 -size 0.1 -m 1.5 0.3 -pol rrc -prop 1 2 3 -ntheta 6 -eps 14 -Csca");
  const double k = 1;  // the default wavelength is 2 pi
  ASSERT_EQ(o.particle.dipoles(), 1u);
  for (const auto& p : o.polarizations) {
    const cplx alpha = p.alpha[0][0];
    EXPECT_NEAR(p.cross.cext / (4 * pi * k * alpha.imag()), 1, 1e-13);
    const double csca = 8 * pi * std::pow(k, 4) * std::norm(alpha) / 3;
    // The difference of two numbers 1e4 times larger.
    EXPECT_NEAR(p.cross.csca_difference() / csca, 1, 1e-9);
    // Romberg is exact for the quadratic in the cosine, the trapezoid rule for the harmonics of phi.
    EXPECT_NEAR(*p.cross.csca / csca, 1, 1e-12);
  }
  const double square = std::norm(o.polarizations[0].alpha[0][0]);
  for (const auto& row : o.plane) {
    const double c = std::cos(row.theta * pi / 180);
    EXPECT_NEAR(row.mueller[0] / (std::pow(k, 6) * square * (1 + c * c) / 2), 1, 1e-12) << row.theta;
  }
}

TEST(DdaAnalytic, TwoDipolesHaveTheirClosedSolution) {
  // A pair along z lit along x: both dipoles feel the same field, so P = alpha / (1 - alpha G) with the
  // Green's function along or across the pair, and Cext = 4 pi k Im(2 P).
  const test::Scratch scratch;
  const double d = 2 * pi / 12, k = 1;
  const auto o = test::run("-shape read " + scratch.write("pair.dat", "0 0 0\n0 0 1\n") +
                           " -m 1.7 0.2 -dpl 12 -prop 1 0 0 -eps 14 -pol rrc -ntheta 4");
  ASSERT_EQ(o.particle.dipoles(), 2u);
  EXPECT_NEAR(o.particle.spacing[2], d, 1e-15);
  const cplx i(0, 1), phase = std::exp(i * k * d) / (d * d * d);
  const cplx across = phase * (k * k * d * d + i * k * d - 1.0), along = phase * (2.0 - 2.0 * i * k * d);
  for (const auto& p : o.polarizations) {
    const bool is_along = std::abs(p.inc_pol[2]) > 0.5;
    const cplx alpha = p.alpha[0][0], green = is_along ? along : across;
    EXPECT_NEAR(p.cross.cext / (8 * pi * k * (alpha / (1.0 - alpha * green)).imag()), 1, 1e-12) << p.label;
  }
  EXPECT_NE(std::abs(o.polarizations[0].inc_pol[2]) > 0.5, std::abs(o.polarizations[1].inc_pol[2]) > 0.5);
}

TEST(DdaAnalytic, FormulationsConvergeToEachOther) {
  // Polarizabilities differ by terms of order (kd)^2 (Yurkin and Hoekstra 2007, sec. 2.4), and all see the
  // same sites, so halving d shrinks their spread fourfold; at these sizes the next order adds to it.
  // Clausius- Mossotti lacks only the radiative reaction of order (kd)^3.
  const auto spread = [](int n) {
    std::vector<double> q;
    for (const char* pol : {"cm", "rrc", "ldr", "ldr avgpol", "cldr", "dgf", "lak", "fcd -int fcd"}) {
      q.push_back(
          test::run(
              fmt::format("-shape sphere -size 2 -m 1.5 0.1 -grid {} -eps 6 -scat_matr none -pol {}", n, pol))
              .polarizations[0]
              .cross.cext);
    }
    const auto [low, high] = std::minmax_element(q.begin(), q.end());
    return *high / *low - 1;
  };
  const double coarse = spread(5), fine = spread(10), finest = spread(20);
  EXPECT_GT(coarse, 1e-3);
  EXPECT_GT(coarse / fine, 3);
  EXPECT_GT(fine / finest, 3);
}

TEST(DdaAnalytic, SphereConvergesToMieAndExtrapolates) {
  // At a fixed size the error is a y + b y^2, y = k d |m| (Yurkin, Maltsev and Hoekstra 2006, JOSA A 23,
  // 2592), but for the jitter of the surface; the fit of 0th to 2nd order through four refinements beats the
  // finest.
  const int grids[] = {8, 16, 24, 32};
  double error[4], y[4];
  for (int i = 0; i < 4; ++i) {
    error[i] = extinction_error(
        test::run(fmt::format("-shape sphere -eq_rad 2 -m 1.5 0.05 -scat_matr none -grid {}", grids[i])));
    y[i] = 1.0 / grids[i];
  }
  EXPECT_LT(std::abs(error[1]), std::abs(error[0]));
  EXPECT_LT(std::abs(error[3]), std::abs(error[1]) / 1.5);
  EXPECT_LT(std::abs(error[3]), 0.005);
  // Least squares of c0 + c1 y + c2 y^2, weighted by y^-3 as the authors do: normal equations by Cramer's
  // rule.
  double m[3][4] = {};
  for (int i = 0; i < 4; ++i) {
    const double basis[3] = {1, y[i], y[i] * y[i]}, weight = std::pow(y[i], -6);
    for (int r = 0; r < 3; ++r) {
      for (int c = 0; c < 3; ++c) m[r][c] += weight * basis[r] * basis[c];
      m[r][3] += weight * basis[r] * error[i];
    }
  }
  const auto det = [&](int a, int b, int c) {
    const auto e = [&](int row, int column) { return m[row][column]; };
    return e(0, a) * (e(1, b) * e(2, c) - e(1, c) * e(2, b)) -
           e(0, b) * (e(1, a) * e(2, c) - e(1, c) * e(2, a)) +
           e(0, c) * (e(1, a) * e(2, b) - e(1, b) * e(2, a));
  };
  const double extrapolated = det(3, 1, 2) / det(0, 1, 2);
  EXPECT_LT(std::abs(extrapolated), std::abs(error[3]));
}

TEST(DdaAnalytic, AbsorbingSphereHasTheMuellerMatrixOfMie) {
  // The bounds are 1.5 times the errors measured; they shrink with d, and a sign or a conjugation lost in any
  // element would leave an error of order one.
  const std::string sphere = "-shape sphere -eq_rad 2.5 -m 1.4 0.2 -ntheta 36 -grid ";
  const auto coarse = test::run(sphere + "12"), fine = test::run(sphere + "24");
  EXPECT_LT(mueller_error(fine), 0.01);
  EXPECT_LT(mueller_error(fine), mueller_error(coarse) / 1.5);
  EXPECT_LT(std::abs(extinction_error(fine)), 0.004);
  EXPECT_LT(std::abs(absorption_error(fine)), 0.004);
}

TEST(DdaAnalytic, PreconditionedSphereHasTheMuellerMatrixOfMie) {
  // The sphere above, by other ways to the same solution.
  for (const auto inner : {dda::InnerPrecision::double_, dda::InnerPrecision::single}) {
    const auto fine = test::run("-shape sphere -eq_rad 2.5 -m 1.4 0.2 -ntheta 36 -grid 24", [&](auto& sim) {
      sim.solver.preconditioner = dda::PreconditionerChoice::medium;
      sim.solver.inner = inner;
    });
    EXPECT_GT(fine.polarizations[0].solve.preconditionings, 0);
    EXPECT_LT(mueller_error(fine), 0.01) << int(inner);
    EXPECT_LT(std::abs(extinction_error(fine)), 0.004) << int(inner);
    EXPECT_LT(std::abs(absorption_error(fine)), 0.004) << int(inner);
  }
}

TEST(DdaAnalytic, CoatedSphereApproachesMieForCoatedSpheres) {
  const std::string sphere = "-shape coated 0.6 -eq_rad 2 -m 1.3 0.1 1.7 0.02 -ntheta 36 -grid ";
  const auto coarse = test::run(sphere + "12"), fine = test::run(sphere + "24");
  EXPECT_LT(mueller_error(fine), 0.01);
  EXPECT_LT(mueller_error(fine), mueller_error(coarse) / 1.5);
  EXPECT_LT(std::abs(extinction_error(fine)), 0.006);
  EXPECT_LT(std::abs(absorption_error(fine)), 0.02);
  // Core and shell exchanged is another sphere altogether.
  auto swapped = fine;
  std::swap(swapped.simulation.m[0], swapped.simulation.m[1]);
  EXPECT_GT(std::abs(extinction_error(swapped)), 0.05);
}
