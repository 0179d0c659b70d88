// Monitors of runs with symmetry planes against runs of the whole domain: every kind, wherever it lies.
#include <gtest/gtest.h>

#include <random>

#include "core/error.hpp"
#include "fdtd/model/extent.hpp"
#include "fdtd/monitors/flux.hpp"
#include "fdtd/monitors/fourier.hpp"
#include "fdtd/monitors/mode.hpp"
#include "fdtd/monitors/near_to_far.hpp"
#include "fdtd/monitors/series.hpp"
#include "fdtd/monitors/snapshot.hpp"
#include "fdtd/observables/snapshot.hpp"
#include "fdtd/observables/whole.hpp"
#include "fdtd/wall_kind.hpp"
#include "support/fdtd_cases.hpp"
#include "support/monitor_runs.hpp"

using namespace umov;
using namespace umov::fdtd;
using test::largest;
using Kind = MonitorSpec::Kind;

namespace {

/// Which side of the computed part has a plane along each axis (-1: none), and whether it is even.
struct Planes {
  std::array<int, 3> side{-1, -1, -1};
  std::array<bool, 3> even{true, true, true};
};

double towards(const Planes& planes, int axis) { return planes.side[axis] == 0 ? 1 : -1; }

/// A case with the planes, lit by one pulse in the computed part and with one body there.
Simulation halved(const Vec3& size, bool te, Component driven, const Planes& planes) {
  Simulation s;
  s.size = size;
  s.te = te;
  s.resolution = 10;
  s.pml.layers = 6;
  s.materials = {test::constant("glass", 3)};
  Vec3 lamp{0, 0, 0}, ball{0, 0, 0};
  const Vec3 lamp_at{0.43, 0.37, 0.33}, ball_at{0.537, 0.444, 0.361};
  for (int a = 0; a < 3; ++a) {
    if (size[a] == 0) continue;
    const double sign = planes.side[a] >= 0 ? towards(planes, a) : 1;
    lamp[a] = sign * lamp_at[a];
    ball[a] = sign * ball_at[a];
    if (planes.side[a] >= 0)
      s.walls[a][planes.side[a]] = planes.even[a] ? WallKind::mirror_even : WallKind::mirror_odd;
  }
  s.bodies = {test::body("box", "glass", ball)};
  s.bodies[0].size = Vec3{0.5, 0.44, 0.36};
  // In space the averages at corners of a body depend on the order of the axes: 1e-4 of the flux.
  s.averaging = size[2] == 0;
  s.sources = {test::pulse(driven, lamp, 0.9)};
  return s;
}

/// The same without planes: all bodies and sources with their images.
Simulation whole_of(Simulation s) {
  for (int a = 0; a < 3; ++a)
    for (int side = 0; side < 2; ++side) {
      const WallKind wall = s.walls[a][side];
      if (!is_mirror(wall)) continue;
      for (std::size_t i = 0, n = s.bodies.size(); i < n; ++i) {
        s.bodies.push_back(s.bodies[i]);
        s.bodies.back().center[a] *= -1;
      }
      for (std::size_t i = 0, n = s.sources.size(); i < n; ++i) {
        s.sources.push_back(s.sources[i]);
        s.sources.back().center[a] *= -1;
        s.sources.back().waveform.amplitude *=
            parity(s.sources[i].component, a, wall == WallKind::mirror_even);
      }
      s.walls[a][side] = WallKind::pml;
    }
  return s;
}

/// Monitors anywhere inside the layers: planes across each axis, boxes, regions, points, far fields.
void scatter_monitors(Simulation& s, unsigned seed) {
  std::mt19937 random(seed);
  const int dims = s.size[2] > 0 ? 3 : 2;
  const auto between = [&](double lo, double hi) { return std::uniform_real_distribution(lo, hi)(random); };
  const auto place = [&](MonitorSpec& m, int thin) {
    for (int a = 0; a < dims; ++a) {
      const double reach = s.size[a] / 2 - 0.75;
      const double p = between(-reach, reach), q = between(-reach, reach);
      m.center[a] = (p + q) / 2;
      m.size[a] = a == thin || thin == 3 ? 0 : std::max(std::abs(p - q), 0.3);
    }
  };
  const std::vector<double> frequencies{0.8, 1.05};
  const auto add = [&](Kind kind, int thin) -> MonitorSpec& {
    MonitorSpec m = test::monitor(kind, {0, 0, 0}, {0, 0, 0}, frequencies);
    m.name = std::to_string(s.monitors.size());
    place(m, thin);
    return s.monitors.emplace_back(m);
  };
  for (int repeat = 0; repeat < 3; ++repeat) {
    for (int a = 0; a < dims; ++a) add(Kind::flux, a);
    add(Kind::flux, -1).box = true;
    for (const auto& [kind, thin] : {std::pair{Kind::fourier, -1}, std::pair{Kind::series, 3}})
      add(kind, thin).fields = dims == 3 ? std::vector{Ex, Ey, Ez, Hx, Hy, Hz}
                               : s.te    ? std::vector{Ex, Ey, Hz}
                                         : std::vector{Ez, Hx, Hy};
  }
  // Around all there is: a far field needs one medium on its surface.
  MonitorSpec far = test::monitor(Kind::near_to_far, {0.04, -0.06, 0.03}, {0, 0, 0}, frequencies);
  far.name = "far";
  for (int a = 0; a < dims; ++a) far.size[a] = s.size[a] - 1.5;
  if (dims == 3) far.own<NearToFarSpec>() = {{20, 75, 110, 160}, {0, 50, 130, 200, 305}};
  s.monitors.push_back(far);
}

double distance(const std::vector<double>& a, const std::vector<double>& b, double scale) {
  double worst = a.size() == b.size() ? 0 : 1e300;
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i)
    worst = std::max(worst, std::abs(a[i] - b[i]) / scale);
  return worst;
}

