// Layouts as models: layers as bodies, what goes on beyond the window, ports.
#include <gtest/gtest.h>

#include "core/error.hpp"
#include "fdtd/model/bodies.hpp"
#include "support/fdtd_cases.hpp"
#include "support/gds_writer.hpp"

namespace umov::fdtd {
namespace {

using test::GdsWriter;

/// A guide along x, 0.5 wide, of 2, with a text at each end, and a block beside it; layers 1 and 2.
GdsWriter guide() {
  GdsWriter w;
  w.begin("TOP");
  w.rectangle(1, 0, -1000, -250, 1000, 250);
  w.rectangle(2, 0, -500, 600, 500, 1000);
  w.rectangle(7, 3, 0, 0, 10, 10);
  w.label(10, 0, -1000, 0, "west"), w.label(10, 0, 1000, 0, "east"), w.label(11, 0, 5, 5, "remark");
  w.end(), w.finish();
  return w;
}

LayerSpec layer(int number, double from = -0.1, double to = 0.1) {
  LayerSpec l;
  l.layer = number, l.material = "glass", l.from = from, l.to = to;
  return l;
}

Simulation layout_case(const GdsWriter& w, std::vector<LayerSpec> layers) {
  Simulation s;
  const std::string path = testing::TempDir() + "fdtd_layout.gds";
  w.save(path);
  s.size = {INFINITY, INFINITY, 1};
  s.resolution = 20;
  s.materials = {test::constant("glass", 4)};
  s.layout.emplace();
  s.layout->file = path;
  s.layers = std::move(layers);
  return s;
}

std::unique_ptr<Scene> scene_of(Simulation& s) { return apply_layout(s), make_scene(s); }

std::string said(const Simulation& s) {
  std::string all;
  for (const auto& line : s.layout->report) all += line + "\n";
  return all;
}

std::string refusal_of_layout(Simulation s) {
  try {
    apply_layout(s);
  } catch (const BadInput& e) {
    return e.what();
  }
  return "accepted";
}

TEST(FdtdLayout, TheDomainIsAroundTheWindowAndItsMiddleIsItsOrigin) {
  Simulation s = layout_case(guide(), {layer(1), layer(2)});
  s.layout->margin = 0.75;
  const auto scene = scene_of(s);
  EXPECT_DOUBLE_EQ(s.size[0], 2 + 1.5);
  EXPECT_DOUBLE_EQ(s.size[1], 1.25 + 1.5);
  const double middle = (1 - 0.25) / 2;
  EXPECT_EQ(scene->material_at({0, -middle, 0}), 1);
  EXPECT_EQ(scene->material_at({0, 0.3 - middle, 0}), 0) << "between guide and block";
  EXPECT_EQ(scene->material_at({0, 0.8 - middle, 0}), 1);
  EXPECT_EQ(scene->material_at({0, -middle, 0.15}), 0) << "above the layer";
}

TEST(FdtdLayout, TheUnitIsThatOfTheFile) {
  GdsWriter coarse(5e-9, 5e-3);
  coarse.begin("A"), coarse.rectangle(1, 0, 0, 0, 400, 100), coarse.end(), coarse.finish();
  Simulation s = layout_case(coarse, {layer(1)});
  s.layout->margin = 0, s.unit_um = 0.5;
  apply_layout(s);
  EXPECT_DOUBLE_EQ(s.size[0], 400 * 5e-3 / 0.5);
}

TEST(FdtdLayout, LaterLayersCoverEarlierOnesAndBodiesCoverLayers) {
  Simulation s = layout_case(guide(), {layer(1), layer(1)});
  s.materials.push_back(test::constant("other", 9));
  s.layers[1].material = "other";
  EXPECT_EQ(scene_of(s)->material_at({0, 0, 0}), 2);
  Simulation covered = layout_case(guide(), {layer(1)});
  covered.bodies.emplace_back();
  covered.bodies[0].material = "vacuum", covered.bodies[0].size = Vec3{0.2, 0.2, 0.2};
  const auto scene = scene_of(covered);
  EXPECT_EQ(scene->material_at({0, 0, 0}), 0);
  EXPECT_EQ(scene->material_at({0.5, 0, 0}), 1);
  EXPECT_EQ(body_label(covered, 0), "layer 1");
  EXPECT_EQ(body_label(covered, 1), "body 1 (box)");
}

TEST(FdtdLayout, ALayerWithoutANumberIsASheet) {
  Simulation s = layout_case(guide(), {layer(1), layer(1, -5, -0.1)});
  s.layers[1].layer.reset();
  const auto scene = scene_of(s);
  EXPECT_EQ(scene->material_at({1.5, 0.6, -0.2}), 1);
  EXPECT_EQ(scene->material_at({1.5, 0.6, 0}), 0);
}

TEST(FdtdLayout, GuidesThatEndInAPortGoOnThroughTheAbsorbingLayers) {
  Simulation s = layout_case(guide(), {layer(1)});
  s.layout->port_layer = {10, 0};
  const Vec3 beyond{1.9, 0, 0}, beside{0, 0.3, 0};  // 0.1 from the end of the domain
  const auto scene = scene_of(s);
  EXPECT_EQ(scene->material_at(beyond), 1);
  EXPECT_EQ(scene->material_at(beside), 0) << "the guide's sides are edges of the window too";
  Simulation ends = layout_case(guide(), {layer(1)});
  ends.layout->port_layer = {10, 0}, ends.layout->extend = false;
  EXPECT_EQ(scene_of(ends)->material_at(beyond), 0);
}

TEST(FdtdLayout, WhatTheWindowCutsGoesOnAndWhatEndsThereDoesNot) {
  Simulation s = layout_case(guide(), {layer(1), layer(2)});
  s.layout->window = {{-0.25, -0.5}, {1, 1}};  // cuts both on the left, the guide ends on the right
  const auto scene = scene_of(s);
  const double x = -(1.25 / 2 + 0.9), shift = 0.25;
  EXPECT_EQ(scene->material_at({x, 0 - shift, 0}), 1);
  EXPECT_EQ(scene->material_at({x, 0.8 - shift, 0}), 1);
  EXPECT_EQ(scene->material_at({-x, 0 - shift, 0}), 0);
}

TEST(FdtdLayout, PortsAreTheEndsThatTextsLieOn) {
  Simulation s = layout_case(guide(), {layer(1, -0.1, 0.3), layer(2)});
  s.layout->port_layer = {10, 0};
  apply_layout(s);
  ASSERT_EQ(s.layout->ports.size(), 2u);
  const FoundPort& west = s.layout->ports[0];
  EXPECT_EQ(west.name, "west");
  EXPECT_EQ(west.axis, 0);
  EXPECT_EQ(west.sign, -1);
  EXPECT_NEAR(west.width, 0.5, 1e-12);
  EXPECT_NEAR(west.height, 0.4, 1e-12);
  EXPECT_NEAR(west.at[0], -1, 1e-12);
  EXPECT_NEAR(west.at[1], -0.375, 1e-12);
  EXPECT_NEAR(west.at[2], 0.1, 1e-12);
  EXPECT_NE(said(s).find("text 'remark' on 11/0"), std::string::npos) << said(s);
  EXPECT_NE(said(s).find("no [[layer]] names: 7/3 (1 polygons)"), std::string::npos) << said(s);
}

TEST(FdtdLayout, APinSaysWhereAPortIsAndWhereItLeads) {
  GdsWriter w;
  w.begin("A"), w.rectangle(1, 0, 0, 0, 1000, 400);
  w.path(20, 0, 0, 400, {{995, 200}, {1005, 200}}), w.label(20, 0, 1000, 200, "o1");
  w.end(), w.finish();
  Simulation s = layout_case(w, {layer(1)});
  s.layout->port_layer = {20, 0};
  apply_layout(s);
  ASSERT_EQ(s.layout->ports.size(), 1u);
  EXPECT_EQ(s.layout->ports[0].sign, 1);
  EXPECT_NEAR(s.layout->ports[0].width, 0.4, 1e-12);
}

TEST(FdtdLayout, SourcesEnterThroughAPortAndMonitorsCountOutward) {
  Simulation s = layout_case(guide(), {layer(1)});
  s.layout->port_layer = {10, 0}, s.layout->port_margin = 0.6;
  s.ports.emplace_back();
  s.ports[0].name = "top", s.ports[0].at = {0.25, 0.25, 0};
  s.sources.emplace_back();
  s.sources[0].kind = SourceSpec::Kind::mode, s.sources[0].port = "west", s.sources[0].port_offset = 0.25;
  s.monitors.resize(2);
  s.monitors[0].kind = MonitorSpec::Kind::mode, s.monitors[0].port = "west";
  s.monitors[1].kind = MonitorSpec::Kind::flux, s.monitors[1].port = "top";
  apply_layout(s);
  EXPECT_NEAR(s.sources[0].center[0], -1.25, 1e-12);
  EXPECT_EQ(s.sources[0].direction, 1);
  EXPECT_EQ(s.monitors[0].direction, -1);
  EXPECT_NEAR(s.monitors[0].size[1], 0.5 + 1.2, 1e-12);
  EXPECT_EQ(s.monitors[0].size[0], 0);
  EXPECT_NEAR(s.monitors[0].size[2], 1, 1e-12) << "no further than the domain";
  EXPECT_EQ(s.monitors[1].direction, 1) << "out of the edge that it lies on";
  EXPECT_NEAR(s.monitors[1].center[0], 0, 1e-12) << "the middle of that edge";
  s.layout->applied = false, s.bodies.clear(), s.sources[0].port = "nowhere";
  EXPECT_NE(refusal_of_layout(s).find("names the port 'nowhere'"), std::string::npos) << refusal_of_layout(s);
}

TEST(FdtdLayout, APortThatIsNoneIsSaidWithWhatItsTextLacks) {
  GdsWriter w = guide();
  Simulation s = layout_case(w, {layer(1)});
  s.ports.emplace_back();
  s.ports[0].name = "in", s.ports[0].layer = "rib";
  EXPECT_NE(refusal_of_layout(s).find("port 'in' is of layer 'rib' (the case has no [[layer]]"),
            std::string::npos)
      << refusal_of_layout(s);
  GdsWriter other;
  other.begin("top"), other.rectangle(1, 0, -500, -100, 500, 100), other.label(10, 0, 0, 0, "inside");
  other.end(), other.finish();
  s = layout_case(other, {layer(1)});
  s.layout->port_layer = {10, 0};
  s.monitors.resize(1);
  s.monitors[0].kind = MonitorSpec::Kind::mode, s.monitors[0].port = "inside";
  EXPECT_NE(refusal_of_layout(s).find("(its ports: none; layout: text 'inside' on 10/0 at"),
            std::string::npos)
      << refusal_of_layout(s);
  EXPECT_NE(refusal_of_layout(s).find("no port: it lies on no edge"), std::string::npos)
      << refusal_of_layout(s);
}

TEST(FdtdLayout, LayersThatAreNotThereAreSaid) {
  EXPECT_NE(refusal_of_layout(layout_case(guide(), {layer(3)})).find("it has 1/0, 2/0, 7/3, 10/0, 11/0"),
            std::string::npos)
      << refusal_of_layout(layout_case(guide(), {layer(3)}));
  Simulation one = layout_case(guide(), {layer(1), layer(3)});
  apply_layout(one);
  ASSERT_EQ(one.layout->warnings.size(), 1u);
  EXPECT_NE(one.layout->warnings[0].find("layer 2 (3/0) has no shapes"), std::string::npos);
}

TEST(FdtdLayout, ABiasMovesEdgesOutward) {
  Simulation s = layout_case(guide(), {layer(1)});
  s.layers[0].bias = 0.1, s.layout->extend = false, s.layout->window = {{-2, -2}, {2, 2}};
  const auto scene = scene_of(s);
  EXPECT_EQ(scene->material_at({0, 0.34, 0}), 1);
  EXPECT_EQ(scene->material_at({0, 0.36, 0}), 0);
  EXPECT_EQ(scene->material_at({1.09, 0.34, 0}), 1) << "corners stay sharp";
}

// A bias carries the ends of shapes over the window around them: they end there all the same, and what goes
// on is as much wider.
TEST(FdtdLayout, ABiasDoesNotMakeWhatEndsGoOn) {
  for (const bool extend : {true, false})
    for (const double bias : {0.1, -0.1}) {
      Simulation s = layout_case(guide(), {layer(1)});
      s.layers[0].bias = bias, s.layout->extend = extend;
      const auto scene = scene_of(s);
      EXPECT_EQ(scene->material_at({0, 0.24 + bias, 0}), 1) << bias;
      EXPECT_EQ(scene->material_at({0, 0.26 + bias, 0}), 0) << bias;
      EXPECT_EQ(scene->material_at({0.99 + bias, 0, 0}), 1) << bias;
      EXPECT_EQ(scene->material_at({1.01 + bias, 0, 0}), 0) << bias << ": its end is no port";
    }
  Simulation cut = layout_case(guide(), {layer(1)});
  cut.layers[0].bias = 0.1, cut.layout->window = {{-0.5, -2}, {0.5, 2}};
  const auto scene = scene_of(cut);
  for (const double x : {-0.7, 0.0, 0.45, 0.7}) {
    EXPECT_EQ(scene->material_at({x, 0.34, 0}), 1) << x;
    EXPECT_EQ(scene->material_at({x, 0.36, 0}), 0) << x;
  }
}

// Sides of 80 degrees: at z the side is inward by (z - middle) / tan 80.
TEST(FdtdLayout, SidesLeanByTheirAngle) {
  Simulation s = layout_case(guide(), {layer(1)});
  s.layers[0].side_angle = 80, s.layout->extend = false;
  apply_layout(s);
  const auto body = make_body(s, 0);
  const double slope = std::tan(10 * pi / 180);
  for (const double z : {-0.09, 0.0, 0.05}) {
    const double edge = 0.25 - slope * z;
    EXPECT_TRUE(body->inside({0, edge - 1e-6, z})) << z;
    EXPECT_FALSE(body->inside({0, edge + 1e-6, z})) << z;
  }
  const shapes::Probe p = body->probe({0, 0.35, 0.02});
  const double shorter = std::cos(10 * pi / 180);
  EXPECT_NEAR(p.distance, (0.1 + slope * 0.02) * shorter, 1e-12);
  EXPECT_NEAR(p.gradient[1], shorter, 1e-12);
  EXPECT_NEAR(p.gradient[2], slope * shorter, 1e-12);
  EXPECT_NEAR(body->bounds().high[1], 0.25 + 0.1 * slope, 1e-12);
  const auto faces = body->faces({0, 0.26, 0.02}, 0.05);
  ASSERT_EQ(faces.size(), 1u);
  EXPECT_NEAR(body->face(faces[0], {0, 0.26, 0.02}).distance, (0.01 + slope * 0.02) * shorter, 1e-12);
}

// What cells have of a leaning guide adds up to its volume: length 2, 0.5 wide in the middle, 0.2 thick. Its
// sides are planes, by which cells are divided exactly.
TEST(FdtdLayout, CellsHoldTheVolumeOfALeaningGuide) {
  Simulation s = layout_case(guide(), {layer(1)});
  s.layers[0].side_angle = 75, s.layout->extend = false;
  const auto scene = scene_of(s);
  const double dx = 0.05;
  double volume = 0;
  Mixture mixture;
  for (double x = -1.5 + 0.001; x < 1.5; x += dx)
    for (double y = -0.5 + 0.002; y < 0.5; y += dx)
      for (double z = -0.25 + 0.003; z < 0.25; z += dx) {
        scene->shares({x, y, z}, {x + dx, y + dx, z + dx}, mixture);
        for (const Share& share : mixture)
          if (share.material == 1) volume += share.fraction * dx * dx * dx;
      }
  // Its ends lean, too: the mean of (2 - 2 t) (0.5 - 2 t) over t = slope z is 1 + 4 slope^2 0.1^2 / 3. In the
  // four corners below the middle sides go around on a cone, which takes (1 - pi / 4) t^2 of each.
  const double t = std::tan(15 * pi / 180) * 0.1;
  const double exact = 0.2 * (1 + 4 * t * t / 3) - 0.1 * 4 * (1 - pi / 4) * t * t / 3;
  EXPECT_NEAR(volume, exact, 1e-4 * exact);
}

}  // namespace
}  // namespace umov::fdtd
