// Series of drawn monitors: running means, amplitudes against a reference run, and their tables.
#include "fdtd/observables/drawn_series.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "fdtd/command/execute.hpp"
#include "fdtd/monitors/series.hpp"
#include "fdtd/output/pictures.hpp"
#include "fdtd/output/results.hpp"
#include "results/csv.hpp"
#include "support/fdtd_runs.hpp"
#include "support/machines.hpp"
#include "support/png_file.hpp"
#include "support/temp_folder.hpp"

namespace umov::fdtd {
namespace {

SeriesResult series(const std::string& name, std::vector<double> rms = {}) {
  SeriesResult s;
  s.name = name;
  s.rms = std::move(rms);
  for (std::size_t i = 0; i < s.rms.size(); ++i)
    s.time.push_back(0.1 * double(i)), s.value.push_back(-s.rms[i]);
  return s;
}

TEST(FdtdDrawnSeries, RunningRmsIsTheRootOfTheMeanSquareSoFar) {
  const auto running = running_rms(series("a", {2, 0, 4, 4}));
  ASSERT_EQ(running.size(), 4u);
  EXPECT_DOUBLE_EQ(running[0], 2);
  EXPECT_DOUBLE_EQ(running[1], std::sqrt(2.0));
  EXPECT_DOUBLE_EQ(running[2], std::sqrt(20.0 / 3));
  EXPECT_DOUBLE_EQ(running[3], 3);
  EXPECT_TRUE(running_rms(series("point")).empty());
}

// Over whole periods the phase of a wave does not matter. Trapezoids of h = 0.037 of the period see cos^2 as
// (1 + cos(4 pi t)) / 2; where the first is cut the slope of the integrand there misses at most
// (4 pi)^2 h^3 / 24 of 1/2: 3e-4, of its root 2e-4 of the whole.
TEST(FdtdDrawnSeries, TheRmsAtTheEndDoesNotDependOnThePhase) {
  for (const double phase : {0.0, 0.4, 1.1, 2.5}) {
    SeriesResult s = series("a");
    for (int i = 0; i <= 700; ++i)
      s.time.push_back(0.037 * i), s.value.push_back(std::cos(2 * pi * s.time.back() + phase));
    set_rms_at_end(s, {1});
    EXPECT_EQ(s.rms_windows, 2) << "25.9 periods: 2.59 in the last tenth";
    EXPECT_EQ(rms_span(s), "the last 2 of time, 2 periods of all sources together");
    EXPECT_NEAR(s.rms_total, std::sqrt(0.5), 2e-4) << phase;
    set_rms_at_end(s, {});
    EXPECT_EQ(s.rms_windows, 0) << "a pulse has no period";
  }
  SeriesResult beat = series("beat", std::vector<double>(101, 1));
  for (std::size_t i = 0; i < beat.time.size(); ++i) beat.time[i] = 0.1 * double(i);
  set_rms_at_end(beat, {1, 1.25});
  EXPECT_EQ(rms_span(beat), "the last 4 of time, a period of all sources together");
  SeriesResult empty = series("none");
  set_rms_at_end(empty, {1});
  EXPECT_EQ(empty.rms_total, 0);
}

TEST(FdtdDrawnSeries, ARunOfLessThanAPeriodHasTheRmsOfItsLastTenth) {
  SeriesResult s = series("a", std::vector<double>(30, 1));
  s.rms[28] = 2, s.rms[29] = 4;
  set_rms_at_end(s, {0.3});
  EXPECT_EQ(s.rms_windows, 0);
  EXPECT_DOUBLE_EQ(s.rms_total, std::sqrt((1.0 + 4 + 16) / 3));
}

TEST(FdtdDrawnSeries, TheTableHasTheRunningRmsAndTheEndValue) {
  Outcome o;
  o.of<SeriesResult>().push_back(series("monitor-7", {2, 0, 4, 4}));
  o.of<SeriesResult>()[0].rms_total = 3.5;
  const results::Result r = to_result(o);
  ASSERT_EQ(r.tables.at(0).name, "series-monitor-7");
  ASSERT_EQ(r.tables[0].comments.size(), 1u);
  EXPECT_EQ(r.tables[0].comments[0], "root mean square over the last tenth of the run: 3.5");
  const auto columns = results::csv_columns(r, r.tables[0]);
  const auto found = std::ranges::find(columns, "running rms", &results::CsvColumn::name);
  ASSERT_NE(found, columns.end());
  EXPECT_EQ(found->values, running_rms(o.of<SeriesResult>()[0]));
  const auto plot = series_plot(o.of<SeriesResult>()[0], "monitor-7").plot;
  EXPECT_EQ(plot.series.back().name, "running rms");
  EXPECT_EQ(plot.series.back().y, running_rms(o.of<SeriesResult>()[0]));
}

/// A plane wave of 30 cells in the wavelength meets eps 9 in the middle; monitors at columns 40 and 47 in
/// front of it, a quarter of a wavelength apart, and at 130 within.
Simulation slab(const test::TempFolder& folder, int red = 255) {
  constexpr int width = 170, height = 4;
  test::Drawing d(width, height);
  for (int y = 0; y < height; ++y) {
    d.at(18, y).red = std::uint8_t(red);
    for (int x = 90; x < width; ++x) d.at(x, y).green = 255;
    d.at(40, y).blue = 1;
    d.at(47, y).blue = 2;
    d.at(130, y).blue = 3;
  }
  d.write(folder / "slab.png");
  Simulation s;
  s.picture.emplace();
  s.picture->files = {folder / "slab.png"};
  s.resolution = 30;
  s.walls[1] = {WallKind::periodic, WallKind::periodic};
  s.normalize = true;
  return s;
}

/// Amplitudes that the grid itself gives at the face of a half space of index n on a node, which has the mean
/// permittivity: E'' = -eps w^2 E with w = 2 sin(omega dt / 2) / dt, waves exp(i k x) with sin(k dx / 2) = n
/// w dx / 2. A drawn pixel is the mean of the nodes at its two ends: cos(k dx / 2).
struct GridFresnel {
  double reflection, transmission;
  GridFresnel(double n, double cells) {
    const double dx = 1 / cells, dt = 0.9 * dx / std::sqrt(2.0), w = 2 * std::sin(pi * dt) / dt;
    const double half_1 = std::asin(w * dx / 2), half_2 = std::asin(n * w * dx / 2);
    const cplx a = std::polar(1.0, 2 * half_1), b = std::polar(1.0, 2 * half_2);
    const cplx t = -(1.0 / a - a) / (b - 2.0 + a + 0.5 * (1 + n * n) * w * w * dx * dx);
    reflection = std::abs(t - 1.0);
    transmission = std::abs(t) * std::cos(half_2) / std::cos(half_1);
  }
};

// Fresnel: (n - 1) / (n + 1) = 2 / (1 + n) = 1/2; with 10 cells in the wavelength within the slab the grid
// has 0.4824 and 0.4949, from which the run may be 0.002 away: it ends when amplitudes change by 1 % in a
// period, here by 1e-4. The difference of magnitudes, |E| - |E0|, would change from one place in front to the
// other by 2 R.
TEST(FdtdDrawnSeries, ADrawnSlabHasFresnelsAmplitudesWhereverTheMonitorsAre) {
  for (const char* backend : {"serial", "cpu"}) {
    const test::TempFolder folder;
    const Outcome o = run(slab(folder), umov::test::on(backend, 1));
    const auto found = drawn_amplitudes(o);
    ASSERT_EQ(found.size(), 3u);
    EXPECT_EQ(found[0].name, "monitor-1");
    EXPECT_EQ(found[0].frequency, std::vector<double>{1});
    const GridFresnel exact(3, 30);
    EXPECT_NEAR(found[0].reflection[0], exact.reflection, 2e-3);
    EXPECT_NEAR(found[1].reflection[0], exact.reflection, 2e-3);
    EXPECT_NEAR(found[2].transmission[0], exact.transmission, 2e-3);
    EXPECT_GT(std::abs(found[0].transmission[0] - found[1].transmission[0]), 0.3) << "a standing wave";
    const auto r = to_result(o);
    const auto table = std::ranges::find(r.tables, "amplitudes", &results::Table::name);
    ASSERT_NE(table, r.tables.end());
    EXPECT_EQ(results::csv_columns(r, *table)[0].texts,
              (std::vector<std::string>{"monitor-1", "monitor-2", "monitor-3"}));
  }
}

// After 3 the wave has not been at the face and back; after 40 echoes have gone.
TEST(FdtdDrawnSeries, ARunThatEndsBeforeAmplitudesAreSteadyIsWarnedOf) {
  for (const auto& [time, unsteady] : {std::pair{3., true}, {5., true}, {40., false}}) {
    const test::TempFolder folder;
    Simulation s = slab(folder);
    s.stop.time = time;
    const Outcome o = run(s, umov::test::one_thread);
    EXPECT_EQ(std::ranges::any_of(
                  o.warnings, [](const std::string& w) { return w.find("from the steady state") != w.npos; }),
              unsteady)
        << time;
  }
}

/// |E| / |E0| of the grid itself behind layers of a permittivity at nodes 0, 1, ..., in vacuum, of a wave of
/// `cells` in the wavelength: E(i - 1) = (2 - eps w^2 dx^2) E(i) - E(i + 1) from the wave that has passed,
/// where w = 2 sin(omega dt / 2) / dt, back to the wave that came, a exp(i k x) + b exp(-i k x).
double grid_transmission(const std::vector<double>& eps, double cells) {
  const double dx = 1 / cells, dt = 0.9 * dx / std::sqrt(2.0), w = 2 * std::sin(pi * dt) / dt;
  const cplx z = std::polar(1.0, 2 * std::asin(w * dx / 2));
  cplx next = z, here = 1;
  for (auto e = eps.rbegin(); e != eps.rend(); ++e)
    next = std::exchange(here, (2 - *e * w * w * dx * dx) * here - next);
  // what has passed through vacuum alone would be z^-size there
  const cplx a = (next - here / z) / (z - 1.0 / z);
  return 1 / std::abs(a);
}

/// Two mirrors of `pairs` layers of eps 4, a quarter of the wavelength of 24 cells thick and apart, half a
/// wavelength from each other, and a monitor behind them.
struct Cavity {
  static constexpr int cells = 24, first = 80;
  Simulation s;
  std::vector<double> nodes;
  Cavity(const test::TempFolder& folder, int pairs) {
    std::vector<int> columns;
    for (int mirror = 0; mirror < 2; ++mirror)
      for (int pair = 0; pair < pairs; ++pair) {
        for (int x = 0; x < 3; ++x) columns.push_back(1);
        const bool last = pair + 1 == pairs;
        for (int x = 0; x < (last ? 12 : 6) && !(last && mirror == 1); ++x) columns.push_back(0);
      }
    const int width = 200, height = 4;
    test::Drawing d(width, height);
    for (int y = 0; y < height; ++y) {
      d.at(18, y).red = 255;
      for (std::size_t x = 0; x < columns.size(); ++x)
        d.at(first + int(x), y).green = std::uint8_t(255 * columns[x]);
      d.at(170, y).blue = 1;
    }
    d.write(folder / "cavity.png");
    s.picture.emplace();
    s.picture->files = {folder / "cavity.png"};
    s.picture->eps_max = 4;
    s.resolution = cells;
    s.walls[1] = {WallKind::periodic, WallKind::periodic};
    s.normalize = true;
    const auto eps = [&](std::size_t x) { return x < columns.size() && columns[x] ? 4.0 : 1.0; };
    nodes.push_back((1 + eps(0)) / 2);
    for (std::size_t x = 1; x <= columns.size(); ++x) nodes.push_back((eps(x - 1) + eps(x)) / 2);
  }
};

// The resonance has a Q of some 50: it builds up over 16 periods, of which a period's change says nothing. A
// run ends within 1 % of the steady state, as estimated; the layers at the ends send back 2e-3.
TEST(FdtdDrawnSeries, AResonanceThatBuildsUpSlowlyIsWaitedFor) {
  const test::TempFolder folder;
  const Cavity cavity(folder, 3);
  const Outcome o = run(cavity.s, umov::test::one_thread);
  const auto found = drawn_amplitudes(o);
  ASSERT_EQ(found.size(), 1u);
  const double exact = grid_transmission(cavity.nodes, Cavity::cells);
  EXPECT_LT(found[0].left, 0.01);
  EXPECT_NEAR(found[0].transmission[0], exact, 0.012 * exact) << o.stop_reason;
  EXPECT_TRUE(o.warnings.empty()) << o.warnings[0];
}

// Two more pairs: a Q of some 800 builds up over hundreds of periods, more than a run has by default.
TEST(FdtdDrawnSeries, AResonanceThatARunDoesNotWaitForIsWarnedOf) {
  const test::TempFolder folder;
  const Cavity cavity(folder, 5);
  const Outcome o = run(cavity.s, umov::test::one_thread);
  const auto found = drawn_amplitudes(o);
  ASSERT_EQ(found.size(), 1u);
  const double exact = grid_transmission(cavity.nodes, Cavity::cells);
  EXPECT_GT(std::abs(found[0].transmission[0] - exact), 0.02 * exact) << "the case is too easy";
  EXPECT_GT(found[0].left, 0.02);
  EXPECT_TRUE(std::ranges::any_of(
      o.warnings, [](const std::string& w) { return w.find("from the steady state") != w.npos; }));
}

// A wall that sends the wave back does so without the slab, too; along y the drawn line fills the domain.
TEST(FdtdDrawnSeries, AReferenceRunThatIsNoSingleWaveIsWarnedOf) {
  for (const WallKind wall : {WallKind::pml, WallKind::pec, WallKind::periodic}) {
    const test::TempFolder folder;
    Simulation s = slab(folder);
    s.walls[0][1] = wall;
    if (wall == WallKind::periodic) s.walls[0][0] = wall;
    s.stop.steps = 4;
    const Outcome o = run(s, umov::test::one_thread);
    EXPECT_EQ(std::ranges::any_of(o.warnings,
                                  [](const std::string& w) { return w.find("no single wave") != w.npos; }),
              wall != WallKind::pml);
  }
}

// Twelve a period are more than a few in a run that a criterion ends: every second one is dropped, and what
// is left of at most 8 to 11 is said where it is less. Of runs with a fixed end all are there.
TEST(FdtdDrawnSeries, FewerPicturesThanAskedForAreSaid) {
  const test::TempFolder folder;
  Simulation s = slab(folder);
  s.normalize = false;
  s.outputs.animation = true;
  int fewer = 0;
  for (s.outputs.frames = 8; s.outputs.frames <= 11; ++s.outputs.frames) {
    const Outcome o = run(s, umov::test::one_thread);
    const std::string line = fmt::format("animation: {} pictures, every ", o.frames.size());
    const bool said = summary_text(o).find(line) != std::string::npos;
    EXPECT_EQ(said, int(o.frames.size()) < s.outputs.frames) << summary_text(o);
    fewer += said;
  }
  EXPECT_GT(fewer, 0) << "the case is too easy to tell anything";
  s.stop.time = 12;
  s.outputs.frames = 10;
  const Outcome fixed = run(s, umov::test::one_thread);
  EXPECT_EQ(fixed.frames.size(), 10u);
  EXPECT_EQ(summary_text(fixed).find("animation:"), std::string::npos);
}

// Hz is continuous at the face: 2 n / (1 + n) = 1.5 of it goes through, R as above. 10 cells in the
// wavelength within leave 2 % (1.4795).
TEST(FdtdDrawnSeries, AmplitudesOfTeAreOfHzAndSaySo) {
  const test::TempFolder folder;
  Simulation s = slab(folder);
  s.te = true;
  const Outcome o = run(s, umov::test::one_thread);
  const auto found = drawn_amplitudes(o);
  ASSERT_EQ(found.size(), 3u);
  EXPECT_EQ(found[2].component, Hz);
  EXPECT_NEAR(found[2].transmission[0], 1.5, 0.03);
  EXPECT_NEAR(found[0].reflection[0], 0.5, 0.03);
  EXPECT_NE(summary_text(o).find("at frequency 1, of Hz: T = |total| / |incident| = 1.4"), std::string::npos)
      << summary_text(o);
  const auto r = to_result(o);
  const auto table = std::ranges::find(r.tables, "amplitudes", &results::Table::name);
  ASSERT_NE(table, r.tables.end());
  EXPECT_EQ(results::csv_columns(r, *table)[1].texts, (std::vector<std::string>{"Hz", "Hz", "Hz"}));
}

// The sum of both is the total at every sample, whichever run was longer.
TEST(FdtdDrawnSeries, IncidentAndScatteredSeriesAddUpToTheTotal) {
  const test::TempFolder folder;
  const Outcome o = run(slab(folder), umov::test::one_thread);
  ASSERT_EQ(o.of<SeriesResult>().size(), 9u);
  EXPECT_EQ(o.of<SeriesResult>()[1].name, "monitor-1-incident");
  EXPECT_EQ(o.of<SeriesResult>()[2].name, "monitor-1-scattered");
  ASSERT_EQ(o.of<SeriesResult>()[1].time, o.of<SeriesResult>()[0].time);
  ASSERT_EQ(o.of<SeriesResult>()[2].time, o.of<SeriesResult>()[0].time);
  double largest = 0;
  for (std::size_t s = 0; s < o.of<SeriesResult>()[0].time.size(); ++s) {
    EXPECT_NEAR(o.of<SeriesResult>()[1].value[s] + o.of<SeriesResult>()[2].value[s],
                o.of<SeriesResult>()[0].value[s], 1e-12);
    largest = std::max(largest, std::abs(o.of<SeriesResult>()[1].value[s]));
  }
  EXPECT_GT(largest, 0.01);
}

// One plane wave in vacuum has one rms wherever it is looked at, from whichever phase the run ends at: each
// is that of its own amplitude up to the trapezoids' error, 2e-4, and the wave's growth after 12 periods.
TEST(FdtdDrawnSeries, APlaneWaveHasTheSameRmsAtEveryMonitor) {
  const test::TempFolder folder;
  Simulation s = slab(folder);
  s.normalize = false;
  s.picture->eps_max = 1;
  s.stop.time = 12;
  const Outcome o = run(s, umov::test::one_thread);
  ASSERT_EQ(o.of<SeriesResult>().size(), 3u);
  for (const SeriesResult& r : o.of<SeriesResult>()) {
    EXPECT_EQ(r.rms_windows, 1);
    EXPECT_NEAR(r.rms_total / o.of<SeriesResult>()[0].rms_total, 1, 2e-3) << r.name;
  }
}

TEST(FdtdDrawnSeries, WithoutAReferenceRunThereAreNoAmplitudes) {
  const test::TempFolder folder;
  Simulation s = slab(folder);
  s.normalize = false;
  const Outcome o = run(s, umov::test::one_thread);
  EXPECT_EQ(o.of<SeriesResult>().size(), 3u);
  EXPECT_TRUE(drawn_amplitudes(o).empty());
}

TEST(FdtdDrawnSeries, NormalizingAPictureWithoutMonitorsIsStopped) {
  const test::TempFolder folder;
  test::Drawing d(60, 60);
  for (int y = 20; y < 40; ++y) d.at(20, y) = {255, 0, 0, 255}, d.at(40, y) = {0, 255, 0, 255};
  d.write(folder / "a.png");
  Simulation s;
  s.picture.emplace();
  s.picture->files = {folder / "a.png"};
  s.normalize = true;
  try {
    run(s, umov::test::one_thread);
    FAIL() << "it ran";
  } catch (const BadInput& e) {
    EXPECT_NE(std::string(e.what()).find("normalize: the picture has no monitor"), std::string::npos)
        << e.what();
  }
}

}  // namespace
}  // namespace umov::fdtd
