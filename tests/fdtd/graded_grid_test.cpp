// Cells that differ: waves and energies on them, sources and monitors.
#include <gtest/gtest.h>

#include "fdtd/monitors/flux.hpp"
#include "fdtd/monitors/mode.hpp"
#include "fdtd/monitors/near_to_far.hpp"
#include "fdtd/monitors/series.hpp"
#include "fdtd/sources/mode_solver.hpp"
#include "fdtd/sources/waveform.hpp"
#include "support/fdtd_cases.hpp"
#include "support/fdtd_problems.hpp"
#include "support/graded_lines.hpp"
#include "support/monitor_runs.hpp"

using namespace umov;
using namespace umov::fdtd;
using Kind = MonitorSpec::Kind;
namespace cases = umov::test;
namespace problems = umov::fdtd::trial;
using cases::equal, cases::refined, cases::wavy;

namespace {

void set_lines(Grid& g, const std::vector<std::vector<double>>& lines, double courant = 0.9) {
  g.dx = 0;
  for (std::size_t a = 0; a < lines.size(); ++a) {
    g.lines[a] = lines[a];
    g.cells[a] = int(lines[a].size()) - 1;
    g.origin[a] = lines[a].front();
    g.dx = std::max(g.dx, g.coarsest(int(a)));
  }
  g.dt = courant / std::sqrt(g.courant_sum());
}

}  // namespace

TEST(FdtdGradedGrid, EqualLinesGiveTheUniformRun) {
  for (const bool te : {false, true}) {
    Simulation s;
    s.size = {4, 3, 0};
    s.resolution = 16;
    s.te = te;
    s.materials = {cases::constant("glass", 4)};
    s.bodies = {cases::body("cylinder", "glass", {0.31, 0.2, 0})};
    s.bodies[0].radius = 0.47;
    s.sources = {cases::pulse(te ? Ex : Ez, {-0.61, 0.07, 0}, 0.8)};
    s.monitors = {cases::monitor(Kind::flux, {0.3, 0.2, 0}, {1.5, 1.25, 0}, {0.7, 0.9})};
    s.monitors[0].box = true;
    const Outcome alike = cases::run_monitored(s, 12);
    s.grid.axis[0].lines = equal(64, 4);
    s.grid.axis[1].lines = equal(48, 3);
    const Outcome graded = cases::run_monitored(s, 12);
    for (int f = 0; f < 2; ++f) {
      const double a = alike.of<FluxResult>()[0].flux[f], b = graded.of<FluxResult>()[0].flux[f];
      // rounding of lines, of 1e-15 of a cell, over 400 steps
      EXPECT_NEAR(b, a, 1e-11 * std::abs(a)) << te;
    }
  }
}

TEST(FdtdGradedGrid, CavitiesResonateWithSecondOrder) {
  for (const Mode mode : {Mode::tm, Mode::full}) {
    double before = 0;
    for (const int n : {12, 24, 48}) {
      if (mode == Mode::full && n == 48) continue;
      Problem p = problems::vacuum(mode, {1, 1, 1});
      std::vector<std::vector<double>> lines{wavy(n, 1, 0.5), wavy(n + n / 3, 1.3, -0.4)};
      if (mode == Mode::full) lines.push_back(wavy(n - n / 4, 0.8, 0.3));
      set_lines(p.grid, lines);
      p.coefficients = {{1, p.grid.dt / p.grid.dx}};
      const auto engine = problems::engine_for(p);
      // Ez of the mode that does not change along z
      const auto shape = [&](const Vec3& u) {
        return std::sin(pi * p.grid.place(0, u[0])) * std::sin(pi * p.grid.place(1, u[1]) / 1.3);
      };
      problems::set_values(*engine, p, Ez, [&](const Vec3& u) { return cplx(shape(u), 0); });
      const Box box = update_box(p, Ez);
      const auto amplitude = [&] {
        const FieldBlock block = problems::values(*engine, p, Ez);
        double sum = 0;
        std::size_t i = 0;
        problems::for_each_cell(box, [&](const Int3& c) {
          sum += block.real[i++] * shape({double(c[0]), double(c[1]), 0}) * p.grid.width(Ez, 0, c[0]) *
                 p.grid.width(Ez, 1, c[1]);
        });
        return sum;
      };
      // a(m + 1) + a(m - 1) = 2 cos(w dt) a(m) of one mode, by least squares; H starts half a step early
      std::vector<double> a{amplitude()};
      const int steps = int(8 / p.grid.dt);
      for (int m = 0; m < steps; ++m) engine->advance(1), a.push_back(amplitude());
      double top = 0, bottom = 0;
      for (std::size_t m = 1; m + 1 < a.size(); ++m)
        top += a[m] * (a[m + 1] + a[m - 1]), bottom += 2 * a[m] * a[m];
      const double w = std::acos(top / bottom) / p.grid.dt, exact = pi * std::sqrt(1 + 1 / 1.69);
      const double error = w / exact - 1;
      EXPECT_LT(std::abs(error), 2.0 / (n * n)) << n;
      if (before != 0) {
        EXPECT_NEAR(before / error, 4, 0.5) << n;
      }
      before = error;
    }
  }
}

