// Modes of ribs on slabs that run through the rim of the mode's plane: guided is what the slab does not carry
// away.
#include <gtest/gtest.h>

#include <boost/math/tools/roots.hpp>
#include <limits>

#include "core/error.hpp"
#include "fdtd/sources/mode_solver.hpp"
#include "support/conductor_cases.hpp"
#include "support/fdtd_runs.hpp"
#include "support/record.hpp"

namespace umov::fdtd {
namespace {

constexpr double core = 3.4, below = 1.45, frequency_of_rib_modes = 0.65,
                 whole_axis = std::numeric_limits<double>::infinity();

/// Index of the first mode of a slab between two halves: kx width - atan(r1 g1 / kx) - atan(r2 g2 / kx) = 0,
/// r = 1 for E along the slab, n^2 / n_i^2 for H (Saleh and Teich 2007, Fundamentals of Photonics, chapter
/// 8).
double slab_index(double n, double width, double n1, double n2, bool h_along) {
  const double k = 2 * pi * frequency_of_rib_modes;
  const auto phase = [&](double beta) {
    const auto side = [&](double outside) {
      const double ratio = h_along ? n * n / (outside * outside) : 1;
      return ratio * std::sqrt(std::max(beta * beta - outside * outside, 0.0) / (n * n - beta * beta));
    };
    return k * width * std::sqrt(n * n - beta * beta) - std::atan(side(n1)) - std::atan(side(n2));
  };
  const double least = std::max(n1, n2) * (1 + 1e-12);
  if (!(phase(least) > 0)) return least;
  return boost::math::tools::bisect(phase, least, n * (1 - 1e-12),
                                    boost::math::tools::eps_tolerance<double>(50))
      .first;
}

/// A rib 0.5 wide and 0.3 high whose slab is as thick as is said on its left and right.
Problem rib(double left, double right, double resolution = 30) {
  Simulation s = test::checked_case({1.2, 3.2, 2.6}, resolution);
  s.materials = {test::constant("core", core * core), test::constant("oxide", below * below)};
  const auto add = [&](const char* material, const Vec3& center, const Vec3& size) {
    s.bodies.push_back(test::body("box", material, center));
    s.bodies.back().size = size;
  };
  add("oxide", {0, 0, -5}, {whole_axis, whole_axis, 10});
  add("core", {0, 0, 0.15}, {whole_axis, 0.5, 0.3});
  if (left > 0) add("core", {0, -2.5, left / 2}, {whole_axis, 5, left});
  if (right > 0) add("core", {0, 2.5, right / 2}, {whole_axis, 5, right});
  s.sources = {test::point_source(test::pulse(frequency_of_rib_modes, 0.1), Ez, {0, 0, 0})};
  return test::walled(s);
}

std::vector<ModeProfile> modes_of(const Problem& p, double width, double height, int count = 1) {
  return guided_modes(p, mode_plane(p.grid, {0, 0, 0}, {0, width, height}, "test"), frequency_of_rib_modes,
                      count, {});
}

/// The effective index method: the slabs across by their own first modes, E along them.
double by_effective_index(double left, double right) {
  const auto layers = [](double height) { return slab_index(core, height, below, 1, false); };
  return slab_index(layers(0.3), 0.5, left > 0 ? layers(left) : 1, right > 0 ? layers(right) : 1, true);
}

// Before: none, since the rim has the index of the core. The method's own error falls with the step of the
// rib: in the literature it is 1 to 3 % high for silicon; the grid of 30 cells adds one.
TEST(FdtdRibModes, RibsOfAnySlabHaveTheModeOfTheEffectiveIndexMethod) {
  for (const auto& [left, right] :
       {std::pair{0.05, 0.05}, {0.1, 0.1}, {0.15, 0.15}, {0.2, 0.2}, {0.1, 0.0}, {0.0, 0.2}, {0.05, 0.15}}) {
    const auto modes = modes_of(rib(left, right), 1.9, 1.3);
    ASSERT_EQ(modes.size(), 1u) << left << " " << right;
    const double wanted = by_effective_index(left, right);
    test::record("slab %g, %g: index %.4f, effective index method %.4f", left, right, modes[0].n_eff, wanted);
    EXPECT_NEAR(modes[0].n_eff, wanted, 0.04 * wanted) << left << " " << right;
  }
}

// exp(-g y) with g = 2 pi f sqrt(n^2 - slab^2): 5 / unit and more of slabs up to 0.15.
TEST(FdtdRibModes, TheModeOfASmallPlaneIsThatOfALargeOne) {
  for (const double slab : {0.05, 0.1, 0.15}) {
    const Problem p = rib(slab, slab, 20);
    const auto small = modes_of(p, 1.7, 1.3), large = modes_of(p, 2.7, 1.9);
    ASSERT_EQ(small.size(), 1u);
    ASSERT_EQ(large.size(), 1u);
    EXPECT_NEAR(small[0].n_eff, large[0].n_eff, 2e-3) << slab;
  }
}

// All modes that are found are slower than what the slab carries away, by its exact index.
TEST(FdtdRibModes, NothingThatTheSlabCarriesAwayIsGuided) {
  for (const double slab : {0.1, 0.2, 0.25}) {
    const double least = slab_index(core, slab, below, 1, false);
    for (const ModeProfile& m : modes_of(rib(slab, slab), 1.9, 1.3, 6)) {
      test::record("slab %g: index %.4f, the slab's %.4f", slab, m.n_eff, least);
      EXPECT_GT(m.n_eff, least * 0.99) << slab;  // of the grid, 1 %
    }
  }
}

TEST(FdtdRibModes, ASlabWithoutRibGuidesNothingAndItsIndexIsNamed) {
  const Problem p = rib(0.3, 0.3);
  try {
    solve_mode(p, mode_plane(p.grid, {0, 0, 0}, {0, 1.9, 1.3}, "test"), frequency_of_rib_modes, 1, {},
               "source 'in'");
    FAIL() << "accepted";
  } catch (const BadInput& e) {
    const std::string words = e.what(), before = "of index ";
    const auto at = words.find(before);
    ASSERT_NE(at, std::string::npos) << words;
    // Second order in the cell: 10 to the core's wavelength of 0.45, 1 %.
    EXPECT_NEAR(std::stod(words.substr(at + before.size())), slab_index(core, 0.3, below, 1, false), 0.03)
        << words;
  }
}

}  // namespace
}  // namespace umov::fdtd
