// The mode solver against exact answers: slabs, rods, hollow guides.
#include "fdtd/sources/mode_solver.hpp"

#include <gtest/gtest.h>

#include <boost/math/special_functions/bessel.hpp>
#include <boost/math/special_functions/bessel_prime.hpp>
#include <boost/math/tools/roots.hpp>

#include "core/error.hpp"
#include "fdtd/scene.hpp"
#include "support/source_problems.hpp"
#include "support/waveguides.hpp"

namespace umov::fdtd {
namespace {

using support::empty_problem;
using support::make_periodic;
using support::paint_eps;
using support::slab_eps;

/// Effective index of mode m (0, 1, ...) of a slab of index n1 and width 1 in vacuum at frequency f: the
/// phase condition kx - 2 atan(r g / kx) = m pi, with r = 1 for E along the slab, n1^2 for H (Saleh and Teich
/// 2007, Fundamentals of Photonics, chapter 8).
double slab_index(double n1, double f, bool h_along, int m) {
  const double k = 2 * pi * f, r = h_along ? n1 * n1 : 1;
  const auto phase = [&](double beta) {
    const double kx = std::sqrt(n1 * n1 * k * k - beta * beta), g = std::sqrt(beta * beta - k * k);
    return kx - 2 * std::atan(r * g / kx) - m * pi;
  };
  const auto bracket = boost::math::tools::bisect(phase, k * (1 + 1e-12), n1 * k * (1 - 1e-12),
                                                  boost::math::tools::eps_tolerance<double>(50));
  return bracket.first / k;
}

Problem slab(Mode mode, int axis, int resolution) {
  support::Setting s;
  s.mode = mode;
  s.dx = 1.0 / resolution;
  s.layers = 0;
  s.cells[axis] = 10;
  s.cells[1 - axis] = 6 * resolution;
  auto p = empty_problem(s);
  paint_eps(p, slab_eps(1 - axis, 4, s.dx));
  return p;
}

std::vector<ModeProfile> slab_modes(Mode mode, int axis, int resolution, int count) {
  const auto p = slab(mode, axis, resolution);
  Vec3 size{6, 6, 0};
  size[axis] = 0;
  return guided_modes(p, mode_plane(p.grid, {0, 0, 0}, size, "test"), 0.6, count, std::nullopt);
}

TEST(FdtdModeSolver, SlabIndexConvergesInSecondOrder) {
  for (const Mode mode : {Mode::tm, Mode::te})
    for (const int axis : {0, 1})
      for (const int m : {0, 1}) {
        double error[2];
        for (const int i : {0, 1})
          error[i] = slab_modes(mode, axis, i == 0 ? 20 : 40, 2).at(m).n_eff -
                     slab_index(2, 0.6, mode == Mode::te, m);
        EXPECT_LT(std::abs(error[1]), 3e-3);  // measured 1e-3 to 2.2e-3
        EXPECT_NEAR(error[0] / error[1], 4, 0.3) << int(mode) << m;
      }
}

TEST(FdtdModeSolver, GuessPicksTheNearestMode) {
  const auto p = slab(Mode::tm, 0, 20);
  const auto plane = mode_plane(p.grid, {0, 0, 0}, {0, 6, 0}, "test");
  EXPECT_NEAR(solve_mode(p, plane, 0.6, 1, 1.5, "test").n_eff, slab_index(2, 0.6, false, 1), 0.01);
  EXPECT_NEAR(solve_mode(p, plane, 0.6, 1, 1.9, "test").n_eff, slab_index(2, 0.6, false, 0), 0.01);
}

TEST(FdtdModeSolver, HollowGuideHasTheGridsOwnCutOff) {
  // TE10 between conductors: K^2 = Omega^2 - ((2/dx) sin(pi dx / 2a))^2 exactly, on the Yee grid.
  auto p = empty_problem({.mode = Mode::full, .cells = {12, 7, 9}, .dx = 0.1, .layers = 0});
  const double f = 0.7, w = 2 * pi * f;
  const auto modes =
      guided_modes(p, mode_plane(p.grid, {0, 0, 0}, {1.2, 0.7, 0}, "test"), f, 2, std::nullopt);
  ASSERT_GE(modes.size(), 1u);
  const double omega = 2 / p.grid.dt * std::sin(w * p.grid.dt / 2), cut = 20 * std::sin(pi * 0.1 / 2.4);
  EXPECT_NEAR(modes[0].beta, 20 * std::asin(std::sqrt(omega * omega - cut * cut) / 20), 1e-9);
}

// A hollow guide whose walls lie half a cell off the nodes along z: a plane as large as the hollow ends in
// the metal. TE10 has no field along z to change there; beta is the grid's, off by (k dx)^2 / 24 of k^2 /
// beta^2.
TEST(FdtdModeSolver, ARimHalfACellOffANodeLiesInTheMetal) {
  Simulation s;
  s.size = {1, 1.6, 0.9};
  s.resolution = 20;
  s.pml.layers = 4;
  MaterialSpec metal, air;
  metal.name = "metal", metal.constants.perfect_conductor = true;
  air.name = "air";
  s.materials = {metal, air};
  BodySpec block, hollow;
  block.material = "metal", block.size = Vec3{9, 9, 9};
  hollow.material = "air", hollow.size = Vec3{9, 1, 0.45};
  s.bodies = {block, hollow};
  const auto scene = make_scene(s);
  Problem p;
  p.grid = make_grid(s, *scene);
  paint(s, *scene, p);
  set_walls(s, p);
  const auto plane = mode_plane(p, {0, 0, 0}, {0, 1, 0.45}, "test");
  EXPECT_EQ(plane.hi[2] - plane.lo[2], 10);
  EXPECT_EQ(plane.hi[1] - plane.lo[1], 20);
  const double f = 0.8;
  const auto modes = guided_modes(p, plane, f, 1, {});
  ASSERT_EQ(modes.size(), 1u);
  const double exact = std::sqrt(1 - 0.25 / (f * f)), phase = 2 * pi * f * p.grid.dx;
  EXPECT_NEAR(modes[0].n_eff / exact, 1, phase * phase / 24 / (exact * exact));
}

TEST(FdtdModeSolver, SlabInSpaceHasTheModesOfThePlane) {
  // With a period along z the section has the modes of both polarisations of the plane, and no others near
  // them.
  support::Setting s{.mode = Mode::full, .cells = {8, 48, 4}, .dx = 0.1, .layers = 0};
  auto p = empty_problem(s);
  p.grid.dt = slab(Mode::tm, 0, 10).grid.dt;
  for (auto& k : p.coefficients) k.drive = p.grid.dt / s.dx;
  paint_eps(p, slab_eps(1, 4, s.dx));
  make_periodic(p, 2);
  const auto modes =
      guided_modes(p, mode_plane(p.grid, {0, 0, 0}, {0, 4.8, 0.4}, "test"), 0.6, 3, std::nullopt);
  ASSERT_EQ(modes.size(), 3u);
  // The rims differ (4.8 and 6 wide), where the modes have fallen to exp(-2 * 1.9 * 2 pi 0.6 * 1.6) and so
  // on.
  EXPECT_NEAR(modes[0].n_eff, slab_modes(Mode::tm, 0, 10, 1)[0].n_eff, 1e-6);
  EXPECT_NEAR(modes[1].n_eff, slab_modes(Mode::te, 0, 10, 1)[0].n_eff, 1e-6);
}

TEST(FdtdModeSolver, MirrorHalvesTheSection) {
  const auto whole = slab(Mode::tm, 0, 10);
  support::Setting s{.mode = Mode::tm, .cells = {10, 30, 1}, .dx = 0.1, .layers = 0};
  auto half = empty_problem(s);
  half.grid.origin[1] = 0;
  half.walls[1][0] = Closure::pmc;
  paint_eps(half, slab_eps(1, 4, s.dx));
  const auto a = solve_mode(whole, mode_plane(whole.grid, {0, 0, 0}, {0, 6, 0}, "t"), 0.6, 1, {}, "t");
  const auto b = solve_mode(half, mode_plane(half.grid, {0, 1.5, 0}, {0, 3, 0}, "t"), 0.6, 1, {}, "t");
  EXPECT_NEAR(a.n_eff, b.n_eff, 1e-10);
  // Half the power in half the section: values larger by sqrt 2.
  EXPECT_NEAR(b.electric[0].values.front() / a.electric[0].values[29], std::sqrt(2.0), 1e-8);
}

/// Effective index of HE11 of a rod in vacuum (Snyder and Love 1983, Optical Waveguide Theory, chapter 12).
double rod_index(double n1, double radius, double f) {
  using namespace boost::math;
  const double k = 2 * pi * f;
  const auto f_root = [&](double n) {
    const double u = radius * k * std::sqrt(n1 * n1 - n * n), w = radius * k * std::sqrt(n * n - 1);
    const double j = cyl_bessel_j_prime(1, u) / (u * cyl_bessel_j(1, u));
    const double q = cyl_bessel_k_prime(1, w) / (w * cyl_bessel_k(1, w));
    const double v = 1 / (u * u) + 1 / (w * w);
    return (j + q) * (n1 * n1 * j + q) - n * n * v * v;
  };
  // The largest root: down from n1 to the first change of sign.
  double high = n1 - 1e-9, step = 1e-3;
  while (f_root(high) * f_root(high - step) > 0) high -= step;
  return tools::bisect(f_root, high - step, high, tools::eps_tolerance<double>(50)).first;
}

TEST(FdtdModeSolver, RodIndexConvergesToTheExactRoot) {
  // Arithmetic means of the permittivity at edges: first order with a small factor at the normal component.
  const double exact = rod_index(1.6, 0.5, 0.8);
  double error[2];
  for (const int i : {0, 1}) {
    const int n = i == 0 ? 24 : 48;
    auto p = empty_problem({.mode = Mode::full, .cells = {n, n, 4}, .dx = 2.4 / n, .layers = 0});
    paint_eps(p, [dx = 2.4 / n](const Vec3& r) { return support::rod_eps(r, 0.5, 2.56, dx); });
    const auto modes =
        guided_modes(p, mode_plane(p.grid, {0, 0, 0}, {2.4, 2.4, 0}, "test"), 0.8, 2, std::nullopt);
    ASSERT_EQ(modes.size(), 2u);
    EXPECT_NEAR(modes[0].n_eff, modes[1].n_eff, 1e-6) << "two polarisations";
    error[i] = std::abs(modes[0].n_eff - exact);
  }
  EXPECT_LT(error[1], 0.01);
  EXPECT_LT(error[1], 0.6 * error[0]);
}

TEST(FdtdModeSolver, AveragedRodConvergesInSecondOrder) {
  const double exact = rod_index(2, 0.5, 0.5);
  double error[2];
  for (const int i : {0, 1}) {
    Simulation sim;
    sim.size = {0.5, 3, 3};
    sim.resolution = i == 0 ? 12 : 24;
    for (auto& wall : sim.walls) wall = {WallKind::pec, WallKind::pec};
    sim.materials.resize(1);
    sim.materials[0].name = "core";
    sim.materials[0].index = 2;
    sim.bodies.resize(1);
    sim.bodies[0].shape = "cylinder";
    sim.bodies[0].material = "core";
    sim.bodies[0].radius = 0.5;
    sim.bodies[0].axis = {1, 0, 0};
    const auto scene = make_scene(sim);
    Problem p;
    p.grid = make_grid(sim, *scene);
    set_walls(sim, p);
    paint(sim, *scene, p);
    const auto modes =
        guided_modes(p, mode_plane(p.grid, {0, 0, 0}, {0, 3, 3}, "test"), 0.5, 2, std::nullopt);
    ASSERT_EQ(modes.size(), 2u);
    EXPECT_NEAR(modes[0].n_eff, modes[1].n_eff, 1e-7) << "two polarisations";
    error[i] = std::abs(modes[0].n_eff - exact);
  }
  EXPECT_LT(error[1], 3e-3);
  EXPECT_GT(error[0] / error[1], 3);
}

/// What the refusal of a plane says.
template <class F>
std::string refusal_of_mode_solver(F&& f) {
  try {
    f();
  } catch (const BadInput& e) {
    return e.what();
  }
  return "accepted";
}

/// A block of conductor with a hole, and a conductor in that unless it has no size; both off the axis alike.
Problem hollow(const std::string& shape, const Vec3& hole, double inner, const Vec3& at) {
  Simulation sim;
  sim.size = {0.3, 1.6, 1.6};
  sim.resolution = 20;
  for (auto& wall : sim.walls) wall = {WallKind::pec, WallKind::pec};
  const auto add = [&](const std::string& name, const std::string& form, const Vec3& size) {
    BodySpec b;
    b.material = name;
    b.shape = form;
    if (form == "cylinder") {
      b.axis = {1, 0, 0};
      b.radius = size[1] / 2;
    } else {
      b.size = size;
    }
    if (!sim.bodies.empty()) b.center = at;
    sim.bodies.push_back(b);
  };
  add("pec", "box", {0, 1.6, 1.6});
  add("vacuum", shape, hole);
  if (inner > 0) add("pec", shape, {0, inner, inner});
  const auto scene = make_scene(sim);
  Problem p;
  p.grid = make_grid(sim, *scene);
  set_walls(sim, p);
  paint(sim, *scene, p);
  return p;
}

TEST(FdtdModeSolver, CoaxesHaveTheirTransverseModeWhereverTheyLie) {
  // With conductors on grid lines, off them, and with corners of conductor that hardly reach into a face.
  for (const std::string shape : {"box", "cylinder"})
    for (const Vec3& at : {Vec3{0, 0, 0}, Vec3{0, 0.013, -0.017}, Vec3{0, 0.05, 0.05}, Vec3{0, 0.025, 0}}) {
      const auto p = hollow(shape, {0, 1.1, 1.1}, 0.4, at);
      const auto modes = guided_modes(p, mode_plane(p.grid, {0, 0, 0}, {0, 1.4, 1.4}, "test"), 0.5, 2, {});
      ASSERT_GE(modes.size(), 1u) << shape << at[1];
      // The grid's dispersion, (pi / 40)^2 / 6 at 40 cells per wavelength, and enlarged faces.
      EXPECT_NEAR(modes[0].n_eff, 1, 3e-3) << shape << at[1];
      // Of the modes above it TE11 comes first, far below at this frequency; statics are none.
      if (modes.size() > 1) {
        EXPECT_LT(modes[1].n_eff, 0.9) << shape << at[1];
        EXPECT_GT(modes[1].n_eff, 1e-3) << shape << at[1];
      }
    }
}

TEST(FdtdModeSolver, HollowGuidesOffTheGridHaveTheExactIndexAndSayWhereTheyAreCutOff) {
  for (const Vec3& at : {Vec3{0, 0, 0}, Vec3{0, 0.013, -0.017}, Vec3{0, 0.031, 0.022}, Vec3{0, 0.05, 0}}) {
    const auto p = hollow("box", {0, 1.1, 0.52}, 0, at);
    const auto plane = mode_plane(p.grid, {0, 0, 0}, {0, 1.4, 1.4}, "test");
    const double cut = 1 / 2.2, f = 0.7;
    const auto modes = guided_modes(p, plane, f, 2, {});
    ASSERT_EQ(modes.size(), 1u) << at[1];
    // Walls between grid lines: second order, 1e-3 in the cutoff at 20 cells per unit; the grid 1e-3.
    EXPECT_NEAR(modes[0].n_eff, std::sqrt(1 - cut * cut / f / f), 4e-3) << at[1];
    const std::string text = refusal_of_mode_solver([&] { solve_mode(p, plane, 0.4, 1, {}, "source 'in'"); });
    EXPECT_NE(text.find("cut off there"), std::string::npos) << text;
    EXPECT_NE(text.find("its cutoff is at about 0.45"), std::string::npos) << text;
  }
}

TEST(FdtdModeSolver, PlanesThatGuideNothingAreRefusedByName) {
  auto p = slab(Mode::tm, 0, 20);
  p.pml[1][0].layers = p.pml[1][1].layers = 10;  // the rim is open, not the wall of a hollow guide
  const auto plane = mode_plane(p.grid, {0, 0, 0}, {0, 6, 0}, "test");
  EXPECT_NE(refusal_of_mode_solver([&] {
              solve_mode(p, plane, 0.6, 7, {}, "source 'in'");
            }).find("source 'in': no guided mode 7"),
            std::string::npos);
  EXPECT_NE(refusal_of_mode_solver([&] {
              mode_plane(p.grid, {0, 0, 0}, {0, 0, 0}, "source 'in'");
            }).find("exactly one"),
            std::string::npos);
  EXPECT_NE(refusal_of_mode_solver([&] {
              mode_plane(p.grid, {0, 1, 0}, {0, 6, 0}, "source 'in'");
            }).find("out of the domain"),
            std::string::npos);
}

}  // namespace
}  // namespace umov::fdtd
