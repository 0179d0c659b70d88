// Mirrored cases give mirrored fields: bodies, sources and monitors of a case, lossy and not, on and off the
// grid; and what a mirror plane assumes is what the whole domain gives.
#include <gtest/gtest.h>

#include <limits>
#include <random>

#include "core/error.hpp"
#include "fdtd/monitors/flux.hpp"
#include "fdtd/monitors/series.hpp"
#include "fdtd/run/run.hpp"
#include "support/fdtd_cases.hpp"
#include "support/fdtd_runs.hpp"
#include "support/machines.hpp"

namespace umov::fdtd {
namespace {

using KindOfSource = SourceSpec::Kind;

Vec3 flipped(Vec3 v, int axis) {
  v[axis] = -v[axis];
  return v;
}

/// The case as a mirror across `axis` = 0 shows it.
Simulation mirrored(Simulation s, int axis) {
  for (auto& b : s.bodies) {
    b.center = flipped(b.center, axis);
    // Turned about z: a mirror in z leaves the angle, one in x or y turns it round.
    if (axis < 2) b.rotation = -b.rotation;
    for (auto& v : b.vertices) v = flipped(v, axis);
  }
  for (auto& source : s.sources) {
    source.center = flipped(source.center, axis);
    // Currents are vectors, magnetic ones axial vectors.
    const bool odd = is_electric(source.component) == (axis_of(source.component) == axis);
    if (odd) source.waveform.amplitude *= -1;
  }
  for (auto& m : s.monitors) m.center = flipped(m.center, axis);
  std::swap(s.walls[axis][0], s.walls[axis][1]);
  return s;
}

/// Off the grid and on it, turned, lossy, overlapping.
Simulation random_case(const Vec3& size, bool te, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> place(-0.5, 0.5);
  Simulation s = test::checked_case(size, 10);
  s.te = te;
  s.stop = {};
  s.stop.steps = 90;
  s.pml.layers = 3;
  s.force = true;
  s.materials = {test::constant("glass", 3), test::constant("wet", 2)};
  s.materials[1].constants.sigma = {0.4, 0.4, 0.4};
  for (const char* shape : {"box", "cylinder", "ellipsoid", "ring", "prism"}) {
    auto b = test::body(shape, s.bodies.size() % 2 ? "wet" : "glass", {place(random), place(random), 0});
    if (size[2] > 0) b.center[2] = place(random);
    const std::string kind = shape;
    if (kind == "box" || kind == "ellipsoid") b.size = Vec3{0.5, 0.31, 0.4};
    if (kind == "box" || kind == "prism" || kind == "ellipsoid") b.rotation = 90 * place(random);
    b.radius = 0.35, b.inner_radius = 0.2;
    b.height = size[2] > 0 ? 0.45 : 0;
    b.vertices = {{-0.2, -0.1, 0}, {0.3, 0, 0}, {0, 0.25, 0}};
    s.bodies.push_back(b);
  }
  // One of whole cells, its faces on nodes or between them.
  s.bodies.push_back(test::body("box", "glass", {0.2, -0.3, 0}));
  s.bodies.back().size = Vec3{0.2, 0.4, size[2] > 0 ? 0.2 : 0.0};
  for (const Vec3& extent : {Vec3{0, 0, 0}, Vec3{0, 0.3, 0}, Vec3{0.2, 0.13, 0}}) {
    auto source = test::point_source(test::pulse(1, 0.4), te ? Hz : Ez, {place(random), place(random), 0});
    source.kind = KindOfSource::box;
    source.size = extent;
    s.sources.push_back(source);
  }
  for (int m = 0; m < 3; ++m)
    s.monitors.push_back(test::monitor(MonitorSpec::Kind::series, "m" + std::to_string(m),
                                       {place(random), place(random), size[2] > 0 ? place(random) : 0},
                                       {0, 0, 0}, {}));
  for (auto& m : s.monitors) m.fields = {te ? Hz : Ez};
  return s;
}

/// Sign by which a monitored component comes back from mirrors.
double sign_of(Component c, int axis) { return is_electric(c) == (axis_of(c) == axis) ? -1 : 1; }

double difference(const Outcome& a, const Outcome& b, double sign) {
  double largest = 0, most = 0;
  for (std::size_t m = 0; m < a.of<SeriesResult>().size(); ++m)
    for (std::size_t i = 0; i < a.of<SeriesResult>()[m].value.size(); ++i) {
      largest = std::max(largest, std::abs(a.of<SeriesResult>()[m].value[i]));
      most = std::max(most,
                      std::abs(a.of<SeriesResult>()[m].value[i] - sign * b.of<SeriesResult>()[m].value[i]));
    }
  EXPECT_GT(largest, 0);
  return most / largest;
}

void expect_symmetric(const Simulation& s, double tolerance, const Machine& machine = umov::test::serial) {
  const Outcome straight = fdtd::run(s, machine);
  for (int axis = 0; axis < (s.size[2] > 0 ? 3 : 2); ++axis) {
    const Outcome image = fdtd::run(mirrored(s, axis), machine);
    EXPECT_LT(difference(straight, image, sign_of(s.monitors[0].fields[0], axis)), tolerance)
        << "axis " << axis << " size " << s.size[0];
  }
}

// Rounding of 90 steps; in float relative to numbers of some seven digits.
TEST(FdtdSymmetry, MirroredCasesGiveMirroredFieldsWithEvenAndOddNumbersOfCells) {
  for (const bool te : {false, true})
    for (const Vec3& size : {Vec3{2.4, 2.6, 0}, Vec3{2.5, 2.3, 0}})
      for (unsigned seed : {1u, 2u}) expect_symmetric(random_case(size, te, seed), 1e-12);
  expect_symmetric(random_case({1.8, 1.9, 1.7}, false, 3), 1e-12);
}

TEST(FdtdSymmetry, HoldsWithoutAveragingWhereFacesLieOnNodes) {
  for (const bool te : {false, true})
    for (const Vec3& size : {Vec3{2.4, 2.6, 0}, Vec3{2.5, 2.3, 0}}) {
      Simulation s = random_case(size, te, 5);
      s.averaging = false;
      s.bodies.erase(s.bodies.begin(), s.bodies.end() - 1);
      for (auto& b : s.bodies) b.center = {0.25, -0.3, 0}, b.size = Vec3{0.3, 0.5, 0};
      expect_symmetric(s, 1e-12);
    }
}

TEST(FdtdSymmetry, HoldsUpToWallsOfEveryKind) {
  for (const bool te : {false, true})
    for (const auto& walls :
         {std::array{WallKind::pec, WallKind::pmc}, std::array{WallKind::pml, WallKind::pmc},
          std::array{WallKind::periodic, WallKind::periodic}}) {
      Simulation s = random_case({1.3, 1.4, 0}, te, 9);
      s.walls = {walls, walls, walls};
      for (auto& m : s.monitors) m.center[0] = m.center[0] > 0 ? 0.63 : -0.63;  // within the last cell
      s.sources[0].center[1] = 0.68;
      expect_symmetric(s, 1e-12);
    }
}

TEST(FdtdSymmetry, HoldsOnTheProcessorsSteppersInFloat) {
  for (const bool tuned : {false, true}) {
    Simulation s = random_case({2.5, 2.3, 0}, true, 4);
    s.tuned = tuned;
    s.precision = Precision::single_;
    expect_symmetric(s, 1e-5, umov::test::one_thread);
    Simulation deep = random_case({1.8, 1.9, 1.7}, false, 4);
    deep.tuned = tuned;
    deep.precision = Precision::single_;
    expect_symmetric(deep, 1e-5, umov::test::one_thread);
  }
}

TEST(FdtdSymmetry, AHardPointBetweenTwoNodesSetsBoth) {
  Simulation s = random_case({2.5, 2.3, 0}, false, 6);
  s.sources.resize(1);
  s.sources[0].hard = true;
  s.sources[0].center = {0.1, 0, 0};  // an odd number of cells: 0 and 0.1 lie halfway between nodes
  s.sources[0].size = {0, 0, 0};
  expect_symmetric(s, 1e-12);
}

// A source near a mirror has an image behind it; in the whole domain the image has to be there in person.
TEST(FdtdSymmetry, AMirroredHalfGivesWhatTheWholeDomainGives) {
  for (const bool te : {false, true})
    for (const auto wall : {WallKind::mirror_even, WallKind::mirror_odd})
      for (const double at : {0.03, 0.05, 0.37}) {
        Simulation whole = test::checked_case({2.4, 2.2, 0}, 10);
        whole.te = te;
        whole.stop = {};
        whole.stop.steps = 90;
        whole.pml.layers = 3;
        const Component c = te ? Hz : Ez;
        auto source = test::point_source(test::pulse(1, 0.4), c, {at, 0.1, 0});
        source.kind = KindOfSource::box;
        source.size = {0.06, 0.2, 0};
        whole.sources = {source};
        whole.monitors = {test::monitor(MonitorSpec::Kind::series, "m", {0.43, -0.2, 0}, {0, 0, 0}, {})};
        whole.monitors[0].fields = {c};
        Simulation half = whole;
        half.walls[0][0] = wall;
        // mirror_even: tangential E is even, Hz is then odd.
        source.center[0] = -at;
        source.waveform.amplitude = (wall == WallKind::mirror_even) == !te ? 1 : -1;
        whole.sources.push_back(source);
        EXPECT_LT(difference(fdtd::run(whole, umov::test::serial), fdtd::run(half, umov::test::serial), 1),
                  1e-12)
            << te << at;
      }
}

TEST(FdtdSymmetry, SourcesThroughAMirrorAreHalvedOrRefused) {
  Simulation s = random_case({2.4, 2.2, 0}, false, 8);
  s.bodies.clear();
  s.sources.resize(1);
  s.sources[0].name = "lamp";
  s.sources[0].center = {0, 0.1, 0};
  s.sources[0].size = {0.5, 0.3, 0};
  for (auto& m : s.monitors) m.center[0] = std::abs(m.center[0]);
  Simulation half = s;
  half.walls[0][0] = WallKind::mirror_even;
  EXPECT_LT(difference(fdtd::run(s, umov::test::serial), fdtd::run(half, umov::test::serial), 1), 1e-12);
  const auto refusal = [&](double center) -> std::string {
    half.sources[0].center[0] = center;
    try {
      fdtd::run(half, umov::test::serial);
    } catch (const BadInput& e) {
      return e.what();
    }
    return "accepted";
  };
  EXPECT_NE(refusal(0.1).find("source 'lamp': the symmetry plane x = 0 cuts it unevenly (-0.15 to 0.35"),
            std::string::npos);
  EXPECT_NE(refusal(-0.4).find("source 'lamp': lies behind the symmetry plane x = 0"), std::string::npos);
}

/// Flux through a plane of the whole domain, at one frequency.
double flux_of(const Simulation& s) {
  return fdtd::run(s, umov::test::serial).of<FluxResult>().at(0).flux.at(0);
}

TEST(FdtdSymmetry, ASourceOnAMirrorHasThePowerOfTheWholeDomains) {
  Simulation s = test::checked_case({2.4, 2.2, 0}, 10);
  s.precision = Precision::double_;
  s.pml.layers = 5;
  s.stop = {};
  s.stop.time = 14;
  s.materials = {test::constant("glass", 4)};
  s.bodies = {test::body("box", "glass", {0, 0, 0})};
  s.bodies[0].size = {0, 0.4, 0};
  s.monitors = {test::monitor(MonitorSpec::Kind::flux, "m", {0.3, 0, 0}, {0, 1.2, 0}, {0.8})};
  for (const auto& [te, wall, component, kind] :
       {std::tuple(false, WallKind::mirror_even, Ez, KindOfSource::point),
        std::tuple(false, WallKind::mirror_odd, Hx, KindOfSource::point),
        std::tuple(true, WallKind::mirror_odd, Hz, KindOfSource::point),
        std::tuple(true, WallKind::mirror_even, Ex, KindOfSource::point),
        std::tuple(true, WallKind::mirror_odd, Hz, KindOfSource::line),
        std::tuple(false, WallKind::mirror_even, Ez, KindOfSource::mode),
        std::tuple(true, WallKind::mirror_odd, Hz, KindOfSource::mode)}) {
    Simulation whole = s;
    whole.te = te;
    whole.sources = {test::point_source(test::pulse(0.8, 0.3), component, {-0.3, 0, 0})};
    whole.sources[0].kind = kind;
    if (kind == KindOfSource::line) whole.sources[0].size = {0.4, 0, 0};
    if (kind == KindOfSource::mode) whole.sources[0].size = {0, 1.2, 0};
    Simulation half = whole;
    half.walls[1][0] = wall;
    // The pulse enters in both alike, so to rounding; the mode solver's iteration 1e-9.
    EXPECT_NEAR(flux_of(half) / flux_of(whole), 1, 1e-7) << int(component) << int(kind);
  }
}

TEST(FdtdSymmetry, AModeThroughOneMirrorOrTwoHasThePowerOfTheWholeDomainsHoweverItsPlaneIsGiven) {
  constexpr double inf = std::numeric_limits<double>::infinity();
  Simulation s = test::checked_case({3, 2, 1}, 8);
  s.precision = Precision::double_;
  s.pml.layers = 6;
  s.stop = {};
  s.stop.time = 12;
  // The first mode of a hollow guide: E along z, even about y = 0, odd (an electric wall) about z = 0.
  s.walls[1] = s.walls[2] = {WallKind::pec, WallKind::pec};
  s.sources = {test::point_source(test::pulse(0.45, 0.2), Ez, {-0.8, 0, 0})};
  s.sources[0].kind = KindOfSource::mode;
  s.monitors = {test::monitor(MonitorSpec::Kind::flux, "m", {0.5, 0, 0}, {0, 2, 1}, {0.45})};
  s.sources[0].size = {0, 2, 1};
  const double whole = flux_of(s);
  ASSERT_GT(whole, 0);
  const auto half = [&](int a, WallKind w) { s.walls[a][0] = w; };
  for (const int mirrors : {1, 2}) {
    half(1, WallKind::mirror_even);
    if (mirrors == 2) half(2, WallKind::mirror_odd);
    for (const Vec3& size : {Vec3{0, 2, 1}, Vec3{0, inf, inf}, Vec3{0, inf, 1}, Vec3{0, 2, inf}}) {
      s.sources[0].size = size;
      // To rounding; the mode solver's iteration 1e-9.
      EXPECT_NEAR(flux_of(s) / whole, 1, 1e-7) << mirrors << ' ' << size[1] << ' ' << size[2];
    }
  }
}

/// What is said of a plane wave along x through a symmetry plane y = 0; "" when it is accepted.
std::string said_of_wave(bool te, WallKind mirror, double height, double phi = 0) {
  Simulation s;
  s.size = {4, 4, 0};
  s.resolution = 20;
  s.te = te;
  s.walls[1][0] = mirror;
  s.sources = {test::plane_wave(test::pulse(1, 0.2), phi, {2, height, 0})};
  try {
    Problem p;
    const auto scene = make_scene(s);
    p.grid = make_grid(s, *scene);
    set_walls(s, p);
    paint(s, *scene, p);
    add_sources(s, *scene, p);
  } catch (const BadInput& e) {
    return e.what();
  }
  return "";
}

TEST(FdtdSymmetry, APlaneWaveThatIsNotItsOwnImageIsRefusedByItsPolarisation) {
  for (const double height : {0.0, 2.0}) {
    EXPECT_EQ(said_of_wave(false, WallKind::mirror_even, height), "");
    EXPECT_EQ(said_of_wave(true, WallKind::mirror_odd, height), "");
    EXPECT_EQ(
        said_of_wave(false, WallKind::mirror_odd, height),
        "source 'wave': its E is along the symmetry plane y = 0, and mirror_odd asks for E across it (the "
        "wave would not be its own mirror image); make that wall mirror_even");
    EXPECT_EQ(
        said_of_wave(true, WallKind::mirror_even, height),
        "source 'wave': its E is across the symmetry plane y = 0, and mirror_even asks for E along it (the "
        "wave would not be its own mirror image); make that wall mirror_odd");
    EXPECT_NE(said_of_wave(false, WallKind::mirror_even, height, 20).find("travels at an angle"),
              std::string::npos);
  }
}

}  // namespace
}  // namespace umov::fdtd
