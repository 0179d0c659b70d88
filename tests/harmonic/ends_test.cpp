// What the absorbing ends of a cell send back, as it is estimated for the warning on waves near grazing.
#include <gtest/gtest.h>

#include "harmonic/cell.hpp"

namespace umov::harmonic {
namespace {

/// Vacuum over glass of 1.5, period 0.6 um: the first orders graze in the glass at 0.9 um.
Problem cell_at(double wavelength) {
  const auto cell = LayeredCell::make({0}, {0.02, 0.02, 0.02}, 30, 1, wavelength, wavelength / 1.5);
  return make_problem(cell, {1.0, 2.25}, wavelength, {0, 0});
}

TEST(HarmonicEnds, SendBackWhatGrazesAndNothingElse) {
  // At 0.8 um the first orders have kz = 0.46 k: 1e-10 to that power is 3e-5. Above, they decay with 0.88 k0.
  EXPECT_LT(end_reflection(cell_at(0.8), true), 3e-4);
  EXPECT_LT(end_reflection(cell_at(0.8), false), 3e-4);
  // At 0.899 um kz = 0.047 k: a third of the amplitude; at 0.901 um a wave that hardly decays.
  EXPECT_GT(end_reflection(cell_at(0.899), true), 0.1);
  EXPECT_GT(end_reflection(cell_at(0.901), true), 0.1);
  EXPECT_LT(end_reflection(cell_at(0.899), true), 1);
}

}  // namespace
}  // namespace umov::harmonic
