// What the validation states of the error at a metal's surface, against exact series at single frequencies.
#include <gtest/gtest.h>

#include "fdtd/model/validate.hpp"
#include "fdtd/monitors/flux.hpp"
#include "support/cylinder_functions.hpp"
#include "support/fdtd_runs.hpp"
#include "support/machines.hpp"
#include "support/record.hpp"

namespace umov::fdtd {
namespace {

/// A cylinder off the grid with H along it, lit along x, between the boxes that absorption and scattering are
/// measured on, well before the layers.
Simulation cylinder(const std::string& metal, double radius, double dx) {
  const double half = dx * std::ceil(radius / dx + 26);
  Simulation s = test::checked_case({2 * half, 2 * half, 0}, 1 / dx);
  s.te = true;
  s.bodies = {test::ball("cylinder", metal, radius)};
  s.bodies[0].center = {0.23 * dx, 0.37 * dx, 0};
  const auto square = [&](int cells) {
    return Vec3{2 * (radius + cells * dx), 2 * (radius + cells * dx), 0};
  };
  s.sources = {test::plane_wave(test::pulse(2.2, 0.25), 0, square(4))};
  s.monitors = {test::flux_through("absorbed", {0, 0, 0}, square(2), {1}, true),
                test::flux_through("scattered", {0, 0, 0}, square(7), {1}, true)};
  return s;
}

struct MetalErrors {
  double absorption = 0, scattering = 0;
};
/// What the validation states for a carrier of that frequency, in per cent; without a warning what it
/// tolerates.
MetalErrors stated_at(Simulation s, double frequency) {
  s.sources[0].waveform.frequency = frequency;
  const auto scene = make_scene(s);
  for (const auto& finding : validate(s, *scene, make_grid(s, *scene))) {
    const std::string& text = finding.message;
    if (const auto at = text.find("in what it absorbs and up to "); at != std::string::npos) {
      MetalErrors e;
      const auto first = text.find("): expect ") + 10;
      EXPECT_EQ(std::sscanf(text.c_str() + first, "%*[a-z ]%lf", &e.absorption) +
                    (text.find("100 % or more") != std::string::npos ? 1 : 0),
                1);
      if (text.find("100 % or more") != std::string::npos) e.absorption = INFINITY;
      EXPECT_EQ(std::sscanf(text.c_str() + at, "in what it absorbs and up to %lf", &e.scattering), 1);
      return e;
    }
  }
  return {12.5, 5};
}

/// Counts frequencies, one by one, at which the true error is within the stated one.
struct Covered {
  int all = 0, absorption = 0, scattering = 0;
};
void compare_stated(Simulation s, const std::vector<double>& frequencies, double time, Covered& covered) {
  for (auto& m : s.monitors) m.frequencies = frequencies;
  s.stop = {.time = time};
  const auto out = fdtd::run(s, umov::test::one_thread);
  const auto metal = make_scene(s)->materials()[1];
  for (std::size_t i = 0; i < frequencies.size(); ++i) {
    const double f = frequencies[i],
                 unit = 2 * s.bodies[0].radius * test::irradiance(s.sources[0].waveform, f);
    const auto exact = test::cylinder_efficiencies(2 * pi * f * s.bodies[0].radius,
                                                   std::sqrt(metal.permittivity(2 * pi * f)), false);
    const double absorbed = exact.extinction - exact.scattering;
    const MetalErrors stated = stated_at(s, f);
    ++covered.all;
    covered.absorption +=
        100 * std::abs(-out.of<FluxResult>()[0].flux[i] / unit / absorbed - 1) <= stated.absorption;
    covered.scattering +=
        100 * std::abs(out.of<FluxResult>()[1].flux[i] / unit / exact.scattering - 1) <= stated.scattering;
  }
}

std::vector<double> evenly(double from, double to, int count) {
  std::vector<double> f;
  for (int i = 0; i < count; ++i) f.push_back(from + (to - from) * i / (count - 1));
  return f;
}

// 10 (1 + |eps|) / Im eps per cent over the cells in the depth holds at more than 90 of 100 frequencies of
// cylinders at four places in the grid (model/validate_metals.cpp), and 17 per cent for what they scatter.
TEST(FdtdMetalError, WithHAlongTheStatedErrorOfAMetalHoldsInNineOfTenCases) {
  Covered covered;
  for (const char* metal : {"silver", "gold"})
    compare_stated(cylinder(metal, 0.05, 0.008), evenly(1.3, 3, 14), 16, covered);
  // plasma frequency 1; 5.7 to 12 cells in the depth
  for (const double loss : {0.1, 0.6}) {
    Simulation s = cylinder("silver", 0.3, 0.028);
    s.materials = {test::constant("drude", 1)};
    s.materials[0].constants.poles = {{materials::Pole::Kind::drude, 4 * pi * pi, 0, loss, 0}};
    s.bodies[0].material = "drude";
    s.sources[0].waveform = test::pulse(0.6, 0.3);
    compare_stated(s, evenly(0.3, 0.95, 14), 60, covered);
  }
  test::record("%d cases: absorption within the stated error in %d, scattering in %d", covered.all,
               covered.absorption, covered.scattering);
  EXPECT_GE(covered.absorption, 0.9 * covered.all);
  EXPECT_GE(covered.scattering, 0.9 * covered.all);
}

// From 2 cells of radius on: mixed over two cells a radius of 2 scattered 20 to 30 % less, where 17 / n said
// 4.5 % (n = 3.8 cells in the depth).
TEST(FdtdMetalError, WithHAlongTheStatedErrorOfFewCellsInARadiusHoldsInNineOfTenCases) {
  Covered covered;
  for (const double eps : {1.0, 1.02})
    for (const double cells : {2.0, 3.0, 4.0, 6.0})
      for (const Vec3& place : {Vec3{0, 0, 0}, Vec3{0.5, 0.5, 0}, Vec3{0.23, 0.37, 0}}) {
        const double dx = 0.05 / cells;
        Simulation s = cylinder("silver", 0.05, dx);
        s.bodies[0].center = dx * place;
        s.materials = {test::constant("drude", eps)};
        s.materials[0].constants.poles = {{materials::Pole::Kind::drude, 16 * pi * pi, 0, 0.3, 0}};
        s.bodies[0].material = "drude";
        s.sources[0].waveform = test::pulse(1.1, 0.2);
        compare_stated(s, evenly(0.8, 1.4, 5), 30, covered);
      }
  test::record("%d cases: absorption within the stated error in %d, scattering in %d", covered.all,
               covered.absorption, covered.scattering);
  EXPECT_GE(covered.absorption, 0.9 * covered.all);
  EXPECT_GE(covered.scattering, 0.9 * covered.all);
}

// At 2 cells per radius cells are mixed one by one, in whatever place: as before the two-cell mixture.
TEST(FdtdMetalError, DrudeCylinderOfTwoCellsScattersWithinTheErrorOfOneCellMixed) {
  Simulation s = cylinder("silver", 0.05, 0.025);
  s.bodies[0].center = {0, 0, 0};
  s.materials = {test::constant("drude", 1)};
  s.materials[0].constants.poles = {{materials::Pole::Kind::drude, 16 * pi * pi, 0, 0.3, 0}};
  s.bodies[0].material = "drude";
  s.sources[0].waveform = test::pulse(1.1, 0.2);
  const std::vector<double> frequencies{0.8, 0.95, 1.1, 1.25, 1.4};
  for (auto& m : s.monitors) m.frequencies = frequencies;
  s.stop = {.time = 30};
  const auto out = fdtd::run(s, umov::test::one_thread);
  double sum = 0;
  for (std::size_t i = 0; i < frequencies.size(); ++i) {
    const double f = frequencies[i], unit = 2 * 0.05 * test::irradiance(s.sources[0].waveform, f);
    const auto exact = test::cylinder_efficiencies(
        2 * pi * f * 0.05, std::sqrt(make_scene(s)->materials()[1].permittivity(2 * pi * f)), false);
    sum +=
        std::abs(out.of<FluxResult>()[1].flux[i] / unit / exact.scattering - 1) / double(frequencies.size());
  }
  test::record("scattering off by %.3f in the mean", sum);
  EXPECT_LT(sum, 0.15);  // mixed over two 0.25
}

// Fields are singular at a metal's edges: a warning says so where the depth alone would not ask for one.
TEST(FdtdMetalError, EdgesOfAMetalAreWarnedOfWithHAlong) {
  Simulation s = test::checked_case({3, 3, 0}, 80);
  s.te = true;
  s.materials = {test::constant("drude", 1)};
  s.materials[0].constants.poles = {{materials::Pole::Kind::drude, std::pow(2 * pi * 2.5, 2), 0, 1, 0}};
  s.bodies = {test::body("box", "drude", {0, 0, 0})};
  s.bodies[0].size = Vec3{0.43, 0.52, 0};
  s.sources = {test::plane_wave(test::pulse(1, 0.12), 0, {1.2, 1.2, 0})};
  s.monitors = {test::flux_through("f", {0, 0, 0}, {1, 1, 0}, {1}, true)};
  // Of a grating of such ridges, against rigorous coupled waves: R off by 15 % at 80 cells, by 7 % at 160.
  EXPECT_GT(stated_at(s, 1).scattering, 14.9);
  EXPECT_LT(stated_at(s, 1).scattering, 30);
  s.bodies[0].size = Vec3{0.43, 0, 0};  // a film has none
  EXPECT_EQ(stated_at(s, 1).scattering, 5);
}

// The cells of a graded grid along a film say nothing of the field across it: 0.0025 units long across, 0.025
// along, a film with a depth of 0.16 is as well resolved as on a uniform grid of 400 cells per unit.
TEST(FdtdMetalError, AFilmOnAGradedGridIsJudgedByItsCellsAcross) {
  Simulation s = test::checked_case({4, 0.2, 0}, 40);
  s.walls[1] = {WallKind::periodic, WallKind::periodic};
  s.materials = {test::constant("drude", 3)};
  s.materials[0].constants.poles = {{materials::Pole::Kind::drude, 158, 0, 0.3, 0}};
  s.bodies = {test::layer("drude", 0, 0.03)};
  s.sources = {test::plane_wave(test::pulse(1, 0.15))};
  const double tolerated = 5;  // no warning
  EXPECT_GT(stated_at(s, 1).scattering, tolerated);
  s.grid.axis[0].parts = {{-0.02, 0.05, 0.0025}};
  EXPECT_EQ(stated_at(s, 1).scattering, tolerated);
  s.grid.axis[0].parts = {{-0.02, 0.05, 0.02}};
  EXPECT_GT(stated_at(s, 1).scattering, tolerated);
}

// A cylinder of little loss in the middle of a node, eps = -5.84 + 0.15i at 7.2 cells in the depth: mixed
// over one cell its surface resonated and absorbed 2.8 times what it should. Measured:
// 6 % off and 0.2 % in scattering; absorption is held to what nine of ten keep (6 (1 + |eps|) / Im eps / n =
// 38
// %).
TEST(FdtdMetalError, DrudeCylinderOfLittleLossAbsorbsAsTheSeriesSays) {
  Simulation s = cylinder("silver", 0.4, 0.025);
  s.bodies[0].center = {0, 0, 0};
  s.materials = {test::constant("drude", 1)};
  s.materials[0].constants.poles = {{materials::Pole::Kind::drude, 35, 0, 0.05, 0}};
  s.bodies[0].material = "drude";
  s.sources[0].waveform = test::pulse(0.32, 0.15);
  for (auto& m : s.monitors) m.frequencies = {0.36};
  s.stop = {.time = 200};
  const auto out = fdtd::run(s, umov::test::one_thread);
  const double f = 0.36, unit = 2 * 0.4 * test::irradiance(s.sources[0].waveform, f);
  const auto exact = test::cylinder_efficiencies(
      2 * pi * f * 0.4, std::sqrt(make_scene(s)->materials()[1].permittivity(2 * pi * f)), false);
  const double absorbed = -out.of<FluxResult>()[0].flux[0] / unit / (exact.extinction - exact.scattering);
  const double scattered = out.of<FluxResult>()[1].flux[0] / unit / exact.scattering;
  test::record("absorbed %.4f, scattered %.4f of the series", absorbed, scattered);
  EXPECT_NEAR(absorbed, 1, 0.38);
  EXPECT_NEAR(scattered, 1, 0.03);
}

}  // namespace
}  // namespace umov::fdtd
