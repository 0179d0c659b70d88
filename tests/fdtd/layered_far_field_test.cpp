// Far fields of boxes in flat layers: reciprocity on the grid, Fresnel's coefficients, images, power.
#include <gtest/gtest.h>

#include <cmath>

#include "core/error.hpp"
#include "fdtd/monitors/flux.hpp"
#include "fdtd/monitors/near_to_far.hpp"
#include "support/fdtd_cases.hpp"
#include "support/monitor_runs.hpp"

using namespace umov;
using namespace umov::fdtd;
using Kind = MonitorSpec::Kind;

namespace {

/// A box through the whole plane, or along x and y in space, between two heights of the last axis.
BodySpec layer(const std::string& material, double from, double to, int dims) {
  Vec3 center{0, 0, 0}, size{100, 100, 100};
  center[dims - 1] = (from + to) / 2;
  size[dims - 1] = to - from;
  BodySpec b = test::body("box", material, center);
  b.size = size;
  return b;
}

/// A line current (of H: `te`) above a half space of eps 2.25 that ends at y = `top`.
Simulation over_glass(double resolution, bool te, double height, double top = 0) {
  Simulation s;
  s.te = te;
  s.size = {4, 4, 0};
  s.resolution = resolution;
  s.materials = {test::constant("glass", 2.25)};
  s.bodies = {layer("glass", -50, top, 2)};
  s.sources = {test::pulse(te ? Hz : Ez, {0, height, 0}, 1)};
  s.monitors = {test::monitor(Kind::near_to_far, {0, 0.1, 0}, {1.6, 1.8, 0}, {1})};
  return s;
}

FarFieldResult far_field(const Simulation& s, double time = 30) {
  return test::run_monitored(s, time).of<FarFieldResult>().at(0);
}

const std::vector<cplx>& amplitudes(const FarFieldResult& r, bool te) { return te ? r.e_phi : r.e_theta; }

cplx root(double square) { return square >= 0 ? cplx(std::sqrt(square)) : cplx(0, std::sqrt(-square)); }

}  // namespace

TEST(FdtdLayeredFarField, OfALayerThatIsHardlyOneIsThatOfOneMedium) {
  for (const bool te : {false, true}) {
    Simulation s = over_glass(10, te, 0.5);
    s.bodies.clear();
    const auto plain = amplitudes(far_field(s), te);
    s.materials = {test::constant("almost", 1 + 1e-13)};
    s.bodies = {layer("almost", -50, 0.02, 2)};
    const auto layered = amplitudes(far_field(s), te);
    for (std::size_t d = 0; d < plain.size(); d += 7)
      if (d % 180 != 0) {
        EXPECT_LT(std::abs(plain[d] - layered[d]), 1e-9 * std::abs(plain[d])) << te << " " << d;
      }
  }
}

TEST(FdtdLayeredFarField, DoesNotDependOnTheSurface) {
  // An absorbing film with ends off the nodes on a half space; a body in the film and a current askew.
  Simulation s;
  s.size = {4.5, 4.5, 4.5};
  s.resolution = 8;
  s.materials = {test::constant("glass", 2.25), test::constant("film", 3), test::constant("grain", 1.7)};
  s.materials[1].constants.sigma = {0.4, 0.4, 0.4};
  s.bodies = {layer("glass", -50, -0.4, 3), layer("film", -0.4, 0.11, 3),
              test::body("sphere", "grain", {0.1, 0, 0})};
  s.bodies[2].radius = 0.1;
  s.sources = {test::pulse(Ex, {0.1, 0.05, 0.05}, 0.7), test::pulse(Ez, {0, 0.1, 0.3}, 0.7)};
  for (const Vec3& size : {Vec3{0.75, 0.75, 1.0}, Vec3{1, 0.8, 0.9}})
    s.monitors.push_back(test::monitor(Kind::near_to_far, {0.06, 0.05, 0.05}, size, {0.7}));
  // A face of this one lies in the film.
  s.monitors.push_back(test::monitor(Kind::near_to_far, {0.06, 0.05, 0.25}, {0.9, 0.75, 0.9}, {0.7}));
  for (auto& m : s.monitors) m.own<NearToFarSpec>() = {{15, 70, 110, 165}, {0, 50, 200}};
  const Outcome out = test::run_monitored(s, 40);
  const auto& all = out.of<FarFieldResult>();
  double largest = 0;
  for (const cplx& e : all[0].e_theta) largest = std::max(largest, std::abs(e));
  EXPECT_GT(largest, 0);
  // The discrete theorem of reciprocity holds to rounding; what is left of the pulse at the end does not.
  for (std::size_t d = 0; d < all[0].theta.size(); ++d)
    for (const auto& other : {all[1], all[2]}) {
      EXPECT_LT(std::abs(all[0].e_theta[d] - other.e_theta[d]), 1e-6 * largest) << d;
      EXPECT_LT(std::abs(all[0].e_phi[d] - other.e_phi[d]), 1e-6 * largest) << d;
    }
}

