// The power of a point current before a mirror, against that of the current and its image.
#include "fdtd/monitors/ldos.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "core/error.hpp"
#include "fdtd/run/run.hpp"
#include "support/fdtd_runs.hpp"

namespace umov::fdtd {
namespace {

const std::vector<double> frequencies{0.8, 1, 1.2};

/// A current before a mirror at x = 0 that is a body, so that a reference run lacks it.
Simulation before_mirror(const Vec3& size, double resolution, Component c, double distance,
                         double index = 1) {
  Simulation s = test::checked_case(size, resolution, 1e-7);
  s.te = c != Ez && size[2] == 0;
  auto mirror = test::body("box", "pec", {-size[0] / 2, 0, 0});
  mirror.size = Vec3{size[0], 2 * size[1], 2 * size[2]};
  s.bodies = {mirror};
  if (index != 1) {
    MaterialSpec glass;
    glass.name = "glass";
    glass.index = index;
    s.materials.push_back(glass);
    s.background = "glass";
  }
  s.sources = {test::point_source(test::pulse(1, 0.15), c, {distance, 0, 0})};
  s.monitors = {test::monitor(MonitorSpec::Kind::ldos, "emission", {0, 0, 0}, {0, 0, 0}, frequencies)};
  return s;
}

/// The image at a distance of x / k adds its field in the place of the current: in the plane with Bessel
/// functions, in space as Chance, Prock and Silbey (Adv. Chem. Phys. 37, 1, 1978) have it for a perfect
/// mirror.
double with_image(Component c, bool space, double x) {
  const double j0 = std::cyl_bessel_j(0, x), j1 = std::cyl_bessel_j(1, x), s = std::sin(x), o = std::cos(x);
  if (!space) return c == Ez ? 1 - j0 : c == Ex ? 1 + 2 * j1 / x : 1 - 2 * (j0 - j1 / x);
  return c == Ex ? 1 + 3 * (s / (x * x * x) - o / (x * x))
                 : 1 - 1.5 * (s / x + o / (x * x) - s / (x * x * x));
}

const LdosResult& only(const Outcome& o) { return o.of<LdosResult>().at(0); }

// The density of the grid's own waves is larger than in space, in the plane by (k dx)^2 / 8 of 1 at most: 1.8
// % at 20 cells in the shortest wavelength, with which the mirror's distance counts, too. Layers send back
// 1e-3 at grazing.
TEST(FdtdLdos, AMirrorBeforeALineIsItsImage) {
  for (const Component c : {Ez, Ex, Ey})
    for (const double index : {1.0, 1.4})
      for (const bool compared : {false, true}) {
        Simulation s = before_mirror({6, 6, 0}, 30, c, 0.45, index);
        s.normalize = compared;
        const Outcome o = run(s, test::one_thread);
        const LdosResult& r = only(o);
        EXPECT_EQ(r.by_reference, compared);
        EXPECT_NEAR(r.index, index, 1e-6);
        for (std::size_t f = 0; f < frequencies.size(); ++f) {
          const double exact = with_image(c, false, 2 * 2 * pi * frequencies[f] * index * 0.45);
          const double phase = 2 * pi * frequencies[f] * index / 30;
          EXPECT_NEAR(r.power[f] / r.homogeneous[f], exact, phase * phase / 4 + 5e-3)
              << c << ' ' << index << ' ' << compared << ' ' << frequencies[f];
        }
      }
}

// A wall of the domain is in the reference run, too: all factors are 1.
TEST(FdtdLdos, AReferenceRunThatLeavesOutNothingIsWarnedOf) {
  const auto warned = [](const Simulation& s) {
    const auto all = plan(s, test::one_thread).outcome.warnings;
    return std::ranges::any_of(
        all, [](const std::string& text) { return text.find("Purcell factors are 1") != std::string::npos; });
  };
  Simulation s = before_mirror({6, 6, 0}, 20, Ez, 0.45);
  s.normalize = true;
  EXPECT_FALSE(warned(s));
  s.bodies[0].in_reference = true;
  EXPECT_TRUE(warned(s));
  s.normalize = false;
  EXPECT_FALSE(warned(s));
}

TEST(FdtdLdos, AMirrorBeforeADipoleIsItsImage) {
  for (const Component c : {Ex, Ez}) {
    Simulation s = before_mirror({3.2, 3.2, 3.2}, 20, c, 0.4);
    s.bodies[0].center = {-3.2 / 2, 0, 0};
    s.stop.decay = 1e-5;
    const Outcome o = run(s, test::one_thread);
    for (std::size_t f = 0; f < frequencies.size(); ++f) {
      const double exact = with_image(c, true, 2 * 2 * pi * frequencies[f] * 0.4),
                   phase = 2 * pi * frequencies[f] / 20;
      EXPECT_NEAR(only(o).power[f] / only(o).homogeneous[f], exact, phase * phase / 4 + 5e-3)
          << c << ' ' << frequencies[f];
    }
  }
}

// In one dimension E of a sheet is I / (2 n), and a mirror at a distance d makes of its power 1 - cos(2 k d).
TEST(FdtdLdos, AMirrorBeforeASheetIsItsImage) {
  Simulation s = before_mirror({6, 0, 0}, 40, Ez, 0.35);
  const Outcome o = run(s, test::one_thread);
  for (std::size_t f = 0; f < frequencies.size(); ++f)
    EXPECT_NEAR(only(o).power[f] / only(o).homogeneous[f], 1 - std::cos(4 * pi * frequencies[f] * 0.35),
                0.01);
}

TEST(FdtdLdos, WhatHasNoPowerOfItsOwnIsRefused) {
  const auto refusal = [](const auto& change) -> std::string {
    Simulation s = before_mirror({4, 4, 0}, 16, Ez, 0.5);
    change(s);
    try {
      run(s, test::one_thread);
    } catch (const BadInput& e) {
      return e.what();
    }
    return "nothing was thrown";
  };
  const auto has = [](const std::string& text, const char* part) {
    EXPECT_NE(text.find(part), text.npos) << text;
  };
  has(refusal([](Simulation& s) { s.sources.push_back(s.sources[0]); }), "2 sources");
  has(refusal([](Simulation& s) { s.sources[0].kind = SourceSpec::Kind::line; }), "another kind");
  has(refusal([](Simulation& s) { s.sources[0].hard = true; }), "leave hard out");
  has(refusal([](Simulation& s) { s.sources[0].component = Hx; }), "Ex, Ey or Ez");
}

}  // namespace
}  // namespace umov::fdtd
