// Boxes of total field: what lies around them, and monitors that see both of their sides.
#include "fdtd/sources/total_field.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "core/error.hpp"
#include "fdtd/model/validate.hpp"
#include "fdtd/monitors/flux.hpp"
#include "fdtd/output/marks.hpp"
#include "support/fdtd_runs.hpp"
#include "support/machines.hpp"

namespace umov::fdtd {
namespace {

using Severity = Finding::Severity;
using Kind = MonitorSpec::Kind;
constexpr double inf = std::numeric_limits<double>::infinity();

std::vector<Finding> findings_of_box(const Simulation& s) {
  const auto scene = make_scene(s);
  return validate(s, *scene, make_grid(s, *scene));
}

/// The worst severity of the findings that hold the text, or nothing.
std::optional<Severity> found(const Simulation& s, const std::string& text) {
  std::optional<Severity> worst;
  for (const auto& f : findings_of_box(s))
    if (f.message.find(text) != std::string::npos && (!worst || f.severity > *worst)) worst = f.severity;
  return worst;
}

/// A box of total field of 2 x 1.6 in a domain of 6 x 5, layers of 1: faces at x = -1, 1, y = -0.8, 0.8.
Simulation lit(const Vec3& box = {2, 1.6, 0}) {
  Simulation s;
  s.size = {6, 5, 0};
  s.resolution = 10;
  s.sources = {test::plane_wave(test::pulse(0.8, 0.2), 20, box)};
  return s;
}

Outcome ran(Simulation s) {
  s.precision = Precision::double_;
  return run(s, umov::test::serial);
}

std::optional<Severity> about_monitor(Simulation s, MonitorSpec m) {
  m.name = "eye";
  s.monitors = {std::move(m)};
  std::optional<Severity> worst;
  for (const auto& f : findings_of_box(s))
    if (f.message.find("monitor 'eye'") != std::string::npos &&
        f.message.find("total-field box") != std::string::npos && (!worst || f.severity > *worst))
      worst = f.severity;
  return worst;
}

MonitorSpec box_at(const Vec3& center, const Vec3& size) {
  return test::flux_through("eye", center, size, {0.8}, true);
}

TEST(FdtdTotalField, BoxesOfFluxInsideAndAroundAreTakenAsTheyAre) {
  EXPECT_FALSE(about_monitor(lit(), box_at({0, 0, 0}, {1.8, 1.4, 0})));
  EXPECT_FALSE(about_monitor(lit(), box_at({0.2, 0.1, 0}, {1, 1, 0})));
  EXPECT_FALSE(about_monitor(lit(), box_at({0, 0, 0}, {2.2, 1.8, 0})));
  EXPECT_FALSE(about_monitor(lit(), box_at({1.5, 0, 0}, {0.6, 0.6, 0}))) << "beside it";
}

TEST(FdtdTotalField, BoxesOfFluxThatCrossOrTouchItsFacesAreRefused) {
  for (const auto& [center, size] : {std::pair(Vec3{0.5, 0, 0}, Vec3{1.4, 1, 0}),  // out through one face
                                     std::pair(Vec3{0, 0, 0}, Vec3{1.8, 2, 0}),    // through two
                                     std::pair(Vec3{1, 0.8, 0}, Vec3{1, 1, 0}),    // over a corner
                                     std::pair(Vec3{0, 0, 0}, Vec3{2, 1.6, 0}),    // on all faces
                                     std::pair(Vec3{0, 0, 0}, Vec3{2, 1, 0}),      // on two, inside
                                     std::pair(Vec3{1.3, 0, 0}, Vec3{0.6, 1, 0}),  // on one, from outside
                                     std::pair(Vec3{0, 0, 0}, Vec3{2, 2, 0})})
    EXPECT_EQ(about_monitor(lit(), box_at(center, size)), Severity::stop) << center[0] << " " << size[0];
}

TEST(FdtdTotalField, InAnEmptyDomainWhatIsTakenMeasuresNothingAndWhatIsRefusedMeasuresTheWave) {
  Simulation s = lit();
  s.force = true;
  s.monitors = {box_at({0, 0, 0}, {1.8, 1.4, 0}), box_at({0, 0, 0}, {2.2, 1.8, 0}),
                box_at({0.5, 0, 0}, {1.4, 1, 0})};
  for (std::size_t i = 0; i < 3; ++i) s.monitors[i].name = std::string(1, char('a' + i));
  s.stop.time = 30;
  const Outcome out = ran(s);
  const double wave = test::irradiance(s.sources[0].waveform, 0.8);
  // Leakage is below 1e-6 of the amplitude (tfsf_test.cpp) and crosses the flux as E x H: 2e-6.
  EXPECT_LT(std::abs(out.of<FluxResult>()[0].flux[0]), 1e-5 * wave);
  EXPECT_LT(std::abs(out.of<FluxResult>()[1].flux[0]), 1e-5 * wave);
  // Through the left face, cos 20 of its length of 1 comes in, and nothing leaves.
  EXPECT_LT(out.of<FluxResult>()[2].flux[0], -0.5 * wave);
}

TEST(FdtdTotalField, PlanesOnAFaceAreRefusedAndPlanesThatReachOutWarnedOf) {
  const auto plane = [](const Vec3& center, const Vec3& size, Kind kind = Kind::flux) {
    return test::monitor(kind, "eye", center, size, {0.8});
  };
  EXPECT_EQ(about_monitor(lit(), plane({1, 0, 0}, {0, 1, 0})), Severity::stop);
  EXPECT_EQ(about_monitor(lit(), plane({0, -0.8, 0}, {1, 0, 0})), Severity::stop);
  EXPECT_EQ(about_monitor(lit(), plane({-1, 0, 0}, {0, inf, 0})), Severity::stop);
  EXPECT_EQ(about_monitor(lit(), plane({-1, 0, 0}, {0, 1, 0}, Kind::mode)), Severity::stop);
  EXPECT_EQ(about_monitor(lit(), plane({0.5, 0, 0}, {0, inf, 0})), Severity::warning);
  EXPECT_EQ(about_monitor(lit(), plane({0.5, 0.5, 0}, {0, 1.2, 0})), Severity::warning);
  EXPECT_EQ(about_monitor(lit(), plane({1.2, 0, 0}, {0, 1, 0})), Severity::note);
  EXPECT_FALSE(about_monitor(lit(), plane({0.9, 0, 0}, {0, 1.6, 0})));
  EXPECT_FALSE(about_monitor(lit(), plane({0.5, 0, 0}, {0, 1.64, 0}))) << "ends on the same node";
}

TEST(FdtdTotalField, PointsAndVolumesAreLookedAtByTheFieldsTheyHold) {
  const auto point = [](const Vec3& center, std::vector<Component> fields) {
    auto m = test::monitor(Kind::series, "eye", center, {0, 0, 0}, {});
    m.fields = std::move(fields);
    return m;
  };
  EXPECT_FALSE(about_monitor(lit(), point({1, 0, 0}, {Ez}))) << "E on the face is the total one";
  EXPECT_EQ(about_monitor(lit(), point({1, 0, 0}, {Hy})), Severity::stop) << "H on both sides of it";
  EXPECT_EQ(about_monitor(lit(), point({1.03, 0, 0}, {Ez})), Severity::stop);
  EXPECT_EQ(about_monitor(lit(), point({1.2, 0, 0}, {Ez})), Severity::note);
  const auto region = [](const Vec3& center, const Vec3& size, std::vector<Component> fields) {
    auto m = test::monitor(Kind::fourier, "eye", center, size, {0.8});
    m.fields = std::move(fields);
    return m;
  };
  EXPECT_FALSE(about_monitor(lit(), region({0, 0, 0}, {1.8, 1.4, 0}, {Ez})));
  EXPECT_EQ(about_monitor(lit(), region({0, 0, 0}, {inf, inf, 0}, {Ez})), Severity::note);
  EXPECT_EQ(about_monitor(lit(), region({1, 0, 0}, {0, 1, 0}, {Hy})), Severity::stop);
  EXPECT_FALSE(about_monitor(lit(), region({1, 0, 0}, {0, 1, 0}, {Ez})));
}

TEST(FdtdTotalField, BehindAMirrorLiesItsImage) {
  Simulation s = lit();
  s.sources[0].phi = 0;
  s.walls[1] = {WallKind::mirror_even, WallKind::pml};
  EXPECT_FALSE(about_monitor(s, box_at({0, 0, 0}, {1.8, 1.4, 0})));
  EXPECT_FALSE(about_monitor(s, box_at({0, 0, 0}, {2.2, 1.8, 0})));
  EXPECT_FALSE(about_monitor(s, box_at({0, -0.4, 0}, {1, 0.4, 0})));
  EXPECT_EQ(about_monitor(s, box_at({0, -0.8, 0}, {1, 0.4, 0})), Severity::stop);
  EXPECT_EQ(about_monitor(s, test::flux_through("eye", {0, -0.8, 0}, {1, 0, 0}, {0.8})), Severity::stop);
}

TEST(FdtdTotalField, InAPeriodicCellAndInOneDimensionOnlyTheFaceAcrossTheWaveCounts) {
  Simulation s = lit({0, 0, 0});
  s.sources[0].phi = 0;
  s.walls[1] = {WallKind::periodic, WallKind::periodic};
  // The face lies 4 cells behind the layers, at x = -1.6; the total field goes on to the far wall.
  EXPECT_EQ(found(s, "total field in x from -1.6 on, y everywhere"), Severity::note);
  EXPECT_EQ(about_monitor(s, test::flux_through("eye", {-1.6, 0, 0}, {0, inf, 0}, {0.8})), Severity::stop);
  EXPECT_EQ(about_monitor(s, test::flux_through("eye", {-1.8, 0, 0}, {0, inf, 0}, {0.8})), Severity::note);
  EXPECT_FALSE(about_monitor(s, test::flux_through("eye", {1.8, 0, 0}, {0, inf, 0}, {0.8})));
  EXPECT_EQ(about_monitor(s, box_at({-1, 0, 0}, {1.6, inf, 0})), Severity::stop);
  s.size = {6, 0, 0};
  s.walls = test::all_walls(WallKind::pml);
  EXPECT_EQ(about_monitor(s, test::flux_through("eye", {-1.6, 0, 0}, {0, 0, 0}, {0.8})), Severity::stop);
  EXPECT_FALSE(about_monitor(s, test::flux_through("eye", {-1.5, 0, 0}, {0, 0, 0}, {0.8})));
}

TEST(FdtdTotalField, InSpaceFacesAcrossEveryAxisCount) {
  Simulation s = lit({1, 1, 1});
  s.size = {4, 4, 4};
  EXPECT_FALSE(about_monitor(s, box_at({0, 0, 0}, {0.8, 0.8, 0.8})));
  EXPECT_EQ(about_monitor(s, box_at({0, 0, 0.3}, {0.8, 0.8, 0.8})), Severity::stop);
  EXPECT_EQ(about_monitor(s, test::flux_through("eye", {0, 0, -0.5}, {0.6, 0.6, 0}, {0.8})), Severity::stop);
}

TEST(FdtdTotalField, AFarFieldIsThatOfABoxAroundIt) {
  const auto refusal = [](const Vec3& center, const Vec3& size, bool mirrored = false) -> std::string {
    Simulation s = lit();
    s.sources[0].phi = 0;
    if (mirrored) s.walls[1] = {WallKind::mirror_even, WallKind::pml};
    s.stop.steps = 1;
    s.monitors = {test::monitor(Kind::near_to_far, "far", center, size, {0.8})};
    try {
      ran(s);
    } catch (const BadInput& e) {
      return e.what();
    }
    return "";
  };
  EXPECT_EQ(refusal({0, 0, 0}, {2.4, 2, 0}), "");
  EXPECT_EQ(refusal({0, 0, 0}, {2.4, 2, 0}, true), "");
  for (const bool mirrored : {false, true}) {
    EXPECT_NE(refusal({0, 0, 0}, {2.4, 1.6, 0}, mirrored).find("inside the total field"), std::string::npos);
    EXPECT_NE(refusal({0, 0, 0}, {1.6, 2, 0}, mirrored).find("inside the total field"), std::string::npos);
    EXPECT_NE(refusal({1.5, 0, 0}, {0.6, 2, 0}, mirrored).find("beside the total field"), std::string::npos);
  }
}

/// The same with a body of glass.
Simulation with_body(const std::string& shape, double radius, const Vec3& box) {
  Simulation s = lit(box);
  s.materials = {test::constant("glass", 2)};
  s.bodies = {test::ball(shape, "glass", radius)};
  return s;
}

TEST(FdtdTotalField, ABoxInsideABodyIsStoppedWithTheBodysName) {
  const std::string text = "lies inside a body of 'glass'";
  EXPECT_EQ(found(with_body("cylinder", 0.9, {0.8, 0.8, 0}), text), Severity::stop);
  EXPECT_FALSE(found(with_body("cylinder", 0.4, {1.2, 1.2, 0}), text));
  Simulation tiny = with_body("cylinder", 0.3, {0, 0, 0});
  tiny.size = {3, 3, 0};  // 10 cells between the layers: a box of 2
  EXPECT_EQ(found(tiny, text), Severity::stop);
  Simulation slab = with_body("cylinder", 1, {0.6, 0, 0});
  slab.sources[0].phi = 0;
  slab.bodies = {test::layer("glass", -0.8, 0.8)};
  slab.walls[1] = {WallKind::periodic, WallKind::periodic};
  EXPECT_EQ(found(slab, text), Severity::stop) << "a slab of a periodic cell";
  slab.sources[0].size = {2, 0, 0};
  EXPECT_FALSE(found(slab, text));
  Simulation filled = lit();
  filled.materials = {test::constant("glass", 2)};
  filled.background = "glass";
  EXPECT_FALSE(found(filled, text)) << "the background may be anything";
}

TEST(FdtdTotalField, ABodyThatItsFacesCutIsNamedAndOneBesideItWarnedOf) {
  EXPECT_EQ(found(with_body("cylinder", 0.9, {1.2, 2.6, 0}), "cuts a body of 'glass'"), Severity::refusal);
  EXPECT_FALSE(found(with_body("cylinder", 0.4, {1.2, 1.2, 0}), "cuts a body"));
  Simulation beside = with_body("cylinder", 0.3, {1, 1, 0});
  beside.bodies[0].center = {1.4, 0, 0};
  EXPECT_EQ(found(beside, "'glass' lies outside its total-field box"), Severity::warning);
  EXPECT_FALSE(found(with_body("cylinder", 0.4, {1.2, 1.2, 0}), "lies outside its total-field box"));
}

TEST(FdtdTotalField, AnAnisotropicMediumIsCalledSo) {
  Simulation s = lit();
  s.te = true;
  s.materials = {test::constant("crystal", 2)};
  s.materials[0].constants.eps = {2, 4, 3};
  s.background = "crystal";
  s.stop.steps = 1;
  try {
    ran(s);
    FAIL() << "accepted";
  } catch (const BadInput& e) {
    EXPECT_NE(std::string(e.what()).find("lies in an anisotropic medium (eps 2 along one axis and 4"),
              std::string::npos)
        << e.what();
  }
  s.te = false;  // Ez alone is driven
  EXPECT_NO_THROW(ran(s));
}

TEST(FdtdTotalField, ItsPlaceIsSaidAndDrawnAsTheGridHasIt) {
  Simulation s = lit({2.04, 0, 0});
  EXPECT_EQ(found(s, "source 'wave': total field in x from -1 to 1, y from -1.1 to 1.1"), Severity::note);
  Outcome out;
  out.simulation = s;
  out.grid = make_grid(s, *make_scene(s));
  const auto lines = total_field_lines(s, out.grid);
  ASSERT_EQ(lines.size(), 1u);
  EXPECT_NE(lines[0].find("x from -1 to 1, y from -1.1 to 1.1"), std::string::npos);
  s.pml.layers = 14;  // more layers, as grazing waves get them, move a box that has no size
  EXPECT_NE(total_field_lines(s, out.grid)[0].find("y from -0.7 to 0.7"), std::string::npos);
  const Mark mark = marks_of(out).front();
  EXPECT_NEAR(mark.size[0], 2, 1e-12);
  EXPECT_NEAR(mark.size[1], 2.2, 1e-12);
}

}  // namespace
}  // namespace umov::fdtd
