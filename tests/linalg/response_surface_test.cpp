// Response surfaces: what they hold exactly, what they foretell, where they are least.
#include "linalg/response_surface.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace umov::linalg {
namespace {

SurfacePoints grid(int d, int n) {
  SurfacePoints points{{}};
  for (int k = 0; k < d; ++k) {
    SurfacePoints more;
    for (const auto& x : points)
      for (int i = 0; i < n; ++i) more.push_back(x), more.back().push_back(-1 + 2.0 * i / (n - 1));
    points = more;
  }
  return points;
}

template <class F>
std::vector<double> responses(const SurfacePoints& points, const F& f) {
  std::vector<double> y;
  for (const auto& x : points) y.push_back(f(x));
  return y;
}

double bowl(const std::vector<double>& x) {
  return 3 + 2 * (x[0] - 0.3) * (x[0] - 0.3) + (x[1] + 0.2) * (x[1] + 0.2) + 0.5 * x[0] * x[1];
}

TEST(ResponseSurface, PolynomialsOfTheirDegreeAreFoundExactly) {
  const auto points = grid(2, 4);
  const auto s = fit_surface(SurfaceKind::quadratic, points, responses(points, bowl));
  ASSERT_TRUE(s);
  EXPECT_EQ(s->terms, 6);
  // rounding of a system of condition 10
  EXPECT_NEAR((*s)({0.37, -0.61}), bowl({0.37, -0.61}), 1e-13);
  EXPECT_NEAR(s->quality.cv_error, 0, 1e-13);
  const auto cubic =
      fit_surface(SurfaceKind::cubic, points,
                  responses(points, [](const auto& x) { return x[0] * x[0] * x[1] - x[1] * x[1] * x[1]; }));
  ASSERT_TRUE(cubic);
  EXPECT_EQ(cubic->terms, 10);
  EXPECT_NEAR((*cubic)({0.5, 0.25}), 0.0625 - 0.015625, 1e-13);
}

TEST(ResponseSurface, LeastValueOfABowlIsAtItsStationaryPoint) {
  const auto points = grid(2, 3);
  const auto s = fit_surface(SurfaceKind::quadratic, points, responses(points, bowl));
  const auto found = optimum(*s, points, false);
  // 4 (x - 0.3) + 0.5 y = 0 and 2 (y + 0.2) + 0.5 x = 0
  const double y = (-0.4 - 0.15) / (2 - 0.0625), x = 0.3 - 0.125 * y;
  EXPECT_NEAR(found.x[0], x, 1e-5);  // the search ends at steps of 1e-6
  EXPECT_NEAR(found.x[1], y, 1e-5);
  EXPECT_NEAR(found.value, bowl({x, y}), 1e-10);
  // the farthest corner: 3 + 2 1.69 + 0.64 + 0.5
  EXPECT_NEAR(optimum(*s, points, true).value, 7.52, 1e-10);
}

TEST(ResponseSurface, ErrorsOfPointsLeftOutAreThoseOfFitsWithoutThem) {
  const auto points = grid(2, 4);
  const auto f = [](const std::vector<double>& x) { return std::exp(x[0]) * std::cos(2 * x[1]); };
  const auto y = responses(points, f);
  for (const auto kind :
       {SurfaceKind::linear, SurfaceKind::quadratic, SurfaceKind::cubic, SurfaceKind::rbf}) {
    double sum = 0;
    for (std::size_t k = 0; k < points.size(); ++k) {
      auto fewer = points;
      auto values = y;
      fewer.erase(fewer.begin() + long(k));
      values.erase(values.begin() + long(k));
      const auto s = fit_surface(kind, fewer, values);
      ASSERT_TRUE(s) << surface_name(kind);
      sum += std::pow((*s)(points[k]) - y[k], 2);
    }
    // both formulas are exact
    EXPECT_NEAR(fit_surface(kind, points, y)->quality.cv_error, std::sqrt(sum / double(points.size())), 1e-10)
        << surface_name(kind);
  }
}

TEST(ResponseSurface, RadialBasisGoesThroughEveryResponse) {
  const auto points = grid(3, 3);
  const auto y = responses(points, [](const auto& x) { return std::abs(x[0]) + x[1] * x[2]; });
  const auto s = fit_surface(SurfaceKind::rbf, points, y);
  ASSERT_TRUE(s);
  for (std::size_t k = 0; k < points.size(); ++k) EXPECT_NEAR((*s)(points[k]), y[k], 1e-11);
}

TEST(ResponseSurface, TooFewPointsDetermineNone) {
  const auto points = grid(2, 2);
  const auto y = responses(points, bowl);
  EXPECT_EQ(fit_surface(SurfaceKind::rbf, points, y), nullptr);
  const auto s = fit_best_surface(points, y);
  ASSERT_TRUE(s);
  EXPECT_EQ(s->kind, SurfaceKind::linear);
  EXPECT_EQ(fit_best_surface({points[0], points[1], points[2]}, {1, 2, 3}), nullptr);
}

TEST(ResponseSurface, TwoValuesOfACoordinateGiveItNoSquare) {
  SurfacePoints points;
  for (const auto& x : grid(1, 5))
    for (const double y : {-1.0, 1.0}) points.push_back({x[0], y});
  const auto s = fit_surface(SurfaceKind::quadratic, points, responses(points, bowl));
  ASSERT_TRUE(s);
  EXPECT_EQ(s->terms, 5);
  EXPECT_NEAR((*s)({0.1, 1}), bowl({0.1, 1}), 1e-12);
}

TEST(ResponseSurface, ACoordinateOfOneValueHasNoPartInIt) {
  SurfacePoints points;
  for (const auto& x : grid(1, 6)) points.push_back({x[0], 0.0});
  const auto y = responses(points, [](const auto& x) { return std::exp(x[0]); });
  for (const auto kind : {SurfaceKind::quadratic, SurfaceKind::rbf}) {
    const auto s = fit_surface(kind, points, y);
    ASSERT_TRUE(s) << surface_name(kind);
    EXPECT_EQ((*s)({0.3, -1}), (*s)({0.3, 1})) << surface_name(kind);
  }
}

TEST(ResponseSurface, ImportanceIsTheRangeAlongACoordinate) {
  const auto points = grid(2, 3);
  const auto s = fit_surface(SurfaceKind::linear, points,
                             responses(points, [](const auto& x) { return 5 * x[0] - 2 * x[1]; }));
  EXPECT_NEAR(importance(*s, points, 0), 10, 1e-12);
  EXPECT_NEAR(importance(*s, points, 1), 4, 1e-12);
  EXPECT_NEAR(main_effect(*s, points, 0, 0.5), 2.5, 1e-12);
}

}  // namespace
}  // namespace umov::linalg
