// What currents radiate, and that source and observer may be exchanged among scatterers.
#include <gtest/gtest.h>

#include <random>

#include "fdtd/monitors/flux.hpp"
#include "fdtd/monitors/series.hpp"
#include "support/fdtd_runs.hpp"
#include "support/machines.hpp"
#include "support/record.hpp"

using namespace umov;
using namespace umov::fdtd;
using namespace umov::test;

namespace {

/// Power through a box around a current element at the centre, per squared amplitude.
double radiated(const Vec3& size, const Vec3& box, double resolution, Component c, bool te) {
  Simulation s = checked_case(size, resolution);
  s.te = te;
  // Off the nodes, so that it is shared between cells as sources are in general.
  const double dx = 1 / resolution;
  s.sources = {point_source(pulse(1, 0.2), c, {0.3 * dx, 0.1 * dx, 0})};
  s.monitors = {flux_through("box", {0, 0, 0}, box, {1}, true)};
  return fdtd::run(s, umov::test::one_thread).of<FluxResult>()[0].flux[0] /
         std::norm(spectrum(s.sources[0].waveform, 1));
}

/// Discs or balls of random places, sizes and permittivities, of which some overlap; within `reach` of the
/// axes' origin.
Simulation random_medium(const Vec3& size, double resolution, bool te, double reach = 1.1) {
  Simulation s = checked_case(size, resolution);
  s.te = te;
  s.stop = {};
  s.stop.steps = 600;
  std::mt19937 random(7);
  std::uniform_real_distribution<double> place(-0.64 * reach, 0.64 * reach),
      radius(0.14 * reach, 0.36 * reach), eps(1.5, 12);
  for (int i = 0; i < 12; ++i) {
    const std::string name = "glass-" + std::to_string(i);
    s.materials.push_back(constant(name, eps(random)));
    auto b = ball(size[2] > 0 ? "sphere" : "cylinder", name, radius(random));
    b.center = {place(random), place(random), size[2] > 0 ? place(random) : 0};
    s.bodies.push_back(b);
  }
  return s;
}

struct Port {
  Component component;
  Vec3 at;
};

std::vector<double> received(Simulation s, const Port& from, const Port& to) {
  s.sources = {point_source(pulse(s.resolution / 20, 0.3), from.component, from.at)};
  auto m = monitor(MonitorSpec::Kind::series, "ear", to.at, {0, 0, 0}, {});
  m.fields = {to.component};
  m.interval = 1;
  s.monitors = {m};
  return fdtd::run(s, umov::test::one_thread).of<SeriesResult>()[0].value;
}

/// The same series to rounding: the update matrices are symmetric but for the order of sums.
void expect_reciprocity(const Simulation& s, const Port& a, const Port& b) {
  const auto there = received(s, a, b), back = received(s, b, a);
  ASSERT_EQ(there.size(), back.size());
  double largest = 0, difference = 0;
  for (std::size_t i = 0; i < there.size(); ++i) {
    largest = std::max(largest, std::abs(there[i]));
    difference = std::max(difference, std::abs(there[i] - back[i]));
  }
  test::record("reciprocity: largest field %.3e, largest difference %.1e", largest, difference);
  EXPECT_GT(largest, 1e-6);
  EXPECT_LT(difference, 1e-9 * largest);
}

}  // namespace

// A line current I in the plane: w I^2 / 8 per length (|Ez| = w I |H0| / 4); second order, (2 pi / 20)^2
// / 24.
TEST(FdtdRadiation, LineCurrentSendsAnEighthOfItsAngularFrequency) {
  const double found = radiated({3, 3, 0}, {1.4, 1.4, 0}, 20, Ez, false), exact = 2 * pi / 8;
  test::record("line current: power %.6f (exact %.6f)", found, exact);
  EXPECT_NEAR(found / exact, 1, 0.01);
}

// Across its line a sheet-like dipole p per length: E along x in the plane radiates w p'^2 / 16 per length.
TEST(FdtdRadiation, DipoleAcrossThePlaneSendsASixteenthOfItsAngularFrequency) {
  const double found = radiated({3, 3, 0}, {1.4, 1.4, 0}, 20, Ex, true), exact = 2 * pi / 16;
  test::record("dipole in the plane: power %.6f (exact %.6f)", found, exact);
  EXPECT_NEAR(found / exact, 1, 0.01);
}

// A current element I l: (I l)^2 w^2 / (12 pi), Hertz's formula.
TEST(FdtdRadiation, CurrentElementSendsHertzsPower) {
  const double found = radiated({2.2, 2.2, 2.2}, {0.8, 0.8, 0.8}, 16, Ez, false);
  const double exact = 4 * pi * pi / (12 * pi);
  test::record("current element: power %.6f (exact %.6f)", found, exact);
  EXPECT_NEAR(found / exact, 1, 0.015);
}

TEST(FdtdReciprocity, HoldsInARandomMediumWithEOutOfThePlane) {
  expect_reciprocity(random_medium({3, 3, 0}, 20, false), {Ez, {-0.93, 0.61, 0}}, {Ez, {0.72, -0.87, 0}});
}

// Averaged edges couple Ex and Ey there.
TEST(FdtdReciprocity, HoldsInARandomMediumWithEInThePlane) {
  expect_reciprocity(random_medium({3, 3, 0}, 20, true), {Ex, {-0.9, 0.6, 0}}, {Ey, {0.7, -0.9, 0}});
}

// Ports lie in vacuum: in a cell with off-diagonal terms a current drives its own component alone.
TEST(FdtdReciprocity, HoldsInARandomMediumInSpace) {
  auto s = random_medium({3.2, 3.2, 3.2}, 12, false, 0.45);
  s.stop.steps = 300;
  expect_reciprocity(s, {Ex, {-0.6, 0.3, 0.2}}, {Ez, {0.4, 0.1, -0.6}});
}
