// Reflection and transmission of plane layers: Fresnel's formulas at several angles, a slab's etalon, a metal
// film.
#include <gtest/gtest.h>

#include "fdtd/monitors/flux.hpp"
#include "materials/library.hpp"
#include "support/fdtd_runs.hpp"
#include "support/machines.hpp"
#include "support/record.hpp"

using namespace umov;
using namespace umov::fdtd;
using namespace umov::test;

namespace {

struct Powers {
  double reflected = 0, transmitted = 0;
};

/// From vacuum into index n; `te`: H out of the plane, so E in the plane of incidence.
Powers fresnel(double index, double degrees, bool te) {
  const double c = std::cos(degrees * pi / 180), s = std::sin(degrees * pi / 180);
  const double inside = std::sqrt(1 - s * s / (index * index));
  const double r =
      te ? (index * c - inside) / (index * c + inside) : (c - index * inside) / (c + index * inside);
  return {r * r, 1 - r * r};
}

/// A film of permittivity eps and thickness d in vacuum at normal incidence (Born and Wolf 1999, 1.6.4).
Powers film(cplx eps, double d, double frequency) {
  const cplx n = std::sqrt(eps), r = (1.0 - n) / (1.0 + n);
  const cplx phase = std::exp(cplx(0, 2 * pi * frequency * d) * n), below = 1.0 - r * r * phase * phase;
  return {std::norm(r * (1.0 - phase * phase) / below), std::norm((1.0 - r * r) * phase / below)};
}

std::vector<Powers> powers(const Outcome& out) {
  std::vector<Powers> p;
  for (std::size_t i = 0; i < out.of<FluxResult>()[0].frequency.size(); ++i)
    p.push_back({-out.of<FluxResult>()[0].scattered[i] / out.of<FluxResult>()[0].reference[i],
                 out.of<FluxResult>()[1].flux[i] / out.of<FluxResult>()[1].reference[i]});
  return p;
}

constexpr double glass_index = 1.5;

/// A half space of glass between Bloch walls, two cells thick along the surface.
Powers interface_run(double degrees, bool te, double resolution) {
  const double dx = 1 / resolution, height = 2 * dx;
  Simulation s = checked_case({3 + 20 * dx, height, 0}, resolution, 1e-10);
  s.te = te;
  s.walls[1] = {WallKind::bloch, WallKind::bloch};
  s.bloch = {0, std::sin(degrees * pi / 180), 0};
  s.materials = {constant("glass", glass_index * glass_index)};
  s.bodies = {layer("glass", 0, 100)};
  // One wave vector along the surface is another angle at each frequency: the pulse is so narrow that four
  // standard deviations below its centre are still off grazing.
  const double grazing = std::sin(degrees * pi / 180);
  s.sources = {plane_wave(pulse(1, std::min(0.05, (1 - grazing) / 4)), degrees)};
  s.monitors = {flux_through("reflected", {-0.5, 0, 0}, {0, height, 0}, {1}),
                flux_through("transmitted", {0.5, 0, 0}, {0, height, 0}, {1})};
  s.normalize = true;
  return powers(fdtd::run(s, umov::test::one_thread))[0];
}

/// A layer in one dimension, lit by a pulse that spans the frequencies.
std::vector<Powers> layer_run(const Simulation& base, const std::vector<double>& f, double reach) {
  Simulation s = base;
  const double middle = (f.front() + f.back()) / 2;
  s.sources = {plane_wave(pulse(middle, (f.back() - f.front()) / middle / 2))};
  s.monitors = {flux_through("reflected", {-reach, 0, 0}, {0, 0, 0}, f),
                flux_through("transmitted", {reach, 0, 0}, {0, 0, 0}, f)};
  s.normalize = true;
  return powers(fdtd::run(s, umov::test::one_thread));
}

std::vector<double> spread(double from, double to, int count) {
  std::vector<double> f;
  for (int i = 0; i < count; ++i) f.push_back(from + (to - from) * i / (count - 1));
  return f;
}

/// Largest deviation of R and T from a formula over the spectrum.
template <class Formula>
double deviation(const std::vector<Powers>& found, const std::vector<double>& f, const Formula& formula) {
  double largest = 0;
  for (std::size_t i = 0; i < f.size(); ++i) {
    const Powers exact = formula(f[i]);
    largest = std::max({largest, std::abs(found[i].reflected - exact.reflected),
                        std::abs(found[i].transmitted - exact.transmitted)});
  }
  return largest;
}

}  // namespace

