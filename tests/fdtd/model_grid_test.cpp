// The grid of a case, its time step, and materials painted on it.
#include <gtest/gtest.h>

#include <set>

#include "core/error.hpp"
#include "fdtd/model/update_coefficients.hpp"
#include "support/fdtd_cases.hpp"

namespace umov::fdtd {
namespace {

using materials::Pole;
using test::glass_case;
using test::painted;

Grid grid_of(const Simulation& s) { return make_grid(s, *make_scene(s)); }

std::string refusal(const Simulation& s) {
  try {
    grid_of(s);
  } catch (const BadInput& e) {
    return e.what();
  }
  return "accepted";
}

TEST(FdtdModelGrid, SizeDecidesTheDimension) {
  EXPECT_EQ(grid_of(glass_case({4, 0, 0}, 10)).mode, Mode::one);
  EXPECT_EQ(grid_of(glass_case({4, 3, 0}, 10)).mode, Mode::tm);
  Simulation s = glass_case({4, 3, 0}, 10);
  s.te = true;
  EXPECT_EQ(grid_of(s).mode, Mode::te);
  const Grid g = grid_of(glass_case({4, 3, 2.04}, 10));
  EXPECT_EQ(g.mode, Mode::full);
  EXPECT_EQ(g.cells, (Int3{40, 30, 20}));
  EXPECT_DOUBLE_EQ(g.origin[2], -1);
  EXPECT_DOUBLE_EQ(g.dt, 0.9 * 0.1 / std::sqrt(3.0));
}

TEST(FdtdModelGrid, ResolutionIsTwentyCellsPerShortestWavelengthByDefault) {
  Simulation s = glass_case({4, 0, 0}, 0);
  s.sources.resize(2);
  s.sources[0].waveform.frequency = 0.5;
  s.sources[1].waveform.frequency = 1.5;
  EXPECT_EQ(grid_of(s).cells[0], 120);
}

TEST(FdtdModelGrid, MirrorHalvesTheGridAtZero) {
  Simulation s = glass_case({4, 3, 0}, 10);
  s.walls[0][0] = WallKind::mirror_even;
  s.walls[1][1] = WallKind::mirror_odd;
  const Grid g = grid_of(s);
  EXPECT_EQ(g.cells, (Int3{20, 15 + 0, 1}));
  EXPECT_EQ(g.origin[0], 0);
  EXPECT_DOUBLE_EQ(g.origin[1], -1.5);
}

TEST(FdtdModelGrid, PermittivityBelowOneShortensTheStep) {
  Simulation s = glass_case({4, 3, 0}, 10);
  s.materials[0].constants.eps = {1, 1, 0.25};
  EXPECT_NEAR(grid_of(s).dt, 0.98 * 0.5 * 0.1 / std::sqrt(2.0), 1e-12);
}

TEST(FdtdModelGrid, DrudePoleShortensTheStepToItsLimit) {
  Simulation s = glass_case({4, 3, 2}, 10);
  const double wp = 80;
  s.materials[0].constants.poles = {{Pole::Kind::drude, wp * wp, 0, 1, 0}};
  // (dt/2)^2 (4 dim / dx^2 + wp^2) / eps = 1 at the limit.
  EXPECT_NEAR(grid_of(s).dt, 0.98 * 2 * std::sqrt(4 / (1200 + wp * wp)), 1e-12);
  s.materials[0].constants.poles = {{Pole::Kind::debye, 3, 0, 0, 2}};
  EXPECT_DOUBLE_EQ(grid_of(s).dt, 0.9 * 0.1 / std::sqrt(3.0));
}

/// Amplification of one step of the leapfrog with one pole, of the grid's highest wave, by its own matrix.
double growth(const materials::Material& m, const Grid& g) {
  const auto k = material_coefficients(m, Ez, g);
  const auto term = pole_terms(m, Ez, g)[0];
  const double curl = 2 * std::sqrt(double(dimensions(g.mode)));
  // State (E, H, j, p); H first, then E, then j, then p. Power iteration by many steps.
  double e = 1, h = 0, j = 0, p = 0, largest = 0;
  for (int n = 0; n < 20000; ++n) {
    h += g.dt / g.dx * curl * e;
    e = k.decay * e - k.drive * curl * h - term.gain * j;
    j = term.a * j + term.b * e - term.c * p;
    p += g.dt * j;
    largest = std::max({largest, std::fabs(e), std::fabs(h)});
    if (largest > 1e12) break;
  }
  return largest;
}

TEST(FdtdModelGrid, StepOfALorentzPoleIsStableAndTheLimitIsSharp) {
  Simulation s = glass_case({4, 3, 0}, 10);
  s.courant = 1;
  auto& m = s.materials[0].constants;
  m.poles = {{Pole::Kind::lorentz, 2, 15, 0, 0}};
  m.eps = {1.2, 1.2, 1.2};
  Grid g = grid_of(s);
  EXPECT_LT(growth(m, g), 1e4);
  g.dt *= 1.001 / 0.98;
  EXPECT_GT(growth(m, g), 1e12);
}

TEST(FdtdModelGrid, BadDomainsAreRefusedWithTheReason) {
  Simulation s = glass_case({0, 0, 0}, 10);
  EXPECT_NE(refusal(s).find("size: missing"), std::string::npos);
  s = glass_case({1, 0, 1}, 10);
  EXPECT_NE(refusal(s).find("z without y"), std::string::npos);
  s = glass_case({1, 1, 1}, 10);
  s.te = true;
  EXPECT_NE(refusal(s).find("te: set in 3 dimensions"), std::string::npos);
  s = glass_case({1, 1, 0}, 0);
  EXPECT_NE(refusal(s).find("resolution: missing"), std::string::npos);
  s = glass_case({-1, 1, 0}, 10);
  EXPECT_NE(refusal(s).find("size: -1 along x"), std::string::npos);
  s = glass_case({1, 1, 0}, 1e10);
  EXPECT_NE(refusal(s).find("1e+10 cells along x"), std::string::npos);
  s = glass_case({1, 1, 0}, 10);
  s.courant = 1.1;
  EXPECT_NE(refusal(s).find("courant is 1.1"), std::string::npos);
  s.courant = 0.9;
  s.walls[0][1] = WallKind::periodic;
  EXPECT_NE(refusal(s).find("only one x wall is periodic"), std::string::npos);
}

TEST(FdtdModelGrid, UnknownMaterialIsRefusedWithASuggestion) {
  Simulation s = glass_case({1, 1, 0}, 10);
  s.bodies[0].material = "glas";
  const std::string text = refusal(s);
  EXPECT_NE(text.find("body 1 (box): unknown material 'glas'"), std::string::npos) << text;
  EXPECT_NE(text.find("did you mean 'glass'"), std::string::npos) << text;
}

TEST(FdtdModelGrid, BadConstantsAreRefusedByName) {
  Simulation s = glass_case({1, 1, 0}, 10);
  s.materials[0].constants.eps[1] = -2;
  EXPECT_NE(refusal(s).find("material 'glass': eps -2"), std::string::npos);
  s.materials[0] = {};
  s.materials[0].name = "glass";
  s.materials[0].index = 0.2;
  s.materials[0].extinction = 3;
  EXPECT_NE(refusal(s).find("at_wavelength"), std::string::npos);
  s.materials[0].at_wavelength = 1;
  EXPECT_NE(refusal(s).find("need poles"), std::string::npos);
  s.materials[0].index = 2;
  s.materials[0].extinction = 0.5;
  EXPECT_EQ(refusal(s), "accepted");
  s.materials.push_back(s.materials[0]);
  EXPECT_NE(refusal(s).find("declared twice"), std::string::npos);
}

TEST(FdtdPaint, IndexAndExtinctionBecomePermittivityAndConductivity) {
  Simulation s = glass_case({1, 1, 0}, 10);
  s.materials[0] = {};
  s.materials[0].name = "glass";
  s.materials[0].index = 2;
  s.materials[0].extinction = 0.5;
  s.materials[0].at_wavelength = 0.8;
  const auto scene = make_scene(s);
  const auto& m = scene->materials()[1];
  EXPECT_DOUBLE_EQ(m.eps[2], 3.75);
  EXPECT_DOUBLE_EQ(m.sigma[2], 2 * 2 * 0.5 * 2 * pi / 0.8);
}

TEST(FdtdPaint, StaircasedBoxHasAsManyNodesAsItsSizeSays) {
  Simulation s = glass_case({4, 3, 0}, 10);
  s.averaging = false;
  s.bodies[0].size = Vec3{1.2, 0.7, 0};
  s.bodies[0].center = {0.1, 0.05, 0};
  const Problem p = painted(s);
  const Layout layout(p.grid);
  // The faces lie on nodes, which belong to neither side: 11 x 6 inside, the frame around them halves and
  // quarters.
  int touched = 0, inside = 0;
  for (int j = 0; j < 30; ++j)
    for (int i = 0; i < 40; ++i) {
      const double drive = p.coefficients[p.material[Ez][layout.at(i, j, 0)]].drive;
      touched += drive < 0.999 * p.grid.dt / p.grid.dx;
      inside += drive < 1.001 * p.grid.dt / p.grid.dx / make_scene(s)->materials()[1].eps[2];
    }
  EXPECT_EQ(touched, 13 * 8);
  EXPECT_EQ(inside, 11 * 6);
  EXPECT_TRUE(p.material[Hx].empty());
  EXPECT_EQ(p.coefficients[0].drive, p.coefficients[p.uniform[Ez]].drive);
}

/// Whether the materials around a point differ.
bool on_surface(const Scene& scene, const Vec3& at) {
  std::set<int> around;
  for (int corner = 0; corner < 8; ++corner) {
    Vec3 p = at;
    for (int a = 0; a < 3; ++a) p[a] += (corner >> a & 1) ? 1e-6 : -1e-6;
    around.insert(scene.material_at(p));
  }
  return around.size() > 1;
}

TEST(FdtdPaint, EveryCellMatchesASearchWithoutBlocks) {
  Simulation s = glass_case({3.7, 2.9, 2.3}, 10);
  s.averaging = false;
  s.materials.push_back(test::constant("dense", 9));
  s.bodies[0].shape = "sphere";
  s.bodies[0].radius = 0.8;
  BodySpec rod;
  rod.shape = "cylinder";
  rod.material = "dense";
  rod.radius = 0.3;
  rod.axis = {1, 1, 0};
  s.bodies.push_back(rod);
  for (int i = 0; i < 20; ++i) {  // enough to be sorted into bins
    BodySpec b;
    b.shape = "sphere";
    b.radius = 0.12;
    b.material = i % 2 ? "glass" : "dense";
    b.center = {-1.7 + 0.17 * i, 1.1 - 0.1 * i, 0.8 - 0.07 * i};
    s.bodies.push_back(b);
  }
  const auto scene = make_scene(s);
  const Problem p = painted(s);
  const Layout layout(p.grid);
  const Int3 n = p.grid.cells;
  for (int c : {Ex, Ey, Ez})
    for (int k = 0; k < n[2]; ++k)
      for (int j = 0; j < n[1]; ++j)
        for (int i = 0; i < n[0]; ++i) {
          const Vec3 at = p.grid.position(c, {i, j, k});
          if (on_surface(*scene, at)) continue;  // a mean of its sides
          const double eps = scene->materials()[scene->material_at(at)].eps[0];
          ASSERT_NEAR(p.coefficients[p.material[c][layout.at(i, j, k)]].drive, p.grid.dt / p.grid.dx / eps,
                      1e-12);
        }
}

TEST(FdtdPaint, PerfectConductorHasNoField) {
  Simulation s = glass_case({4, 3, 0}, 10);
  s.materials[0].constants.perfect_conductor = true;
  s.bodies[0].shape = "cylinder";
  s.bodies[0].radius = 0.83;
  const Problem p = painted(s);
  const auto& k = p.coefficients[p.material[Ez][Layout(p.grid).at(20, 15, 0)]];
  EXPECT_EQ(k.decay, 0);
  EXPECT_EQ(k.drive, 0);
}

TEST(FdtdPaint, DispersiveBodyListsItsEdgesInOrder) {
  Simulation s = glass_case({4, 3, 2}, 10);
  s.materials[0].constants.poles = {{Pole::Kind::drude, 4, 0, 0.1, 0}, {Pole::Kind::debye, 2, 0, 0, 3}};
  s.bodies[0].size = Vec3{1, 1, 1};
  const Problem p = painted(s);
  ASSERT_EQ(p.dispersive.size(), 3u);
  for (const auto& g : p.dispersive) {
    // 10 half points along, 9 x 9 nodes inside; those on the surface are cut.
    EXPECT_EQ(g.cells.size(), 810u);
    EXPECT_TRUE(std::is_sorted(g.cells.begin(), g.cells.end()));
    ASSERT_EQ(g.poles.size(), 2u);
    EXPECT_TRUE(g.poles[1].debye);
  }
  // Of each component the 40 rows of 10 edges on the surface, each edge in two halves.
  EXPECT_EQ(p.cut_media.halves.size(), std::size_t(3 * 40 * 10 * 2));
  // Trapezoidal rule of the Debye pole: b = delta dt / (2 tau + dt).
  const double b = 2 * p.grid.dt / (6 + p.grid.dt);
  const auto& k = p.coefficients[p.material[Ex][p.dispersive[0].cells[0]]];
  EXPECT_NEAR(k.decay, (4 - b) / (4 + b), 1e-15);
  EXPECT_NEAR(k.drive, p.grid.dt / p.grid.dx / (4 + b), 1e-15);
}

TEST(FdtdPaint, DispersiveBackgroundCoversTheWholeGrid) {
  Simulation s = glass_case({1, 1, 0}, 10);
  s.materials[0].constants.poles = {{Pole::Kind::drude, 4, 0, 0.1, 0}};
  s.bodies.clear();
  s.background = "glass";
  const Problem p = painted(s);
  ASSERT_EQ(p.dispersive.size(), 1u);
  EXPECT_EQ(p.dispersive[0].cells.size(), 81u);  // nodes off the electric walls behind the layers
  EXPECT_TRUE(p.material[Ez].empty());
}

/// Steady response of the discrete equations at a frequency against eps(w) of the material with the frequency
/// warped by the centred differences: w -> (2/dt) tan(w dt/2) for damping, (2/dt) sin(w dt/2) for second
/// ones.
TEST(FdtdPaint, PoleTermsGiveTheMaterialsPermittivity) {
  materials::Material m;
  m.eps = {2, 2, 2};
  m.sigma = {0.3, 0.3, 0.3};
  m.poles = {{Pole::Kind::drude, 3, 0, 0.2, 0},
             {Pole::Kind::lorentz, 1.5, 2, 0.1, 0},
             {Pole::Kind::debye, 0.7, 0, 0, 1.3}};
  Grid g;
  g.dx = 1;
  g.dt = 0.002;
  const double w = 1.7;
  const cplx z = std::exp(cplx(0, -w * g.dt));
  const auto k = material_coefficients(m, Ez, g);
  // With E^n = z^n, solve each auxiliary equation, and the drive that keeps the whole going.
  cplx rest = z - k.decay;
  for (const auto& t : pole_terms(m, Ez, g)) {
    if (t.debye) {
      // q^n = a p^n + b E^n, p^{n+1} = q^n + b E^{n+1}
      const cplx p = t.b * (1.0 + z) / (z - t.a);
      rest -= t.gain * p;
    } else {
      // j^{n+1/2} = a j^{n-1/2} + b E^n - c p^n, p^{n+1} = p^n + dt j^{n+1/2}; E^{n+1} takes j^{n+1/2}
      const cplx j = t.b / (1.0 - t.a / z + t.c * g.dt / (z - 1.0));
      rest += t.gain * j;
    }
  }
  // rest E^n = drive dx curl: eps(w) (-i w) E at the half step.
  const cplx eps = rest / (k.drive * g.dx) * std::exp(cplx(0, w * g.dt / 2)) / cplx(0, -w);
  const cplx s(0, -w);
  const cplx expected = 2.0 + 0.3 / -s * -1.0 + 3.0 / (s * s + 0.2 * s) + 1.5 * 4 / (s * s + 0.1 * s + 4.0) +
                        0.7 / (1.0 + 1.3 * s);
  // Second order in w dt: (w dt)^2 = 1.2e-5.
  EXPECT_NEAR(std::abs(eps - expected) / std::abs(expected), 0, 2e-5);
}

TEST(FdtdPaint, ManyFillFractionsFitOneByteInThreeDimensions) {
  Simulation s = glass_case({6, 6, 6}, 10);
  s.materials[0].constants.eps = {12, 12, 12};
  s.bodies[0].shape = "sphere";
  s.bodies[0].radius = 2.5;
  const Problem p = painted(s);
  EXPECT_LE(p.coefficients.size(), 254u);
  EXPECT_GT(p.coefficients.size(), 150u);
}

TEST(FdtdPaint, PermittivityPictureShowsBodiesAndConductors) {
  Simulation s = glass_case({4, 3, 0}, 10);
  s.bodies[0].size = Vec3{2, 1, 0};
  s.materials.push_back(test::constant("metal", 1));
  s.materials[1].constants.perfect_conductor = true;
  BodySpec metal;
  metal.shape = "cylinder";
  metal.radius = 0.2;
  metal.material = "metal";
  s.bodies.push_back(metal);
  const auto scene = make_scene(s);
  const Grid g = make_grid(s, *scene);
  const FieldBlock whole = sample_permittivity(*scene, g, 1);
  EXPECT_EQ(whole.size, (Int3{40, 30, 1}));
  EXPECT_EQ(whole.real[15 * 40 + 20], 0);
  EXPECT_EQ(whole.real[15 * 40 + 12], 4);
  EXPECT_EQ(whole.real[2], 1);
  EXPECT_EQ(sample_permittivity(*scene, g, 1, 300).size, (Int3{20, 15, 1}));
}

}  // namespace
}  // namespace umov::fdtd
