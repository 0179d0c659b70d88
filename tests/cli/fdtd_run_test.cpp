// `umov fdtd` through the real program: results, exit codes, divergence, ends of a run, and runs that are
// killed and continued.
#include <gtest/gtest.h>
#include <png.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <sstream>

#include "fdtd/monitors/flux.hpp"
#include "fdtd/monitors/series.hpp"
#include "fdtd/run/divergence.hpp"
#include "fdtd/run/run.hpp"
#include "parameters/toml.hpp"
#include "support/fdtd_pulse.hpp"
#include "support/machines.hpp"
#include "support/png_file.hpp"
#include "support/program.hpp"

using namespace umov;
using test::pulse_case;
using test::tables;
using test::TemporaryFolder;
namespace fs = std::filesystem;

namespace {

fdtd::Simulation pulse_in_one_dimension() {
  fdtd::Simulation s;
  s.size = {12, 0, 0};
  s.resolution = 20;
  fdtd::SourceSpec source;
  source.name = "pulse";
  source.component = fdtd::Ez;
  source.center = {-3, 0, 0};
  source.waveform.kind = fdtd::Waveform::Kind::gaussian;
  s.sources = {source};
  fdtd::MonitorSpec probe;
  probe.name = "probe";
  probe.center = {2, 0, 0};
  s.monitors = {probe};
  return s;
}

fdtd::Simulation wave_in_one_dimension() {
  auto s = pulse_in_one_dimension();
  s.sources[0].waveform.kind = fdtd::Waveform::Kind::continuous;
  return s;
}

template <class E, class F>
std::string thrown(const F& f) {
  try {
    f();
  } catch (const E& e) {
    return e.what();
  }
  return "nothing was thrown";
}

}  // namespace

TEST(FdtdCommand, AnswersWithoutARunLeaveNothing) {
  const TemporaryFolder folder;
  EXPECT_NE(test::run(folder, "help").out.find("fdtd"), std::string::npos);
  for (const char* line : {"fdtd --help", "fdtd --help-markdown", "help fdtd", "fdtd --device list"}) {
    const auto end = test::run(folder, line);
    EXPECT_EQ(end.code, 0) << line << end.err;
    EXPECT_FALSE(end.out.empty()) << line;
  }
  EXPECT_TRUE(folder.names().empty());
}

TEST(FdtdCommand, DryRunPrintsGridStepsMemoryAndACaseThatRunsAgain) {
  const TemporaryFolder folder;
  folder.write("case.toml", pulse_case);
  const auto dry = test::run(folder, "fdtd case.toml --dry-run");
  ASSERT_EQ(dry.code, 0) << dry.err;
  EXPECT_EQ(folder.names(), std::vector<std::string>{"case.toml"});
  for (const char* part : {"# grid: 96 x 80 x 1 cells of 0.0625", "# the run ends when the energy fell",
                           "# memory estimate", "cells per wavelength in 'glass'"})
    EXPECT_NE(dry.out.find(part), std::string::npos) << part << " in " << dry.out;
  folder.write("again.toml", dry.out);
  EXPECT_EQ(test::run(folder, "fdtd again.toml --steps 100 --output-dir out").code, 0);
}

// Standard output is a case, which a redirection takes away: what it warns of is seen all the same.
TEST(FdtdCommand, AQuietDryRunWarnsOnStandardErrorToo) {
  const TemporaryFolder folder;
  folder.write("case.toml",
               "[domain]\nsize = [12, 12]\nresolution = 26\npolarization = \"tm\"\n[[material]]\n"
               "name = \"silicon\"\nindex = 3.9\n[[body]]\nshape = \"box\"\nmaterial = \"silicon\"\n"
               "size = [inf, 0.3]\n[[source]]\nkind = \"point\"\ncenter = [0, 0]\nwaveform = \"gaussian\"\n"
               "frequency = 1\nwidth = 0.2\n[stop]\ntime = 3\n");
  const auto dry = test::run(folder, "fdtd case.toml --dry-run --quiet");
  ASSERT_EQ(dry.code, 0) << dry.err;
  const std::string warning = "warning: resolution: 6.67 cells per wavelength in 'silicon'";
  EXPECT_NE(dry.err.find("umov: " + warning), dry.err.npos) << dry.err;
  EXPECT_NE(dry.out.find("# " + warning), dry.out.npos) << dry.out;
}

