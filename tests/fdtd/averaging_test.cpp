// Sub-pixel averaging: fill fractions, effective tensors, and the operator they make on the grid.
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <random>

#include "fdtd/model/average.hpp"
#include "fdtd/model/cut_box.hpp"
#include "fdtd/scene.hpp"
#include "support/fdtd_cases.hpp"
#include "support/permittivity_operator.hpp"

namespace umov::fdtd {
namespace {

using test::glass_case;
using test::painted;

double monte_carlo(const Vec3& edges, const Vec3& g, double t, int points) {
  std::mt19937 random(11);
  std::uniform_real_distribution<double> u(-0.5, 0.5);
  int below = 0;
  for (int i = 0; i < points; ++i)
    below += g[0] * edges[0] * u(random) + g[1] * edges[1] * u(random) + g[2] * edges[2] * u(random) < t;
  return double(below) / points;
}

TEST(FdtdAveraging, FractionBelowAPlaneMatchesCountedPoints) {
  std::mt19937 random(4);
  std::uniform_real_distribution<double> u(-1, 1);
  for (int i = 0; i < 30; ++i) {
    const Vec3 edges{1, 1.5, i % 3 == 0 ? 0 : 0.7}, g{u(random), i % 5 == 0 ? 0 : u(random), u(random)};
    const double t = 0.5 * u(random);
    // 40000 points: standard deviation at most 1/400; four of them.
    EXPECT_NEAR(fraction_below(edges, g, t), monte_carlo(edges, g, t, 40000), 0.01);
  }
}

TEST(FdtdAveraging, FractionBelowAnAxisAlignedPlaneIsExact) {
  EXPECT_DOUBLE_EQ(fraction_below({1, 1, 1}, {0, 2, 0}, 0.5), 0.75);
  EXPECT_DOUBLE_EQ(fraction_below({1, 1, 1}, {0, -2, 1e-9}, 0.5), 0.75);
  EXPECT_EQ(fraction_below({1, 1, 1}, {0, 0, 0}, -1), 0);
  EXPECT_EQ(fraction_below({1, 1, 1}, {0, 0, 0}, 1), 1);
}

/// Sum over cells of the share of material 1, times a cell's volume.
double volume(const Scene& scene, const Vec3& low, const Int3& cells, double h) {
  double sum = 0;
  Mixture m;
  for (int k = 0; k < cells[2]; ++k)
    for (int j = 0; j < cells[1]; ++j)
      for (int i = 0; i < cells[0]; ++i) {
        const Vec3 lo = low + Vec3{i * h, j * h, cells[2] > 1 ? k * h : 0};
        scene.shares(lo, lo + Vec3{h, h, cells[2] > 1 ? h : 0}, m);
        double all = 0;
        for (const auto& s : m) {
          all += s.fraction;
          if (s.material == 1) sum += s.fraction;
        }
        EXPECT_NEAR(all, 1, 1e-9);
      }
  return sum * h * h * (cells[2] > 1 ? h : 1);
}

TEST(FdtdAveraging, SharesOfASphereAddUpToItsVolume) {
  Simulation s = glass_case({2, 2, 2}, 10);
  s.bodies[0].shape = "sphere";
  s.bodies[0].radius = 0.73;
  s.bodies[0].center = {0.02, -0.03, 0.01};
  const auto scene = make_scene(s);
  // The correction by the corners leaves the fourth order: measured 1.1e-5 at 7 cells per radius.
  EXPECT_NEAR(volume(*scene, {-1, -1, -1}, {20, 20, 20}, 0.1) / (4 * pi / 3 * 0.73 * 0.73 * 0.73), 1, 5e-5);
}

TEST(FdtdAveraging, SharesOfADiscAddUpToItsArea) {
  Simulation s = glass_case({2, 2, 0}, 10);
  s.bodies[0].shape = "cylinder";
  s.bodies[0].radius = 0.73;
  s.bodies[0].center = {0.02, -0.03, 0};
  EXPECT_NEAR(volume(*make_scene(s), {-1, -1, 0}, {20, 20, 1}, 0.1) / (pi * 0.73 * 0.73), 1, 5e-5);
}

TEST(FdtdAveraging, CornersOfATurnedBoxAddUpToItsVolume) {
  Simulation s = glass_case({2, 2, 2}, 10);
  s.bodies[0].size = Vec3{0.83, 0.61, 0.47};
  s.bodies[0].axis = {1, 2, 3};
  s.bodies[0].rotation = 25;
  // Eighths of cells at edges, planes elsewhere.
  EXPECT_NEAR(volume(*make_scene(s), {-1, -1, -1}, {20, 20, 20}, 0.1) / (0.83 * 0.61 * 0.47), 1, 1e-3);
}

TEST(FdtdAveraging, ParallelLayersWithinOneCellAreExact) {
  Simulation s = glass_case({4, 4, 0}, 1);
  s.materials.push_back(test::constant("dense", 9));
  s.bodies[0].size = Vec3{1, 0, 0};
  s.bodies[0].center = {-0.3, 0, 0};  // -0.8 to 0.2
  BodySpec second = s.bodies[0];
  second.material = "dense";
  second.size = Vec3{0.25, 0, 0};
  second.center = {0.325, 0, 0};  // 0.2 to 0.45, touching the first
  s.bodies.push_back(second);
  const auto scene = make_scene(s);
  Mixture m;
  scene->shares({0, 0, 0}, {1, 1, 0}, m);
  std::array<double, 3> share{};
  for (const auto& x : m) share[x.material] = x.fraction;
  EXPECT_NEAR(share[1], 0.2, 1e-9);
  EXPECT_NEAR(share[2], 0.25, 1e-9);
  EXPECT_NEAR(share[0], 0.55, 1e-9);
}

TEST(FdtdAveraging, TensorOfAPlaneInterfaceHasTheKnownEntries) {
  Simulation s = glass_case({2, 2, 0}, 10);
  const auto scene = make_scene(s);
  Grid g;
  g.mode = Mode::te;
  const Mixture m{{0, 0.3}, {1, 0.7}};
  const double c = std::cos(0.4), sn = std::sin(0.4), mean = 0.3 + 0.7 * 4, inverse = 0.3 + 0.7 / 4;
  const Vec3 n{c, sn, 0};
  EXPECT_NEAR(effective(m, scene->materials(), Ex, n, g).inverse, c * c * inverse + sn * sn / mean, 1e-15);
  EXPECT_NEAR(effective(m, scene->materials(), Ey, n, g).inverse, sn * sn * inverse + c * c / mean, 1e-15);
  EXPECT_NEAR(effective(m, scene->materials(), Ez, n, g).inverse, 1 / mean, 1e-15);
  const Vec3 off = off_diagonal(m, scene->materials(), n);
  EXPECT_NEAR(off[2], c * sn * (inverse - 1 / mean), 1e-15);
  EXPECT_EQ(off[0], 0);
}

TEST(FdtdAveraging, AxisAlignedSlabIsPaintedExactly) {
  Simulation s = glass_case({4, 3, 0}, 10);
  s.te = true;
  s.bodies[0].size = Vec3{1.03, INFINITY, 0};  // faces at -0.515 and 0.515: 0.85 of a cell beyond a node
  const Problem p = painted(s);
  const Layout layout(p.grid);
  const double ratio = p.grid.dt / p.grid.dx;
  // Ey at x = 0.5 (node 25) has glass from 0.45 to 0.515: 0.65 of the cell; tangential: the mean.
  EXPECT_NEAR(p.coefficients[p.material[Ey][layout.at(25, 10, 0)]].drive, ratio / (1 + 0.65 * 3), 1e-12);
  // Ex at 0.55 has glass from 0.5 to 0.515: 0.15; normal: the mean of the inverse.
  EXPECT_NEAR(p.coefficients[p.material[Ex][layout.at(25, 10, 0)]].drive, ratio * (0.85 + 0.15 / 4), 1e-12);
  EXPECT_TRUE(p.tensor[0].empty());
  EXPECT_TRUE(p.tensor[1].empty());
}

void expect_stable_operator(const Simulation& s, double least_eps) {
  const Problem p = painted(s);
  ASSERT_FALSE(p.tensor[0].empty());
  const Eigen::MatrixXd m = test::permittivity_operator(p);
  EXPECT_LT((m - m.transpose()).cwiseAbs().maxCoeff(), 1e-14);
  const Eigen::VectorXd eigenvalues = Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(m).eigenvalues();
  EXPECT_GT(eigenvalues.minCoeff(), 0);
  // Leapfrog: dt^2 (4 dim / dx^2) largest < 4.
  const double ratio = p.grid.dt / p.grid.dx;
  EXPECT_LT(eigenvalues.maxCoeff() * ratio * ratio * dimensions(p.grid.mode), 1);
  EXPECT_LT(eigenvalues.maxCoeff(), 1.24 / least_eps);
}

TEST(FdtdAveraging, OperatorOfADiscIsSymmetricPositiveAndWithinTheTimeStep) {
  Simulation s = glass_case({2, 2, 0}, 8);
  s.te = true;
  s.materials[0].constants.eps = {12, 12, 12};
  s.bodies[0].shape = "cylinder";
  s.bodies[0].radius = 0.61;
  expect_stable_operator(s, 1);
  s.walls = test::all_walls(WallKind::periodic);
  s.bodies[0].center = {0.9, 0.8, 0};  // cut by the edge of the period
  s.courant = 0.99;
  expect_stable_operator(s, 1);
}

TEST(FdtdAveraging, OperatorOfASphereIsSymmetricPositiveAndWithinTheTimeStep) {
  Simulation s = glass_case({1.75, 1.75, 1.75}, 4);
  s.materials[0].constants.eps = {12, 12, 12};
  s.bodies[0].shape = "sphere";
  s.bodies[0].radius = 0.6;
  expect_stable_operator(s, 1);
}

TEST(FdtdAveraging, TensorTermsKeepOutOfLayersAndLossyCellsHaveMoreThanThese) {
  Simulation s = glass_case({4, 4, 0}, 10);
  s.te = true;
  s.walls = test::all_walls(WallKind::pml);
  s.bodies[0].shape = "cylinder";
  s.bodies[0].radius = 1.2;
  const Problem p = painted(s);
  const Layout layout(p.grid);
  ASSERT_FALSE(p.tensor[0].empty());
  for (const auto& term : p.tensor[0]) {
    const index_t row = (term.cell - layout.base) / layout.pitch,
                  column = (term.cell - layout.base) % layout.pitch;
    EXPECT_TRUE(row > 10 && row < 30 && column >= 10 && column < 30) << column << ' ' << row;
  }
  s.materials[0].constants.sigma = {0.1, 0.1, 0.1};
  EXPECT_TRUE(p.cut_media.empty());
  EXPECT_FALSE(painted(s).cut_media.empty());
}

TEST(FdtdAveraging, PeriodicNeighboursShareTheCellAtTheWall) {
  Simulation s = glass_case({2, 2, 0}, 10);
  s.walls = test::all_walls(WallKind::periodic);
  s.bodies[0].size = Vec3{0.5, 0, 0};
  s.bodies[0].center = {-0.75, 0,
                        0};  // from the wall on: the cell at node 0 is half vacuum of the other side
  const Problem p = painted(s);
  const double ratio = p.grid.dt / p.grid.dx;
  EXPECT_NEAR(p.coefficients[p.material[Ez][Layout(p.grid).at(0, 5, 0)]].drive, ratio / 2.5, 1e-9);
  s.walls = test::all_walls(WallKind::pec);
  const Problem closed = painted(s);
  EXPECT_NEAR(closed.coefficients[closed.material[Ez][Layout(p.grid).at(0, 5, 0)]].drive, ratio / 4, 1e-9);
}

}  // namespace
}  // namespace umov::fdtd
