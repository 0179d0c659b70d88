// The flux through planes and boxes on fields that are known at every point of the grid.
#include <gtest/gtest.h>

#include "core/error.hpp"
#include "fdtd/monitors/flux.hpp"
#include "fdtd/observables/far_field.hpp"
#include "support/field_engine.hpp"

using namespace umov;
using namespace umov::fdtd;

namespace {

constexpr double frequency_of_flux_surface = 0.8;

/// Plane waves of the grid: each solves the discrete equations exactly.
test::PhasorField grid_waves(const Grid& g, std::vector<std::tuple<double, double, cplx, cplx>> list) {
  std::vector<std::tuple<FarWave, cplx, cplx>> waves;
  for (const auto& [theta, phi, along_theta, along_phi] : list)
    waves.emplace_back(far_wave(g, {}, frequency_of_flux_surface, theta, phi), along_theta, along_phi);
  return [waves](Component c, const Vec3& at, double) {
    cplx sum = 0;
    for (const auto& [w, t, p] : waves) {
      const auto& unit = is_electric(c) ? w.e : w.h;
      sum += (t * unit[0][axis_of(c)] + p * unit[1][axis_of(c)]) * std::polar(1.0, dot(w.k, at));
    }
    return sum;
  };
}

Simulation with_flux(const Vec3& center, const Vec3& size, bool box, int direction = 1) {
  MonitorSpec m;
  m.kind = MonitorSpec::Kind::flux;
  m.name = "out";
  m.center = center;
  m.size = size;
  m.box = box;
  m.direction = direction;
  m.frequencies = {frequency_of_flux_surface};
  Simulation sim;
  sim.monitors = {m};
  return sim;
}

double flux_of(const Simulation& sim, const Problem& p, const test::PhasorField& field) {
  return test::observe(sim, p, field).of<FluxResult>().at(0).flux.at(0);
}

/// Three waves of different polarization, so that every product of components occurs.
test::PhasorField three(const Grid& g) {
  const double flat = g.mode == Mode::full ? 50 : 90;
  return grid_waves(g, {{flat, 20, {1, 0.2}, {0.3, -0.4}},
                        {90, 130, {0.5, 0.1}, {0.7, 0.6}},
                        {g.mode == Mode::full ? 160.0 : 90.0, 260, {-0.4, 0.9}, {0.2, 0.2}}});
}

}  // namespace

TEST(FdtdFlux, VanishesThroughABoxAroundEmptySpaceToRounding) {
  for (const Mode mode : {Mode::one, Mode::tm, Mode::te, Mode::full}) {
    const Problem p = test::free_problem(mode, 4, 0.125);
    const auto field =
        mode == Mode::one ? grid_waves(p.grid, {{90, 0, 1, 0}, {90, 180, 0.4, 0}}) : three(p.grid);
    const Vec3 center{0.3, -0.2, 0.1}, size{1.5, 1.1, 0.9};
    const double closed = flux_of(with_flux(center, size, true), p, field);
    const double face = flux_of(with_flux({1.0, 0, 0}, {0, 1.1, 0.9}, false), p, field);
    EXPECT_GT(std::abs(face), 0.05) << int(mode);
    EXPECT_NEAR(closed, 0, 1e-13) << int(mode);
  }
}

TEST(FdtdFlux, OfAPlaneWaveIsIntensityTimesAreaWithSecondOrder) {
  double before = 0;
  for (const double dx : {0.1, 0.05}) {
    const Problem p = test::free_problem(Mode::full, 3, dx);
    const auto field = grid_waves(p.grid, {{90, 30, 0.6, cplx(0, 0.8)}});
    const double flux = flux_of(with_flux({0.2, 0.1, 0}, {0, 1.23, 0.77}, false), p, field);
    const double error = flux / (0.5 * 1.23 * 0.77 * std::cos(pi / 6)) - 1;
    // Mean of H: (k_x dx)^2 / 8 = 0.024 at the coarser grid; the grid's own impedance a little more.
    EXPECT_LT(std::abs(error), 4 * dx * dx);
    if (before != 0) {
      EXPECT_NEAR(before / error, 4, 0.3);
    }
    before = error;
  }
}

