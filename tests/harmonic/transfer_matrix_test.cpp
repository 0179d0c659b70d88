// The exact solution of flat stacks, against independent numbers, Fresnel's formulas and energy.
#include "layers/transfer_matrix.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "core/error.hpp"
#include "harmonic/glass_cell.hpp"

namespace umov::harmonic {
namespace {

using layers::Polarization;

TEST(TransferMatrix, GivesTheNumbersOfAnIndependentProgramForTheGlassCell) {
  // the numbers are rounded to five digits, and n and k that they were computed with to 1e-4 and 1e-5
  for (const GlassCell& cell : glass_cells()) {
    const auto r = flat_response(cell.stack(), cell.wavelength, 0, Polarization::s);
    EXPECT_NEAR(r.reflection, cell.reflection, 3e-4) << cell.wavelength;
    EXPECT_NEAR(r.absorption[0], cell.front_contact, 3e-4) << cell.wavelength;
    EXPECT_NEAR(r.absorption[1], cell.absorber, 3e-4) << cell.wavelength;
    EXPECT_NEAR(r.absorption[2], cell.back_contact, 2e-5) << cell.wavelength;
    EXPECT_NEAR(r.transmission, cell.silver, 2e-5) << cell.wavelength;
    EXPECT_NEAR(r.sum(), 1, 1e-13);
  }
}

TEST(TransferMatrix, SAndPAreTheSameAlongTheNormal) {
  const GlassCell cell = glass_cells()[0];
  const auto s = flat_response(cell.stack(), 0.55, 0, Polarization::s);
  const auto p = flat_response(cell.stack(), 0.55, 0, Polarization::p);
  EXPECT_NEAR(s.reflection, p.reflection, 1e-13);
  EXPECT_NEAR(std::abs(s.amplitude + p.amplitude), 0, 1e-13);  // of E and of H: opposite signs
  for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(s.absorption[i], p.absorption[i], 1e-13);
}

TEST(TransferMatrix, OneInterfaceIsFresnel) {
  // Born and Wolf, Principles of Optics, 1.5.2: r_s = sin(b - a) / sin(a + b), r_p = tan(a - b) / tan(a + b)
  const double a = 40 * degree, b = std::asin(std::sin(a) * 1.2 / 1.7);
  const layers::FlatStack stack{1.44, {}, 2.89};
  EXPECT_NEAR(flat_response(stack, 0.5, a, Polarization::s).amplitude.real(),
              std::sin(b - a) / std::sin(a + b), 1e-14);
  EXPECT_NEAR(flat_response(stack, 0.5, a, Polarization::p).amplitude.real(),
              std::tan(a - b) / std::tan(a + b), 1e-14);
  const double brewster = std::atan(1.7 / 1.2);
  EXPECT_LT(flat_response(stack, 0.5, brewster, Polarization::p).reflection, 1e-28);
}

TEST(TransferMatrix, BeyondTheCriticalAngleALossyCoverTakesWhatIsNotReflected) {
  const layers::FlatStack stack{2.25, {{0.2, cplx(1, 0)}}, cplx(4, 1)};
  const layers::FlatStack alone{2.25, {}, 1};
  for (const auto polarization : {Polarization::s, Polarization::p}) {
    EXPECT_NEAR(flat_response(alone, 0.6, 60 * degree, polarization).reflection, 1, 1e-13);
    const auto r = flat_response(stack, 0.6, 60 * degree, polarization);
    EXPECT_GT(r.transmission, 0.01);  // tunnels through the gap
    EXPECT_NEAR(r.absorption[0], 0, 1e-13);
    EXPECT_NEAR(r.sum(), 1, 1e-13);
  }
}

TEST(TransferMatrix, ALayerOfAThousandSkinDepthsIsAHalfSpace) {
  const cplx silver = std::pow(cplx(0.05, 3.2), 2);
  const layers::FlatStack thick{1, {{200, silver}, {0.1, 2.0}}, 2.25}, half{1, {}, silver};
  for (const auto polarization : {Polarization::s, Polarization::p}) {
    const auto a = flat_response(thick, 0.55, 0.7, polarization),
               b = flat_response(half, 0.55, 0.7, polarization);
    EXPECT_NEAR(std::abs(a.amplitude - b.amplitude), 0, 1e-14);
    EXPECT_NEAR(a.absorption[0], b.transmission, 1e-13);
    EXPECT_EQ(a.transmission, 0);
  }
}

TEST(TransferMatrix, TheAbsorptionDensityIntegratesToTheAbsorption) {
  const layers::FlatStack stack = glass_cells()[1].stack();
  for (const auto polarization : {Polarization::s, Polarization::p}) {
    const layers::FlatWaves waves(stack, 0.65, 35 * degree, polarization);
    const auto r = waves.response();
    for (std::size_t layer = 0; layer < stack.layers.size(); ++layer) {
      const double d = stack.layers[layer].thickness;
      const int n = 2000;  // Simpson's rule: error (k d / n)^4, below 1e-8 here
      double sum = 0;
      for (int i = 0; i <= n; ++i)
        sum += (i == 0 || i == n ? 1 : i % 2 ? 4 : 2) * waves.absorption_density(layer, d * i / n);
      EXPECT_NEAR(sum * d / n / 3, r.absorption[layer], 1e-8);
    }
  }
}

TEST(TransferMatrix, RefusesWhatIsNoStack) {
  const layers::FlatStack good{1, {{0.1, 2.0}}, 1};
  EXPECT_NO_THROW(flat_response(good, 0.5, 0, Polarization::s));
  EXPECT_THROW(flat_response(good, 0, 0, Polarization::s), BadInput);
  EXPECT_THROW(flat_response(good, 0.5, pi / 2, Polarization::s), BadInput);
  EXPECT_THROW(flat_response({1, {{0, 2.0}}, 1}, 0.5, 0, Polarization::s), BadInput);
  EXPECT_THROW(flat_response({1, {{0.1, cplx(2, -0.1)}}, 1}, 0.5, 0, Polarization::s), BadInput);
  EXPECT_THROW(flat_response({-2, {{0.1, 2.0}}, 1}, 0.5, 0, Polarization::s), BadInput);
}

}  // namespace
}  // namespace umov::harmonic