// A line current at height h over a half space, upwards: S (exp(-i k h) + r exp(i k h)), k the part of the
// wave vector across; downwards S' t exp(i k h), with t of the wave that comes up through the glass.
TEST(FdtdLayeredFarField, OfALineCurrentOverAHalfSpaceIsFresnels) {
  const double h = 0.5, k = 2 * pi, n = 1.5;
  for (const bool te : {false, true}) {
    double before = 0;
    for (const double resolution : {10.0, 20.0, 40.0}) {
      Simulation s = over_glass(resolution, te, h);
      const auto layered = amplitudes(far_field(s), te);
      s.bodies.clear();
      const auto plain = amplitudes(far_field(s), te);
      double error = 0, largest = 0;
      for (int degree = 1; degree < 360; ++degree) {
        if (degree == 180) continue;
        const double phi = degree * pi / 180;
        const bool up = phi < pi;
        const double along = (up ? 1 : n) * k * std::cos(phi);
        const cplx above = root(k * k - along * along), below = root(n * n * k * k - along * along);
        const double share = te ? n * n : 1;
        // S: the strength of the current as the run without glass has it straight up
        const cplx strength = plain[90] / std::polar(1.0, -k * h);
        cplx expected;
        if (up) {
          const cplx r = (share * above - below) / (share * above + below);
          expected = strength * (std::exp(cplx(0, -1) * above * h) + r * std::exp(cplx(0, 1) * above * h));
        } else {
          const cplx t = 2.0 * below / (share * above + below);
          // the incident wave of unit E has an H of n; line sources spread as 1 / sqrt(k)
          expected = strength / std::sqrt(n) * (te ? n : 1) * t * std::exp(cplx(0, 1) * above * h);
        }
        error = std::max(error, std::abs(layered[degree] - expected));
        largest = std::max(largest, std::abs(expected));
      }
      // second order; waves of the critical angle are nearest to where r has no slope
      if (before > 0) {
        EXPECT_NEAR(before / error, 4, 1.2) << te << resolution;
      }
      before = error;
      if (resolution == 40) {
        EXPECT_LT(error, 0.01 * largest) << te;
      }
    }
  }
}

TEST(FdtdLayeredFarField, PowerAroundEqualsTheFluxWithSecondOrder) {
  for (const bool te : {false, true}) {
    double before = 0;
    for (const double resolution : {10.0, 20.0}) {
      Simulation s = over_glass(resolution, te, 0.3, 0.03);
      std::vector<double> phi;
      for (int i = 0; i < 2880; ++i) phi.push_back(0.0625 + i * 0.125);
      s.monitors[0].own<NearToFarSpec>().phi = phi;
      const FarFieldResult r = far_field(s);
      double around = 0;
      for (const double u : r.intensity) around += u * 2 * pi / 2880;
      const double error = around / r.power[0] - 1;
      if (before != 0) {
        EXPECT_NEAR(before / error, 4, 1) << te;
      }
      before = error;
    }
    EXPECT_LT(std::abs(before), 0.02);
  }
}

