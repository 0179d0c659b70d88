// A bent slab against Maxwell's equations in cylindrical coordinates, solved as an ordinary differential
// equation.
#include <gtest/gtest.h>

#include "modes/modes_cases.hpp"

namespace umov::modes {
namespace {

constexpr double bent_core = 1.6, half_width = 0.2, wavelength_of_bend = 1, radius = 5;

/// E'' + E'/r + (k^2 n^2 - nu^2 / r^2) E = 0 in (E, r E') by Runge and Kutta along a line of the complex
/// plane.
struct Field {
  cplx e, flux;
};
Field march_of_bend(Field f, cplx from, cplx to, double n, cplx nu, int steps) {
  const double k = 2 * pi / wavelength_of_bend;
  const cplx h = (to - from) / double(steps);
  const auto slope = [&](cplx r, const Field& x) {
    return Field{x.flux / r, -(k * k * n * n * r - nu * nu / r) * x.e};
  };
  for (int i = 0; i < steps; ++i) {
    const cplx r = from + double(i) * h;
    const Field a = slope(r, f);
    const Field b = slope(r + h / 2.0, {f.e + h / 2.0 * a.e, f.flux + h / 2.0 * a.flux});
    const Field c = slope(r + h / 2.0, {f.e + h / 2.0 * b.e, f.flux + h / 2.0 * b.flux});
    const Field d = slope(r + h, {f.e + h * c.e, f.flux + h * c.flux});
    f.e += h / 6.0 * (a.e + 2.0 * b.e + 2.0 * c.e + d.e);
    f.flux += h / 6.0 * (a.flux + 2.0 * b.flux + 2.0 * c.flux + d.flux);
  }
  return f;
}

/// From far inside, where the field only grows outwards, and from far outside on a line into the upper half
/// plane, where the outgoing wave decays: the Wronskian at the outer surface.
cplx mismatch(cplx n_eff) {
  const double k = 2 * pi / wavelength_of_bend;
  const cplx nu = n_eff * k * radius;
  Field in = march_of_bend({1, nu}, radius - 4, radius - half_width, 1, nu, 4000);
  in = march_of_bend(in, radius - half_width, radius + half_width, bent_core, nu, 2000);
  const cplx edge = radius + half_width, end = edge + cplx(14, 14);
  const cplx q = std::sqrt(cplx(k * k) - nu * nu / (end * end));
  const Field out = march_of_bend({1, cplx(0, 1) * q * end}, end, edge, 1, nu, 40000);
  return (in.e * out.flux - in.flux * out.e) / (std::abs(in.e) * std::abs(out.e));
}

TEST(ModesBend, ABentSlabHasTheLossOfCylindricalCoordinates) {
  const double straight = test::zero(
                              [](cplx n) {
                                return test::mismatch({{bent_core, -half_width, half_width}}, 1, false, 1,
                                                      false, 2 * pi / wavelength_of_bend, n);
                              },
                              1.35, 1.36)
                              .real();
  const cplx n = test::zero(mismatch, {straight, 1e-4}, {straight, 2e-4});
  ASSERT_GT(n.imag(), 1e-7);
  Simulation s = test::slabs({{bent_core, -half_width, half_width}}, 1, 10, false, 40, wavelength_of_bend);
  s.bend_radius = radius;
  s.absorber = 60;
  const Mode m = test::only(s);
  EXPECT_NEAR(m.n_eff.real(), n.real(), 3e-3);
  EXPECT_NEAR(m.n_eff.imag(), n.imag(), 0.1 * n.imag());
}

// Layers as thick as the room allows change nothing: inside the bend, where nothing travels, they would.
TEST(ModesBend, ATightBendIsFoundWithLayersOfAnyThickness) {
  Simulation s = test::slabs({{2.0 / 1.444, -0.3, 0.3}}, 1, 7, false, 50, 1.55 / 1.444);
  s.bend_radius = 4;
  std::vector<cplx> index;
  for (const int layers : {40, 60, 75, 90}) {
    s.absorber = layers;
    index.push_back(test::only(s).n_eff);
  }
  for (const cplx n : index) EXPECT_LT(std::abs(n - index[0]), 1e-5) << n << ' ' << index[0];
  EXPECT_GT(index[0].imag(), 1e-4);
}

TEST(ModesBend, AWideBendIsStraight) {
  Simulation s = test::slabs({{bent_core, -half_width, half_width}}, 1, 6, false, 20, wavelength_of_bend);
  const Mode straight = test::only(s);
  s.bend_radius = 1e6;
  s.absorber = 10;
  const Mode bent = test::only(s);
  EXPECT_NEAR(bent.n_eff.real(), straight.n_eff.real(), 1e-5);
  EXPECT_LT(std::abs(bent.n_eff.imag()), 1e-5);
}

}  // namespace
}  // namespace umov::modes
