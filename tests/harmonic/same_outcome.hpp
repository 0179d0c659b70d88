// A sweep of a few rows, and outcomes of it compared bit for bit.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "harmonic/outcome.hpp"

namespace umov::harmonic {

/// A rough film on glass in three wavelengths and four directions of incidence: 12 rows.
inline const std::string rough_film = R"([harmonic]
wavelengths = [0.5, 0.55, 0.6]
angle = [0, 25]
azimuth = [0, 40]
substrate = "glass"
period = 0.4
cell = 0.02
fields_at = [0.55]
[machine]
backend = "serial"
[[material]]
name = "glass"
index = 1.5
[[material]]
name = "film"
index = 2.5
extinction = 0.1
[[layer]]
material = "film"
thickness = 0.15
[[texture]]
above = "film"
rms = 0.02
correlation_length = 0.1
)";

/// On one kind of device a row has the same bits wherever it is computed: it takes nothing from other rows.
inline void expect_same(const Outcome& a, const Outcome& b) {
  ASSERT_EQ(a.rows, b.rows);
  ASSERT_EQ(a.cuts.size(), b.cuts.size());
  for (std::size_t c = 0; c < a.cuts.size(); ++c) {
    EXPECT_EQ(a.cuts[c].row, b.cuts[c].row);
    EXPECT_EQ(a.cuts[c].polarization, b.cuts[c].polarization);
    EXPECT_EQ(a.cuts[c].intensity, b.cuts[c].intensity);
  }
  ASSERT_EQ(a.sunlit.size(), b.sunlit.size());
  for (std::size_t i = 0; i < a.sunlit.size(); ++i) EXPECT_EQ(a.sunlit[i].currents, b.sunlit[i].currents);
  for (std::size_t p = 0; p < a.spectra.size(); ++p)
    for (std::size_t r = 0; r < a.rows.size(); ++r) {
      const auto &x = a.spectra[p].points[r], &y = b.spectra[p].points[r];
      EXPECT_EQ(x.budget.reflection, y.budget.reflection) << r;
      EXPECT_EQ(x.budget.density, y.budget.density);
      EXPECT_EQ(x.iterations, y.iterations);
    }
}

}  // namespace umov::harmonic