// An edge of red that a paint program smoothed is a source of twice the frequency, which the grid does not
// carry.
TEST(FdtdCommand, ADryRunThatIsRefusedWarnsFirstOfWhatMaySayWhy) {
  const TemporaryFolder folder;
  test::Drawing picture(60, 40);
  for (int y = 0; y < 40; ++y) {
    for (int x = 30; x < 60; ++x) picture.at(x, y).green = 255;
    picture.at(14, y).red = 255, picture.at(15, y).red = 129;
  }
  picture.write((folder / "model.png").string());
  const auto dry = test::run(folder, "fdtd model.png --eps-max 9 --dry-run");
  EXPECT_EQ(dry.code, 2) << dry.out;
  const auto why = dry.err.find("warning: picture: 40 pixels have a red between those of their neighbours");
  const auto refused = dry.err.find("the grid carries no such wave");
  ASSERT_NE(refused, dry.err.npos) << dry.err;
  EXPECT_LT(why, refused) << dry.err;
}

TEST(FdtdCommand, ARunLeavesCaseLogAndTables) {
  const TemporaryFolder folder;
  folder.write("case.toml", pulse_case);
  const auto end = test::run(folder, "fdtd case.toml --output-dir out");
  ASSERT_EQ(end.code, 0) << end.err;
  EXPECT_NE(end.out.find("results: out"), std::string::npos) << end.out;
  const std::string log = test::text_of(folder / "out/log");
  for (const char* part :
       {"umov fdtd case.toml", "grid: 96 x 80 x 1", "end: energy", "converged: yes", "flux 'wall'"})
    EXPECT_NE(log.find(part), std::string::npos) << part << " in " << log;
  EXPECT_TRUE(fs::exists(folder / "out/resolved.toml"));
  EXPECT_FALSE(fs::exists(folder / "out/checkpoint"));
  EXPECT_FALSE(tables(folder / "out").empty());
  const auto again = test::run(folder, "fdtd --resume out");
  EXPECT_EQ(again.code, 0);
  EXPECT_NE(again.out.find("finished"), std::string::npos);
}

TEST(FdtdCommand, APictureRunsWithoutACase) {
  const TemporaryFolder folder;
  // 40 x 30 pixels: a source on the left, a block of glass, a monitor of two pixels on the right.
  test::Drawing picture(40, 30);
  for (int y = 12; y < 18; ++y)
    for (int x = 18; x < 24; ++x) picture.at(x, y).green = 100;
  for (int y = 14; y < 16; ++y) picture.at(14, y).red = 255, picture.at(26, y).blue = 7;
  picture.write((folder / "model.png").string());
  const auto end = test::run(
      folder, "fdtd model.png --steps 300 --no-hdf5 --no-pictures --eps-max 4 --backend serial --field-csv");
  ASSERT_EQ(end.code, 0) << end.err;
  EXPECT_TRUE(fs::exists(folder / "run000_model/log")) << end.out;
  const std::string field = test::text_of(folder / "run000_model/field-Ez.csv");
  EXPECT_EQ(std::ranges::count(field, '\n'), 2 + 40 * 30) << "a row per point";
  EXPECT_NE(end.out.find("monitor-7"), std::string::npos) << end.out;
}

TEST(FdtdCommand, ExitCodesTellBadInputFromALimitThatCameFirst) {
  const TemporaryFolder folder;
  folder.write("case.toml", pulse_case);
  EXPECT_EQ(test::run(folder, "fdtd none.toml").code, 2);
  folder.write("key.toml", "[domain]\nsizes = 4\n");
  const auto bad = test::run(folder, "fdtd key.toml");
  EXPECT_EQ(bad.code, 2);
  EXPECT_NE(bad.err.find("key.toml:2"), std::string::npos);
  const auto refused = test::run(folder, "fdtd case.toml --courant 1.2 --output-dir gone");
  EXPECT_EQ(refused.code, 2) << refused.err;
  EXPECT_FALSE(fs::exists(folder / "gone"));
  const auto limited = test::run(folder, "fdtd case.toml --max-time 6 --output-dir out");
  EXPECT_EQ(limited.code, 3) << limited.err;
  EXPECT_NE(limited.err.find("not converged"), std::string::npos);
  EXPECT_NE(test::text_of(folder / "out/log").find("converged: no"), std::string::npos);
  EXPECT_FALSE(tables(folder / "out").empty());
  const auto longer = test::run(folder, "fdtd --resume out --max-time 600");
  EXPECT_EQ(longer.code, 0) << longer.err;
  EXPECT_NE(test::text_of(folder / "out/log").find("converged: yes"), std::string::npos);
}

TEST(FdtdCommand, DivergenceIsNoticedEarlyAndExplained) {
  const TemporaryFolder folder;
  folder.write("case.toml", pulse_case);
  const auto end = test::run(folder, "fdtd case.toml --courant 1.2 --force --steps 5000 --output-dir out");
  EXPECT_EQ(end.code, 3) << end.err;
  EXPECT_NE(end.err.find("diverged within"), std::string::npos) << end.err;
  EXPECT_NE(end.err.find("1.2 times the Courant limit"), std::string::npos) << end.err;
  EXPECT_FALSE(fs::exists(folder / "out"));
  // A grid that amplifies its shortest wave by a factor of 3.4 a step passes the largest float within 75
  // steps of noise at rounding; the first look after that is at step 100 or 200.
  EXPECT_TRUE(end.err.find("within 100 steps") != end.err.npos ||
              end.err.find("within 200 steps") != end.err.npos)
      << end.err;
}

