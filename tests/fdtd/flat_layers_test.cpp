// Flat layers lit by a plane wave: the stated error of the grid is the distance from the exact powers.
#include <gtest/gtest.h>

#include "fdtd/command/execute.hpp"
#include "fdtd/monitors/flux.hpp"
#include "fdtd/monitors/orders.hpp"
#include "fdtd/observables/normalized_flux.hpp"
#include "fdtd/run/run.hpp"
#include "support/fdtd_cases.hpp"
#include "support/machines.hpp"
#include "support/monitor_runs.hpp"
#include "support/record.hpp"

using namespace umov;
using namespace umov::fdtd;
using Kind = MonitorSpec::Kind;

namespace {

/// A cell of `eps` lit along `phi` (0 to 180 degrees) at frequency 1, with planes in front of x = 0 and
/// behind.
Simulation lit(double phi, bool te, double resolution, double eps = 1) {
  Simulation s;
  s.size = {4, 4 / resolution, 0};
  s.resolution = resolution;
  s.te = te;
  s.precision = Precision::double_;
  s.materials = {test::constant("around", eps)};
  s.background = "around";
  s.stop.decay = 1e-10;  // the record is to err far less than the grid
  s.walls[1] = {WallKind::bloch, WallKind::bloch};
  s.bloch = {0, std::sqrt(eps) * std::sin(phi * degree), 0};
  SourceSpec wave = test::pulse(Ez, {0, 0, 0}, 1, Waveform{}.width);
  wave.kind = SourceSpec::Kind::plane_wave;
  wave.phi = phi;
  s.sources = {wave};
  const double in = phi < 90 ? -1 : 1;
  for (const bool front : {true, false})
    for (const Kind kind : {Kind::orders, Kind::flux}) {
      s.monitors.push_back(test::monitor(kind, {front ? in : -in, 0, 0}, {0, infinity, 0}, {1, 1.1}));
      s.monitors.back().name = front ? "front" : "behind";
    }
  return s;
}

void add_slab(Simulation& s, const std::string& material, double from, double to) {
  s.bodies.push_back(test::body("box", material, {(from + to) / 2, 0, 0}));
  s.bodies.back().size = Vec3{to - from, 0, 0};
}

/// Reflectance and transmittance of one film between two media (Born and Wolf 1999, 7.6.1), all
/// permittivities.
struct Film {
  cplx front, film, behind;
  double thickness = 0;

  std::array<double, 2> powers(double frequency, double along_layers, bool te) const {
    const double k0 = 2 * pi * frequency;
    const auto kz = [&](const cplx& eps) { return std::sqrt(k0 * k0 * eps - along_layers * along_layers); };
    const auto y = [&](const cplx& eps) { return te ? kz(eps) / eps : kz(eps); };
    const cplx r1 = (y(front) - y(film)) / (y(front) + y(film)),
               r2 = (y(film) - y(behind)) / (y(film) + y(behind)),
               turn = std::exp(cplx(0, 1) * kz(film) * thickness), whole = 1.0 + r1 * r2 * turn * turn;
    const cplx r = (r1 + r2 * turn * turn) / whole, t = (1.0 + r1) * (1.0 + r2) * turn / whole;
    return {std::norm(r), std::norm(t) * y(behind).real() / y(front).real()};
  }
};

/// What the run says its powers are off by is what they are off by; the record's error alone is far less.
void expect_distance(const Simulation& s, const Film& film, double beyond_record) {
  const Outcome out = fdtd::run(s, umov::test::one_thread);
  const bool towards_x = s.sources[0].phi < 90;
  ASSERT_EQ(out.of<OrdersResult>().size(), 2u);
  for (const OrdersResult& r : out.of<OrdersResult>()) {
    ASSERT_EQ(r.size(), 2u);
    for (std::size_t i = 0; i < r.size(); ++i) {
      const auto [R, T] = film.powers(r.frequency[i], 2 * pi * s.bloch[1], s.te);
      const bool front = r.name == "front";
      const auto& along = towards_x ? r.forward : r.backward;
      const auto& against = towards_x ? r.backward : r.forward;
      const auto& said = front == towards_x ? r.backward_errors : r.forward_errors;
      const double off = front ? std::abs(against[i] - R) : std::abs(along[i] - T);
      ASSERT_EQ(said.grid.size(), r.size());
      test::record("%s: off by %.2e, record %.1e", r.name.c_str(), off, said.record.at(i));
      EXPECT_NEAR(said.grid[i], off, 1e-9) << r.name;
      EXPECT_GT(off, beyond_record * said.record[i]) << "the case does not tell them apart";
    }
  }
  for (const FluxResult& f : out.of<FluxResult>()) {
    ASSERT_EQ(f.errors.grid.size(), 2u);
    const auto& r = out.of<OrdersResult>()[f.name == "front" ? 0 : 1];
    for (int i = 0; i < 2; ++i) {
      // the flux of the orders through the same plane, of the incident flux
      const double net = r.forward[i] - r.backward[i], incident = f.flux[i] / net;
      const auto [R, T] = film.powers(f.frequency[i], 2 * pi * s.bloch[1], s.te);
      const double exact = (towards_x ? 1 : -1) * (f.name == "front" ? 1 - R : T);
      EXPECT_NEAR(f.errors.grid[i] / std::abs(incident), std::abs(net - exact), 1e-6) << f.name;
    }
  }
}

}  // namespace

