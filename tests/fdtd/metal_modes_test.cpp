// Modes of gaps between metal: those of the gap, not those of the cells that the metal's surface cuts.
#include <gtest/gtest.h>

#include <boost/math/tools/roots.hpp>

#include "fdtd/sources/local.hpp"
#include "fdtd/sources/mode_solver.hpp"
#include "support/conductor_cases.hpp"
#include "support/fdtd_runs.hpp"
#include "support/record.hpp"

namespace umov::fdtd {
namespace {

/// Index of the even mode with H along a gap of this width in vacuum between halves of eps < 0: the jump
/// condition tanh(g1 width / 2) = -g2 / (eps g1) (Economou 1969, Phys. Rev. 182, 539).
double gap_index(double width, double eps, double f) {
  const double k = 2 * pi * f;
  const auto mismatch = [&](double n) {
    const double g1 = k * std::sqrt(n * n - 1), g2 = k * std::sqrt(n * n - eps);
    return std::tanh(g1 * width / 2) + g2 / (eps * g1);
  };
  const auto bracket =
      boost::math::tools::bisect(mismatch, 1 + 1e-9, 50.0, boost::math::tools::eps_tolerance<double>(40));
  return bracket.first;
}

// A mode of a cut cell has an index of 16 to 42 here, and of twice that at twice the resolution; it was mode
// 1 wherever a surface lay off the grid. The gap's own is of first order in the cell at worst: 10 cells and a
// tenth of one give 1 %.
TEST(FdtdMetalModes, TheFirstModeOfAGapInSilverIsTheGapsWhereverItsFacesLie) {
  for (const double off : {0.0, 0.001, 0.002, 0.003, 0.004, 0.005}) {
    Simulation s = test::checked_case({1, 1, 0}, 100);
    s.te = true;
    s.unit_um = 0.5;
    s.bodies = {test::body("box", "silver-jiang", {0, 0, 0}), test::body("box", "vacuum", {0, off, 0})};
    s.bodies[1].size = Vec3{100, 0.1, 0};
    s.sources = {test::point_source(test::pulse(0.7, 0.08), Hz, {0, 0, 0})};
    const Problem p = test::walled(s);
    const auto silver = make_scene(s)->materials();
    const double f = 0.7;
    double eps = 0;
    for (const auto& m : silver) eps = std::min(eps, m.permittivity(2 * pi * f).real());
    const auto mode = solve_mode(p, mode_plane(p.grid, {0, 0, 0}, {0, 0.7, 0}, "test"), f, 1, {}, "test");
    const double exact = gap_index(0.1, eps, f);
    test::record("off %g: index %.4f, exact %.4f", off, mode.n_eff, exact);
    EXPECT_NEAR(mode.n_eff, exact, 0.01 * exact) << off;
  }
}

}  // namespace
}  // namespace umov::fdtd
