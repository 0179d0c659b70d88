// Mode monitors on a straight waveguide: what a mode source launches is what they find.
#include <gtest/gtest.h>

#include <algorithm>

#include "fdtd/monitors/flux.hpp"
#include "fdtd/monitors/mode.hpp"
#include "fdtd/sources/mode_rim.hpp"
#include "support/fdtd_cases.hpp"
#include "support/monitor_runs.hpp"

using namespace umov;
using namespace umov::fdtd;
using Kind = MonitorSpec::Kind;

namespace {

/// A slab of index 2, half a unit thick, along x; mode 1 starts at x = -1.
Simulation guide_of_monitor_modes(int source_direction, int number = 1) {
  Simulation s;
  s.size = {5, 4, 0};
  s.resolution = 16;
  s.pml.layers = 16;
  s.materials = {test::constant("core", 4)};
  s.bodies = {test::body("box", "core", {0, 0, 0})};
  s.bodies[0].size = Vec3{0, 0.5, 0};
  SourceSpec in = test::pulse(Ez, {source_direction > 0 ? -1.0 : 1.0, 0, 0}, 0.8, 0.1);
  in.kind = SourceSpec::Kind::mode;
  in.size = {0, 1.9, 0};
  in.direction = source_direction;
  in.mode = number;
  s.sources = {in};
  for (const double x : {-0.25, 0.5}) {
    s.monitors.push_back(test::monitor(Kind::mode, {x, 0, 0}, {0, 1.9, 0}, {0.75, 0.8}));
    s.monitors.push_back(test::monitor(Kind::flux, {x, 0, 0}, {0, 1.9, 0}, {0.75, 0.8}));
  }
  return s;
}

}  // namespace

TEST(FdtdModeMonitor, FindsAllFluxOfALaunchedModeGoingForward) {
  const Outcome out = test::run_monitored(guide_of_monitor_modes(+1), 60);
  for (int f = 0; f < 2; ++f) {
    const ModeResult& m = out.of<ModeResult>().at(0);
    EXPECT_GT(m.effective_index[f], 1);
    EXPECT_LT(m.effective_index[f], 2);
    EXPECT_NEAR(std::norm(m.forward[f]) / out.of<FluxResult>().at(0).flux[f], 1, 1e-3);
    EXPECT_LT(std::norm(m.backward[f]), 1e-5 * std::norm(m.forward[f]));
  }
}

TEST(FdtdModeMonitor, PhaseBetweenTwoPlanesIsThatOfTheMode) {
  const Outcome out = test::run_monitored(guide_of_monitor_modes(+1), 60);
  for (int f = 0; f < 2; ++f) {
    const cplx ratio = out.of<ModeResult>().at(1).forward[f] / out.of<ModeResult>().at(0).forward[f];
    const double turns =
        out.of<ModeResult>()[0].effective_index[f] * out.of<ModeResult>()[0].frequency[f] * 0.75;
    EXPECT_LT(std::abs(ratio - std::polar(1.0, 2 * pi * turns)), 2e-3);
  }
}

TEST(FdtdModeMonitor, BetweenNodesHasThePhaseOfItsPlane) {
  for (const int direction : {1, -1}) {
    Simulation s = guide_of_monitor_modes(direction);
    for (const double off : {0.025, -0.02}) {  // of cells of 1/16
      s.monitors.push_back(s.monitors[0]);
      s.monitors.back().center[0] += off;
    }
    const Outcome out = test::run_monitored(s, 60);
    const auto& modes = out.of<ModeResult>();
    for (int f = 0; f < 2; ++f)
      for (const auto& [m, off] : {std::pair(2, 0.025), std::pair(3, -0.02)}) {
        const double turn = 2 * pi * modes[0].effective_index[f] * modes[0].frequency[f] * off;
        const auto of = [&](int i) { return direction > 0 ? modes[i].forward[f] : modes[i].backward[f]; };
        // from the same nodes
        EXPECT_LT(std::abs(of(m) / of(0) - std::polar(1.0, direction * turn)), 1e-12) << direction << off;
      }
  }
}

