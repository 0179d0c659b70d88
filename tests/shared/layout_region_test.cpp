// Areas that polygons cover, whatever way their corners go around.
#include <gtest/gtest.h>

#include <cmath>

#include "core/types.hpp"
#include "layout/region.hpp"

namespace umov::layout {
namespace {

using Corners = std::vector<Place>;

Box frame(double size = 1e5) { return {{-size, -size}, {size, size}}; }

Region region_of(const std::vector<Corners>& polygons) {
  Region r(frame());
  for (const auto& p : polygons) r.add(p);
  return r;
}

Corners rectangle(double x0, double y0, double x1, double y1) {
  return {{x0, y0}, {x1, y0}, {x1, y1}, {x0, y1}};
}

/// Of loops whose area is to the left.
double signed_area(const Loops& loops) {
  double sum = 0;
  for (const auto& l : loops)
    for (std::size_t i = 0, n = l.size(); i < n; ++i)
      sum += (l[i][0] * l[(i + 1) % n][1] - l[i][1] * l[(i + 1) % n][0]) / 2;
  return sum;
}

// All corners are on the grid: areas are exact.
TEST(LayoutRegion, OverlapsCountOnceAndTouchingPartsAreOne) {
  const Region r = region_of({rectangle(0, 0, 30, 20), rectangle(20, 10, 50, 40), rectangle(50, 10, 60, 40)});
  EXPECT_DOUBLE_EQ(r.area(), 600 + 900 + 300 - 100);
  EXPECT_EQ(r.polygons(), 1u);
  EXPECT_DOUBLE_EQ(signed_area(r.loops()), r.area());
}

TEST(LayoutRegion, APolygonIsFilledWhereverItsLineRunsAround) {
  EXPECT_DOUBLE_EQ(region_of({{{0, 0}, {20, 20}, {20, 0}, {0, 20}}}).area(), 200)
      << "both lobes of a bow tie";
  const Corners twice{{0, 0}, {40, 0}, {40, 40}, {10, 40}, {10, 10}, {30, 10}, {30, 30}, {0, 30}};
  EXPECT_DOUBLE_EQ(region_of({twice}).area(), 1600 - 100) << "around its middle twice";
  // a backward lobe of one polygon takes nothing from another
  EXPECT_DOUBLE_EQ(region_of({{{0, 0}, {20, 20}, {20, 0}, {0, 20}}, rectangle(0, 0, 20, 20)}).area(), 400);
}

TEST(LayoutRegion, SeamsSpikesAndRepeatedCornersEncloseNothing) {
  const Corners keyhole{{0, 0},   {60, 0},  {60, 60}, {30, 60}, {30, 40}, {40, 40},
                        {40, 20}, {20, 20}, {20, 40}, {30, 40}, {30, 60}, {0, 60}};
  const Region r = region_of({keyhole});
  EXPECT_DOUBLE_EQ(r.area(), 3600 - 400);
  const Loops loops = r.loops();
  ASSERT_EQ(loops.size(), 2u);
  EXPECT_EQ(loops[0].size(), 4u) << "the seam leaves no corner";
  EXPECT_DOUBLE_EQ(signed_area(loops), 3200) << "the hole runs the other way";
  EXPECT_DOUBLE_EQ(region_of({{{0, 0}, {0, 0}, {10, 0}, {10, 10}, {15, 10}, {10, 10}, {0, 10}}}).area(), 100);
  EXPECT_TRUE(region_of({{{0, 0}, {10, 10}, {20, 20}}}).empty());
}

TEST(LayoutRegion, APartOfARegionIsCutAtItsBox) {
  const Region r = region_of({rectangle(-10, 0, 50, 5), {{0, 10}, {10, 20}, {0, 20}}});
  EXPECT_DOUBLE_EQ(r.within({{0, 0}, {20, 15}}).area(), 100 + 12.5);
  const Loops cut = r.within({{0, 0}, {20, 15}}).loops();
  EXPECT_EQ(stretches_on(cut, 0, 20, 1e-9), (Stretches{{0, 5}}));
}

TEST(LayoutRegion, APlaceIsInsideWhatLoopsRunAround) {
  const Loops ring{{{0, 0}, {30, 0}, {30, 30}, {0, 30}}, {{10, 10}, {10, 20}, {20, 20}, {20, 10}}};
  for (const Place& p : {Place{5, 5}, Place{5, 15}, Place{25, 29}, Place{15, 9}})
    EXPECT_TRUE(is_inside(ring, p));
  for (const Place& p : {Place{15, 15}, Place{-1, 15}, Place{31, 10}, Place{15, 40}})
    EXPECT_FALSE(is_inside(ring, p));
}

TEST(LayoutRegion, WhatIsFarBeyondTheFrameIsCutOff) {
  Region r({{0, 0}, {100, 100}});
  r.add(Corners{{-1e9, 40}, {1e9, 40}, {1e9, 60}, {-1e9, 60}});
  EXPECT_DOUBLE_EQ(r.within({{0, 0}, {100, 100}}).area(), 2000);
}

// The rim has half its width on either side, sharp corners: (40 + 2 b)^2 - (20 - 2 b)^2.
TEST(LayoutRegion, GrowingMovesEdgesOutwardAndHolesInward) {
  const Corners keyhole{{0, 0},   {40, 0},  {40, 40}, {20, 40}, {20, 30}, {30, 30},
                        {30, 10}, {10, 10}, {10, 30}, {20, 30}, {20, 40}, {0, 40}};
  for (const double by : {1.0, 2.5, -2.0}) {
    Region r = region_of({keyhole});
    r.grow(by);
    EXPECT_DOUBLE_EQ(r.area(), std::pow(40 + 2 * by, 2) - std::pow(20 - 2 * by, 2)) << by;
  }
  Region gone = region_of({rectangle(0, 0, 4, 40)});
  gone.grow(-2.5);
  EXPECT_TRUE(gone.empty());
  Region joined = region_of({rectangle(0, 0, 10, 10), rectangle(14, 0, 20, 10)});
  joined.grow(2);
  EXPECT_EQ(joined.polygons(), 1u) << "a gap of twice the bias closes";
}

/// The area of a path of these points.
double stroked(const Corners& points, double width, PathStyle::Ends ends, double begin = 0, double end = 0) {
  Region r(frame());
  stroke(points, width, ends, begin, end, 0.5, false, [&](std::span<const Place> p) { r.add(p); });
  return r.area();
}

TEST(LayoutPath, EndsReachAsFarAsTheTypeSays) {
  using enum PathStyle::Ends;
  const Corners line{{0, 0}, {1000, 0}};
  EXPECT_DOUBLE_EQ(stroked(line, 200, flush), 200 * 1000);
  EXPECT_DOUBLE_EQ(stroked(line, 200, half_width), 200 * 1200) << "type 2";
  EXPECT_DOUBLE_EQ(stroked(line, 200, given, 300, -50), 200 * 1250) << "type 4";
  // within half a unit of the circle of radius 100: at most 2 pi 100 / 2 less than it
  const double caps = stroked(line, 200, PathStyle::Ends::round) - 200 * 1000;
  EXPECT_LT(caps, pi * 1e4);
  EXPECT_GT(caps, pi * 1e4 - pi * 100);
  EXPECT_DOUBLE_EQ(stroked({{5, 5}}, 200, half_width), 4e4) << "one point is a square";
}

TEST(LayoutPath, CornersAreSharpUpToARightAngleAndCutBeyond) {
  using enum PathStyle::Ends;
  EXPECT_DOUBLE_EQ(stroked({{0, 0}, {1000, 0}, {1000, 1000}}, 200, flush), 2 * 200 * 1000);
  // The two halves mirror each other: straight rectangles, less what they share, plus what the corner adds.
  const double back = stroked({{0, 0}, {1000, 0}, {0, 0}}, 200, flush);
  EXPECT_DOUBLE_EQ(back, 200 * 1100) << "a line back on itself ends half its width beyond";
  EXPECT_NEAR(stroked({{0, 0}, {1000, 0}, {1000, 0}, {1000, 1000}}, 200, flush), 4e5, 1e-6)
      << "a point twice";
}

}  // namespace
}  // namespace umov::layout