TEST(FdtdFlux, SignFollowsTheDirection) {
  const Problem p = test::free_problem(Mode::tm, 4, 0.1);
  const auto field = grid_waves(p.grid, {{90, 0, 1, 0}});
  const double plus = flux_of(with_flux({0.5, 0, 0}, {0, 2, 0}, false, +1), p, field);
  const double minus = flux_of(with_flux({0.5, 0, 0}, {0, 2, 0}, false, -1), p, field);
  EXPECT_GT(plus, 0.9);
  EXPECT_DOUBLE_EQ(plus, -minus);
}

TEST(FdtdFlux, SplitsAStandingWaveIntoReferenceAndScatteredFlux) {
  const Problem p = test::free_problem(Mode::one, 6, 0.05);
  const auto incident = grid_waves(p.grid, {{90, 0, 1, 0}});
  const auto both = grid_waves(p.grid, {{90, 0, 1, 0}, {90, 180, 0.5, 0}});
  const FluxResult r =
      test::observe(with_flux({1, 0, 0}, {0, 0, 0}, false), p, both, incident).of<FluxResult>().at(0);
  // In one dimension the discrete flux of the two waves does not interfere: R = 0.25 to rounding.
  EXPECT_NEAR(-r.scattered[0] / r.reference[0], 0.25, 1e-13);
  EXPECT_NEAR(r.flux[0] / r.reference[0], 0.75, 1e-13);
}

TEST(FdtdFlux, OfAWholePeriodDoesNotDependOnWhereItIsCut) {
  Problem p = test::free_problem(Mode::tm, 4, 0.1);
  p.walls[1] = {Closure::periodic, Closure::periodic};
  const auto field = grid_waves(p.grid, {{90, 0, 1, 0}, {90, 180, cplx(0.2, 0.3), 0}});
  const double whole = flux_of(with_flux({0.5, 0, 0}, {0, 4, 0}, false), p, field);
  const double half = flux_of(with_flux({0.5, 1, 0}, {0, 2, 0}, false), p, field);
  EXPECT_NEAR(whole, 2 * half, 1e-13);
}

TEST(FdtdFlux, RefusesSurfacesThatAreNone) {
  const Problem p = test::free_problem(Mode::tm, 4, 0.1);
  const auto field = grid_waves(p.grid, {{90, 0, 1, 0}});
  EXPECT_THROW(flux_of(with_flux({0, 0, 0}, {1, 1, 0}, false), p, field), BadInput);
  EXPECT_THROW(flux_of(with_flux({0, 0, 0}, {0, 0, 0}, false), p, field), BadInput);
  EXPECT_THROW(flux_of(with_flux({0, 0, 0}, {0, 1, 0}, true), p, field), BadInput);
  EXPECT_THROW(flux_of(with_flux({1.9, 0, 0}, {1, 1, 0}, true), p, field), BadInput);
  EXPECT_THROW(flux_of(with_flux({0, 0, 0}, {-1, 1, 0}, true), p, field), BadInput);
}

TEST(FdtdFlux, RefusesFrequenciesThatAreNone) {
  const Problem p = test::free_problem(Mode::tm, 4, 0.1);
  const auto refused = [&](auto change) {
    Simulation sim = with_flux({0, 0, 0}, {0, 1, 0}, false);
    sim.monitors[0].frequencies.clear();
    change(sim.monitors[0]);
    Problem own = p;
    EXPECT_THROW(Monitors(sim, test::EmptyScene(), own), BadInput);
  };
  refused([](MonitorSpec&) {});
  refused([](MonitorSpec& m) { m.frequencies = {-1}; });
  refused([](MonitorSpec& m) { m.frequencies = {100}; });
  refused([](MonitorSpec& m) { m.frequency_from = 2, m.frequency_to = 1, m.frequency_count = 3; });
}

TEST(FdtdFlux, WarnsInAbsorbingLayers) {
  Problem p = test::free_problem(Mode::tm, 4, 0.1);
  for (auto& axis : p.pml)
    for (PmlSide& side : axis) side.layers = 10;
  const auto field = grid_waves(p.grid, {{90, 0, 1, 0}});
  EXPECT_TRUE(test::observe(with_flux({0, 0, 0}, {0, 2, 0}, false), p, field).warnings.empty());
  EXPECT_EQ(test::observe(with_flux({0, 0, 0}, {0, 2.4, 0}, false), p, field).warnings.size(), 1u);
}
