// The reference for spheroids that other tests are held to: itself held to spheres and to energy.
#include "support/spheroid.hpp"

#include <gtest/gtest.h>

#include "mie/mie.hpp"

using namespace umov;

TEST(SpheroidReference, OfEqualAxesIsMiesSphere) {
  for (const cplx m : {cplx(1.5), cplx(1.33, 0.1), cplx(0.8, 1.5)})
    for (const double x : {0.3, 1.5, 4.0}) {
      const auto found = test::scattering_along_axis({x, x, m}, mie::partial_waves(x));
      const auto mie = mie::efficiencies({x, m});
      EXPECT_NEAR(found.ext / (pi * x * x * mie.qext), 1, 1e-9) << x << m;
      EXPECT_NEAR(found.sca / (pi * x * x * mie.qsca), 1, 1e-9) << x << m;
    }
}

// What no term of the sum knows of: without absorption all that is taken from the wave is scattered.
TEST(SpheroidReference, ConservesEnergyAndConverges) {
  for (const double ratio : {0.5, 2.0, 3.0}) {
    const double across = 1.6 / std::cbrt(ratio);
    const auto few = test::scattering_along_axis({across, across * ratio, 1.5}, 16),
               many = test::scattering_along_axis({across, across * ratio, 1.5}, 20);
    EXPECT_NEAR(many.ext / many.sca, 1, 1e-6) << ratio;
    EXPECT_NEAR(many.ext / few.ext, 1, 1e-5) << ratio;
  }
}

// Rayleigh's limit: C = k^4 |alpha|^2/(6 pi) with alpha = 3 V (e - 1)/(3 + 3 L (e - 1)), L the depolarization
// factor across the axis (Bohren and Huffman, eqs. 5.32 to 5.34).
TEST(SpheroidReference, IsElectrostaticsWhenSmall) {
  const double across = 0.01, ratio = 3, e2 = 1 - 1 / (ratio * ratio), e = std::sqrt(e2);
  const double polar = (1 - e2) / e2 * (std::log((1 + e) / (1 - e)) / (2 * e) - 1), l = (1 - polar) / 2;
  const cplx contrast = cplx(1.5, 0.4) * cplx(1.5, 0.4) - 1.0;
  const cplx alpha = 4 * pi / 3 * across * across * across * ratio * contrast / (1.0 + l * contrast);
  const auto found = test::scattering_along_axis({across, across * ratio, cplx(1.5, 0.4)}, 12);
  // the next order is x^2 = 1e-3
  EXPECT_NEAR(found.sca / (std::norm(alpha) / (6 * pi)), 1, 2e-3);
  EXPECT_NEAR((found.ext - found.sca) / alpha.imag(), 1, 2e-3);
}
