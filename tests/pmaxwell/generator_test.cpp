// Coefficients and time steps of the directories that `umov pmaxwell --from` makes.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "core/error.hpp"
#include "pmaxwell/cell.hpp"

namespace umov::pmaxwell {
namespace {

using namespace harmonic;

TEST(PmaxwellGenerator, ObliqueIncidenceIsRefusedByName) {
  const SmallCell small;
  const Problem oblique = make_problem(small.cell, small.media, 0.55, {4, 0});
  try {
    const Generator generator(small.cell, oblique, Polarization::s, 0.9);
    FAIL();
  } catch (const BadInput& e) {
    EXPECT_NE(std::string(e.what()).find("normal incidence only"), std::string::npos);
  }
}

TEST(PmaxwellGenerator, BothStepsHaveTheFixedPointOfTheEquationAndContract) {
  // -i k0 m f = difference / d
  const double k0 = 11.4, tau = 0.008, d = 0.0125;
  for (const cplx m : {cplx(2.25, 0), cplx(17, 1.2), cplx(-10.5, 0.32), cplx(-0.3, 2), cplx(4, 7), cplx(0, 1),
                       cplx(0, 0), cplx(0.999, 0), cplx(-0.999, 0), cplx(1e-6, 0.3), cplx(-0.02, 0.1)}) {
    const auto [t, s] = coefficients(m, k0, tau, d);
    // f = t f + s (difference)
    EXPECT_LT(std::abs(t - s * cplx(0, 1) * k0 * m * d - 1.0), 1e-12) << m;
    EXPECT_LE(std::abs(t), 1 + 1e-15) << m;
    EXPECT_GT(s.real(), 0) << m;
    EXPECT_LE(std::abs(s), tau / d * (1 + 1e-12)) << m;  // no step has less inertia than vacuum's
  }
  // the step for small Re m joins the forward one where this begins
  const auto below = coefficients(cplx(1 - 1e-9, 0), k0, tau, d), above = coefficients(1, k0, tau, d);
  EXPECT_LT(std::abs(below.t - above.t) + std::abs(below.s - above.s), 1e-8);
}

TEST(PmaxwellGenerator, CutEdgesDoNotShortenTheStep) {
  auto cell = grid_cell({0, 0.1}, 0.0125, 0.15, 0, 0.2);
  make_wavy(cell, 1, 0.03);
  double least = 1;
  const Problem p = make_problem(cell, {1, 2.25, cplx(-10.5, 0.3)}, 0.55, {0, 0});
  for (const cplx eps : p.permittivity) least = std::min(least, std::abs(eps.real()));
  EXPECT_LT(least, 0.5);
  const Generator generator(cell, p, Polarization::p, 0.9);
  EXPECT_NEAR(generator.tau(), 0.9 * 0.0125 / std::sqrt(2.0), 1e-12);
}

}  // namespace
}  // namespace umov::pmaxwell
