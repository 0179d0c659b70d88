// Lines of graded axes: bounds, growth, materials, and what is refused.
#include "fdtd/model/graded_lines.hpp"

#include <gtest/gtest.h>

#include "core/error.hpp"
#include "fdtd/run/run.hpp"
#include "support/graded_lines.hpp"
#include "support/monitor_runs.hpp"

using namespace umov;
using namespace umov::fdtd;
namespace cases = umov::test;
using cases::centred, cases::equal, cases::wavy;

namespace {

double ratio_of(const std::vector<double>& x) {
  double most = 1;
  for (std::size_t i = 0; i + 2 < x.size(); ++i) {
    const double q = (x[i + 2] - x[i + 1]) / (x[i + 1] - x[i]);
    most = std::max({most, q, 1 / q});
  }
  return most;
}

bool has_line(const std::vector<double>& x, double at) {
  return std::ranges::any_of(x, [&](double v) { return std::abs(v - at) < 1e-12; });
}

std::string why_not(const Simulation& s) {
  try {
    plan(s);
  } catch (const BadInput& e) {
    return e.what();
  }
  return "";
}

}  // namespace

TEST(FdtdGradedLines, KeepBoundsGrowthAndEndsOfParts) {
  const std::vector<EdgeBound> bounds{
      {-3, -0.11, 0.2}, {-0.11, 0.13, 0.013}, {0.13, 0.5, 0.07}, {0.5, 4, 0.3}};
  for (const double growth : {1.1, 1.25, 1.4, 2.0}) {
    const auto x = lines_within(bounds, growth);
    EXPECT_LE(ratio_of(x), growth * (1 + 1e-6)) << growth;
    for (const EdgeBound& b : bounds) {
      EXPECT_TRUE(has_line(x, b.from)) << growth << " " << b.from;
      for (std::size_t i = 0; i + 1 < x.size(); ++i)
        if (x[i] >= b.from - 1e-12 && x[i + 1] <= b.to + 1e-12) {
          EXPECT_LE(x[i + 1] - x[i], b.edge * (1 + 1e-6));
        }
    }
    EXPECT_EQ(x.front(), -3);
    EXPECT_EQ(x.back(), 4);
  }
  // No more cells than twice those of a geometric series between the parts.
  EXPECT_LT(lines_within(bounds, 1.4).size(), 90u);
}

TEST(FdtdGradedLines, AreChosenByTheMaterials) {
  Simulation s;
  s.size = {4, 3, 0};
  s.materials = {cases::constant("silicon", 12.25)};
  s.bodies = {cases::body("box", "silicon", {0.1, 0, 0})};
  s.bodies[0].size = Vec3{0.22, 0, 0};
  s.sources = {cases::pulse(Ez, {-1, 0, 0}, 0.65)};
  s.grid.cells_per_wavelength = 20;
  const auto scene = make_scene(s);
  const Grid g = make_grid(s, *scene);
  EXPECT_TRUE(has_line(g.lines[0], -0.01));
  EXPECT_TRUE(has_line(g.lines[0], 0.21));
  const double wavelength = 1 / 0.65;
  for (int i = 0; i < g.cells[0]; ++i) {
    const double middle = g.place(0, i + 0.5);
    EXPECT_LE(g.edge(0, i), wavelength / 20 * (1 + 1e-6));
    if (middle > -0.01 && middle < 0.21) {
      EXPECT_LE(g.edge(0, i), wavelength / 3.5 / 20 * (1 + 1e-6));
    }
  }
  // The slab goes through the domain along y: its wavelength is that of the densest there.
  EXPECT_LE(g.coarsest(1), wavelength / 3.5 / 20 * (1 + 1e-6));
  EXPECT_LE(ratio_of(g.lines[0]), 1.4 * (1 + 1e-6));
  // Absorbing layers have cells of one edge.
  EXPECT_TRUE(g.even(0, 0, s.pml.layers + 1));
  EXPECT_TRUE(g.even(0, g.cells[0] - s.pml.layers - 1, g.cells[0]));
}

TEST(FdtdGradedLines, AreRefusedWithTheRemedy) {
  Simulation s;
  s.size = {4, 0, 0};
  s.resolution = 20;
  s.sources = {cases::pulse(Ez, {-1, 0, 0}, 0.65)};
  const auto with = [&](const AxisGrid& x) {
    Simulation t = s;
    t.grid.axis[0] = x;
    return why_not(t);
  };
  EXPECT_NE(with({{-2, 0, 1}, {}}).find("let them end where it ends"), std::string::npos);
  EXPECT_NE(with({{-2, 1, 0, 2}, {}}).find("do not ascend"), std::string::npos);
  std::vector<double> jump = equal(80, 4);
  jump.erase(jump.begin() + 41, jump.begin() + 45);
  EXPECT_NE(with({jump, {}}).find("raise grid.growth"), std::string::npos);
  EXPECT_NE(with({centred(wavy(80, 4, 0.2)), {}}).find("absorbing layers"), std::string::npos);
  EXPECT_NE(with({{}, {{1, 0, 0.1}}}).find("give [from, to, edge]"), std::string::npos);
  EXPECT_NE(with({{}, {{1, 3, 0.1}}}).find("end it there"), std::string::npos);
  Simulation drawn = s;
  drawn.grid.axis[0] = {{}, {{-0.1, 0.1, 0.01}}};
  drawn.outputs.animation = true;
  EXPECT_NE(why_not(drawn).find("output.animation"), std::string::npos);
}
