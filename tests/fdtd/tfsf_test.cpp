// Plane waves: nothing leaks out of the box of total field, and within it they are what they should be.
#include <gtest/gtest.h>

#include "core/error.hpp"
#include "fdtd/sources/plane_wave.hpp"
#include "fdtd/sources/waveform.hpp"
#include "support/source_problems.hpp"

namespace umov::fdtd {
namespace {

using support::add_source;
using support::at;
using support::empty_problem;
using support::make_periodic;
using support::serial_engine;

SourceSpec wave(double wavelength, double phi, double theta = 90) {
  SourceSpec s;
  s.kind = SourceSpec::Kind::plane_wave;
  s.theta = theta;
  s.phi = phi;
  s.waveform.kind = Waveform::Kind::gaussian;
  s.waveform.frequency = 1 / wavelength;
  s.waveform.delay = 7;  // a pulse cut off at 5 deviations starts with exp(-12.5) of its peak
  return s;
}

struct Largest {
  double within = 0, outside = 0;
};

bool inside(const TotalFieldBox& box, const Grid& g, int c, const Int3& cell) {
  for (int a = 0; a < 3; ++a) {
    const double x = cell[a] + g.offset(c, a);
    if ((box.face[a][0] && x < box.lo[a]) || (box.face[a][1] && x > box.hi[a])) return false;
  }
  return true;
}

void look(const Engine& e, const Grid& g, const TotalFieldBox& box, Largest& seen) {
  for (int c = 0; c < components; ++c) {
    if (!has_component(g.mode, c)) continue;
    const auto block = e.field(Component(c), {0, 0, 0}, g.cells);
    std::size_t q = 0;
    for (int k = 0; k < g.cells[2]; ++k)
      for (int j = 0; j < g.cells[1]; ++j)
        for (int i = 0; i < g.cells[0]; ++i, ++q) {
          const double size = std::hypot(block.real[q], block.imag.empty() ? 0.0 : block.imag[q]);
          double& largest = inside(box, g, c, {i, j, k}) ? seen.within : seen.outside;
          largest = std::max(largest, size);
        }
  }
}

/// Largest field within and outside the box during a run.
Largest run(Problem p, const SourceSpec& spec, long steps) {
  const auto box = plane_wave_setup(spec, p).box;
  add_source(spec, p);
  const auto engine = serial_engine(p);
  Largest seen;
  for (long n = 0; n < steps; n += 40) {
    engine->advance(40);
    look(*engine, p.grid, box, seen);
  }
  return seen;
}

// Eight-point interpolation at twice a cell errs by (k dx / 2)^8 / 940: 4e-10 at 20 cells per wavelength for
// the carrier, a hundred times that at the pulse's highest frequencies.
TEST(FdtdTfsf, LeaksLessThanAMillionthAtAnyAngleInThePlane) {
  for (const Mode mode : {Mode::tm, Mode::te})
    for (const double phi : {0.0, 17.0, 45.0, 123.0, 200.0, 311.0}) {
      const auto p = empty_problem({.mode = mode, .cells = {70, 64, 1}});
      const auto seen = run(p, wave(20, phi), 640);
      EXPECT_NEAR(seen.within, 1, 0.03) << phi;
      EXPECT_LT(seen.outside, 1e-7) << phi;
    }
}

TEST(FdtdTfsf, LeaksLessThanAMillionthAtTenCellsPerWavelength) {
  for (const double phi : {0.0, 30.0, 58.0})
    EXPECT_LT(run(empty_problem({.mode = Mode::te, .cells = {70, 64, 1}}), wave(10, phi), 400).outside, 1e-6);
}

TEST(FdtdTfsf, ContinuousWaveLeaksLessThanAMillionth) {
  auto spec = wave(20, 123);
  spec.waveform = Waveform{};
  spec.waveform.frequency = 0.05;
  const auto seen = run(empty_problem({.mode = Mode::te, .cells = {70, 64, 1}}), spec, 1000);
  EXPECT_NEAR(seen.within, 1, 0.01);
  EXPECT_LT(seen.outside, 1e-7);
}

TEST(FdtdTfsf, LeaksLessThanAMillionthInSpace) {
  for (const auto& angles : {Vec3{90, 0, 0}, Vec3{50, 30, 25}, Vec3{128, 250, 70}, Vec3{0, 0, 40}}) {
    const auto p = empty_problem({.mode = Mode::full, .cells = {34, 32, 36}, .layers = 6});
    auto spec = wave(12, angles[1], angles[0]);
    spec.polarization_angle = angles[2];
    const auto seen = run(p, spec, 320);
    EXPECT_GT(seen.within, 0.5);
    EXPECT_LT(seen.outside, 1e-6) << angles[0];
  }
}

TEST(FdtdTfsf, LeaksNothingInADenserMedium) {
  const auto p = empty_problem({.mode = Mode::tm, .cells = {70, 64, 1}, .eps = 2.25});
  const auto seen = run(p, wave(30, 25), 900);
  EXPECT_LT(seen.outside, 1e-7);
  EXPECT_NEAR(plane_wave_setup(wave(30, 25), p).index, 1.5, 1e-12);
}

TEST(FdtdTfsf, PeriodicWallsNeedNoFacesAlongThem) {
  auto p = empty_problem({.mode = Mode::full, .cells = {60, 5, 4}});
  make_periodic(p, 1);
  make_periodic(p, 2);
  auto spec = wave(15, 180);
  spec.size = {20, 0, 0};
  const auto setup = plane_wave_setup(spec, p);
  EXPECT_FALSE(setup.box.face[1][0] || setup.box.face[2][1]);
  EXPECT_LT(run(p, spec, 480).outside, 1e-7);
}

TEST(FdtdTfsf, LayeredMediaHaveAnEntryButNoFarFace) {
  auto p = empty_problem({.mode = Mode::one, .cells = {100, 1, 1}});
  const auto box = plane_wave_setup(wave(20, 180), p).box;
  EXPECT_FALSE(box.face[0][0]);
  EXPECT_TRUE(box.face[0][1]);
}

TEST(FdtdTfsf, ObliqueWaveBetweenBlochWallsLeaksLittle) {
  // The period carries sin 30 / wavelength; the pulse keeps clear of grazing, where it would never end.
  auto p = empty_problem({.mode = Mode::tm, .cells = {80, 12, 1}, .layers = 10});
  auto spec = wave(20, 30);
  spec.waveform.width = 0.06;
  spec.size = {36, 0, 0};
  make_periodic(p, 1, 12 * 2 * pi / 20 * 0.5);
  const auto seen = run(p, spec, 2400);
  EXPECT_NEAR(seen.within, 1, 0.03);
  EXPECT_LT(seen.outside, 1e-6);
}

TEST(FdtdTfsf, WaveAlongAMirrorFitsIt) {
  auto p = empty_problem({.mode = Mode::tm, .cells = {70, 40, 1}});
  for (int side = 0; side < 2; ++side) {
    p.walls[1][side] = Closure::pmc;
    p.pml[1][side] = {};
  }
  auto spec = wave(20, 0);
  spec.size = {30, 0, 0};
  EXPECT_LT(run(p, spec, 480).outside, 1e-7);
  p.walls[1][0] = Closure::pec;  // which Ez along it does not satisfy
  spec.size = {30, 40, 0};
  EXPECT_THROW(plane_wave_setup(spec, p), BadInput);
}

TEST(FdtdTfsf, WaveArrivesWhereAndWhenItShould) {
  // E at r is s(t - entry - direction.r) but for the grid's dispersion, (k dx)^2 / 24 (1 - courant^2 ...) of
  // the phase at most: at 40 cells per wavelength 0.001 of 2 pi a wavelength travelled.
  const auto p = empty_problem({.mode = Mode::tm, .cells = {90, 80, 1}});
  auto q = p;
  auto spec = wave(40, 35);
  spec.waveform.amplitude = 2;
  const auto setup = plane_wave_setup(spec, p);
  add_source(spec, q);
  const auto engine = serial_engine(q);
  const Signal signal(spec.waveform, "wave");
  engine->advance(long((signal.end() / 2 + setup.entry) / p.grid.dt));
  for (const Int3& cell : {Int3{45, 40, 0}, Int3{40, 44, 0}, Int3{52, 51, 0}}) {
    const double t = double(engine->step()) * p.grid.dt - setup.entry;
    const double there = signal(t - dot(setup.direction, p.grid.position(Ez, cell))).real();
    EXPECT_NEAR(at(*engine, Ez, cell).real(), there, 0.02);
  }
}

/// What the refusal of a plane wave says.
std::string refusal_in_problem(const SourceSpec& spec, const Problem& p) {
  try {
    plane_wave_setup(spec, p, "source 'sun'");
  } catch (const BadInput& e) {
    return e.what();
  }
  return "accepted";
}

TEST(FdtdTfsf, ImpossibleWavesAreRefusedByName) {
  auto p = empty_problem({.mode = Mode::tm, .cells = {60, 50, 1}});
  auto spec = wave(20, 30);
  spec.size = {56, 20, 0};
  EXPECT_NE(refusal_in_problem(spec, p).find("source 'sun': a face of its total-field box"),
            std::string::npos);
  spec.size = {0, 0, 0};
  auto dense = p;
  dense.material[Ez].assign(Layout(p.grid).size, 0);
  dense.coefficients.push_back({1, p.grid.dt / 9});
  for (int j = 0; j < 50; ++j) dense.material[Ez][Layout(p.grid).at(30, j, 0)] = 2;
  EXPECT_NE(refusal_in_problem(spec, dense).find("crosses more than one medium"), std::string::npos);
  auto periodic = p;
  make_periodic(periodic, 1);
  EXPECT_NE(refusal_in_problem(spec, periodic).find("use bloch walls with 0.025"), std::string::npos)
      << refusal_in_problem(spec, periodic);
  auto lossy = p;
  lossy.coefficients[0].decay = 0.99;
  EXPECT_NE(refusal_in_problem(spec, lossy).find("a medium with losses"), std::string::npos);
  EXPECT_NE(refusal_in_problem(wave(20, 45), empty_problem({.mode = Mode::one, .cells = {60, 1, 1}}))
                .find("phi is 45"),
            std::string::npos);
}

}  // namespace
}  // namespace umov::fdtd
