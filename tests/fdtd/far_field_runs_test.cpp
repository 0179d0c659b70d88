// Far fields and cross sections on runs of the engine.
#include <gtest/gtest.h>

#include "core/error.hpp"
#include "fdtd/monitors/flux.hpp"
#include "fdtd/monitors/near_to_far.hpp"
#include "fdtd/run/run.hpp"
#include "support/fdtd_cases.hpp"
#include "support/machines.hpp"
#include "support/monitor_runs.hpp"

using namespace umov;
using namespace umov::fdtd;
using Kind = MonitorSpec::Kind;

namespace {

Simulation wire_current(double resolution) {
  Simulation s;
  s.size = {4, 4, 0};
  s.resolution = resolution;
  s.sources = {test::pulse(Ez, {0.2, -0.1, 0}, 1)};
  return s;
}

/// A cylinder of refractive index m and size parameter x = k a = 1 at frequency 1.
Simulation cylinder(double eps, double x, double resolution, bool te) {
  const double radius = x / (2 * pi), half = radius + 0.7;
  Simulation s;
  s.te = te;
  s.size = {2 * half + 20 / resolution, 2 * half + 20 / resolution, 0};
  s.resolution = resolution;
  s.materials = {test::constant("glass", eps)};
  s.bodies = {test::body("cylinder", "glass", {0, 0, 0})};
  s.bodies[0].radius = radius;
  SourceSpec wave = test::pulse(Ez, {0, 0, 0}, 1);
  wave.kind = SourceSpec::Kind::plane_wave;
  wave.phi = 20;
  wave.size = {2 * radius + 0.5, 2 * radius + 0.5, 0};
  s.sources = {wave};
  s.monitors = {test::monitor(Kind::near_to_far, {0, 0, 0}, {2 * radius + 0.9, 2 * radius + 0.9, 0}, {1})};
  return s;
}

}  // namespace

TEST(FdtdFarFieldRuns, DoesNotDependOnTheSurface) {
  Simulation s = wire_current(12);
  s.monitors = {test::monitor(Kind::near_to_far, {0, 0, 0}, {1, 1, 0}, {1}),
                test::monitor(Kind::near_to_far, {0.1, 0.1, 0}, {1.8, 1.6, 0}, {1})};
  const Outcome out = test::run_monitored(s, 30);
  const auto &a = out.of<FarFieldResult>()[0].e_theta, &b = out.of<FarFieldResult>()[1].e_theta;
  // Discrete reciprocity holds to rounding; what the pulse leaves behind in two dimensions decays slowly.
  for (std::size_t d = 0; d < a.size(); d += 13) EXPECT_LT(std::abs(a[d] - b[d]), 1e-6 * std::abs(a[d]));
}

TEST(FdtdFarFieldRuns, PowerAroundEqualsTheFluxWithSecondOrder) {
  double before = 0;
  for (const double resolution : {10.0, 20.0}) {
    Simulation s = wire_current(resolution);
    s.monitors = {test::monitor(Kind::near_to_far, {0, 0, 0}, {1.2, 1.2, 0}, {1})};
    const FarFieldResult r = test::run_monitored(s, 20).of<FarFieldResult>()[0];
    double around = 0;
    for (const double u : r.intensity) around += u * 2 * pi / 360;
    const double error = around / r.power[0] - 1;
    if (before != 0) {
      EXPECT_NEAR(before / error, 4, 0.6);
    }
    before = error;
  }
  EXPECT_LT(std::abs(before), 0.02);
}

TEST(FdtdFarFieldRuns, ScatteringOfACylinderMatchesItsSeriesAndEqualsExtinction) {
  // Q of an infinite cylinder, m = 2, x = 1, E along it (Bohren and Huffman 1983, sec. 8.4): 2.862930.
  const double radius = 1 / (2 * pi);
  const FarFieldResult r = test::run_monitored(cylinder(4, 1, 40, false), 30).of<FarFieldResult>()[0];
  EXPECT_NEAR(r.scattering_cross_section[0] / (2 * radius), 2.862930, 0.01 * 2.862930);
  EXPECT_NEAR(r.extinction[0] / r.scattering_cross_section[0], 1, 1e-5);
}

TEST(FdtdFarFieldRuns, ExtinctionEqualsScatteringOfALosslessCylinderAcrossIt) {
  const FarFieldResult r = test::run_monitored(cylinder(2.25, 1.5, 20, true), 30).of<FarFieldResult>()[0];
  EXPECT_GT(r.extinction[0], 0.01);
  EXPECT_NEAR(r.extinction[0] / r.scattering_cross_section[0], 1, 1e-5);
}