// 29 cells per wavelength at 75 degrees: the grid bends the wave in the film by more than all else.
TEST(FdtdFlatLayers, GlassAtASteepAngleIsOffByWhatIsSaid) {
  for (const bool te : {false, true})
    for (const double phi : {0.0, 60.0, 75.0}) {
      Simulation s = lit(phi, te, 29);
      s.materials.push_back(test::constant("glass", 2.25));
      add_slab(s, "glass", -0.311, 0.4);
      expect_distance(s, {1, 2.25, 1, 0.711}, 3);
    }
}

TEST(FdtdFlatLayers, AHalfSpaceThatReachesIntoTheLayersIsOffByWhatIsSaidFromBothSides) {
  for (const double phi : {35.0, 145.0}) {
    Simulation s = lit(phi, false, 20);
    s.materials.push_back(test::constant("dense", 6));
    add_slab(s, "dense", phi < 90 ? 0.1 : -5, phi < 90 ? 5 : 0.1);
    expect_distance(s, {1, 1, 6, 0}, 3);
  }
}

// A silver film on glass beyond the angle of total reflection, with and beside its plasmon: the material as
// it is marched.
TEST(FdtdFlatLayers, ASilverFilmOnGlassIsOffByWhatIsSaid) {
  for (const double phi : {0.0, 46.0}) {
    Simulation s = lit(phi, true, 60, 2.25);
    s.size[1] = 4 / s.resolution;
    s.materials.push_back(test::constant("void", 1));
    add_slab(s, "silver", 0, 0.05);
    add_slab(s, "void", 0.05, 5);
    for (auto& m : s.monitors) m.frequencies = {1};
    const auto scene = make_scene(s);
    cplx silver = 0;
    for (const auto& m : scene->materials())
      if (m.name == "silver") silver = m.permittivity(2 * pi);
    const Outcome out = fdtd::run(s, umov::test::one_thread);
    const double R = Film{2.25, silver, 1, 0.05}.powers(1, 2 * pi * s.bloch[1], true)[0];
    const OrdersResult& front = out.of<OrdersResult>()[0];
    ASSERT_EQ(front.backward_errors.grid.size(), front.size());
    test::record("silver at %g: R %.4f for %.4f", phi, front.backward[0], R);
    EXPECT_NEAR(front.backward_errors.grid[0], std::abs(front.backward[0] - R), 1e-9);
    EXPECT_GT(front.backward_errors.grid[0], 1e-4);
  }
}

// The back face takes the incident wave away where there is no more of a layer: in front of it nothing
// changes but what the face itself adds, which the grid's own plane wave keeps to rounding at normal
// incidence.
TEST(FdtdFlatLayers, AFaceBehindAllLayersLeavesTheirErrorOfTheGrid) {
  Simulation open = lit(0, false, 20);
  open.materials.push_back(test::constant("glass", 2.25));
  add_slab(open, "glass", 0, 0.4);
  Simulation closed = open;
  closed.sources[0].size = {2.6, 0, 0};
  const Outcome a = fdtd::run(open, umov::test::one_thread), b = fdtd::run(closed, umov::test::one_thread);
  for (std::size_t m = 0; m < 2; ++m) {
    ASSERT_EQ(b.of<FluxResult>()[m].errors.grid.size(), 2u) << b.of<FluxResult>()[m].name;
    for (std::size_t f = 0; f < 2; ++f) {
      EXPECT_GT(b.of<FluxResult>()[m].errors.grid[f], 0);
      if (b.of<FluxResult>()[m].name != "behind") continue;
      EXPECT_NEAR(b.of<FluxResult>()[m].errors.grid[f] / a.of<FluxResult>()[m].flux[f],
                  a.of<FluxResult>()[m].errors.grid[f] / a.of<FluxResult>()[m].flux[f], 1e-5);
    }
  }
  for (auto& m : closed.monitors)
    if (m.name == "behind") m.center[0] = 1.4;
  const Outcome beyond = fdtd::run(closed, umov::test::one_thread);
  for (const auto& f : beyond.of<FluxResult>())
    EXPECT_EQ(std::isnan(f.errors.grid.at(0)), f.name == "behind") << f.name;
}

TEST(FdtdFlatLayers, WhatIsNotFlatHasNoErrorOfTheGridAndSaysSo) {
  Simulation s = lit(0, false, 20);
  s.size[1] = 1;
  s.materials.push_back(test::constant("glass", 2.25));
  add_slab(s, "glass", 0, 0.4);
  const Outcome flat = fdtd::run(s, umov::test::one_thread);
  EXPECT_EQ(flat.of<FluxResult>().at(0).errors.grid.size(), 2u);
  EXPECT_EQ(summary_text(flat).find("not estimated"), std::string::npos);
  (*s.bodies[0].size)[1] = 0.5;
  const Outcome ridge = fdtd::run(s, umov::test::one_thread);
  for (const auto& f : ridge.of<FluxResult>()) EXPECT_TRUE(f.errors.grid.empty());
  for (const auto& r : ridge.of<OrdersResult>()) EXPECT_TRUE(r.forward_errors.grid.empty());
  const std::string text = summary_text(ridge);
  EXPECT_NE(text.find("error of the record"), std::string::npos);
  EXPECT_NE(text.find("the error of the grid is not estimated: compare with a finer grid"),
            std::string::npos);
  EXPECT_NE(text.find("flat layers alone, lit by one plane wave"), std::string::npos);
}
