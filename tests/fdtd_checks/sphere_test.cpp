// Scattering by spheres against the Mie series, dielectric and metallic.
#include <gtest/gtest.h>

#include "mie/mie.hpp"
#include "scattering_cases.hpp"
#include "support/record.hpp"

using namespace umov;
using namespace umov::fdtd;
using namespace umov::test;

namespace {

ScatteringCase glass_sphere() {
  ScatteringCase c;
  c.x = {1, 2};
  c.center = 1.5;
  c.width = 0.3;
  c.material = constant("glass", 4);
  return c;
}

struct Errors {
  std::vector<double> scattering, extinction;
};

Errors errors(ScatteringCase c, cplx index, double resolution) {
  c.resolution = resolution;
  const auto found = sphere_run(c);
  Errors e;
  for (std::size_t i = 0; i < c.x.size(); ++i) {
    const auto exact = mie::efficiencies({c.x[i], index});
    const double sca = found.scattering[i], ext = found.extinction[i];
    e.scattering.push_back(sca / exact.qsca - 1);
    e.extinction.push_back(ext / exact.qext - 1);
    test::record(
        "sphere m %.2f + %.4fi x %.0f, %.0f cells per radius: Qsca %.6f (Mie %.6f, %+.2f %%), Qext %.6f "
        "(%.6f, "
        "%+.2f %%)",
        index.real(), index.imag(), c.x[i], resolution, sca, exact.qsca, 100 * e.scattering.back(), ext,
        exact.qext, 100 * e.extinction.back());
  }
  return e;
}

}  // namespace

TEST(FdtdSphere, DrudePoleHasThePermittivityAskedFor) {
  const auto m = silver_like_body().material.constants;
  EXPECT_LT(std::abs(m.permittivity(1) - silver_like_index * silver_like_index), 1e-12);
}

// Averaged surfaces are of second order: 4 times nearer with twice the cells, taken as 2.5.
TEST(FdtdSphere, ScatteringOfIndexTwoConvergesToMie) {
  const auto coarse = errors(glass_sphere(), 2, 8), fine = errors(glass_sphere(), 2, 16);
  for (int i = 0; i < 2; ++i) {
    EXPECT_LT(std::abs(fine.scattering[i]), 0.01);
    EXPECT_LT(std::abs(fine.scattering[i]), std::max(std::abs(coarse.scattering[i]) / 2.5, 2e-3));
  }
}

// Measured 2.4 and 2.8 % at 8 cells per radius, 0.3 and 1.3 % at 16: at least first order. Cells of one
// material each made the metal 0.3 cells larger: 12 and 6 %.
TEST(FdtdSphere, ScatteringOfAMetalConvergesToMie) {
  const auto coarse = errors(silver_like_body(), silver_like_index, 8),
             fine = errors(silver_like_body(), silver_like_index, 16);
  EXPECT_LT(std::abs(coarse.scattering[0]), 0.04);
  EXPECT_LT(std::abs(coarse.extinction[0]), 0.04);
  EXPECT_LT(std::abs(fine.scattering[0]), 0.02);
  EXPECT_LT(std::abs(fine.extinction[0]), 0.02);
}

TEST(ValidateFdtdSphere, DielectricIsWithinAFifthOfAPercentOnFineGrids) {
  for (const double e : errors(glass_sphere(), 2, 32).scattering) EXPECT_LT(std::abs(e), 2e-3);
}

TEST(ValidateFdtdSphere, MetalIsWithinOnePercentOnFineGrids) {
  const auto fine = errors(silver_like_body(), silver_like_index, 40);
  EXPECT_LT(std::abs(fine.scattering[0]), 0.01);
  EXPECT_LT(std::abs(fine.extinction[0]), 0.01);
}