void expect_equal_outcomes(const Outcome& half, const Outcome& whole, double rounding) {
  double strongest = 0;
  for (const auto& f : whole.of<FluxResult>()) strongest = std::max(strongest, largest(f.flux));
  ASSERT_GT(strongest, 0);
  for (std::size_t i = 0; i < whole.of<FluxResult>().size(); ++i)
    EXPECT_LT(distance(half.of<FluxResult>()[i].flux, whole.of<FluxResult>()[i].flux, strongest), rounding)
        << "flux " << i;
  for (std::size_t i = 0; i < whole.of<FourierResult>().size(); ++i) {
    const auto &h = half.of<FourierResult>()[i], &w = whole.of<FourierResult>()[i];
    ASSERT_EQ(h.size, w.size);
    for (int a = 0; a < 3; ++a) EXPECT_NEAR(h.origin[a], w.origin[a], 1e-12);
    for (std::size_t c = 0; c < w.values.size(); ++c) {
      double worst = 0;
      const double scale = largest(w.values[c]);
      for (std::size_t k = 0; k < w.values[c].size(); ++k)
        worst = std::max(worst, std::abs(h.values[c][k] - w.values[c][k]));
      EXPECT_LE(worst, rounding * std::max(scale, 1e-4)) << "fourier " << i << " component " << c;
    }
  }
  for (std::size_t i = 0; i < whole.of<SeriesResult>().size(); ++i)
    EXPECT_LT(distance(half.of<SeriesResult>()[i].value, whole.of<SeriesResult>()[i].value, 1), rounding)
        << "series " << i;
  for (std::size_t i = 0; i < whole.of<FarFieldResult>().size(); ++i) {
    const auto &h = half.of<FarFieldResult>()[i], &w = whole.of<FarFieldResult>()[i];
    const double scale = *std::max_element(w.intensity.begin(), w.intensity.end());
    EXPECT_LT(distance(h.intensity, w.intensity, scale), rounding);
    EXPECT_LT(distance(h.power, w.power, *std::max_element(w.power.begin(), w.power.end())), rounding);
  }
}

}  // namespace

TEST(FdtdMirrorMonitors, SeeTheWholeDomainWhereverTheyLieInTheTmPlane) {
  unsigned seed = 1;
  for (const Planes& planes : {Planes{{-1, 0, -1}}, Planes{{-1, 1, -1}, {true, false, true}},
                               Planes{{1, -1, -1}}, Planes{{0, 1, -1}, {false, true, true}}}) {
    Simulation s = halved({5, 4.6, 0}, false, Ez, planes);
    scatter_monitors(s, seed++);
    expect_equal_outcomes(test::run_monitored(s, 20), test::run_monitored(whole_of(s), 20), 1e-11);
  }
}

