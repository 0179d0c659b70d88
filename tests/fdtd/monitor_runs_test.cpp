// Series, transforms over regions, snapshots, criteria of stopping and checkpoints of monitors.
#include "support/monitor_runs.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "core/error.hpp"
#include "fdtd/monitors/flux.hpp"
#include "fdtd/monitors/fourier.hpp"
#include "fdtd/monitors/series.hpp"
#include "fdtd/monitors/snapshot.hpp"
#include "fdtd/observables/snapshot.hpp"
#include "fdtd/run/stop.hpp"
#include "fdtd/sources/waveform.hpp"
#include "support/fdtd_cases.hpp"

using namespace umov;
using namespace umov::fdtd;
using Kind = MonitorSpec::Kind;

namespace {

Simulation lit(const Vec3& size, double resolution) {
  Simulation s;
  s.size = size;
  s.resolution = resolution;
  s.sources = {test::pulse(Ez, {0, 0, 0}, 1)};
  return s;
}

double field_at(const Engine& e, Component c, const Int3& at) {
  return e.field(c, at, {at[0] + 1, at[1] + 1, at[2] + 1}).real[0];
}

}  // namespace

TEST(FdtdSeries, InterpolatesLinearlyBetweenGridPoints) {
  Simulation s = lit({4, 4, 0}, 10);
  // Hx sits at (i, j + 1/2): this point is a quarter of the way along both axes from (25, 22).
  s.monitors = {test::monitor(Kind::series, {0.525, 0.275, 0}, {0, 0, 0})};
  s.monitors[0].fields = {Ez, Hx};
  s.monitors[0].interval = 1;
  test::MonitoredRun run(s);
  run.until(3);
  const Outcome out = run.outcome();
  ASSERT_EQ(out.of<SeriesResult>().size(), 2u);
  double expected = 0;
  for (const auto& [i, j, weight] : {std::tuple(25, 22, 0.75 * 0.75), std::tuple(26, 22, 0.25 * 0.75),
                                     std::tuple(25, 23, 0.75 * 0.25), std::tuple(26, 23, 0.25 * 0.25)})
    expected += weight * field_at(*run.engine, Hx, {i, j, 0});
  EXPECT_NE(expected, 0);
  EXPECT_NEAR(out.of<SeriesResult>()[1].value.back(), expected, 1e-12 * std::abs(expected));
  EXPECT_EQ(long(out.of<SeriesResult>()[0].value.size()), run.engine->step());
  const double now = double(run.engine->step()) * run.problem.grid.dt;
  EXPECT_NEAR(out.of<SeriesResult>()[0].time.back(), now, 1e-9);
  EXPECT_NEAR(out.of<SeriesResult>()[1].time.back(), now - run.problem.grid.dt / 2, 1e-9);
}

TEST(FdtdSeries, OfADrawnShapeGivesMeanAndRms) {
  Simulation s = lit({4, 4, 0}, 10);
  s.monitors = {test::monitor(Kind::series, {0, 0, 0}, {0, 0, 0})};
  s.monitors[0].pixels = {{24, 20, 0}, {25, 20, 0}, {26, 21, 0}};
  test::MonitoredRun run(s);
  run.until(3);
  const SeriesResult r = run.outcome().of<SeriesResult>().at(0);
  double sum = 0, squares = 0;
  // Each square has a quarter of each of its corners.
  for (const Int3& at : s.monitors[0].pixels)
    for (int corner = 0; corner < 4; ++corner) {
      const double v = field_at(*run.engine, Ez, {at[0] + corner % 2, at[1] + corner / 2, 0});
      sum += v / 12;
      squares += v * v / 12;
    }
  // The last sample is of the last step: its interval divides the twenty steps of a round or is 1.
  ASSERT_EQ(run.engine->step() % run.problem.recorders[0].interval, 0);
  EXPECT_NEAR(r.value.back(), sum, 1e-12 * std::abs(sum));
  EXPECT_NEAR(r.rms.back(), std::sqrt(squares), 1e-12 * std::sqrt(squares));
  double tail = 0;
  const std::size_t n = r.rms.size(), last = (n + 9) / 10;
  for (std::size_t i = n - last; i < n; ++i) tail += r.rms[i] * r.rms[i] / double(last);
  EXPECT_NEAR(r.rms_total, std::sqrt(tail), 1e-12 * std::sqrt(tail));
}