TEST(FdtdModeMonitor, FollowsTheDirectionAndTheNumber) {
  Simulation s = guide_of_monitor_modes(-1);
  s.monitors[2].direction = -1;
  s.monitors.push_back(s.monitors[0]);
  s.monitors.back().own<ModeSpec>().mode = 2;
  s.monitors.back().frequencies = {0.8};
  const Outcome out = test::run_monitored(s, 60);
  EXPECT_LT(std::norm(out.of<ModeResult>().at(0).forward[0]),
            1e-5 * std::norm(out.of<ModeResult>()[0].backward[0]));
  EXPECT_LT(std::norm(out.of<ModeResult>().at(1).backward[0]),
            1e-5 * std::norm(out.of<ModeResult>()[1].forward[0]));
  // The second mode is odd across the guide: none of it is launched.
  EXPECT_LT(std::norm(out.of<ModeResult>().at(2).backward[0]),
            1e-12 * std::norm(out.of<ModeResult>()[0].backward[1]));
}

TEST(FdtdModeMonitor, APlaneThatCutsTheModeOffIsWarnedOf) {
  const auto warned = [](const Simulation& s) {
    bool any = false;
    for (const auto& w : test::run_monitored(s, 1).warnings)
      any |= w.find("reaches the rim of its plane") != std::string::npos;
    return any;
  };
  for (const bool te : {false, true}) {
    Simulation s = guide_of_monitor_modes(+1);
    s.te = te;
    if (te) {  // reaches farther: 1.4 % of its field in the plane of before
      s.size[1] = 6;
      s.sources[0].size[1] = 3;
      for (auto& m : s.monitors) m.size[1] = 3;
    }
    EXPECT_FALSE(warned(s)) << te;
    s.monitors[2].size = {0, 0.7, 0};
    EXPECT_TRUE(warned(s)) << te;
    if (te) continue;
    // Between conducting walls there is nothing outside.
    s.walls[1] = {WallKind::pec, WallKind::pec};
    s.bodies.clear();
    s.materials.clear();
    s.size[1] = 1;
    s.sources[0].size = {0, 1, 0};
    for (auto& m : s.monitors) m.size = {0, 1, 0};
    EXPECT_FALSE(warned(s)) << te;
  }
}

TEST(FdtdModeSource, APlaneThatCutsTheModeOffIsWarnedOf) {
  for (const bool te : {false, true}) {
    Simulation s = guide_of_monitor_modes(+1);
    s.te = te;
    s.monitors.clear();
    const auto doubts = [&] { return test::MonitoredRun(s).problem.doubts; };
    EXPECT_TRUE(doubts().empty()) << te;
    s.sources[0].size = {0, 0.7, 0};
    ASSERT_EQ(doubts().size(), 1u) << te;
    EXPECT_NE(doubts()[0].find("source 'pulse': the mode of index"), std::string::npos) << doubts()[0];
    EXPECT_NE(doubts()[0].find("reaches the rim of its plane"), std::string::npos) << doubts()[0];
  }
}

// The share of the largest field that is said to be cut off is that of the same mode in a plane with room:
// measured 0.9 to 0.7 of it with E along the guide, 1.15 to 1.45 with H along it.
TEST(FdtdModeSource, TheFieldSaidToBeCutOffIsThatOfTheWholeMode) {
  for (const bool te : {false, true}) {
    Simulation s = guide_of_monitor_modes(+1);
    s.te = te;
    s.size[1] = 8;
    s.sources.clear(), s.monitors.clear();
    const test::MonitoredRun run(s);
    const Layout layout(run.problem.grid);
    const auto solved = [&](double width) {
      const ModePlane plane = mode_plane(run.problem.grid, {0, 0, 0}, {0, width, 0}, "plane");
      return std::pair(plane, solve_mode(run.problem, plane, 0.8, 1, {}, "plane"));
    };
    const ModeProfile whole = solved(6).second;
    const auto& e = whole.electric.at(0);
    double largest = 0;
    for (const double v : e.values) largest = std::max(largest, std::abs(v));
    for (const double width : {0.75, 1.0, 1.5}) {
      const auto [plane, mode] = solved(width);
      const auto at = std::ranges::find(e.cells, layout.at(plane.lo[0], plane.hi[1], 0));
      const double there = std::abs(e.values[std::size_t(at - e.cells.begin())]) / largest;
      EXPECT_LT(field_at_rim(run.problem, plane, mode), 1.6 * there) << te << " " << width;
      EXPECT_GT(field_at_rim(run.problem, plane, mode), 0.6 * there) << te << " " << width;
    }
  }
}