// The step's own errors, of second order: half of (k dx)^2 / 4 = 2.5 % of the amplitude at 20 cells, more
// towards grazing; a quarter of that at 40. R + T is left at 1 by the grid, so it shows what layers and ends
// add.
TEST(FdtdFresnel, ReflectionAtSeveralAnglesConvergesToTheFormulas) {
  for (const bool te : {false, true})
    for (const double degrees : {0.0, 30.0, 56.31, 70.0}) {
      const Powers exact = fresnel(glass_index, degrees, te);
      double error[2];
      for (int i = 0; i < 2; ++i) {
        const Powers found = interface_run(degrees, te, 20 << i);
        error[i] = found.reflected - exact.reflected;
        test::record("Fresnel %s %.2f degrees, %d cells: R %.6f (exact %.6f), T %.6f, R + T - 1 = %.1e",
                     te ? "p" : "s", degrees, 20 << i, found.reflected, exact.reflected, found.transmitted,
                     found.reflected + found.transmitted - 1);
        EXPECT_NEAR(found.reflected + found.transmitted, 1, 3e-4);
      }
      EXPECT_LT(std::abs(error[1]), 3e-3) << degrees << " degrees, te " << te;
      EXPECT_LT(std::abs(error[1]), std::max(std::abs(error[0]) / 2.5, 3e-4))
          << degrees << " degrees, te " << te;
    }
}

// The optical thickness is off by the dispersion, (2 pi n f dx)^2 / 24 (1 - S^2): at 40 cells per unit and
// n f = 1.4 by 4e-4 of 2.8 half waves, which shifts the fringes, slopes of about 3 per half wave, by 0.003.
TEST(FdtdEtalon, SlabFollowsAiryWithSecondOrder) {
  const auto f = spread(0.3, 0.7, 41);
  const auto airy = [](double frequency) { return film(4, 1, frequency); };
  double error[2];
  for (int i = 0; i < 2; ++i) {
    Simulation s = checked_case({4, 0, 0}, 40 << i);
    s.materials = {constant("glass", 4)};
    s.bodies = {layer("glass", -0.5, 0.5)};
    const auto found = layer_run(s, f, 1);
    error[i] = deviation(found, f, airy);
    test::record("etalon, %d cells per unit: largest error of R and T %.2e", 40 << i, error[i]);
    for (const auto& p : found) EXPECT_NEAR(p.reflected + p.transmitted, 1, 1e-4);
  }
  EXPECT_LT(error[0], 0.02);
  EXPECT_GT(order_of(error[0], error[1]), 1.8);
}

// 20 nm of silver over the visible, in micrometres. Cells with poles are not averaged, so the film ends half
// a cell outside its outermost nodes to be as thick as it should.
TEST(FdtdFilm, SilverOfTwentyNanometresFollowsTheTransferMatrixOfItsModel) {
  const auto f = spread(1 / 0.8, 1 / 0.4, 17);
  const auto& silver = materials::find("silver").material;
  const auto exact = [&](double frequency) {
    return film(silver.permittivity(materials::angular_frequency(1 / frequency)), 0.02, frequency);
  };
  double error[2];
  for (int i = 0; i < 2; ++i) {
    const double dx = 0.002 / (i + 1), cells = 0.02 / dx;
    Simulation s = checked_case({0.6, 0, 0}, 1 / dx, 1e-11);
    MaterialSpec m;
    m.name = "film";
    m.library = "silver";
    s.materials = {m};
    s.bodies = {layer("film", -0.5 * dx, (cells - 0.5) * dx)};
    const auto found = layer_run(s, f, 0.2);
    error[i] = deviation(found, f, exact);
    test::record("silver film, cells of %.2f nm: largest error of R and T %.2e; at %.0f nm R %.4f T %.4f",
                 1000 * dx, error[i], 1000 / f[5], found[5].reflected, found[5].transmitted);
  }
  EXPECT_LT(error[1], 1e-3);
  EXPECT_GT(order_of(error[0], error[1]), 1.5);
}