TEST(FdtdMirrorMonitors, SeeTheWholeDomainWhereverTheyLieInTheTePlane) {
  unsigned seed = 11;
  for (const Planes& planes :
       {Planes{{-1, 0, -1}}, Planes{{-1, 1, -1}, {true, false, true}},
        Planes{{0, -1, -1}, {false, true, true}}, Planes{{1, 0, -1}, {false, true, true}}})
    for (const Component c : {Hz, Ex}) {
      Simulation s = halved({5, 4.6, 0}, true, c, planes);
      scatter_monitors(s, seed++);
      expect_equal_outcomes(test::run_monitored(s, 20), test::run_monitored(whole_of(s), 20), 1e-11);
    }
}

TEST(FdtdMirrorMonitors, SeeTheWholeDomainWhereverTheyLieInSpace) {
  unsigned seed = 21;
  for (const Planes& planes :
       {Planes{{-1, 0, 1}, {true, true, false}}, Planes{{1, 0, 0}, {false, true, true}}})
    for (const Component c : {Ez, Hx}) {
      Simulation s = halved({3.4, 3.2, 3}, false, c, planes);
      scatter_monitors(s, seed++);
      expect_equal_outcomes(test::run_monitored(s, 9), test::run_monitored(whole_of(s), 9), 1e-11);
    }
}

TEST(FdtdMirrorMonitors, AFluxPlaneOffTheMirrorIsNotSymmetrised) {
  // The reproduction: a plane from -1 to 2 across a mirror at y = 0.
  Simulation s;
  s.size = {8, 8, 0};
  s.resolution = 10;
  s.materials = {test::constant("glass", 4)};
  s.bodies = {test::body("cylinder", "glass", {0, 0, 0})};
  s.bodies[0].radius = 1;
  s.sources = {test::pulse(Ez, {1.2, 0, 0}, 0.6)};
  s.monitors = {test::monitor(Kind::flux, {3, 0.5, 0}, {0, 3, 0}, {0.6}),
                test::monitor(Kind::flux, {3, -1, 0}, {0, 1.3, 0}, {0.6}),
                test::monitor(Kind::flux, {3, 1, 0}, {0, 1.3, 0}, {0.6})};
  const Outcome whole = test::run_monitored(s, 60);
  s.walls[1][0] = WallKind::mirror_even;
  const Outcome half = test::run_monitored(s, 60);
  for (int i = 0; i < 3; ++i)
    EXPECT_NEAR(half.of<FluxResult>()[i].flux[0] / whole.of<FluxResult>()[i].flux[0], 1, 1e-9);
  EXPECT_NEAR(half.of<FluxResult>()[1].flux[0] / half.of<FluxResult>()[2].flux[0], 1, 1e-12);
}

TEST(FdtdMirrorMonitors, ModesOfPlanesBesideAndBehindTheMirrorAreThoseOfTheWhole) {
  // Guides at y = +-1.1 along x and at x = +-1.4 along y; one plane of each that is computed, one behind, one
  // across.
  for (const bool te : {false, true})
    for (const bool even : {true, false}) {
      Simulation s;
      s.size = {5, 5.2, 0};
      s.resolution = 12;
      s.te = te;
      s.pml.layers = 8;
      s.materials = {test::constant("core", 6)};
      s.bodies = {test::body("box", "core", {0, 1.13, 0})};
      s.bodies[0].size = Vec3{0, 0.41, 0};
      s.sources = {test::pulse(te ? Hz : Ez, {-1, 1.1, 0}, 0.6, 0.1)};
      s.walls[1][0] = even ? WallKind::mirror_even : WallKind::mirror_odd;
      for (const double y : {1.13, -1.13, 0.15})
        for (const int direction : {1, -1}) {
          s.monitors.push_back(
              test::monitor(Kind::mode, {0.8, y, 0}, {0, y == 0.15 ? 3.5 : 1.6, 0}, {0.55, 0.6}));
          s.monitors.back().direction = direction;
        }
      const Outcome half = test::run_monitored(s, 30), whole = test::run_monitored(whole_of(s), 30);
      for (std::size_t m = 0; m < half.of<ModeResult>().size(); ++m)
        for (int f = 0; f < 2; ++f) {
          const double scale = std::abs(whole.of<ModeResult>()[m].forward[f]) +
                               std::abs(whole.of<ModeResult>()[m].backward[f]);
          EXPECT_NEAR(half.of<ModeResult>()[m].effective_index[f],
                      whole.of<ModeResult>()[m].effective_index[f], 1e-10);
          EXPECT_LT(std::abs(half.of<ModeResult>()[m].forward[f] - whole.of<ModeResult>()[m].forward[f]),
                    1e-8 * scale)
              << m;
          EXPECT_LT(std::abs(half.of<ModeResult>()[m].backward[f] - whole.of<ModeResult>()[m].backward[f]),
                    1e-8 * scale)
              << m;
        }
    }
}

