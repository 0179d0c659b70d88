// Absorbed power and energy of the fields: against what fluxes miss, flat layers, the series of a cylinder.
#include "fdtd/monitors/absorption.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "core/error.hpp"
#include "core/text.hpp"
#include "fdtd/monitors/plot.hpp"
#include "fdtd/output/results.hpp"
#include "layers/transfer_matrix.hpp"
#include "support/cylinder_functions.hpp"
#include "support/fdtd_rank_runs.hpp"
#include "support/fdtd_runs.hpp"
#include "support/record.hpp"

namespace umov::fdtd {
namespace {

using materials::Pole;
using umov::test::one_thread;

MaterialSpec lossy(const std::string& name, double eps, double sigma, std::vector<Pole> poles = {}) {
  MaterialSpec m = umov::test::constant(name, eps);
  m.constants.sigma = {sigma, sigma, sigma};
  m.constants.poles = std::move(poles);
  return m;
}

const Pole drude{Pole::Kind::drude, 40, 0, 0.9, 0}, lorentz{Pole::Kind::lorentz, 2, 9, 1.5, 0},
    debye{Pole::Kind::debye, 1.5, 0, 0, 0.3};
const std::vector<double> frequencies{0.8, 1, 1.2};

MonitorSpec absorption(const Vec3& center, const Vec3& size, const std::vector<double>& f = frequencies,
                       bool energy = false) {
  auto m = umov::test::monitor(MonitorSpec::Kind::absorption, "absorbed", center, size, f);
  m.own<AbsorptionSpec>().energy = energy;
  return m;
}

const AbsorptionResult& only(const Outcome& o) { return o.of<AbsorptionResult>().at(0); }

/// The sum of a map over the nodes, those at ends counting half.
double total_of(const AbsorptionResult& r, const std::vector<float>& map, std::size_t f, double dx) {
  double sum = 0;
  std::size_t p = f * std::size_t(r.size[0]) * r.size[1] * r.size[2];
  for (int k = 0; k < r.size[2]; ++k)
    for (int j = 0; j < r.size[1]; ++j)
      for (int i = 0; i < r.size[0]; ++i, ++p) {
        double weight = 1;
        for (const auto& [n, size] : {std::pair(i, r.size[0]), {j, r.size[1]}, {k, r.size[2]}})
          if (size > 1 && (n == 0 || n == size - 1)) weight /= 2;
        sum += weight * double(map[p]);
      }
  return sum * std::pow(dx, r.extents);
}

/// Two bodies that touch, in awkward places, lit by a pulse from a point beside.
Simulation two_bodies(const Vec3& size, bool te, const MaterialSpec& first, const MaterialSpec& second) {
  Simulation s = umov::test::checked_case(size, 20, 1e-14);
  s.te = te;
  s.materials = {first, second};
  auto ball = umov::test::ball(size[2] > 0 ? "sphere" : "cylinder", first.name, 0.31);
  ball.center = {0.113, -0.07, 0.04};
  auto box = umov::test::body("box", second.name, {-0.251, 0.113, 0});
  box.size = Vec3{0.3, 0.41, size[2] > 0 ? 0.37 : 0};
  if (size[1] == 0) ball = box, ball.material = first.name, ball.center = {0.32, 0, 0};
  s.bodies = {ball, box};
  const Component driven = te ? Ey : Ez;
  s.sources = {umov::test::point_source(umov::test::pulse(1, 0.2), driven,
                                        {-0.9, size[1] > 0 ? 0.21 : 0, size[2] > 0 ? 0.1 : 0})};
  const Vec3 around{1.4, size[1] > 0 ? 1.4 : 0, size[2] > 0 ? 1.4 : 0};
  s.monitors = {umov::test::flux_through("net", {0, 0, 0}, around, frequencies, true),
                absorption({0, 0, 0}, around)};
  return s;
}

// The power is the one of the grid's own balance: what remains is what the fields still hold when the run
// ends, 1e-7 of their amplitude.
TEST(FdtdAbsorption, WhatMediaTakeIsWhatFluxesMiss) {
  const auto check = [](const Simulation& s, const char* what) {
    const Outcome o = run(s, one_thread);
    const AbsorptionResult& r = only(o);
    const auto& net = o.of<FluxResult>().at(0).flux;
    for (std::size_t f = 0; f < frequencies.size(); ++f) {
      EXPECT_GT(r.absorbed[f], 0) << what;
      EXPECT_NEAR(-net[f] / r.absorbed[f], 1, 2e-6) << what << " at " << frequencies[f];
      EXPECT_NEAR(total_of(r, r.density, f, o.grid.dx) / r.absorbed[f], 1, 1e-6) << what;
    }
    double parts = 0;
    for (const auto& part : r.by_material) parts += part[1];
    EXPECT_NEAR(parts / r.absorbed[1], 1, 1e-12) << what;
    EXPECT_EQ(r.materials.size(), 2u) << what << ": " << join(r.materials, ", ");
  };
  const auto metal = lossy("metal", 2, 0, {drude}), dye = lossy("dye", 2.2, 0, {lorentz}),
             water = lossy("water", 3, 0, {debye}), salt = lossy("salt", 4, 1.3),
             mixed = lossy("mixed", 2, 0.5, {drude, lorentz});
  check(two_bodies({3, 0, 0}, false, metal, salt), "a line");
  for (const bool te : {false, true}) {
    check(two_bodies({3, 3, 0}, te, metal, salt), te ? "metal, salt, te" : "metal, salt, tm");
    check(two_bodies({3, 3, 0}, te, dye, water), te ? "dye, water, te" : "dye, water, tm");
    Simulation s = two_bodies({3, 3, 0}, te, mixed, salt);
    s.averaging = false;
    check(s, te ? "mixed, te" : "mixed, tm");
  }
  Simulation space = two_bodies({2.8, 2.8, 2.8}, false, mixed, salt);
  space.resolution = 15;
  space.pml.layers = 6;
  check(space, "in space");
}

// Of a film between vacuum and glass 1 - R - T, by Airy's formulas. The grid is of second order.
TEST(FdtdAbsorption, AFilmTakesWhatAirysFormulasSay) {
  const MaterialSpec film = lossy("film", 2, 0, {drude});
  const auto off = [&](double resolution) {
    Simulation s = umov::test::checked_case({4, 0, 0}, resolution, 1e-12);
    s.materials = {film, umov::test::constant("glass", 2.25)};
    s.bodies = {umov::test::layer("film", 0, 0.2), umov::test::layer("glass", 0.2, 100)};
    s.sources = {umov::test::plane_wave(umov::test::pulse(1, 0.2))};
    s.normalize = true;
    s.monitors = {umov::test::flux_through("in", {-0.5, 0, 0}, {0, 0, 0}, frequencies),
                  absorption({0.1, 0, 0}, {0.4, 0, 0})};
    s.monitors[1].reference = "in";
    const Outcome o = run(s, one_thread);
    const AbsorptionResult& r = only(o);
    double worst = 0;
    for (std::size_t f = 0; f < frequencies.size(); ++f) {
      const double w = 2 * pi * frequencies[f];
      layers::FlatStack stack;
      stack.layers = {{0.2, 2.0 - drude.strength / (w * (w + cplx(0, drude.gamma)))}};
      stack.substrate = 2.25;
      const double exact =
          layers::FlatWaves(stack, 1 / frequencies[f], 0, layers::Polarization::s).response().absorption[0];
      const double found = r.absorbed[f] / r.incident[f];
      // The wave of the case is the same: its irradiance is the flux of the reference run, which has the mean
      // of H half a cell apart.
      EXPECT_NEAR(r.cross_section[f] / found, std::cos(w * o.grid.dx / 2), 1e-4);
      worst = std::max(worst, std::abs(found / exact - 1));
    }
    umov::test::record("film of metal, %.0f cells per unit: absorption off by %.2e", resolution, worst);
    return worst;
  };
  const double coarse = off(40), fine = off(80);
  EXPECT_LT(fine, 2e-3);
  EXPECT_GT(umov::test::order_of(coarse, fine), 1.7);
}

// The surface of a metal with E across it is of first to second order (decision 21): a cylinder of the index
// 1.4 + 1.1 i, 40 cells in the radius, is within 1 %, and an order of more than 1 from 10 cells on.
TEST(FdtdAbsorption, ACylinderTakesWhatItsSeriesSays) {
  const cplx index(1.4, 1.1), eps = index * index;
  const double w = 1;  // k a = 1
  const double gamma = eps.imag() / (1 - eps.real()) * w;
  MaterialSpec metal =
      lossy("metal", 1, 0, {{Pole::Kind::drude, (1 - eps.real()) * (w * w + gamma * gamma), 0, gamma, 0}});
  ASSERT_NEAR(std::abs(1.0 - metal.constants.poles[0].strength / (w * (w + cplx(0, gamma))) - eps), 0, 1e-12);
  for (const bool te : {false, true}) {
    const auto exact = umov::test::cylinder_efficiencies(w, index, !te);
    const auto off = [&](double resolution) {
      const double side = 2 * (2 + 10 / resolution);
      Simulation s = umov::test::checked_case({side, side, 0}, resolution, 1e-9);
      s.te = te;
      s.walls[1][0] = te ? WallKind::mirror_odd : WallKind::mirror_even;
      s.materials = {metal};
      s.bodies = {umov::test::ball("cylinder", "metal", 1)};
      s.sources = {umov::test::plane_wave(umov::test::pulse(w / (2 * pi), 0.2), 0, {2.6, 2.6, 0})};
      s.monitors = {absorption({0, 0, 0}, {2.2, 2.2, 0}, {w / (2 * pi)})};
      const Outcome o = run(s, one_thread);
      const double found = only(o).cross_section[0] / 2, right = exact.extinction - exact.scattering;
      umov::test::record("cylinder %s, %.0f cells per radius: Qabs %.5f (exact %.5f)", te ? "TE" : "TM",
                         resolution, found, right);
      return std::abs(found / right - 1);
    };
    const double coarse = off(10), fine = off(40);
    EXPECT_LT(fine, 0.01) << te;
    EXPECT_GT(umov::test::order_of(coarse, fine, 4), 1) << te;
  }
}

// A wave that travels holds its flux over the group velocity (Brillouin), in a medium with a resonance far
// more than in vacuum. On the grid the energy of E and that of H are of points half a cell apart, 1e-3 at 60
// cells.
TEST(FdtdAbsorption, AWaveHoldsItsFluxOverTheGroupVelocity) {
  Simulation s = umov::test::checked_case({8, 0, 0}, 60, 1e-12);
  s.materials = {lossy("dye", 1.5, 0, {{Pole::Kind::lorentz, 1.2, 11, 0, 0}})};
  s.bodies = {umov::test::layer("dye", -1, 100)};
  s.sources = {umov::test::plane_wave(umov::test::pulse(1, 0.05))};
  const std::vector<double> f{0.95, 1, 1.05};
  s.monitors = {umov::test::flux_through("through", {1, 0, 0}, {0, 0, 0}, f),
                absorption({1, 0, 0}, {2, 0, 0}, f, true)};
  const Outcome o = run(s, one_thread);
  const AbsorptionResult& r = only(o);
  for (std::size_t i = 0; i < f.size(); ++i) {
    const auto index = [](double w) { return std::sqrt(1.5 + 1.2 * 121 / (121 - w * w)); };
    const double w = 2 * pi * f[i], step = 1e-4,
                 slowness = ((w + step) * index(w + step) - (w - step) * index(w - step)) / (2 * step);
    const double flux = o.of<FluxResult>().at(0).flux[i];
    EXPECT_NEAR((r.electric[i] + r.magnetic[i]) / (2 * flux * slowness), 1, 1e-2);
    // H has n^2 / 4 of |E|^2, all else is E's: not half of it. Fluxes have the mean of H half a cell apart.
    const double turn = w * index(w) * o.grid.dx;
    EXPECT_NEAR(r.magnetic[i] / (2 * flux * index(w) / 2), 1, turn * turn / 4);
    EXPECT_NEAR(r.absorbed[i], 0, 1e-9 * flux);
    EXPECT_NEAR(total_of(r, r.electric_density, i, o.grid.dx) / r.electric[i], 1, 1e-6);
    EXPECT_NEAR(total_of(r, r.magnetic_density, i, o.grid.dx) / r.magnetic[i], 1, 1e-6);
  }
  EXPECT_TRUE(std::ranges::any_of(
      o.warnings, [](const std::string& w) { return w.find("no medium that absorbs") != w.npos; }));
}

// A mirror plane halves what is computed, not what is measured.
TEST(FdtdAbsorption, BehindAMirrorIsWhatIsBeforeIt) {
  for (const bool te : {false, true}) {
    Simulation s = umov::test::checked_case({3, 3, 0}, 20, 1e-13);
    s.te = te;
    s.materials = {lossy("metal", 2, 0, {drude})};
    s.bodies = {umov::test::ball("cylinder", "metal", 0.37)};
    s.sources = {umov::test::point_source(umov::test::pulse(1, 0.2), te ? Ey : Ez, {-0.9, 0, 0})};
    s.monitors = {absorption({0.1, 0.05, 0}, {1, 1.2, 0}, frequencies, true)};
    const Outcome whole = run(s, one_thread);
    s.walls[1][0] = te ? WallKind::mirror_odd : WallKind::mirror_even;
    const Outcome half = run(s, one_thread);
    for (std::size_t f = 0; f < frequencies.size(); ++f) {
      EXPECT_NEAR(only(half).absorbed[f] / only(whole).absorbed[f], 1, 1e-6) << te;
      EXPECT_NEAR(only(half).electric[f] / only(whole).electric[f], 1, 1e-6) << te;
      EXPECT_NEAR(only(half).magnetic[f] / only(whole).magnetic[f], 1, 1e-6) << te;
    }
  }
}

// A plane through space has points half a cell before and behind it: along a uniform cylinder all planes are
// alike, and the box has its thickness times what a plane has.
TEST(FdtdAbsorption, APlaneHasThePowerPerLength) {
  Simulation s = umov::test::checked_case({2.4, 2.4, 0.4}, 20, 1e-12);
  s.walls[2] = {WallKind::periodic, WallKind::periodic};
  s.materials = {lossy("metal", 2, 0, {drude})};
  s.bodies = {umov::test::ball("cylinder", "metal", 0.3)};
  auto line = umov::test::point_source(umov::test::pulse(1, 0.2), Ez, {-0.6, 0.1, 0});
  line.kind = SourceSpec::Kind::line;
  line.size = {0, 0, 0.4};
  s.sources = {line};
  auto plane = absorption({0, 0, 0.05}, {0.8, 0.8, 0});
  plane.name = "plane";
  s.monitors = {absorption({0, 0, 0}, {0.8, 0.8, 0.4}), plane};
  const Outcome o = run(s, one_thread);
  const auto& all = o.of<AbsorptionResult>();
  for (std::size_t f = 0; f < frequencies.size(); ++f)
    EXPECT_NEAR(all[0].absorbed[f] / (0.4 * all[1].absorbed[f]), 1, 1e-9);
  EXPECT_EQ(all[1].extents, 2);
}

TEST(FdtdAbsorption, RanksMeasureTheSame) {
  Simulation s = two_bodies({2, 2, 1.2}, false, lossy("metal", 2, 0, {drude}), lossy("salt", 4, 1.3));
  s.resolution = 15;
  s.pml.layers = 5;
  s.stop.decay = 0;
  s.stop.steps = 120;
  s.bodies[1].size = Vec3{0.3, 0.4, 0.3};
  s.monitors = {absorption({0, 0, 0}, {1, 1, 0.6}, frequencies, true)};
  s.force = true;
  const auto right = trial::numbers(run(s, one_thread));
  trial::expect_same_on(2, s, right);
}

TEST(FdtdAbsorption, FilesHaveTotalsAndMaps) {
  Simulation s = two_bodies({3, 3, 0}, true, lossy("metal", 2, 0, {drude}), lossy("salt", 4, 1.3));
  s.stop.decay = 0;
  s.stop.steps = 200;
  s.monitors[1].own<AbsorptionSpec>().energy = true;
  const Outcome o = run(s, one_thread);
  const auto r = to_result(o);
  for (const char* name :
       {"absorbed", "absorbed_by_metal", "absorbed_by_salt", "electric_energy", "magnetic_energy", "origin"})
    EXPECT_NE(r.find(std::string("absorption/absorbed/") + name), nullptr) << name;
  const auto* map = r.find("absorption/absorbed/density");
  ASSERT_NE(map, nullptr);
  EXPECT_EQ(map->shape, (std::vector<std::size_t>{3, 1, 29, 29}));
  std::size_t maps = 0;
  for (const MonitorKind* kind : monitor_kinds()) maps += kind->maps(o).size();
  EXPECT_EQ(maps, 3u);
}

}  // namespace
}  // namespace umov::fdtd
