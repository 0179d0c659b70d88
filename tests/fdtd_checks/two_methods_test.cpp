// One sphere by discrete dipoles and in the time domain: the same cross sections within both error bars.
#include <gtest/gtest.h>

#include "mie/mie.hpp"
#include "scattering_cases.hpp"
#include "support/dda_runs.hpp"
#include "support/record.hpp"

using namespace umov;
using namespace umov::test;

namespace {

constexpr double index_of_sphere = 1.5;

/// A number from the finer of two grids, and how far off it may be.
struct Estimate {
  double value = 0, error = 0;
};

/// Qext of a sphere of size parameter 1 on a grid of dipoles.
double by_dipoles(int grid) {
  const auto out = umov::test::run(
      fmt::format("-shape sphere -m {} 0 -lambda {:.15g} -size 2 -grid {}", index_of_sphere, 2 * pi, grid),
      [](DipoleCase& c) { c.machine.threads = 1; });
  return out.polarizations[0].cross.cext / pi;
}

double in_time(double resolution) {
  ScatteringCase c;
  c.x = {1};
  c.center = 1;
  c.width = 0.3;
  c.resolution = resolution;
  c.material = constant("glass", index_of_sphere * index_of_sphere);
  return sphere_run(c).scattering[0];
}

/// From a grid and one of twice the resolution: three times what extrapolation with that order would add, the
/// usual margin for two grids only (Roache 1994, J. Fluids Eng. 116, 405). Dipoles on a surface make first
/// order, averaged edges second.
Estimate estimate(double coarse, double fine, int order) {
  return {fine, 3 * std::abs(fine - coarse) / (std::pow(2, order) - 1)};
}

}  // namespace

TEST(FdtdAndDda, GiveOneSphereTheSameCrossSectionWithinTheirErrorBars) {
  const Estimate dda = estimate(by_dipoles(12), by_dipoles(24), 1),
                 fdtd = estimate(in_time(8), in_time(16), 2);
  const double exact = mie::efficiencies({1, index_of_sphere}).qext;
  test::record("sphere m 1.5 x 1: dda %.5f +- %.5f, fdtd %.5f +- %.5f, Mie %.5f", dda.value, dda.error,
               fdtd.value, fdtd.error, exact);
  EXPECT_LT(std::abs(dda.value - fdtd.value), dda.error + fdtd.error);
  EXPECT_NEAR(dda.value, exact, dda.error);
  EXPECT_NEAR(fdtd.value, exact, fdtd.error);
  // Bars that say something: of a few percent at most.
  EXPECT_LT(dda.error, 0.03 * exact);
  EXPECT_LT(fdtd.error, 0.03 * exact);
}
