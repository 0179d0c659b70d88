// Flux monitors on runs of the engine: conservation, radiated power, reflection and transmission.
#include <gtest/gtest.h>

#include "fdtd/monitors/flux.hpp"
#include "fdtd/monitors/near_to_far.hpp"
#include "fdtd/sources/waveform.hpp"
#include "support/fdtd_cases.hpp"
#include "support/monitor_runs.hpp"

using namespace umov;
using namespace umov::fdtd;
using Kind = MonitorSpec::Kind;

namespace {

Simulation empty(const Vec3& size, double resolution, bool te = false) {
  Simulation s;
  s.size = size;
  s.resolution = resolution;
  s.te = te;
  return s;
}

MonitorSpec box(const Vec3& center, const Vec3& size, std::vector<double> frequencies) {
  MonitorSpec m = test::monitor(Kind::flux, center, size, std::move(frequencies));
  m.box = true;
  return m;
}

}  // namespace

TEST(FdtdFluxRuns, NothingLeavesALosslessBodyOnTheWhole) {
  for (const bool te : {false, true}) {
    Simulation s = empty({6, 5, 0}, 12, te);
    s.materials = {test::constant("glass", 2)};
    s.bodies = {test::body("cylinder", "glass", {0.6, 0.2, 0})};
    s.bodies[0].radius = 0.5;
    s.sources = {test::pulse(te ? Hz : Ez, {-1, -0.5, 0}, 0.8)};
    s.monitors = {box({0.6, 0.2, 0}, {2, 2, 0}, {0.6, 0.8, 1.0}),
                  test::monitor(Kind::flux, {1.6, 0.2, 0}, {0, 2, 0}, {0.6, 0.8, 1.0})};
    const Outcome out = test::run_monitored(s, 150);
    for (int f = 0; f < 3; ++f) {
      // What is left in the body after the run and what sampling folds: below 1e-8 of the flux through a
      // face.
      const double through = std::abs(out.of<FluxResult>()[1].flux[f]);
      EXPECT_GT(through, 1e-4);
      EXPECT_LT(std::abs(out.of<FluxResult>()[0].flux[f]), 1e-6 * through) << te << f;
    }
  }
}

TEST(FdtdFluxRuns, ALineCurrentRadiatesItsPowerWithSecondOrder) {
  double before = 0;
  for (const double resolution : {10.0, 20.0, 40.0}) {
    Simulation s = empty({4, 4, 0}, resolution);
    s.pml.layers = int(resolution);
    s.sources = {test::pulse(Ez, {0, 0, 0}, 1)};
    s.monitors = {box({0, 0, 0}, {1.4, 1.2, 0}, {1})};
    const double power = test::run_monitored(s, 14).of<FluxResult>()[0].flux[0];
    // k |I|^2 / 8 per length.
    const double error = power / (2 * pi / 8 * std::norm(spectrum(s.sources[0].waveform, 1))) - 1;
    EXPECT_LT(std::abs(error), 6 / (resolution * resolution));
    if (before != 0) {
      EXPECT_NEAR(before / error, 4, 0.6);
    }
    before = error;
  }
}

TEST(FdtdFluxRuns, ACurrentElementRadiatesItsPowerWithSecondOrder) {
  double before = 0;
  for (const double resolution : {10.0, 20.0}) {
    Simulation s = empty({3, 3, 3}, resolution);
    s.pml.layers = 8;
    s.sources = {test::pulse(Ez, {0, 0, 0}, 1)};
    s.monitors = {box({0, 0, 0}, {0.8, 1, 0.6}, {1})};
    const double power = test::run_monitored(s, 8).of<FluxResult>()[0].flux[0];
    // k^2 |I l|^2 / (12 pi) (Jackson 1999, eq. 9.24, in these units).
    const double error =
        power / (4 * pi * pi / (12 * pi) * std::norm(spectrum(s.sources[0].waveform, 1))) - 1;
    EXPECT_LT(std::abs(error), 10 / (resolution * resolution));
    if (before != 0) {
      EXPECT_NEAR(before / error, 4, 0.8);
    }
    before = error;
  }
}

TEST(FdtdFluxRuns, ReflectionAndTransmissionOfASlabAddUpToOne) {
  Simulation s = empty({8, 0, 0}, 40);
  s.pml.layers = 20;
  s.materials = {test::constant("glass", 4)};
  s.bodies = {test::body("box", "glass", {1, 0, 0})};
  s.bodies[0].size = Vec3{0.31, 0, 0};
  s.sources = {test::pulse(Ez, {-2, 0, 0}, 1)};
  s.monitors = {test::monitor(Kind::flux, {-1, 0, 0}, {0, 0, 0}, {0.8, 1.0, 1.2}),
                test::monitor(Kind::flux, {2.5, 0, 0}, {0, 0, 0}, {0.8, 1.0, 1.2})};
  test::MonitoredRun empty_run(s, true), run(s);
  empty_run.until(40);
  run.until(40);
  const ReferenceFields reference = empty_run.monitors->reference(*empty_run.engine);
  const Outcome out = run.outcome(&reference);
  for (int f = 0; f < 3; ++f) {
    const double n = 2, d = 0.31, phase = 2 * pi * n * d * out.of<FluxResult>()[0].frequency[f];
    const double finesse = std::pow((n * n - 1) / (2 * n), 2) * std::pow(std::sin(phase), 2);
    const double r = -out.of<FluxResult>()[0].scattered[f] / out.of<FluxResult>()[0].reference[f];
    const double t = out.of<FluxResult>()[1].flux[f] / out.of<FluxResult>()[1].reference[f];
    EXPECT_NEAR(r + t, 1, 3e-6);  // what the layers reflect, measured 9e-7
    EXPECT_NEAR(t, 1 / (1 + finesse),
                0.01);  // dispersion in the slab, 20 cells per wavelength: 0.4 % of phase
  }
}

TEST(FdtdFluxRuns, AMirrorHalvesTheGridAndLeavesTheFlux) {
  Simulation s = empty({5, 4, 0}, 12);
  s.sources = {test::pulse(Ez, {0, 0, 0}, 1)};
  s.monitors = {box({0, 0, 0}, {2, 2, 0}, {0.9, 1.1}),
                test::monitor(Kind::near_to_far, {0, 0, 0}, {2, 2, 0}, {0.9, 1.1})};
  const Outcome whole = test::run_monitored(s, 20);
  s.walls[1][0] = WallKind::mirror_even;
  const Outcome half = test::run_monitored(s, 20);
  for (int f = 0; f < 2; ++f) {
    // The current on the plane is shared by both halves; only rounding differs.
    EXPECT_NEAR(half.of<FluxResult>()[0].flux[f] / whole.of<FluxResult>()[0].flux[f], 1, 1e-9);
    EXPECT_NEAR(half.of<FarFieldResult>()[0].power[f] / whole.of<FarFieldResult>()[0].power[f], 1, 1e-9);
    for (int d = 0; d < 360; d += 17) {
      const std::size_t at = std::size_t(f * 360 + d);
      EXPECT_NEAR(half.of<FarFieldResult>()[0].intensity[at] / whole.of<FarFieldResult>()[0].intensity[at], 1,
                  1e-9);
    }
  }
}