TEST(FdtdDivergence, GrowthIsNoticedLongBeforeNumbersEnd) {
  // Energy that grows by 5 % a step after the sources fell silent at step 1000.
  fdtd::DivergenceWatch watch(500, 1000, 4);
  const auto energy = [](long step) { return step <= 1000 ? 1.0 : std::pow(1.05, double(step - 1000)); };
  long noticed = 0;
  for (long step = 100; step <= 5000 && !noticed; step += 100)
    if (!watch.check(step, {energy(step), 0, 1}).empty()) noticed = step;
  // 1e4 times the heaviest permittivity is reached after ln(4e4) / ln(1.05) = 217 steps.
  EXPECT_EQ(noticed, 1300);
}

TEST(FdtdDivergence, ADrivenResonanceAndADecayAreNone) {
  fdtd::DivergenceWatch driven(500, 1000000, 4), decaying(500, 1000, 4);
  for (long step = 100; step <= 100000; step += 100) {
    EXPECT_EQ(driven.check(step, {double(step) * double(step), 0, 1}), "");
    EXPECT_EQ(decaying.check(step, {std::exp(-1e-3 * double(step)), 0, 1}), "");
  }
}

TEST(FdtdDivergence, NumbersThatAreNoneAreNoticedAtOnce) {
  fdtd::DivergenceWatch watch(500, 1000, 4);
  EXPECT_NE(watch.check(100, {1, 1, std::nan("")}), "");
  EXPECT_NE(watch.check(100, {1, 1, std::numeric_limits<double>::infinity()}), "");
}

class FdtdInterruption : public testing::TestWithParam<const char*> {};

TEST_P(FdtdInterruption, ContinuedRunEndsWithTheSameBits) {
  const TemporaryFolder folder;
  folder.write("case.toml", pulse_case);
  const std::string line = std::string("fdtd case.toml --resolution 40 ") + GetParam() + " --output-dir ";
  test::Program cut(folder, line + "cut --checkpoint 0.05s");
  ASSERT_TRUE(test::wait_until([&] { return fs::exists(folder / "cut/checkpoint"); }));
  cut.send(SIGINT);
  const auto stopped = cut.wait();
  ASSERT_EQ(stopped.code, 130) << stopped.err;
  EXPECT_NE(stopped.err.find("--resume cut"), std::string::npos) << stopped.err;
  EXPECT_FALSE(fs::exists(folder / "cut/log"));
  const auto resumed = test::run(folder, "fdtd --resume cut");
  ASSERT_EQ(resumed.code, 0) << resumed.err;
  ASSERT_EQ(test::run(folder, line + "whole").code, 0);
  const auto a = tables(folder / "cut"), b = tables(folder / "whole");
  ASSERT_GE(a.size(), 2u);
  EXPECT_TRUE(a == b);
  EXPECT_FALSE(fs::exists(folder / "cut/checkpoint"));
}

INSTANTIATE_TEST_SUITE_P(Ends, FdtdInterruption,
                         testing::Values("--decay 1e-6", "--fourier 1e-3", "--normalize --steps 1500",
                                         "--double --backend cpu --threads 1 --animation"));

TEST(FdtdCheckpoint, OfAnotherCaseOrDamagedIsRefused) {
  const TemporaryFolder folder;
  folder.write("case.toml", pulse_case);
  ASSERT_EQ(test::run(folder, "fdtd case.toml --max-time 6 --output-dir out").code, 3);
  ASSERT_TRUE(fs::exists(folder / "out/checkpoint"));
  for (const char* other : {"--resolution 20", "--layers 8", "--no-averaging", "--courant 0.5", "--double"}) {
    const auto end = test::run(folder, std::string("fdtd --resume out ") + other);
    EXPECT_EQ(end.code, 2) << other << end.err;
    EXPECT_NE(end.err.find("checkpoint"), std::string::npos) << end.err;
  }
  const std::string whole = test::text_of(folder / "out/checkpoint");
  folder.write("out/checkpoint", whole.substr(0, whole.size() / 2));
  EXPECT_NE(test::run(folder, "fdtd --resume out").err.find("cut short"), std::string::npos);
  folder.write("out/checkpoint", "something else");
  EXPECT_EQ(test::run(folder, "fdtd --resume out").code, 2);
}