TEST(FdtdGradedGrid, NoEnergyGrowsAroundAveragedBodies) {
  // Cells that jump by 1.4 and a ball whose averaged surface couples all axes, at the limit of the step.
  Simulation s;
  s.size = {3, 3, 3};
  s.resolution = 8;
  s.courant = 0.99;
  s.walls = cases::all_walls(WallKind::pec);
  s.materials = {cases::constant("dense", 12)};
  s.bodies = {cases::body("sphere", "dense", {0.1, -0.05, 0.07})};
  s.bodies[0].radius = 0.8;
  for (auto& axis : s.grid.axis) axis.parts = {{-0.4, -0.2, 0.04}, {0.5, 0.6, 0.05}};
  Problem p = cases::painted(s);
  p.precision = Precision::double_;
  for (auto& walls : p.walls) walls = {Closure::pec, Closure::pec};
  ASSERT_FALSE(p.tensor[0].empty());
  const auto engine = problems::engine_for(p);
  problems::set_noise(*engine, p, 7);
  engine->advance(200);
  const double first = engine->watch().max_abs;
  engine->advance(2500);
  // noise stays noise: an unstable wave grows by e in some hundred steps
  EXPECT_LT(engine->watch().max_abs, 3 * first);
}

TEST(FdtdGradedGrid, NothingLeavesALosslessBodyOnTheWhole) {
  for (const bool te : {false, true}) {
    Simulation s;
    s.size = {6, 5, 0};
    s.resolution = 12;
    s.te = te;
    s.materials = {cases::constant("glass", 2)};
    s.bodies = {cases::body("cylinder", "glass", {0.6, 0.2, 0})};
    s.bodies[0].radius = 0.5;
    s.sources = {cases::pulse(te ? Hz : Ez, {-1, -0.5, 0}, 0.8)};
    s.monitors = {cases::monitor(Kind::flux, {0.6, 0.2, 0}, {2, 2, 0}, {0.6, 0.8, 1.0}),
                  cases::monitor(Kind::flux, {1.6, 0.2, 0}, {0, 2, 0}, {0.6, 0.8, 1.0})};
    s.monitors[0].box = true;
    s.grid.axis[0].parts = {{0.1, 1.1, 0.03}};
    s.grid.axis[1].parts = {{-0.3, 0.0, 0.04}};
    const Outcome out = cases::run_monitored(s, 150);
    for (int f = 0; f < 3; ++f) {
      // What is left in the body after the run and what sampling folds, as on a uniform grid: Poynting's
      // theorem holds to rounding.
      const double through = std::abs(out.of<FluxResult>()[1].flux[f]);
      EXPECT_GT(through, 1e-4);
      EXPECT_LT(std::abs(out.of<FluxResult>()[0].flux[f]), 1e-6 * through) << te << f;
    }
  }
}

TEST(FdtdGradedGrid, ALineCurrentRadiatesItsPowerWithSecondOrder) {
  double before = 0;
  for (const double resolution : {10.0, 20.0, 40.0}) {
    Simulation s;
    s.size = {4, 4, 0};
    s.resolution = resolution;
    s.pml.layers = int(resolution);
    s.sources = {cases::pulse(Ez, {0.03, -0.02, 0}, 1)};
    s.monitors = {cases::monitor(Kind::flux, {0, 0, 0}, {1.4, 1.2, 0}, {1})};
    s.monitors[0].box = true;
    s.grid.growth = 1 + 4 / resolution;  // cells that follow one function of the place
    s.grid.axis[0].parts = {{-0.2, 0.2, 0.4 / resolution}};
    s.grid.axis[1].parts = {{-0.3, 0.1, 0.5 / resolution}};
    const double power = cases::run_monitored(s, 14).of<FluxResult>()[0].flux[0];
    // k |I|^2 / 8 per length.
    const double error = power / (2 * pi / 8 * std::norm(spectrum(s.sources[0].waveform, 1))) - 1;
    EXPECT_LT(std::abs(error), 6 / (resolution * resolution)) << resolution;
    if (before != 0) {
      EXPECT_LT(std::abs(error), std::abs(before) / 3) << resolution;
    }
    before = error;
  }
}