TEST(FdtdMirrorMonitors, ModesAcrossAPlaneBehindTheMirrorInSpaceAreThoseOfTheWhole) {
  // A rod along x through both halves; planes across it on either side of the mirror x = 0 and one on it.
  Simulation s;
  s.size = {3.6, 3, 2.8};
  s.resolution = 9;
  s.pml.layers = 5;
  s.materials = {test::constant("core", 7)};
  s.bodies = {test::body("box", "core", {0, 0.07, 0})};
  s.bodies[0].size = Vec3{0, 0.5, 0.37};
  s.sources = {test::pulse(Ey, {0.3, 0.1, 0.05}, 0.7, 0.1)};
  for (const double x : {0.9, -0.9, 0.0})
    s.monitors.push_back(test::monitor(Kind::mode, {x, 0.05, 0}, {0, 1.5, 1.4}, {0.7}));
  s.walls[0][0] = WallKind::mirror_even;
  Simulation whole = s;
  whole.walls[0][0] = WallKind::pml;
  whole.sources.push_back(s.sources[0]);
  whole.sources[1].center[0] *= -1;
  const Outcome half = test::run_monitored(s, 14), all = test::run_monitored(whole, 14);
  for (std::size_t m = 0; m < half.of<ModeResult>().size(); ++m) {
    const double scale =
        std::abs(all.of<ModeResult>()[m].forward[0]) + std::abs(all.of<ModeResult>()[m].backward[0]);
    EXPECT_GT(scale, 0);
    EXPECT_LT(std::abs(half.of<ModeResult>()[m].forward[0] - all.of<ModeResult>()[m].forward[0]),
              1e-8 * scale)
        << m;
    EXPECT_LT(std::abs(half.of<ModeResult>()[m].backward[0] - all.of<ModeResult>()[m].backward[0]),
              1e-8 * scale)
        << m;
  }
}

TEST(FdtdMirrorMonitors, ACutBehindTheMirrorIsTheImageWithItsSign) {
  Simulation s = halved({2.6, 2.4, 2.2}, false, Ez, {{-1, -1, 0}, {true, true, false}});
  test::MonitoredRun half(s), whole(whole_of(s));
  half.until(3);
  whole.until(3);
  for (const Component c : {Ez, Ex, Hy, Hz}) {
    MonitorSpec m = test::monitor(Kind::snapshot, {0, 0, 0}, {0, 0, 0});
    m.fields = {c};
    m.own<SnapshotSpec>().plane_at = -0.42;
    const Snapshot a = take_snapshot(*half.engine, half.problem.grid, m, c, s.walls);
    const Snapshot b = take_snapshot(*whole.engine, whole.problem.grid, m, c);
    ASSERT_EQ(a.size, b.size);
    for (std::size_t i = 0; i < a.values.size(); ++i) EXPECT_NEAR(a.values[i], b.values[i], 1e-6);
  }
}

TEST(FdtdMirrorMonitors, SourcesThatASymmetryPlaneCutsUnevenlyAreRefused) {
  const auto message = [](const Vec3& center, const Vec3& size) {
    Simulation s;
    s.size = {5, 4, 0};
    s.resolution = 10;
    s.walls[1][0] = WallKind::mirror_even;
    s.sources = {test::pulse(Ez, center, 1)};
    s.sources[0].kind = SourceSpec::Kind::box;
    s.sources[0].size = size;
    try {
      test::MonitoredRun run(s);
    } catch (const BadInput& e) {
      return std::string(e.what());
    }
    return std::string();
  };
  EXPECT_NE(message({0, 0.3, 0}, {0, 1, 0}).find("unevenly"), std::string::npos);
  EXPECT_NE(message({0, -1, 0}, {0, 1, 0}).find("behind the symmetry plane"), std::string::npos);
  EXPECT_EQ(message({0, 0, 0}, {0, 1, 0}), "");
  EXPECT_EQ(message({0, 1, 0}, {0, 1, 0}), "");
}
