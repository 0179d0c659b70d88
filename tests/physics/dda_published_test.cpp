// Published results of other programs: spheres of 15 dipoles per wavelength, and a large cube.
//
// Tests whose suite is named Validate take minutes: `make validate` runs them, and UMOV_TEST_BACKENDS=cuda
// takes them to a GPU, where those for which a processor would need hours run too.
#include <gtest/gtest.h>

#include "dda/observables/mie_comparison.hpp"
#include "mie/mie.hpp"
#include "support/dda_runs.hpp"

using namespace umov;

namespace {

/// m = 1.5, 15 dipoles per wavelength, no volume correction: ADDA with QMR to 1e-5, and Mie theory for the
/// sphere of the volume of all dipoles. 0 = not known.
struct Sphere {
  int n;
  long iterations;
  double qext, mie;
};
constexpr Sphere spheres[] = {
    {16, 22, 3.791150, 3.807450},   {32, 89, 2.324349, 2.287951}, {48, 265, 2.852220, 2.828138},
    {64, 1026, 2.000940, 1.926511}, {96, 2154, 2.005966, 0},
};

void expect_sphere(const Sphere& sphere, const std::string& backend) {
  SCOPED_TRACE(backend);
  const auto o = test::run(
      fmt::format("-shape sphere -grid {} -dpl 15 -no_vol_cor -m 1.5 0 -iter qmr -scat_matr none", sphere.n),
      [&](test::DipoleCase& sim) { sim.machine.backend = backend; });
  ASSERT_TRUE(o.converged);
  const double area = pi * o.particle.eq_radius * o.particle.eq_radius;
  const double qext = o.polarizations[0].cross.cext / area;
  // Both programs stop at a residual of 1e-5: each is that close to the solution, times |A^-1|, which grows
  // with the number of iterations; and ADDA's figure is printed to 6 decimals.
  EXPECT_NEAR(qext, sphere.qext, 5e-7 + 2e-5 * sphere.qext);
  // The count of iterations follows rounding once it exceeds some hundred.
  EXPECT_NEAR(double(o.polarizations[0].solve.iterations), double(sphere.iterations),
              0.1 * double(sphere.iterations));
  if (sphere.mie > 0) {
    EXPECT_NEAR(mie::efficiencies(*dda::equivalent_sphere(o)).qext, sphere.mie, 5e-7);
  }
}

/// The cube of the IFDDA benchmark (arXiv 2603.02871): k D = 30, m = 1.313, filtered coupled dipoles, in nm.
dda::Outcome cube(int n, const std::string& backend) {
  return test::run(fmt::format("-shape box -grid {} -size 2387.32 -lambda 500 -m 1.313 0 -pol fcd -int fcd "
                               "-iter bicgstab -scat_matr none",
                               n),
                   [&](test::DipoleCase& sim) { sim.machine.backend = backend; });
}
constexpr double cube_extinction = 24729875.28;  // nm^2, at n = 150

}  // namespace

TEST(DdaPublished, SpheresOf15DipolesPerWavelength) {
  for (const auto& backend : test::test_backends("cpu")) {
    for (int i : {0, 1}) expect_sphere(spheres[i], backend);
  }
}

TEST(Validate, Sphere48Of15DipolesPerWavelength) {
  for (const auto& backend : test::test_backends("cpu")) expect_sphere(spheres[2], backend);
}
TEST(Validate, Sphere64Of15DipolesPerWavelength) {
  for (const auto& backend : test::test_backends("cpu")) expect_sphere(spheres[3], backend);
}
TEST(Validate, Sphere96Of15DipolesPerWavelength) {
  for (const auto& backend : test::test_backends("cpu")) expect_sphere(spheres[4], backend);
}

TEST(Validate, CubeApproachesThePublishedExtinction) {
  // kd = 0.6 rather than 0.2: a coarser lattice, so an error of discretisation of the order of (kd)^2.
  for (const auto& backend : test::test_backends("cpu")) {
    EXPECT_NEAR(cube(50, backend).polarizations[0].cross.cext / cube_extinction, 1, 0.02);
  }
}

TEST(Validate, CubeOf150HasThePublishedExtinction) {
  const auto backends = test::test_backends("cpu");
  if (std::find(backends.begin(), backends.end(), "cuda") == backends.end())
    GTEST_SKIP() << "3.4 million dipoles: with UMOV_TEST_BACKENDS=cuda only";
  // Both solved to a residual of the order of 1e-5 in unequal norms.
  EXPECT_NEAR(cube(150, "cuda").polarizations[0].cross.cext / cube_extinction, 1, 1e-4);
}