TEST(FdtdGradedGrid, ASlabReflectsAsAirySaysWithSecondOrder) {
  double before = 0;
  for (const double cells : {10.0, 20.0, 40.0}) {
    Simulation s;
    s.size = {8, 0, 0};
    s.pml.layers = 20;
    s.materials = {cases::constant("dense", 9)};
    s.bodies = {cases::body("box", "dense", {1, 0, 0})};
    s.bodies[0].size = Vec3{0.31, 0, 0};
    s.sources = {cases::pulse(Ez, {-2, 0, 0}, 1)};
    s.monitors = {cases::monitor(Kind::flux, {-1, 0, 0}, {0, 0, 0}, {0.8, 1.0, 1.2}),
                  cases::monitor(Kind::flux, {2.5, 0, 0}, {0, 0, 0}, {0.8, 1.0, 1.2})};
    s.grid.cells_per_wavelength = cells;
    const auto scene = make_scene(s);
    s.grid.axis[0].lines = make_grid(s, *scene).lines[0];  // the reference run has the same
    cases::MonitoredRun empty(s, true), run(s);
    empty.until(40);
    run.until(40);
    const ReferenceFields reference = empty.monitors->reference(*empty.engine);
    const Outcome out = run.outcome(&reference);
    double error = 0;
    for (int f = 0; f < 3; ++f) {
      const auto& flux = out.of<FluxResult>();
      const double n = 3, d = 0.31, phase = 2 * pi * n * d * flux[0].frequency[f];
      const double finesse = std::pow((n * n - 1) / (2 * n), 2) * std::pow(std::sin(phase), 2);
      const double r = -flux[0].scattered[f] / flux[0].reference[f];
      const double t = flux[1].flux[f] / flux[1].reference[f];
      // where cells grow a part of the wave goes back, in the reference run as well: second order, too (5)
      EXPECT_NEAR(r + t, 1, 8 / (cells * cells));
      error = std::max(error, std::abs(t - 1 / (1 + finesse)));
    }
    EXPECT_LT(error, 12 / (cells * cells)) << cells;  // measured 9 of each
    if (before != 0) {
      EXPECT_LT(error, before / 3) << cells;
    }
    before = error;
  }
}

TEST(FdtdGradedGrid, APlaneWaveLeavesNothingOutsideItsFace) {
  // Cells differ across the wave's way and behind its face; before it they are alike.
  Simulation s;
  s.size = {6, 2, 0};
  s.resolution = 20;
  s.walls[1] = {WallKind::periodic, WallKind::periodic};
  s.sources = {cases::pulse(Ez, {0, 0, 0}, 1)};
  s.sources[0].kind = SourceSpec::Kind::plane_wave;
  s.sources[0].phi = 0;
  s.grid.axis[1].parts = {{-0.2, 0.3, 0.02}};
  s.monitors = {cases::monitor(Kind::series, {-2.4, 0.1, 0}, {0, 0, 0}),
                cases::monitor(Kind::series, {1.5, 0.1, 0}, {0, 0, 0})};
  const Outcome alike = cases::run_monitored(s, 12);
  const auto& series = alike.of<SeriesResult>();
  ASSERT_EQ(series.size(), 2u);
  EXPECT_NEAR(cases::largest(series[1].value), 1, 0.02);
  EXPECT_LT(cases::largest(series[0].value), 1e-6);
  s.grid.axis[0].parts = {{1, 1.5, 0.01}};
  // what cells send back that shrink from 20 to 100 per wavelength: 7e-3 and 1.8e-3 of the amplitude
  for (const auto& [growth, most] : {std::pair(1.4, 1e-2), std::pair(1.1, 2.5e-3)}) {
    s.grid.growth = growth;
    const Outcome graded = cases::run_monitored(s, 12);
    EXPECT_LT(cases::largest(graded.of<SeriesResult>()[0].value), most) << growth;
  }
}

TEST(FdtdGradedGrid, SteppersAndBackendsAgree) {
  Simulation s;
  s.size = {2, 1.6, 1.4};
  s.resolution = 10;
  s.pml.layers = 4;
  s.materials = {cases::constant("glass", 4)};
  s.bodies = {cases::body("sphere", "glass", {0.1, 0, 0})};
  s.bodies[0].radius = 0.31;
  s.grid.axis[0].parts = {{-0.1, 0.2, 0.04}};
  s.grid.axis[2].parts = {{-0.3, -0.2, 0.05}};
  Problem p = cases::painted(s);
  p.precision = Precision::double_;
  set_walls(s, p);
  std::vector<FieldBlock> of;
  for (const auto& [backend, tuned] :
       {std::pair("serial", false), std::pair("cpu", false), std::pair("cpu", true)}) {
    const auto engine = problems::engine_for(p, backend, 2, tuned);
    problems::set_noise(*engine, p, 3);
    engine->advance(60);
    of.push_back(problems::values(*engine, p, Ey));
  }
  for (std::size_t k = 1; k < of.size(); ++k)
    for (std::size_t i = 0; i < of[0].real.size(); ++i) ASSERT_NEAR(of[k].real[i], of[0].real[i], 1e-12);
}

