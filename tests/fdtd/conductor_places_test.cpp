// A mirror moved through two cells in small steps: its modes change as the place does, without jumps.
#include <gtest/gtest.h>

#include "support/conductor_cases.hpp"
#include "support/cut_operator.hpp"

namespace umov::fdtd {
namespace {

constexpr double cells = 20, dx = 1 / cells;

/// Cavity between a wall on a node and one `place` cells beyond another, along x; `across` wide in y and z.
Simulation cavity_to(double place, int dimensions, bool te, double across) {
  const double low = -0.5, high = 0.3 + place * dx;
  const bool flat = dimensions == 1;
  auto s = test::cavity({1.2, flat ? 0 : 1, dimensions == 3 ? 0.4 : 0}, cells,
                        test::box_of({high - low, flat ? 0 : across, 0}, {(low + high) / 2, 0, 0}));
  s.te = te;
  return s;
}

struct Sweep {
  double worst = 0, jump = 0;  ///< errors of the frequency beyond the grid's dispersion, in (k dx)^2
};

/// What the wall adds to the error of a mode of wave numbers kx and ky.
Sweep sweep(int dimensions, bool te, double across) {
  Sweep found;
  double before = NAN;
  for (int step = -50; step <= 50; ++step) {
    const double place = 0.02 * step;
    const double kx = (dimensions == 1 ? 2 : 1) * pi / (0.8 + place * dx);
    const double ky = dimensions > 1 && !te ? pi / across : 0;
    const double wx = 2 / dx * std::sin(kx * dx / 2), wy = 2 / dx * std::sin(ky * dx / 2);
    const double exact = std::hypot(wx, wy) / (2 * pi);
    const auto s = cavity_to(place, dimensions, te, across);
    const double off =
        (test::nearest_mode(test::walled(s), exact * (1 + 1e-4)) / exact - 1) / std::pow(kx * dx, 2);
    found.worst = std::max(found.worst, std::fabs(off));
    if (step > -50) found.jump = std::max(found.jump, std::fabs(off - before));
    before = off;
  }
  std::printf("%d dimensions, te %d: worst %.2e, largest jump %.2e of (k dx)^2\n", dimensions, te,
              found.worst, found.jump);
  return found;
}

// The grid's own dispersion is 1/24 = 0.042 of (k dx)^2. The mirror's place is exact up to the next order of
// k dx; in the plane the far corners of the cavity lie on nodes. Without weights of the near nodes the jump
// is 6e-3, when the wall passes a node.
TEST(FdtdConductorPlaces, MirrorInOneDimensionPassesNodesWithoutAJump) {
  const Sweep s = sweep(1, false, 0);
  EXPECT_LT(s.worst, 1e-3);
  EXPECT_LT(s.jump, 2e-4);
}

TEST(FdtdConductorPlaces, MirrorWithEAlongPassesNodesWithoutAJump) {
  const Sweep s = sweep(2, false, 0.8);
  EXPECT_LT(s.worst, 2e-3);
  EXPECT_LT(s.jump, 4e-4);
}

TEST(FdtdConductorPlaces, MirrorWithHAlongPassesNodesWithoutAJump) {
  const Sweep s = sweep(2, true, 0);
  EXPECT_LT(s.worst, 4e-3);
  EXPECT_LT(s.jump, 3e-3);
}

}  // namespace
}  // namespace umov::fdtd