TEST(FdtdLayeredFarField, OverAConductingWallOrBodyIsThatOfTheImage) {
  const double h = 0.6, k = 2 * pi;
  for (const bool te : {false, true})
    for (const bool wall : {false, true}) {
      Simulation s = over_glass(20, te, h);
      s.bodies.clear();
      const double bottom = wall ? -2 : -1.2;  // of the wall the monitor's box leaves out a face
      s.sources[0].center = {0, bottom + h, 0};
      s.monitors[0] = test::monitor(Kind::near_to_far, {0, bottom + 0.5, 0}, {1, wall ? 1.0 : 0.9, 0}, {1});
      Simulation free = s;
      free.size[1] = 6;
      const auto plain = amplitudes(far_field(free), te);
      if (wall) {
        s.walls[1][0] = WallKind::pec;
      } else {
        s.materials = {test::constant("metal", 1)};
        s.materials[0].constants.perfect_conductor = true;
        s.bodies = {layer("metal", -50, bottom, 2)};
      }
      const auto over = amplitudes(far_field(s), te);
      const cplx strength = plain[90] / std::polar(1.0, -k * (bottom + h));
      double error = 0;
      for (int degree = 1; degree < 180; ++degree) {
        const double up = k * std::sin(degree * pi / 180);
        const cplx expected = strength * std::polar(1.0, -up * bottom) *
                              (std::polar(1.0, -up * h) + (te ? 1.0 : -1.0) * std::polar(1.0, up * h));
        error = std::max(error, std::abs(over[degree] - expected));
      }
      // waves of 20 cells are short by (k dx)^2 / 24, over the way of h twice and in strength
      EXPECT_LT(error, 3 * k * k / 400 / 24 * 2 * k * h * std::abs(strength)) << te << wall;
      for (int degree = 181; degree < 360; ++degree) EXPECT_EQ(over[degree], 0.0);
    }
}

TEST(FdtdLayeredFarField, SeesTheWholeOfAHalfAndOfAGradedGrid) {
  for (const bool te : {false, true}) {
    Simulation s = over_glass(20, te, 0.4);
    s.monitors[0] = test::monitor(Kind::near_to_far, {0, 0, 0}, {1.6, 1.8, 0}, {1});
    const auto whole = amplitudes(far_field(s), te);
    double largest = 0;
    for (const cplx& e : whole) largest = std::max(largest, std::abs(e));
    Simulation half = s;
    half.walls[0][0] = te ? WallKind::mirror_odd : WallKind::mirror_even;
    const auto mirrored = amplitudes(far_field(half), te);
    Simulation graded = s;
    graded.grid.axis[1].parts = {{-0.1, 0.1, 0.025}};
    const auto on_lines = amplitudes(far_field(graded), te);
    for (int d = 1; d < 360; d += 7) {
      EXPECT_LT(std::abs(whole[d] - mirrored[d]), 1e-7 * largest) << te << " " << d;
      // Graded grids see with waves of the continuum along the layers; those of the grid are short by (k
      // dx)^2 / 24, over the way from the centre to the farthest corner, 1.2.
      const double k = 1.5 * 2 * pi;
      if (d % 180 > 3 && d % 180 < 177) {
        EXPECT_LT(std::abs(whole[d] - on_lines[d]), k * k / 400 / 24 * k * 1.2 * largest) << te << " " << d;
      }
    }
  }
}

TEST(FdtdLayeredFarField, SaysWhatItIsOfAndWhatItCannot) {
  Simulation s = over_glass(10, false, 0.5);
  const Outcome out = test::run_monitored(s, 2);
  bool said = false;
  for (const std::string& note : out.notes) said |= note.find("'glass' up to y = 0") != std::string::npos;
  EXPECT_TRUE(said);
  for (const std::string& warning : out.warnings) EXPECT_EQ(warning.find("outside it"), std::string::npos);
  // a body that the box cuts within the layers
  s.materials.push_back(test::constant("grain", 3));
  s.bodies.push_back(test::body("cylinder", "grain", {0.8, 0.3, 0}));
  s.bodies.back().radius = 0.15;
  s.bodies.back().center = {0.75, 0.3, 0};
  try {
    test::MonitoredRun run(s);
    FAIL();
  } catch (const BadInput& e) {
    EXPECT_NE(std::string(e.what()).find("cuts a body"), std::string::npos) << e.what();
  }
}