TEST(FdtdGradedGrid, ASlabGuidesItsModeWithSecondOrder) {
  // The first even mode of a slab of index 3.5 and width 0.22 in vacuum, E along it (TE): k_x tan(k_x d / 2)
  // = g.
  const double f = 0.65, n = 3.5, d = 0.22, k = 2 * pi * f;
  double low = 1, high = n;
  for (int i = 0; i < 80; ++i) {
    const double m = (low + high) / 2, kx = k * std::sqrt(n * n - m * m), g = k * std::sqrt(m * m - 1);
    (kx * std::tan(kx * d / 2) > g ? low : high) = m;
  }
  Simulation s;
  s.size = {1, 4, 0};
  s.walls[0] = {WallKind::periodic, WallKind::periodic};
  s.materials = {cases::constant("silicon", n * n)};
  s.bodies = {cases::body("box", "silicon", {0, 0, 0})};
  s.bodies[0].size = Vec3{0, d, 0};
  s.sources = {cases::pulse(Ez, {0, 0, 0}, f)};
  s.grid.cells_per_wavelength = 16;
  const Grid chosen = cases::painted(s).grid;
  double before = 0;
  for (const int finer : {1, 2, 4}) {
    for (int a = 0; a < 2; ++a) s.grid.axis[a].lines = refined(chosen.lines[a], finer);
    const Problem p = cases::painted(s);
    const ModePlane plane = mode_plane(p.grid, {0, 0, 0}, {0, 3, 0}, "probe");
    const double error = solve_mode(p, plane, f, 1, {}, "probe").n_eff - low;
    EXPECT_LT(std::abs(error), 2e-3 / (finer * finer)) << finer;  // measured 1.6e-3
    if (before != 0) {
      EXPECT_NEAR(before / error, 4, 0.8) << finer;  // measured 3.3, 3.8, then 4.0
    }
    before = error;
  }
}

TEST(FdtdGradedGrid, AModeTravelsOneWayWithUnitPower) {
  Simulation s;
  s.size = {6, 3.2, 0};
  s.resolution = 16;
  s.materials = {cases::constant("core", 4)};
  s.bodies = {cases::body("box", "core", {0, 0, 0})};
  s.bodies[0].size = Vec3{0, 0.4, 0};
  s.sources = {cases::pulse(Ez, {-1.5, 0, 0}, 0.8, 0.1)};
  s.sources[0].kind = SourceSpec::Kind::mode;
  s.sources[0].size = {0, 2, 0};
  s.monitors = {cases::monitor(Kind::mode, {1.5, 0, 0}, {0, 2, 0}, {0.8}),
                cases::monitor(Kind::flux, {1.5, 0, 0}, {0, 2, 0}, {0.8})};
  s.grid.axis[1].parts = {{-0.3, 0.3, 0.02}};
  MonitorSpec back = s.monitors[0];
  back.center[0] = -2;
  s.monitors.push_back(back);
  const Outcome out = cases::run_monitored(s, 60);
  const double unit = std::norm(spectrum(s.sources[0].waveform, 0.8));
  const auto& modes = out.of<ModeResult>();
  // as on a grid of equal cells
  EXPECT_NEAR(std::norm(modes[0].forward[0]) / unit, 1, 2e-5);
  EXPECT_LT(std::norm(modes[1].backward[0]) / unit, 1e-6);
  EXPECT_NEAR(out.of<FluxResult>()[0].flux[0] / unit, 1, 1e-4);
}

TEST(FdtdGradedGrid, FarFieldsCarryThePowerOfTheFlux) {
  Simulation s;
  s.size = {4, 4, 0};
  s.resolution = 20;
  s.sources = {cases::pulse(Ez, {0.1, 0, 0}, 1)};
  s.materials = {cases::constant("glass", 2.25)};
  s.bodies = {cases::body("box", "glass", {0.3, 0.1, 0})};
  s.bodies[0].size = Vec3{0.3, 0.5, 0};
  s.monitors = {cases::monitor(Kind::near_to_far, {0.2, 0, 0}, {1.6, 1.6, 0}, {1}),
                cases::monitor(Kind::near_to_far, {0.2, 0, 0}, {1.6, 1.6, 0}, {1})};
  s.monitors.pop_back();
  const auto pattern = [&] {
    const Outcome out = cases::run_monitored(s, 30);
    return out.of<FarFieldResult>()[0];
  };
  const FarFieldResult alike = pattern();
  s.grid.axis[0].parts = {{0.15, 0.45, 0.02}};
  s.grid.axis[1].parts = {{-0.15, 0.35, 0.025}};
  const FarFieldResult graded = pattern();
  // the same structure on finer cells: both are within the error of 20 cells per wavelength
  EXPECT_NEAR(graded.power[0] / alike.power[0], 1, 0.02);
}
