// Scattering by perfectly conducting cylinders against the exact series, wherever their axis is in its cell.
#include <gtest/gtest.h>

#include <random>

#include "fdtd/monitors/near_to_far.hpp"
#include "support/cylinder_functions.hpp"
#include "support/fdtd_runs.hpp"
#include "support/machines.hpp"
#include "support/record.hpp"

namespace umov::test {
namespace {

/// Scattering cross section per length over the diameter: b_n = J_n / H_n with E along the axis, J_n' / H_n'
/// with H along it (Bohren and Huffman 1983, section 8.4, at infinite index).
double exact_efficiency(double x, bool te) {
  double q = 0;
  for (int n = 0; n <= int(x + 4 * std::cbrt(x) + 10); ++n) {
    const lcplx z = x;
    const lcplx c = te ? cylinder_derivative(bessel_j, n, z) / cylinder_derivative(hankel, n, z)
                       : bessel_j(n, z) / hankel(n, z);
    q += (n == 0 ? 2 : 4) / x * double(std::norm(c));
  }
  return q;
}

struct Scattered {
  std::vector<double> error;  ///< relative, of the scattering efficiency
  double absorbed = 0;        ///< largest |Qext - Qsca|
};

Scattered scatter(double resolution, bool te, const Vec3& center) {
  const std::vector<double> frequencies{0.8, 1.0, 1.2};
  auto s = checked_case({2.4 + 20 / resolution, 2.4 + 20 / resolution, 0}, resolution, 1e-9);
  s.te = te;
  s.bodies = {ball("cylinder", "pec", 0.5)};
  s.bodies[0].center = center;
  s.sources = {plane_wave(pulse(1, 0.2), 0, {1.4, 1.4, 0})};
  auto m = monitor(fdtd::MonitorSpec::Kind::near_to_far, "far", {0, 0, 0}, {1.8, 1.8, 0}, frequencies);
  m.own<fdtd::NearToFarSpec>() = {{90}, {0}};
  s.monitors = {m};
  const auto far = fdtd::run(s, umov::test::one_thread).of<fdtd::FarFieldResult>()[0];
  Scattered found;
  for (std::size_t i = 0; i < frequencies.size(); ++i) {
    const double exact = exact_efficiency(pi * frequencies[i], te);
    found.error.push_back(far.scattering_cross_section[i] / exact - 1);
    found.absorbed = std::max(found.absorbed, std::fabs(far.extinction[i] - far.scattering_cross_section[i]));
    test::record("%s %.0f cells, f %.1f: Csca %.5f (exact %.5f, %+.3f %%), Cabs %+.1e", te ? "te" : "tm",
                 resolution, frequencies[i], far.scattering_cross_section[i], exact, 100 * found.error.back(),
                 far.extinction[i] - far.scattering_cross_section[i]);
  }
  return found;
}

void expect_second_order(bool te) {
  std::mt19937 random(4 + te);
  double sum[2] = {0, 0};
  for (int place = 0; place < 3; ++place)
    for (const int fine : {0, 1}) {
      const double n = 20 << fine;
      std::uniform_real_distribution<double> draw(0, 1 / n);
      const auto found = scatter(n, te, {draw(random), draw(random), 0});
      for (const double e : found.error) sum[fine] += e * e;
      // What the fields that the run leaves behind (1e-9 of the energy) can change.
      EXPECT_LT(found.absorbed, 1e-5);
    }
  const double order = std::log2(sum[0] / sum[1]) / 2;
  test::record("order %.2f", order);
  EXPECT_GT(order, 1.8);
  // the grid's dispersion at 40 cells, (k dx)^2 / 24 = 1e-3, as seen by the series, and as much for the
  // surface
  EXPECT_LT(std::sqrt(sum[1] / 9), 0.004);
}

TEST(FdtdConductor, CylinderScattersAsTheSeriesWithEAlong) { expect_second_order(false); }
TEST(FdtdConductor, CylinderScattersAsTheSeriesWithHAlong) { expect_second_order(true); }

}  // namespace
}  // namespace umov::test