TEST(FdtdStop, PulsesEndWhenAMillionthOfTheEnergyIsLeft) {
  const auto out = fdtd::run(pulse_in_one_dimension(), umov::test::serial);
  EXPECT_TRUE(out.converged);
  EXPECT_EQ(out.steps % 100, 0);
  EXPECT_NE(out.stop_reason.find("energy"), std::string::npos) << out.stop_reason;
  // The pulse of width 0.2 lasts 10 / (2 pi 0.2) and needs at most 9 units to leave.
  EXPECT_LT(out.time, 10 / (2 * pi * 0.2) + 9 + 100 * out.grid.dt);
  EXPECT_GT(out.time, 10 / (2 * pi * 0.2));
}

TEST(FdtdStop, ContinuousWavesEndWhenTheyAreSteady) {
  const auto out = fdtd::run(wave_in_one_dimension(), umov::test::serial);
  EXPECT_TRUE(out.converged) << out.stop_reason;
  EXPECT_NE(out.stop_reason.find("amplitudes off by"), std::string::npos) << out.stop_reason;
  ASSERT_EQ(out.of<fdtd::SeriesResult>().size(), 1u);
  EXPECT_GT(out.of<fdtd::SeriesResult>()[0].rms_total, 0.1);
}

TEST(FdtdStop, FixedStepsAndTimeAreExact) {
  auto s = pulse_in_one_dimension();
  s.stop.steps = 137;
  EXPECT_EQ(fdtd::run(s, umov::test::serial).steps, 137);
  s.stop.steps = 0;
  s.stop.time = 5.01;
  const auto out = fdtd::run(s, umov::test::serial);
  EXPECT_GE(out.time, 5.01);
  EXPECT_LT(out.time, 5.01 + out.grid.dt);
}

TEST(FdtdStop, CriteriaTheSourcesCannotMeetAreRefused) {
  auto s = wave_in_one_dimension();
  s.stop.decay = 1e-6;
  EXPECT_NE(thrown<BadInput>([&] { fdtd::run(s, umov::test::serial); }).find("'pulse' (which never ends"),
            std::string::npos);
  s = pulse_in_one_dimension();
  s.stop.steady = 1e-3;
  EXPECT_NE(thrown<BadInput>([&] { fdtd::run(s, umov::test::serial); }).find("pulses have no steady state"),
            std::string::npos);
}

TEST(FdtdStop, AnObserverEndsARunAtOnce) {
  fdtd::RunObserver watch;
  long seen = 0;
  watch.step = [&](const fdtd::StepReport& r) {
    seen = r.step;
    return r.step < 200;
  };
  EXPECT_NE(thrown<run::Interrupted>([&] {
              fdtd::run(pulse_in_one_dimension(), umov::test::serial, watch);
            }).find("interrupted"),
            std::string::npos);
  EXPECT_EQ(seen, 200);
}

TEST(FdtdNormalised, SlabOfIndexThreeReflectsAQuarterOfThePower) {
  auto s = pulse_in_one_dimension();
  s.resolution = 120;
  s.normalize = true;
  fdtd::MaterialSpec glass;
  glass.name = "glass";
  glass.index = 3;
  s.materials = {glass};
  fdtd::BodySpec slab;  // from 0.5 into the absorbing layer
  slab.material = "glass";
  slab.center = {4.5, 0, 0};
  slab.size = Vec3{8, 0, 0};
  s.bodies = {slab};
  s.monitors.clear();
  for (const double at : {-1.0, 2.0}) {
    fdtd::MonitorSpec flux;
    flux.kind = fdtd::MonitorSpec::Kind::flux;
    flux.name = at < 0 ? "before" : "behind";
    flux.center = {at, 0, 0};
    flux.frequencies = {0.9, 1, 1.1};
    s.monitors.push_back(flux);
  }
  const auto out = fdtd::run(s, umov::test::serial);
  ASSERT_EQ(out.of<fdtd::FluxResult>().size(), 2u);
  for (std::size_t f = 0; f < 3; ++f) {
    const double in = out.of<fdtd::FluxResult>()[0].reference[f];
    // Second order with averaging: 40 cells per wavelength in the slab leave (pi / 40)^2 / 6 = 0.1 % in its
    // index.
    EXPECT_NEAR(-out.of<fdtd::FluxResult>()[0].scattered[f] / in, 0.25, 0.0025);
    EXPECT_NEAR(out.of<fdtd::FluxResult>()[1].flux[f] / in, 0.75, 0.0025);
  }
}

TEST(FdtdFilm, FramesStayBoundedAndEvenlySpaced) {
  auto s = pulse_in_one_dimension();
  s.outputs.animation = true;
  s.outputs.frames = 8;
  const auto out = fdtd::run(s, umov::test::serial);
  ASSERT_GE(out.frames.size(), 4u);
  EXPECT_LE(out.frames.size(), 8u);
  for (std::size_t i = 2; i < out.frames.size(); ++i)
    EXPECT_EQ(out.frames[i].step - out.frames[i - 1].step, out.frames[1].step - out.frames[0].step);
}
