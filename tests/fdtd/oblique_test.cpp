// Plane waves oblique to a period: launched whole, absorbed, and reflected by films as Airy's formula says.
#include <gtest/gtest.h>

#include "core/error.hpp"
#include "fdtd/model/validate.hpp"
#include "fdtd/monitors/flux.hpp"
#include "fdtd/monitors/orders.hpp"
#include "fdtd/observables/normalized_flux.hpp"
#include "fdtd/run/run.hpp"
#include "fdtd/sources/plane_wave.hpp"
#include "support/fdtd_cases.hpp"
#include "support/machines.hpp"
#include "support/monitor_runs.hpp"

using namespace umov;
using namespace umov::fdtd;
using Kind = MonitorSpec::Kind;

namespace {

/// At 80 cells per wavelength, 40 in the film; the dispersion of the grid shifts its fringes. Measured from
/// 0.05 at 40 cells over 0.01 to 0.005 at 160.
constexpr double oblique_film_error = 0.012;

/// A thin cell lit at an angle by a pulse of default width, with orders in front and behind.
Simulation oblique_cell(double angle, bool te, double resolution) {
  Simulation s;
  s.size = {3, 4 / resolution, 0};
  s.resolution = resolution;
  s.te = te;
  s.precision = Precision::double_;
  s.walls[1] = {WallKind::bloch, WallKind::bloch};
  s.bloch = {0, std::sin(angle * degree), 0};
  SourceSpec wave = test::pulse(Ez, {0, 0, 0}, 1, Waveform{}.width);
  wave.kind = SourceSpec::Kind::plane_wave;
  wave.phi = angle;
  s.sources = {wave};
  for (const double x : {-0.6, 0.6}) {
    s.monitors.push_back(test::monitor(Kind::orders, {x, 0, 0}, {0, infinity, 0}, {1}));
    s.monitors.back().name = x < 0 ? "front" : "behind";
  }
  return s;
}

/// Reflectance of a film of index n in vacuum (Airy; Born and Wolf 1999, 7.6.1), E across the plane of
/// incidence or (te) in it.
double airy(double angle, bool te, double n, double thickness) {
  const double c0 = std::cos(angle * degree), sine = std::sin(angle * degree) / n,
               c1 = std::sqrt(1 - sine * sine);
  const double r = te ? (n * c0 - c1) / (n * c0 + c1) : (c0 - n * c1) / (c0 + n * c1);
  const cplx turn = std::polar(1.0, 4 * pi * n * c1 * thickness);
  return std::norm(r * (1.0 - turn) / (1.0 - r * r * turn));
}

}  // namespace

TEST(FdtdOblique, AWaveInAnEmptyCellArrivesWholeAtEveryAngle) {
  for (const bool te : {false, true})
    for (const double angle : {0.0, 15.0, 40.0, 60.0, 75.0, 80.0}) {
      const Outcome out = fdtd::run(oblique_cell(angle, te, 20), umov::test::one_thread);
      EXPECT_TRUE(out.converged) << angle;
      for (const OrdersResult& r : out.of<OrdersResult>()) {
        ASSERT_EQ(r.size(), 1u);
        EXPECT_NEAR(r.forward[0], 1, 1e-5) << angle << " " << te << " " << r.name;
        EXPECT_LT(r.backward[0], 1e-5) << angle << " " << te << " " << r.name;
      }
    }
}

TEST(FdtdOblique, AFilmReflectsAsAirysFormulaSays) {
  for (const bool te : {false, true})
    for (const double angle : {60.0, 75.0}) {
      Simulation s = oblique_cell(angle, te, 80);
      s.materials = {test::constant("film", 4)};
      s.bodies = {test::body("box", "film", {0, 0, 0})};
      s.bodies[0].size = Vec3{0.31, 0, 0};
      const Outcome out = fdtd::run(s, umov::test::one_thread);
      const double reflected = out.of<OrdersResult>()[0].backward.at(0),
                   passed = out.of<OrdersResult>()[1].forward.at(0);
      EXPECT_NEAR(reflected, airy(angle, te, 2, 0.31), oblique_film_error) << angle << " " << te;
      EXPECT_NEAR(reflected + passed, 1, 1e-5) << angle << " " << te;
    }
}

TEST(FdtdOblique, VeryLargeAnglesAreSaidAndGrazingOnesRefused) {
  const auto message = [](double angle) {
    Simulation s = oblique_cell(angle, false, 20);
    const auto scene = make_scene(s);
    const Grid grid = make_grid(s, *scene);
    s.bloch_shift = bloch_shift(s, *scene, grid);  // as in a case that is made ready
    std::string all;
    for (const auto& f : validate(s, *scene, grid)) all += f.message;
    return all;
  };
  for (const double angle : {80.0, 85.0})
    EXPECT_EQ(message(angle).find("degrees from the normal"), std::string::npos) << angle;
  EXPECT_NE(message(86).find("degrees from the normal"), std::string::npos);
  EXPECT_THROW(fdtd::run(oblique_cell(89.7, false, 20), umov::test::one_thread), BadInput);
}

// Of the pulse about frequency 1 next to nothing is launched below the cutoff sin 55 = 0.819: there the
// quotients were -424 and 370.
TEST(FdtdOblique, BelowTheCutoffThereIsNoReflectanceAndNoTransmittance) {
  Simulation s = oblique_cell(55, false, 20);
  s.sources[0].waveform.width = 0.1;
  s.materials = {test::constant("film", 4)};
  s.bodies = {test::body("box", "film", {0, 0, 0})};
  s.bodies[0].size = Vec3{0.31, 0, 0};
  s.normalize = true;
  s.stop.decay = 1e-8;
  s.monitors.clear();
  for (const double x : {-0.6, 0.6}) {
    s.monitors.push_back(test::monitor(Kind::flux, {x, 0, 0}, {0, infinity, 0}, {0.75, 0.8, 0.95, 1, 1.1}));
    s.monitors.back().name = x < 0 ? "front" : "behind";
  }
  const Outcome out = fdtd::run(s, umov::test::one_thread);
  const auto front = normalized(out.of<FluxResult>()[0]), behind = normalized(out.of<FluxResult>()[1]);
  for (int f = 0; f < 5; ++f) {
    EXPECT_EQ(std::isfinite(front.reflection[f]), f >= 2) << f;
    EXPECT_EQ(std::isfinite(behind.transmission[f]), f >= 2) << f;
    if (f >= 2) {
      EXPECT_NEAR(front.reflection[f] + behind.transmission[f], 1, 1e-3)
          << f;  // 1e-4 of the amplitude is left, of which 0.3 is launched at 0.95
    }
  }
  EXPECT_TRUE(shows_reflection(out.of<FluxResult>()[0]));
  int said = 0;
  for (const auto& w : out.warnings)
    if (w.find("T and R of 'front', 'behind' at the frequencies 0.75, 0.8 are left out") !=
        std::string::npos) {
      ++said;
      EXPECT_NE(w.find("cutoff at 0.819"), std::string::npos) << w;
    }
  EXPECT_EQ(said, 1);
}
