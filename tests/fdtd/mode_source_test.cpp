// Launched modes: all of the power one way, at every frequency of a pulse.
#include <gtest/gtest.h>

#include "fdtd/sources/mode_solver.hpp"
#include "fdtd/sources/waveform.hpp"
#include "support/source_problems.hpp"
#include "support/waveguides.hpp"

namespace umov::fdtd {
namespace {

using support::add_source;
using support::empty_problem;
using support::serial_engine;

/// Fourier transforms over the section of a mode some cells from the origin.
struct Probe {
  ModeProfile mode;
  int first = 0;

  Probe(Problem& p, const SourceSpec& spec, int axis, int cells, double f) : first(int(p.fouriers.size())) {
    Vec3 center{0, 0, 0};
    center[axis] = cells * p.grid.dx;
    mode = solve_mode(p, mode_plane(p.grid, center, spec.size, "probe"), f, spec.mode, {}, "probe");
    for (const auto* side : {&mode.electric, &mode.magnetic})
      for (const auto& part : *side) p.fouriers.push_back({part.component, 1, part.cells, {f}});
  }
  ModeAmplitudes amplitudes(const Engine& e) const {
    std::vector<std::vector<cplx>> fields;
    for (std::size_t i = 0; i < mode.electric.size() + mode.magnetic.size(); ++i)
      fields.push_back(e.fourier(first + int(i)));
    return overlap(mode, fields);
  }
};

struct Launched {
  double ahead = 0, behind = 0;  ///< power per frequency, over that of the waveform
};

Launched launch(Problem p, const SourceSpec& spec, int axis, double f, long steps) {
  add_source(spec, p);
  const Probe ahead(p, spec, axis, 12 * spec.direction, f), behind(p, spec, axis, -12 * spec.direction, f);
  const auto engine = serial_engine(p);
  engine->advance(steps);
  const double unit = std::norm(spectrum(spec.waveform, f));
  const auto onward = ahead.amplitudes(*engine), back = behind.amplitudes(*engine);
  return {std::norm(spec.direction > 0 ? onward.forward : onward.backward) / unit,
          std::norm(spec.direction > 0 ? back.backward : back.forward) / unit};
}

Problem slab_of_mode_source(Mode mode, int axis) {
  support::Setting s;
  s.mode = mode;
  s.dx = 1.0 / 16;
  s.layers = 20;
  s.cells[axis] = 90;
  s.cells[1 - axis] = 6 * 16;
  auto p = empty_problem(s);
  support::paint_eps(p, support::slab_eps(1 - axis, 4, s.dx));
  return p;
}

TEST(FdtdModeSource, PulseInASlabGoesOneWayWithThePowerAskedFor) {
  for (const Mode mode : {Mode::tm, Mode::te})
    for (const int axis : {0, 1})
      for (const int direction : {1, -1}) {
        const auto p = slab_of_mode_source(mode, axis);
        SourceSpec spec;
        spec.kind = SourceSpec::Kind::mode;
        spec.direction = direction;
        spec.size = {6, 6, 0};
        spec.size[axis] = 0;
        spec.waveform.kind = Waveform::Kind::gaussian;
        spec.waveform.frequency = 0.6;
        spec.waveform.width = 0.1;
        for (const double f : {0.54, 0.6, 0.67}) {
          const auto power = launch(p, spec, axis, f, 1300);
          EXPECT_NEAR(power.ahead, 1, 2e-3) << f;  // interpolation of the profile over the band
          EXPECT_LT(power.behind, 1e-6) << f;      // and what the layers send back
        }
      }
}

TEST(FdtdModeSource, BetweenNodesHasThePhaseOfItsPlane) {
  for (const int direction : {1, -1}) {
    SourceSpec spec;
    spec.kind = SourceSpec::Kind::mode;
    spec.direction = direction;
    spec.size = {0, 6, 0};
    spec.waveform.kind = Waveform::Kind::gaussian;
    spec.waveform.frequency = 0.6;
    spec.waveform.width = 0.1;
    const double f = 0.62;
    cplx there[2];
    double beta = 0;
    const auto p = slab_of_mode_source(Mode::tm, 0);
    for (const int moved : {0, 1}) {
      spec.center[0] = 0.4 * p.grid.dx * moved;
      Problem own = p;
      add_source(spec, own);
      const Probe ahead(own, spec, 0, 12 * direction, f);
      const auto engine = serial_engine(own);
      engine->advance(1300);
      const auto found = ahead.amplitudes(*engine);
      there[moved] = direction > 0 ? found.forward : found.backward;
      beta = ahead.mode.beta;
    }
    // The same way less or more of it: beta of the band's polynomial is off by less than 1e-4.
    EXPECT_LT(std::abs(there[1] / there[0] - std::polar(1.0, -direction * beta * 0.4 * p.grid.dx)), 1e-4);
  }
}

// What a pulse adds up to over time is what it has at frequency 0, nothing; were it not, magnetic charges
// would stay in its plane, and transforms at any frequency would never settle. A narrow pulse is a long one.
TEST(FdtdModeSource, ALongPulseLeavesNoFieldThatStays) {
  for (const double width : {0.1, 0.03}) {
    auto p = slab_of_mode_source(Mode::tm, 0);
    SourceSpec spec;
    spec.kind = SourceSpec::Kind::mode;
    spec.size = {0, 6, 0};
    spec.waveform.kind = Waveform::Kind::gaussian;
    spec.waveform.frequency = 0.6;
    spec.waveform.width = width;
    spec.waveform.delay = 7;
    add_source(spec, p);
    const auto engine = serial_engine(p);
    const Int3 at{p.grid.cells[0] / 2 + 3, p.grid.cells[1] / 2 + 8, 0};
    const auto hy = [&] { return engine->field(Hy, at, {at[0] + 1, at[1] + 1, 1}).real.at(0); };
    const double end = 14 / (2 * pi * width * 0.6);
    double most = 0, sum = 0;
    while (double(engine->step()) * p.grid.dt < 1.2 * end)
      engine->advance(3), most = std::max(most, std::abs(hy()));
    engine->advance(4000);
    const int samples = 600;
    for (int i = 0; i < samples; ++i) engine->advance(1), sum += hy();
    // In pieces with fades of a few periods the second left 2e-3; the first, in one, 3e-6.
    EXPECT_LT(std::abs(sum / samples), 2e-5 * most) << width;
  }
}

TEST(FdtdModeSource, SecondModeGoesOneWayToo) {
  const auto p = slab_of_mode_source(Mode::tm, 0);
  SourceSpec spec;
  spec.kind = SourceSpec::Kind::mode;
  spec.mode = 2;
  spec.size = {0, 6, 0};
  spec.waveform.kind = Waveform::Kind::gaussian;
  spec.waveform.frequency = 0.6;
  spec.waveform.width = 0.05;
  const auto power = launch(p, spec, 0, 0.6, 2000);
  EXPECT_NEAR(power.ahead, 1, 1e-3);
  EXPECT_LT(power.behind, 1e-6);
}

TEST(FdtdModeSource, PulseInAStripGoesOneWayInSpace) {
  auto p = empty_problem({.mode = Mode::full, .cells = {50, 30, 28}, .dx = 0.1, .layers = 8});
  support::paint_eps(
      p, [](const Vec3& r) { return std::abs(r[1]) < 0.45 && std::abs(r[2]) < 0.25 ? 6.0 : 1.0; });
  SourceSpec spec;
  spec.kind = SourceSpec::Kind::mode;
  spec.size = {0, 3, 2.8};
  spec.waveform.kind = Waveform::Kind::gaussian;
  spec.waveform.frequency = 0.5;
  spec.waveform.width = 0.08;
  const auto power = launch(p, spec, 0, 0.5, 900);
  EXPECT_NEAR(power.ahead, 1, 5e-3);
  EXPECT_LT(power.behind, 1e-4);
}

TEST(FdtdModeSource, PulseInAnAveragedRodGoesOneWayWithThePowerAskedFor) {
  // Off-diagonal permittivities at the rod's face: without them the power would be 1.6 % too high.
  Simulation sim;
  sim.size = {4, 3, 3};
  sim.resolution = 12;
  sim.precision = Precision::double_;
  sim.materials.resize(1);
  sim.materials[0].name = "core";
  sim.materials[0].index = 3;
  sim.bodies.resize(1);
  sim.bodies[0].shape = "cylinder";
  sim.bodies[0].material = "core";
  sim.bodies[0].radius = 0.4;
  sim.bodies[0].axis = {1, 0, 0};
  SourceSpec spec;
  spec.kind = SourceSpec::Kind::mode;
  spec.size = {0, 3, 3};
  spec.waveform.kind = Waveform::Kind::gaussian;
  spec.waveform.frequency = 0.35;
  spec.waveform.width = 0.08;
  const auto scene = make_scene(sim);
  Problem p;
  p.precision = sim.precision;
  p.grid = make_grid(sim, *scene);
  set_walls(sim, p);
  paint(sim, *scene, p);
  ASSERT_FALSE(p.tensor[Ey].empty());
  const auto power = launch(p, spec, 0, 0.35, long(85 / p.grid.dt));
  EXPECT_NEAR(power.ahead, 1, 3e-3);
  EXPECT_LT(power.behind, 1e-5);
}

}  // namespace
}  // namespace umov::fdtd