TEST(FdtdFarFieldRuns, AbsorptionIsTheFluxIntoTheBody) {
  Simulation s = cylinder(4, 1, 20, false);
  s.materials[0].constants.sigma = {1, 1, 1};
  MonitorSpec inside = test::monitor(Kind::flux, {0, 0, 0}, {0.6, 0.6, 0}, {1});
  inside.box = true;
  s.monitors.push_back(inside);
  MonitorSpec outside = test::monitor(Kind::flux, {0, 0, 0}, {1.2, 1.2, 0}, {1});
  outside.box = true;
  s.monitors.push_back(outside);
  const Outcome out = test::run_monitored(s, 25);
  const FarFieldResult& r = out.of<FarFieldResult>()[0];
  const double intensity = r.power[0] / r.scattering_cross_section[0];
  EXPECT_GT(r.absorption[0], 0.05);
  EXPECT_NEAR(-out.of<FluxResult>()[0].flux[0] / intensity / r.absorption[0], 1, 1e-5);
  EXPECT_NEAR(out.of<FluxResult>()[1].flux[0] / r.power[0], 1, 1e-6);
}

TEST(FdtdFarFieldRuns, ScatteringOfASphereMatchesMieOnAQuarterOfTheGrid) {
  // Q of a sphere, m = 2, x = 1 (Bohren and Huffman 1983, sec. 4.4): 0.796830. E along z, travel along x.
  const double radius = 1 / (2 * pi), resolution = 50;
  Simulation s;
  s.size = {1.16, 1.16, 1.16};
  s.resolution = resolution;
  s.walls[1][0] = WallKind::mirror_even;
  s.walls[2][0] = WallKind::mirror_odd;
  s.materials = {test::constant("glass", 4)};
  s.bodies = {test::body("sphere", "glass", {0, 0, 0})};
  s.bodies[0].radius = radius;
  SourceSpec wave = test::pulse(Ez, {0, 0, 0}, 1);
  wave.kind = SourceSpec::Kind::plane_wave;
  wave.size = {0.48, 0.48, 0.48};
  s.sources = {wave};
  s.monitors = {test::monitor(Kind::near_to_far, {0, 0, 0}, {0.6, 0.6, 0.6}, {1})};
  s.monitors[0].own<NearToFarSpec>() = {{0, 90}, {0, 90, 180}};
  const FarFieldResult r = test::run_monitored(s, 12).of<FarFieldResult>()[0];
  const double area = pi * radius * radius;
  EXPECT_NEAR(r.scattering_cross_section[0] / area, 0.796830, 0.01 * 0.796830);
  // Folded frequencies and what the layers reflect; measured 1.2e-5.
  EXPECT_NEAR(r.extinction[0] / r.scattering_cross_section[0], 1, 5e-5);
  // Nothing is scattered along E but what the size of the sphere allows; forward exceeds backward.
  EXPECT_GT(r.intensity[3], r.intensity[5]);
  EXPECT_LT(r.intensity[0], 0.1 * r.intensity[3]);
}

TEST(FdtdFarFieldRuns, RefusesAFaceInsideTheTotalField) {
  Simulation s = cylinder(4, 1, 20, false);
  s.monitors[0].size = {0.6, 0.6, 0};
  EXPECT_THROW(test::MonitoredRun{s}, BadInput);
  s = cylinder(4, 1, 20, false);
  s.sources.push_back(s.sources[0]);
  EXPECT_THROW(test::MonitoredRun{s}, BadInput);
}

// What a lossless body seems to absorb is what the end of the run left out; the error of its record is that
// of fluxes, a quarter of the error and more (fdtd/observables/flux_history.hpp).
TEST(FdtdFarFieldRuns, AbsorptionOfALosslessBodyLiesWithinTheErrorOfItsRecord) {
  double before = 0;
  for (const double decay : {1e-6, 1e-9}) {
    Simulation s = cylinder(6, 1.948, 40, true);
    s.size = {4, 4, 0};
    s.sources[0].waveform.frequency = 0.85;
    s.sources[0].waveform.width = 0.15;
    s.stop.decay = decay;
    s.monitors[0].frequencies = {0.7, 0.85, 1};
    const FarFieldResult r = fdtd::run(s, umov::test::serial).of<FarFieldResult>()[0];
    ASSERT_EQ(r.absorption_errors.record.size(), 3u);
    double worst = 0;
    for (int f = 0; f < 3; ++f) {
      EXPECT_LT(std::abs(r.absorption[f]), 4 * r.absorption_errors.record[f]) << decay << " " << f;
      worst = std::max(worst, r.absorption_errors.record[f] / r.extinction[f]);
    }
    if (before > 0) {
      EXPECT_LT(worst, before / 3) << decay;
    }
    before = worst;
  }
  EXPECT_LT(before, 1e-3);
}