TEST(FdtdSeries, IsTheSameWhenSourceAndReceiverChangePlaces) {
  for (const Vec3& size : {Vec3{4, 4, 0}, Vec3{3.4, 3.2, 3}}) {
    Simulation s = lit(size, 10);
    s.materials = {test::constant("glass", 3)};
    s.bodies = {test::body("sphere", "glass", {0.31, 0.13, 0.05})};
    s.bodies[0].radius = 0.4;
    const Vec3 a{-0.5, 0.17, 0}, b{0.52, -0.31, 0};
    s.sources[0].center = a;
    s.monitors = {test::monitor(Kind::series, b, {0, 0, 0})};
    s.monitors[0].fields = {Ez};
    const SeriesResult there = test::run_monitored(s, 8).of<SeriesResult>().at(0);
    s.sources[0].center = b;
    s.monitors[0].center = a;
    const SeriesResult back = test::run_monitored(s, 8).of<SeriesResult>().at(0);
    double largest = 0, difference = 0;
    for (std::size_t i = 0; i < there.value.size(); ++i) {
      largest = std::max(largest, std::abs(there.value[i]));
      difference = std::max(difference, std::abs(there.value[i] - back.value[i]));
    }
    EXPECT_GT(largest, 0);
    // The source spreads its current with the weights by which the monitor interpolates.
    EXPECT_LT(difference, 1e-11 * largest);
  }
}

TEST(FdtdSeries, RefusesPlacesOutsideAndComponentsThatAreNot) {
  const auto refused = [](auto change) {
    Simulation s = lit({4, 4, 0}, 10);
    s.monitors = {test::monitor(Kind::series, {0, 0, 0}, {0, 0, 0})};
    change(s.monitors[0]);
    EXPECT_THROW(test::MonitoredRun{s}, BadInput);
  };
  refused([](MonitorSpec& m) { m.center = {2.1, 0, 0}; });
  refused([](MonitorSpec& m) { m.fields = {Hz}; });
  refused([](MonitorSpec& m) { m.pixels = {{40, 0, 0}}; });
  refused([](MonitorSpec& m) { m.size = {1, 0, 0}; });
}

TEST(FdtdFourier, OfANodeIsTheTransformOfItsSeries) {
  Simulation s = lit({4, 4, 0}, 10);
  s.monitors = {test::monitor(Kind::fourier, {0.5, 0.3, 0}, {0.2, 0, 0}, {0.9, 1.2}),
                test::monitor(Kind::series, {0.5, 0.3, 0}, {0, 0, 0})};
  s.monitors[0].fields = {Ez, Hy};
  s.monitors[1].fields = {Ez, Hy};
  s.monitors[1].interval = 1;
  const Outcome out = test::run_monitored(s, 30);
  const FourierResult& r = out.of<FourierResult>().at(0);
  ASSERT_EQ(r.size, (Int3{3, 1, 1}));
  EXPECT_NEAR(r.origin[0], 0.4, 1e-12);
  for (int c = 0; c < 2; ++c)
    for (int f = 0; f < 2; ++f) {
      const SeriesResult& t = out.of<SeriesResult>()[c];
      cplx sum = 0;
      for (std::size_t i = 0; i < t.time.size(); ++i)
        sum += t.value[i] * std::polar(1.0, 2 * pi * r.frequency[f] * t.time[i]) * (t.time[1] - t.time[0]);
      // The node's Hy is the mean of its two neighbours, as the series interpolates; the transform samples
      // every few steps, which folds what a pulse has far above its band.
      EXPECT_LT(std::abs(r.values[c][3 * f + 1] - sum), 1e-5 * std::abs(sum));
    }
}

TEST(FdtdStopping, FourierChangeFallsAsThePulsePasses) {
  Simulation s = lit({4, 4, 0}, 10);
  s.monitors = {test::monitor(Kind::flux, {0.5, 0, 0}, {0, 1, 0}, {0.9, 1.1})};
  test::MonitoredRun run(s);
  EXPECT_EQ(run.monitors->fourier_change(*run.engine), std::numeric_limits<double>::infinity());
  run.until(2.5);
  run.monitors->fourier_change(*run.engine);
  run.until(3.5);
  const double during = run.monitors->fourier_change(*run.engine);
  run.until(40);
  run.monitors->fourier_change(*run.engine);
  run.until(50);
  const double after = run.monitors->fourier_change(*run.engine);
  EXPECT_GT(during, 0.01);
  EXPECT_LT(after, 1e-4);
}

// Of a plane with many frequencies that is a copy of all sums to the host.
TEST(FdtdStopping, TransformsAreLookedAtForACriterionThatIsAskedFor) {
  for (const bool asked : {false, true}) {
    Simulation s = lit({4, 4, 0}, 10);
    s.monitors = {test::monitor(Kind::flux, {0.5, 0, 0}, {0, 1, 0}, {0.9, 1.1})};
    asked ? void(s.stop.fourier = 1e-3) : void(s.stop.steps = 10000);
    test::MonitoredRun run(s);
    const StopPlan plan = plan_stop(s, *run.scene, run.problem.grid);
    StopRule rule(plan, run.problem.grid);
    for (const long looks : {1, 2}) {
      run.until(2.5 * double(looks));
      rule.check(looks * plan.fourier_every, run.engine->watch(), *run.monitors, *run.engine);
    }
    EXPECT_EQ(std::isfinite(rule.state().fourier), asked);
  }
}

