// Spectra of few points: the points are seen, and their axis of wavelengths has ticks.
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "fdtd/output/pictures.hpp"

namespace {

using namespace umov;
using namespace umov::pictures;

/// Ink on the sheet of the straight line from 0 to 1 of so many points, over an empty frame.
double ink_of(int points, std::vector<double> dashes = {}) {
  LinePlot plot;
  plot.legend = LinePlot::Legend::none;
  plot.x.from = plot.y.from = 0;
  plot.x.to = plot.y.to = 1;
  Series s;
  s.dashes = std::move(dashes);
  for (int i = 0; i < points; ++i) s.x.push_back(i / (points - 1.0));
  s.y = s.x;
  const auto sum = [&](const LinePlot& drawn) {
    Canvas c(400, 300);
    draw(c, {60, 20, 300, 220}, drawn);
    const auto dark = c.darkness();
    return std::accumulate(dark.begin(), dark.end(), 0.0);
  };
  const double empty = sum(plot);
  plot.series = {s};
  return sum(plot) - empty;
}

TEST(Plot, CurvesOfFewPointsShowThem) {
  // A disk of radius 3.6 over a line of width 2 adds 41 - 14 units of area, 4 pixels each, half as dark as
  // black.
  const double line = ink_of(200);
  EXPECT_GT(ink_of(3), line + 40);
  EXPECT_GT(ink_of(12), ink_of(3) + 200);
  EXPECT_NEAR(ink_of(13), line, 0.01 * line) << "many points are a curve";
  EXPECT_NEAR(ink_of(2, {4, 3}), ink_of(200, {4, 3}), 0.01 * line) << "limits are dashed";
}

TEST(Plot, AnAxisOfFrequenciesHasThreeWavelengthsAtLeast) {
  for (const auto& [from, to] : {std::pair(0.45, 0.55), std::pair(0.99, 1.01), std::pair(0.6, 0.69),
                                 std::pair(0.3, 0.7), std::pair(2.05, 2.45), std::pair(0.0, 2.0)}) {
    const auto ticks = fdtd::wavelength_ticks(from, to, 430);
    EXPECT_GE(ticks.size(), 3u) << from << " to " << to;
    std::vector<double> places;
    for (const Tick& t : ticks) {
      EXPECT_GE(1 / t.value, from - 1e-12) << t.label;
      EXPECT_LE(1 / t.value, to + 1e-12) << t.label;
      places.push_back((1 / t.value - from) / (to - from) * 430);
    }
    std::ranges::sort(places);
    for (std::size_t i = 1; i < places.size(); ++i) EXPECT_GE(places[i] - places[i - 1], 46) << from;
  }
}

}  // namespace
