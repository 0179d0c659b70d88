// Waves that bodies guide along absorbing layers: they do not grow there, whatever walls the cell has.
#include <gtest/gtest.h>

#include "fdtd/fit_layers.hpp"
#include "support/fdtd_cases.hpp"
#include "support/fdtd_problems.hpp"
#include "support/monitor_runs.hpp"

namespace umov::fdtd::trial {
namespace {

using umov::test::body;
using umov::test::constant;
using umov::test::pulse;

/// A film between layers along x, in a cell that light at an angle fits; without light a point lights it.
Simulation film(bool te, double angle, bool lit = true) {
  Simulation s;
  s.resolution = 20;
  s.size = {2, 2 / s.resolution, 0};
  s.te = te;
  s.walls[1] = {WallKind::bloch, WallKind::bloch};
  s.bloch = {0, std::sin(angle * degree), 0};
  s.sources = {pulse(te ? Hz : Ez, {0.3, 0, 0}, 1, 0.1)};
  if (lit) {
    s.sources[0].kind = SourceSpec::Kind::plane_wave;
    s.sources[0].center = {0, 0, 0};
    s.sources[0].phi = angle;
  }
  s.materials = {constant("film", 2.25)};
  s.bodies = {body("box", "film", {0, 0, 0})};
  s.bodies[0].size = Vec3{0.2, 0, 0};
  return s;
}

/// Lit along the normal, in a cell so wide that the film guides its first order.
Simulation wide() {
  Simulation s = film(false, 0);
  s.size[1] = 1.6;
  s.walls[1] = {WallKind::periodic, WallKind::periodic};
  return s;
}

/// With all polarizations, the wave vector along a diagonal of the walls.
Simulation in_space() {
  Simulation s = film(false, 30);
  s.size = {2, 2 / s.resolution, 2 / s.resolution};
  s.walls[2] = s.walls[1];
  s.sources[0].theta = 60;
  s.sources[0].phi = std::atan(std::sqrt(0.5)) / degree;
  s.sources[0].component = Ez;
  s.bloch = {0, 0.5, 0.5};
  return s;
}

/// A strip in space, guiding along z, with layers along x and y.
Simulation strip() {
  Simulation s = film(false, 90, false);
  s.materials[0] = constant("film", 9);
  s.resolution = 10;
  s.size = {3, 3, 2 / s.resolution};
  s.walls = {
      {{WallKind::pml, WallKind::pml}, {WallKind::pml, WallKind::pml}, {WallKind::bloch, WallKind::bloch}}};
  s.bloch = {0, 0, 0.25};
  s.sources[0].waveform.frequency = 0.3;
  s.bodies[0].size = Vec3{0.6, 0.6, 0};
  return s;
}

FittedLayers fitted_layers(const Simulation& s) {
  const auto scene = make_scene(s);
  return fit_layers(s, *scene, make_grid(s, *scene));
}

double magnitude(const Engine& e, const Problem& p) {
  double sum = 0;
  for (int c = 0; c < components; ++c)
    if (has_component(p.grid.mode, c)) {
      const FieldBlock f = values(e, p, Component(c));
      for (const double v : f.real) sum += v * v;
      for (const double v : f.imag) sum += v * v;
    }
  return std::sqrt(sum);
}

/// Logarithm of how much noise grows, per step, once what radiates has left.
double growth_of_noise(const Simulation& s, const std::string& backend, long steps) {
  const auto scene = make_scene(s);
  Problem p;
  p.grid = make_grid(s, *scene);
  p.precision = Precision::double_;
  paint(s, *scene, p);
  set_walls(s, p);
  const auto engine = engine_for(p, backend, 1, backend == "cpu");
  set_noise(*engine, p, 3);
  engine->advance(steps / 4);
  const double before = magnitude(*engine, p);
  engine->advance(steps);
  return std::log(magnitude(*engine, p) / before) / double(steps);
}

/// Radians per step of light with the shortest wave vector along the walls.
double phase_of_light(const Simulation& s) {
  const auto scene = make_scene(s);
  const double along = norm(s.bloch) > 0 ? norm(s.bloch) : 1 / s.size[1];
  return 2 * pi * along * make_grid(s, *scene).dt;
}

/// Noise does not outgrow the bound of the fit, which is of first order in what the layers reflect.
void expect_quiet(Simulation s, long steps, const char* backend = "serial") {
  const FittedLayers layers = fitted_layers(s);
  EXPECT_NE(layers.note, "");
  EXPECT_LT(layers.growth, 5e-4);
  s.pml = layers.settings;
  EXPECT_LT(growth_of_noise(s, backend, steps), layers.growth * phase_of_light(s) + 1e-7);
}

}  // namespace

// The usual layers amplify noise in these films by up to 1e-3 a step.
TEST(FdtdGuidedLayers, NoiseInAFilmDoesNotGrowInAHundredThousandSteps) {
  for (const bool te : {false, true})
    for (const double angle : {30.0, 80.0, 86.0})
      for (const char* const backend : {"serial", "cpu"}) {
        SCOPED_TRACE(testing::Message() << te << " " << angle << " " << backend);
        expect_quiet(film(te, angle), 100000, backend);
      }
}

TEST(FdtdGuidedLayers, TheUsualLayersAmplifyNoise) {
  for (const bool te : {false, true}) EXPECT_GT(growth_of_noise(film(te, 30), "serial", 20000), 1e-4) << te;
  EXPECT_GT(growth_of_noise(wide(), "serial", 20000), 1e-4);
  EXPECT_GT(growth_of_noise(in_space(), "serial", 20000), 1e-4);
  EXPECT_GT(growth_of_noise(strip(), "serial", 10000), 3e-5);
}

TEST(FdtdGuidedLayers, NoiseDoesNotGrowWithoutPlaneWaves) { expect_quiet(film(true, 30, false), 50000); }
TEST(FdtdGuidedLayers, NoiseDoesNotGrowBetweenPeriodicWalls) { expect_quiet(wide(), 20000); }
TEST(FdtdGuidedLayers, NoiseDoesNotGrowInSpace) { expect_quiet(in_space(), 50000); }
TEST(FdtdGuidedLayers, NoiseDoesNotGrowBetweenLayersAlongTwoAxes) { expect_quiet(strip(), 10000); }

// A film two cells into the layers on both sides: there is no room, and a warning says what may be left.
TEST(FdtdGuidedLayers, FilmsThatEndWithinTheLayersAreFittedToo) {
  Simulation s = film(true, 30);
  s.bodies[0].size = Vec3{1.2, 0, 0};
  const double usual = growth_of_noise(s, "serial", 20000);
  EXPECT_GT(usual, 1e-4);
  s.pml = fitted_layers(s).settings;
  EXPECT_EQ(s.pml.layers, PmlSettings{}.layers);
  EXPECT_LT(growth_of_noise(s, "serial", 20000), usual / 10);
}

// Glass that reaches through the layers guides nothing that does not leave, nor does a film thinner than its
// end.
TEST(FdtdGuidedLayers, NothingIsFittedWhereWhatBodiesGuideRunsIntoTheLayers) {
  Simulation through = film(false, 30);
  through.bodies[0].center = {50, 0, 0};
  through.bodies[0].size = Vec3{100, 0, 0};
  EXPECT_EQ(fitted_layers(through).note, "");
  EXPECT_EQ(fitted_layers(through).growth, 0);
  Simulation thin = film(false, 30);
  thin.bodies[0].material = "vacuum";
  thin.background = "film";
  EXPECT_EQ(fitted_layers(thin).growth, 0);
}

TEST(FdtdGuidedLayers, LayersThatTheCaseGivesAreKeptAndWarnedOf) {
  Simulation s = film(false, 30);
  s.pml.order = 2.5;
  const FittedLayers layers = fitted_layers(s);
  EXPECT_EQ(layers.settings.order, 2.5);
  EXPECT_NE(layers.warning.find("may grow"), std::string::npos) << layers.warning;
  EXPECT_NE(layers.warning.find("leave the keys of [pml] out"), std::string::npos) << layers.warning;
}

}  // namespace umov::fdtd::trial