// Records are thinned to 32 at most, 16 at least: of a run whose end is known others are not made at all.
TEST(FdtdMonitors, FluxesAreRecordedAsOftenAsTheKnownEndNeeds) {
  for (const long steps : {400, 2000, 100000}) {
    Simulation s = lit({4, 4, 0}, 10);
    s.monitors = {test::monitor(Kind::flux, {0.5, 0, 0}, {0, 1, 0}, {0.9, 1.1})};
    s.stop.steps = steps;
    const test::MonitoredRun run(s);
    long records = 0;
    for (long n = run.monitors->next_record(0); n <= steps; n = run.monitors->next_record(n)) ++records;
    EXPECT_GE(records, 8) << steps;
    EXPECT_LT(records, 32) << steps;
  }
}

TEST(FdtdStopping, TheDistanceFromTheSteadyStateFallsAsTheRampPasses) {
  Simulation s = lit({4, 4, 0}, 10);
  s.sources[0].waveform.kind = Waveform::Kind::continuous;
  s.stop.steady = 1e-3;
  for (const bool series : {true, false}) {
    if (series) s.monitors = {test::monitor(Kind::series, {0.5, 0.3, 0}, {0, 0, 0})};
    if (!series) s.monitors.clear();
    test::MonitoredRun run(s);
    EXPECT_EQ(run.monitors->settling().left, std::numeric_limits<double>::infinity());
    run.until(3.5);
    EXPECT_GT(run.monitors->settling().left, 0.01) << series;
    run.until(40);
    EXPECT_LT(run.monitors->settling().left, 1e-3) << series;
  }
}

TEST(FdtdMonitors, GoOnFromACheckpointBitForBit) {
  Simulation s = lit({4, 4, 0}, 10);
  s.monitors = {test::monitor(Kind::series, {0.5, 0.3, 0}, {0, 0, 0}),
                test::monitor(Kind::flux, {0.5, 0, 0}, {0, 1, 0}, {0.9, 1.1})};
  test::MonitoredRun first(s), second(s);
  first.until(4);
  second.engine->restore(first.engine->save());
  second.monitors->restore(first.monitors->save());
  first.until(10);
  second.until(10);
  const Outcome a = first.outcome(), b = second.outcome();
  EXPECT_EQ(a.of<SeriesResult>()[0].value, b.of<SeriesResult>()[0].value);
  EXPECT_EQ(a.of<SeriesResult>()[0].time, b.of<SeriesResult>()[0].time);
  EXPECT_EQ(a.of<FluxResult>()[0].flux, b.of<FluxResult>()[0].flux);
}

TEST(FdtdMonitors, RefuseTheCheckpointOfAnotherCase) {
  Simulation s = lit({4, 4, 0}, 10);
  s.monitors = {test::monitor(Kind::series, {0.5, 0.3, 0}, {0, 0, 0})};
  test::MonitoredRun one(s);
  one.until(3);
  s.monitors.push_back(s.monitors[0]);
  test::MonitoredRun two(s);
  two.until(3);
  EXPECT_THROW(two.monitors->restore(one.monitors->save()), BadInput);
  EXPECT_THROW(one.monitors->restore(two.monitors->save()), BadInput);
}

TEST(FdtdSnapshot, CutsTheLayerNearestToThePlane) {
  Simulation s = lit({2, 2.4, 2.8}, 10);
  s.pml.layers = 5;
  test::MonitoredRun run(s);
  run.until(2);
  MonitorSpec m = test::monitor(Kind::snapshot, {0, 0, 0}, {0, 0, 0});
  m.fields = {Ez};
  m.own<SnapshotSpec>().plane = 2;
  m.own<SnapshotSpec>().plane_at = 0.16;  // Ez sits at 0.05, 0.15, ... along z: layer 15
  const Snapshot cut = take_snapshot(*run.engine, run.problem.grid, m);
  EXPECT_EQ(cut.size, (Int3{20, 24, 1}));
  EXPECT_EQ(cut.values[7 + 20 * 9], float(field_at(*run.engine, Ez, {7, 9, 15})));
  EXPECT_NE(cut.values[7 + 20 * 9], 0);
  m.own<SnapshotSpec>().plane_at = 1.5;
  EXPECT_THROW(take_snapshot(*run.engine, run.problem.grid, m), BadInput);
}
