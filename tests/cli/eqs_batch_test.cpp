// `umov eqs` with lists: which variants there are, what is refused, what is left, and how it goes on.
#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "core/error.hpp"
#include "core/text.hpp"
#include "eqs/command/batch_state.hpp"
#include "eqs/command/front.hpp"
#include "support/eqs_runs.hpp"
#include "support/program.hpp"
#include "support/ranked_tables.hpp"

namespace {

using namespace umov;
using test::TemporaryFolder;
using test::two_layers;
namespace fs = std::filesystem;

const std::string quarter = "\n[time]\nend = 0.005\nstep = 5e-4\n";

eqs::Request parsed(const TemporaryFolder& folder, const std::string& text,
                    std::vector<std::string> more = {}) {
  folder.write("case.toml", text);
  std::vector<std::string> args{(folder / "case.toml").string()};
  args.insert(args.end(), more.begin(), more.end());
  return eqs::parse(args);
}

/// Of a variant on an axis.
double number(const eqs::Request& r, std::size_t variant, std::size_t axis) {
  return read_number(r.batch.sweep.value(axis, variant), {});
}

std::string refusal_of_batch(const std::string& text, std::vector<std::string> more = {}) {
  const TemporaryFolder folder;
  try {
    parsed(folder, text, std::move(more));
  } catch (const BadInput& e) {
    return e.what();
  }
  return "";
}

std::string with(std::string text, const std::string& from, const std::string& to) {
  const auto at = text.find(from);
  EXPECT_NE(at, text.npos) << from;
  return text.replace(at, from.size(), to);
}

TEST(EqsLists, AValueThatTheNumberCannotHaveIsTheFault) {
  const auto said = [](const std::string& list) {
    return refusal_of_batch(with(two_layers(quarter), "thickness = 0.002", "thickness = " + list));
  };
  EXPECT_NE(said("[-1e-3, 4e-3]").find("'layer.thickness' -0.001 is out of range"), std::string::npos);
  EXPECT_NE(said("[-1e-3, -4e-3]").find("'layer.thickness' -0.001 is out of range"), std::string::npos);
  EXPECT_NE(said("[4e-3, -1e-3]").find("-0.001 is out of range"), std::string::npos);
  // a place that takes no number at all
  EXPECT_NE(refusal_of_batch(with(two_layers(quarter), "rms = 10e3", "rms = 10e3\nwaveform = [1, 2]"))
                .find("not a list of 2"),
            std::string::npos);
}

TEST(EqsLists, StandWhereOneNumberIsWanted) {
  const TemporaryFolder folder;
  auto text = with(two_layers(quarter), "thickness = 0.002", "thickness = [0.001, 0.002]");
  text = with(text, "rms = 10e3", "rms = \"8e3:12e3:3\"");
  const auto r = parsed(folder, text);
  ASSERT_EQ(r.batch.cases.size(), 6u);
  ASSERT_EQ(r.batch.sweep.axes.size(), 2u);
  std::set<std::pair<double, double>> seen;
  for (const auto& sim : r.batch.cases)
    seen.insert({sim.mesh.geometry->layers[0].thickness, sim.electrodes[0].waveform.amplitude});
  EXPECT_EQ(seen.size(), 6u);
  EXPECT_TRUE(seen.count({0.001, std::sqrt(2.0) * 10e3}));
  EXPECT_EQ(r.batch.sweep.axes[1].name, "varistor.thickness");
  EXPECT_EQ(r.batch.sweep.axes[1].unit, "m");
}

TEST(EqsLists, VaryReachesAnyNumberByItsName) {
  const TemporaryFolder folder;
  const auto curve =
      with(two_layers(quarter), "conductivity = \"microvaristor\"",
           "conductivity = \"microvaristor\"\nconductivity_parameters = [1e-10, 1864, 0.7e6, 2.4e6]");
  const auto r = parsed(folder, curve + R"(
[[vary]]
parameter = "material.varistor.conductivity_parameters[3]"
name = "switching"
values = [6e5, 8e5]
[[vary]]
parameter = ["layer.1.elements", "layer.dielectric.elements"]
name = "elements"
values = [2, 4]
)");
  ASSERT_EQ(r.batch.cases.size(), 4u);
  EXPECT_EQ(r.batch.cases[3].materials[0].conductivity.parameters[2], 8e5);
  EXPECT_EQ(r.batch.cases[3].mesh.geometry->layers[1].elements, 4);
  EXPECT_EQ(r.batch.cases[2].mesh.geometry->layers[0].elements, 2);
}

TEST(EqsLists, ResolvedCaseStandsForTheSameVariants) {
  const TemporaryFolder folder;
  const auto text = with(two_layers(quarter), "rms = 10e3", "rms = [8e3, 10e3]") +
                    "[batch]\ndesign = \"latin-hypercube\"\nvariants = 5\nseed = 3\n";
  const auto first = parsed(folder, text);
  const auto again = parsed(folder, eqs::resolved_toml(first.batch));
  ASSERT_EQ(again.batch.cases.size(), 5u);
  for (std::size_t k = 0; k < 5; ++k)
    EXPECT_EQ(eqs::resolved_toml(first.batch.cases[k]), eqs::resolved_toml(again.batch.cases[k]));
}

TEST(EqsLists, AFlagReplacesAList) {
  const TemporaryFolder folder;
  const auto text = two_layers("\n[time]\nend = [0.005, 0.01]\ntolerance = [1e-3, 1e-4]\n");
  const auto r = parsed(folder, text, {"--end", "0.002"});
  ASSERT_EQ(r.batch.cases.size(), 2u);
  EXPECT_EQ(*r.batch.cases[1].time.end, 0.002);
}

TEST(EqsLists, ALogarithmicRangeHasEqualRatios) {
  const TemporaryFolder folder;
  const std::string vary =
      "\n[[vary]]\nparameter = \"material.dielectric.conductivity\"\nvalues = \"1e-10:1e-8:5\"\n";
  const auto r = parsed(folder, two_layers(quarter) + vary + "logarithmic = true\n");
  ASSERT_EQ(r.batch.size(), 5u);
  EXPECT_EQ(number(r, 0, 0), 1e-10);
  EXPECT_EQ(number(r, r.batch.size() - 1, 0), 1e-8);
  const double expected = std::sqrt(std::sqrt(1e-8 / 1e-10));
  for (std::size_t k = 1; k < 5; ++k)  // by rounding of a power
    EXPECT_NEAR(number(r, k, 0) / number(r, k - 1, 0), expected, 1e-12);
  EXPECT_NEAR(number(parsed(folder, two_layers(quarter) + vary), 2, 0), 5.05e-9, 1e-20) << "without";
}

TEST(EqsLists, AnglesInATableHaveTheUnitOfTheResults) {
  const TemporaryFolder folder;
  const auto text = two_layers(quarter) +
                    "[batch]\ndesign = \"table\"\ntable = \"t.csv\"\n[[vary]]\nparameter = "
                    "\"electrode.bottom.phase\"\nname = \"angle\"\n[[vary]]\nparameter = "
                    "\"electrode.bottom.rms\"\nname = \"voltage\"\n";
  folder.write("t.csv", "angle [deg],voltage [kV]\n0,1\n120,2\n");
  EXPECT_EQ(number(parsed(folder, text), 1, 0), 120);
  folder.write("t.csv", "angle [ms],voltage [kV]\n0,1\n120,2\n");
  EXPECT_THROW(parsed(folder, text), BadInput);
}

TEST(EqsLists, ATableNamesItsColumnsAfterTheVariedNumbers) {
  const TemporaryFolder folder;
  const std::string vary = R"(
[batch]
design = "table"
table = "t.csv"
[[vary]]
parameter = "layer.varistor.thickness"
name = "film"
[[vary]]
parameter = "electrode.bottom.rms"
name = "voltage"
)";
  folder.write("t.csv", "# chosen by hand\nvoltage [kV],film [mm]\n8,1\n9,2\n10,1.5\n");
  const auto r = parsed(folder, two_layers(quarter) + vary);
  ASSERT_EQ(r.batch.cases.size(), 3u);
  EXPECT_NEAR(number(r, 1, 0), 2e-3, 1e-15);
  EXPECT_NEAR(number(r, 1, 1), 9e3, 1e-9);
  folder.write("t.csv", "voltage,thickness\n8e3,1e-3\n");
  EXPECT_THROW(parsed(folder, two_layers(quarter) + vary), BadInput);
  folder.write("t.csv", "voltage\n8e3\n");
  EXPECT_THROW(parsed(folder, two_layers(quarter) + vary), BadInput);
}

TEST(EqsLists, WhatCannotBeIsRefusedWithItsReason) {
  const auto vary = [](const std::string& parameter, const std::string& more = "values = [1, 2]\n") {
    return refusal_of_batch(two_layers(quarter) + "\n[[vary]]\nparameter = \"" + parameter + "\"\n" + more);
  };
  const auto has = [](const std::string& text, const std::string& part) {
    EXPECT_NE(text.find(part), text.npos) << text;
  };
  has(vary("layer.varister.thickness"), "which the case does not have");
  has(vary("layer.varistor.thikness"), "did you mean 'thickness'");
  has(vary("layer.varistor.region"), "text");
  has(vary("material.varistor.conductivity_parameters[3]"), "which has 0");
  has(vary("time.step", ""), "no values");
  has(vary("electrode.top.charge"), "variant 1");
  has(refusal_of_batch(with(two_layers(quarter), "rms = 10e3", "rms = [1, 1]")), "twice");
  has(refusal_of_batch(with(two_layers(quarter), "rms = 10e3", "rms = \"1:2:1\"")), "one value");
  has(refusal_of_batch(with(two_layers(quarter), "thickness = 0.002", "thickness = [0.001, 0]")),
      "variant 2");
  has(refusal_of_batch(two_layers(quarter) + "[batch]\nvariants = 4\n"), "no number of the case is varied");
  const auto list = with(two_layers(quarter), "rms = 10e3", "rms = [8e3, 10e3]");
  has(refusal_of_batch(list + "[batch]\ndesign = \"latin-hypercube\"\n"), "at least 2");
  has(refusal_of_batch(list + "\n[[vary]]\nparameter = \"electrode.bottom.rms\"\nvalues = [1, 2]\n"),
      "varied twice");
  has(refusal_of_batch(list + "[batch]\ndesign = \"table\"\n"), "wanted");
}

/// What a batch's state says of a continuation by another case: "" if its rows are taken over.
std::string continued(const std::string& first, const std::string& then, const std::string& table = "") {
  const TemporaryFolder folder;
  if (!table.empty()) folder.write("t.csv", table);
  const auto state = (folder / "state").string();
  sweep::StateFile(state, eqs::begin_batch_state(parsed(folder, first).batch));
  try {
    eqs::load_batch_state(state, parsed(folder, then).batch);
  } catch (const BadInput& e) {
    return e.what();
  }
  return "";
}

TEST(EqsBatchState, IsContinuedByEveryListOfTheSameNumbers) {
  const auto base = two_layers(quarter);
  const auto rms = [&](const std::string& list) { return with(base, "rms = 10e3", "rms = " + list); };
  // the amplitude follows from the effective value, that of the first variant too
  EXPECT_EQ(continued(rms("[8e3, 12e3]"), rms("[7e3, 8e3, 12e3]")), "");
  EXPECT_EQ(continued(rms("[8e3, 12e3]"), rms("[12e3, 8e3]")), "");
  const std::string cube = "[batch]\ndesign = \"latin-hypercube\"\nvariants = ";
  EXPECT_EQ(continued(rms("[8e3, 12e3]") + cube + "4\n", rms("[8e3, 13e3]") + cube + "6\nseed = 2\n"), "");
  // a sine without a frequency of its own has the one that is varied
  const auto frequency = [](const std::string& list) {
    return two_layers("\n[time]\nperiods = 0.2\nfrequency = " + list + "\n");
  };
  EXPECT_EQ(continued(frequency("[50, 60]"), frequency("[16.7, 50]")), "");
  // where 1 is refused
  const auto stages = [](const std::string& list) {
    return two_layers("\n[time]\nend = 0.005\nscheme = \"rkc\"\nmax_stages = " + list + "\n");
  };
  EXPECT_EQ(continued(stages("[100, 200]"), stages("[50, 200]")), "");
  // the order in which numbers are varied is no setting
  const auto two = [&](const std::string& a, const std::string& b) {
    return base + "\n[[vary]]\nparameter = \"layer." + a + ".thickness\"\nvalues = [1e-3, 2e-3]\n[[vary]]\n" +
           "parameter = \"layer." + b + ".thickness\"\nvalues = [3e-3, 2e-3]\n";
  };
  EXPECT_EQ(continued(two("varistor", "dielectric"), two("dielectric", "varistor")), "");
  const std::string table =
      "[batch]\ndesign = \"table\"\ntable = \"t.csv\"\n[[vary]]\nparameter = \"electrode.bottom.rms\"\nname "
      "= \"u\"\n";
  EXPECT_EQ(continued(rms("[8e3, 12e3]"), base + table, "u\n9e3\n8e3\n"), "");
}

TEST(EqsBatchState, IsContinuedByItsResolvedCase) {
  const TemporaryFolder folder;
  for (const std::string& text :
       {with(two_layers(quarter), "rms = 10e3", "rms = [8e3, 12e3]"),
        two_layers("\n[time]\nperiods = 0.2\nfrequency = [50, 60]\n"),
        two_layers("\n[run]\nanalysis = \"electrostatic\"\n[time]\nfrequency = [50, 60]\nperiods = 0.25\n")})
    EXPECT_EQ(continued(text, eqs::resolved_toml(parsed(folder, text).batch)), "") << text;
  // a harmonic analysis has the frequency of its electrodes
  auto sine =
      with(two_layers("\n[run]\nanalysis = \"electrostatic\"\n"), "conductivity = \"microvaristor\"", "");
  sine = with(sine, "rms = 10e3\nramp = \"linear\"", "rms = 10e3\nfrequency = [50, 60]");
  EXPECT_EQ(continued(sine, eqs::resolved_toml(parsed(folder, sine).batch)), "");
  EXPECT_EQ(continued(sine, with(sine, "[50, 60]", "[40, 50, 60]")), "");
}

TEST(EqsBatchState, IsRefusedToACaseThatDiffersInMore) {
  const auto text = with(two_layers(quarter), "rms = 10e3", "rms = [8e3, 12e3]");
  const auto has = [](const std::string& said, const std::string& part) {
    EXPECT_NE(said.find("another case"), said.npos) << said;
    EXPECT_NE(said.find(part), said.npos) << said;
  };
  has(continued(text, with(text, "ramp = \"linear\"", "ramp = \"smooth\"")),
      "it has '[[electrode]] 1: ramp = \"linear\"', this one '[[electrode]] 1: ramp = \"smooth\"'");
  has(continued(text, with(text, "thickness = 0.002", "thickness = 0.003")),
      "'[[layer]] 1: thickness = 0.003'");
  has(continued(text, with(text, "[8e3, 12e3]", "[8e3, 12e3]\nfrequency = 60")),
      "'[[electrode]] 1: frequency = 60'");
  has(continued(text, with(text, "thickness = 0.002", "thickness = [0.002, 0.003]")),
      "'varied: layer[0].thickness'");
  // the same heights, of which other ones follow
  has(continued(text, with(text, "rms = [8e3", "amplitude = [8e3")), "'varied: electrode[0].amplitude'");
  // with the first variant's numbers the other case cannot be
  has(continued(two_layers("\n[time]\nend = [0.005, 0.01]\nstep = 5e-4\n"),
                two_layers("\n[time]\nend = [0.02, 0.03]\nstep = 6e-3\n")),
      "'time.step' is 0.006 s (longer than the whole run");
}

TEST(EqsBatchCommand, LeavesTablesSurfacesAndPictures) {
  const TemporaryFolder folder;
  auto text = with(two_layers(quarter), "thickness = 0.002", "thickness = \"1e-3:3e-3:3\"");
  text = with(text, "rms = 10e3", "rms = [8e3, 10e3, 12e3]");
  folder.write("case.toml", text + "[batch]\nfolders = true\n");
  const auto end = test::run(folder, "eqs case.toml --cpu --threads 2 --output-dir out");
  ASSERT_EQ(end.code, 0) << end.err;
  for (const char* name : {"variants.csv", "surfaces.csv", "effects.csv", "results.h5", "log",
                           "resolved.toml", "surface_varistor_peak.png", "variant_0009/history.csv"})
    EXPECT_TRUE(fs::exists(folder / (std::string("out/") + name))) << name;
  EXPECT_TRUE(fs::exists(folder / "out/checkpoint-variants")) << "for longer lists";
  EXPECT_NE(end.out.find("9 variants, 3 meshes"), end.out.npos) << end.out;
  const auto again = test::run(folder, "eqs --resume out");
  EXPECT_EQ(again.code, 0) << again.err;
  const auto other = test::run(folder, "eqs case.toml --cpu --output-dir other --surface cubic");
  EXPECT_NE(other.out.find("cubic surface"), other.out.npos) << other.out << other.err;
}

TEST(EqsBatchCommand, AFinishedBatchGoesOnWithALongerList) {
  const TemporaryFolder folder;
  const std::string text = two_layers(quarter) + "[batch]\nfolders = true\n";
  const auto with_rms = [&](const std::string& list) {
    folder.write("case.toml", with(text, "rms = 10e3", "rms = " + list));
  };
  with_rms("[8e3, 12e3]");
  ASSERT_EQ(test::run(folder, "eqs case.toml --cpu --threads 1 --output-dir out").code, 0);
  const auto same = test::run(folder, "eqs case.toml --cpu --resume out");
  EXPECT_EQ(same.code, 0) << same.err;
  EXPECT_NE(same.out.find("is finished"), same.out.npos) << same.out;
  with_rms("[8e3, 12e3, 14e3, 16e3]");
  const auto longer = test::run(folder, "eqs case.toml --cpu --threads 1 --resume out");
  EXPECT_EQ(longer.code, 0) << longer.err;
  EXPECT_NE(longer.out.find("4 variants, 2 of them taken over"), longer.out.npos) << longer.out;
  EXPECT_TRUE(fs::exists(folder / "out/variant_0004/history.csv"));
  // the first variant keeps its number and its folder, the others move up
  with_rms("[8e3, 9e3, 12e3, 14e3, 16e3]");
  const auto between = test::run(folder, "eqs case.toml --cpu --threads 1 --resume out");
  EXPECT_EQ(between.code, 0) << between.err;
  EXPECT_NE(between.out.find("5 variants, 1 of them taken over"), between.out.npos) << between.out;
  // another first one
  with_rms("[7e3, 8e3, 9e3, 12e3, 14e3, 16e3]");
  const auto before = test::run(folder, "eqs case.toml --cpu --threads 1 --resume out");
  EXPECT_EQ(before.code, 0) << before.err;
  EXPECT_NE(before.out.find("6 variants"), before.out.npos) << before.out;
  // rows of one table differ in the varied numbers alone
  folder.write("case.toml", with(with(text, "rms = 10e3", "rms = [8e3, 12e3, 20e3]"), "thickness = 0.002",
                                 "thickness = 0.003"));
  const auto other = test::run(folder, "eqs case.toml --cpu --threads 1 --resume out");
  EXPECT_EQ(other.code, 2) << other.out;
  EXPECT_NE(other.err.find("another case"), other.err.npos) << other.err;
  EXPECT_TRUE(fs::exists(folder / "out/variants.csv"));
}

TEST(EqsBatchCommand, AFinishedBatchWithFilesGoesOnWithoutItsCase) {
  const TemporaryFolder folder;
  folder.write("v.csv", "0,0\n0.001,8e3\n0.01,1e4\n");
  folder.write("case.toml",
               with(two_layers("\n[time]\nend = 0.002\nstep = 0.001\n"), "rms = 10e3\nramp = \"linear\"",
                    "waveform = \"table\"\nfile = \"v.csv\"\namplitude = [1, 2]"));
  const auto end = test::run(folder, "eqs case.toml --cpu --threads 1 --output-dir out");
  ASSERT_EQ(end.code, 0) << end.err;
  const auto again = test::run(folder, "eqs --resume out");
  EXPECT_EQ(again.code, 0) << again.err;
  EXPECT_NE(again.out.find("is finished"), again.out.npos) << again.out;
  const auto fitted = test::run(folder, "eqs --resume out --surface linear");
  EXPECT_EQ(fitted.code, 0) << fitted.err;
  // the same name with other contents is another case
  folder.write("v.csv", "0,0\n0.001,9e3\n0.01,1e4\n");
  const auto other = test::run(folder, "eqs case.toml --cpu --threads 1 --resume out");
  EXPECT_EQ(other.code, 2) << other.out;
}

/// The field of a film falls by four decades where it begins to conduct: a parabola goes below 0 there.
TEST(EqsBatchCommand, ASurfaceThatForetellsALargestFieldBelowZeroSaysSo) {
  const TemporaryFolder folder;
  folder.write(
      "case.toml",
      "[run]\nanalysis = \"harmonic\"\n[geometry]\nkind = \"layers\"\nwidth = 0.01\n"
      "[[layer]]\nregion = \"film\"\nthickness = 0.001\nelements = 2\n"
      "[[layer]]\nregion = \"base\"\nthickness = 0.002\nelements = 2\n"
      "[[material]]\nname = \"film\"\npermittivity = 3\n[[material]]\nname = \"base\"\npermittivity = 2\n"
      "[[electrode]]\nname = \"bottom\"\namplitude = 100\nfrequency = 50\n"
      "[[electrode]]\nname = \"top\"\nkind = \"ground\"\n"
      "[[vary]]\nparameter = \"material.film.conductivity\"\nname = \"kappa\"\n"
      "values = \"1e-9:1e-5:6\"\nlogarithmic = true\n[batch]\nsurface = \"quadratic\"\n");
  const auto end = test::run(folder, "eqs case.toml --cpu --no-pictures --output-dir out");
  ASSERT_EQ(end.code, 0) << end.err;
  const auto line = [&](const std::string& begins) {
    const auto at = end.out.find(begins);
    return at == end.out.npos ? "" : end.out.substr(at, end.out.find('\n', at) - at);
  };
  EXPECT_NE(line("'film peak'").find("the surface does not hold there"), std::string::npos) << end.out;
  EXPECT_NE(line("'base peak'"), "");
  EXPECT_EQ(line("'base peak'").find("does not hold"), std::string::npos) << end.out;
}

TEST(EqsLists, AFlagReplacesAnAxisOfItsParameter) {
  const TemporaryFolder folder;
  const auto text = two_layers("\n[time]\nend = 0.005\n") +
                    "[[vary]]\nparameter = \"time.tolerance\"\nvalues = [1e-3, 1e-4]\n"
                    "[[vary]]\nparameter = \"electrode.bottom.rms\"\nvalues = [8e3, 1e4, 12e3]\n";
  EXPECT_EQ(parsed(folder, text).batch.size(), 6u);
  const auto r = parsed(folder, text, {"--tolerance", "1e-2"});
  ASSERT_EQ(r.batch.size(), 3u);
  for (const auto& sim : r.batch.cases) EXPECT_EQ(sim.time.tolerance, 1e-2);
  // one that is replaced by another quantity of the file's
  EXPECT_EQ(parsed(folder, text, {"--step", "1e-3"}).batch.cases[2].time.step, 1e-3);
}

TEST(EqsLists, WordsVaryAndSoDoWholeMaterials) {
  const TemporaryFolder folder;
  const auto r = parsed(folder, two_layers(quarter) + R"(
[[vary]]
parameter = "time.scheme"
values = ["sdirk3", "implicit_euler"]
[[vary]]
parameter = "material.varistor.conductivity"
name = "curve"
values = ["microvaristor", 1e-9]
)");
  ASSERT_EQ(r.batch.size(), 4u);
  EXPECT_EQ(r.batch.cases[2].time.scheme, eqs::Scheme::implicit_euler);
  EXPECT_EQ(r.batch.cases[3].materials[0].conductivity.value, 1e-9);
  EXPECT_EQ(r.batch.sweep.describe(3), "time.scheme = implicit_euler, curve = 1e-09");
  const auto again = parsed(folder, eqs::resolved_toml(r.batch));
  for (std::size_t k = 0; k < 4; ++k)
    EXPECT_EQ(eqs::resolved_toml(r.batch.cases[k]), eqs::resolved_toml(again.batch.cases[k]));
}

TEST(EqsBatchCommand, AWordHasItsColumnAndTheRowOfItsRun) {
  const TemporaryFolder folder;
  folder.write("case.toml",
               two_layers(quarter) +
                   "[[vary]]\nparameter = \"time.scheme\"\nvalues = [\"sdirk3\", \"implicit_euler\"]\n");
  const auto end = test::run(folder, "eqs case.toml --cpu --no-pictures --output-dir out");
  ASSERT_EQ(end.code, 0) << end.err;
  EXPECT_NE(end.out.find("'varistor peak': no surface ('time.scheme' has values that are no numbers"),
            end.out.npos)
      << end.out;
  folder.write("one.toml", two_layers(quarter) +
                               "[[vary]]\nparameter = \"electrode.bottom.phase\"\nvalues = "
                               "[0]\n");
  ASSERT_EQ(test::run(folder, "eqs one.toml --scheme implicit_euler --cpu --output-dir one").code, 0);
  const auto rows = split(test::table_without_times(folder / "out/variants.csv"), '\n');
  const auto single = split(test::table_without_times(folder / "one/variants.csv"), '\n');
  const auto line = [](const std::vector<std::string>& all, const std::string& begins) {
    for (const auto& text : all)
      if (text.starts_with(begins)) return text.substr(begins.size());
    return std::string("none");
  };
  EXPECT_NE(line(rows, "1,sdirk3,"), "none");
  EXPECT_EQ(line(rows, "2,implicit_euler,"), line(single, "1,0,"));
}

TEST(EqsBatchCommand, KilledAndContinuedHasTheTableOfOneRun) {
  const TemporaryFolder folder;
  folder.write("case.toml", with(two_layers("\n[time]\nend = 0.02\ntolerance = 1e-5\n"), "rms = 10e3",
                                 "rms = \"8e3:12e3:12\""));
  const std::string words = "eqs case.toml --cpu --threads 1 --no-pictures --output-dir ";
  ASSERT_EQ(test::run(folder, words + "whole").code, 0);
  test::Program killed(folder, words + "cut");
  const fs::path state = folder / "cut/checkpoint-variants";
  std::error_code ignored;
  ASSERT_TRUE(test::wait_until([&] { return fs::exists(state, ignored); }));
  killed.send(SIGKILL);
  killed.wait();
  EXPECT_FALSE(fs::exists(folder / "cut/variants.csv"));
  const auto resumed = test::run(folder, "eqs --resume cut --cpu --threads 1 --no-pictures");
  ASSERT_EQ(resumed.code, 0) << resumed.err;
  EXPECT_NE(resumed.out.find("of them taken over"), resumed.out.npos) << resumed.out;
  EXPECT_EQ(test::table_without_times(folder / "cut/variants.csv"),
            test::table_without_times(folder / "whole/variants.csv"));
  for (const char* file : {"surfaces.csv", "effects.csv", "coefficients.csv"})
    EXPECT_EQ(test::text_of(folder / "cut" / file), test::text_of(folder / "whole" / file)) << file;
}

TEST(EqsBatchCommand, OneGpuByItsNumberIsThatOneAlone) {
  const TemporaryFolder folder;
  const auto text = with(two_layers(quarter), "rms = 10e3", "rms = [8e3, 10e3]");
  EXPECT_FALSE(parsed(folder, text, {"--device", "0"}).batch.every_gpu);
  EXPECT_FALSE(parsed(folder, text, {"--device", "1"}).batch.every_gpu);
  EXPECT_TRUE(parsed(folder, text, {"--device", "gpu"}).batch.every_gpu);
  EXPECT_TRUE(parsed(folder, text).batch.every_gpu);
}

TEST(EqsBatchCommand, AResponseThatIsNoColumnIsToldWithoutLosingTheRows) {
  const TemporaryFolder folder;
  folder.write("case.toml", with(two_layers(quarter), "rms = 10e3", "rms = [8e3, 10e3, 12e3]") +
                                "[batch]\nresponse = [\"varistor pek\"]\n");
  const auto end = test::run(folder, "eqs case.toml --cpu --threads 1 --quiet --output-dir out");
  EXPECT_EQ(end.code, 2);
  EXPECT_NE(end.err.find("did you mean 'varistor peak'"), end.err.npos) << end.err;
  EXPECT_TRUE(fs::exists(folder / "out/checkpoint-variants"));
  EXPECT_EQ(end.err.find("variant 2"), end.err.npos) << "it ends when the columns are known";
  folder.write("case.toml", with(two_layers(quarter), "rms = 10e3", "rms = [8e3, 10e3, 12e3]"));
  const auto on = test::run(folder, "eqs case.toml --cpu --threads 1 --resume out");
  EXPECT_EQ(on.code, 0) << on.err;
  EXPECT_NE(on.out.find("1 of them taken over"), on.out.npos) << on.out;
}

TEST(EqsBatch, AVoltageOfZeroHasItsAnswer) {
  const TemporaryFolder folder;
  for (const std::string& more : {quarter, std::string("[run]\nanalysis = \"electrostatic\"\n")}) {
    const bool statics = more != quarter;
    auto text = with(two_layers(statics ? "" : quarter), "rms = 10e3", "rms = [0, 10e3]");
    folder.write("case.toml", statics ? more + text : text);
    fs::remove_all(folder / "out");
    const auto end =
        test::run(folder, "eqs case.toml --cpu --threads 1 --quiet --no-pictures --output-dir out");
    ASSERT_EQ(end.code, 0) << end.err;
    const auto table = test::columns(folder / "out/variants.csv");
    ASSERT_EQ(table.at("converged"), (std::vector<double>{1, 1}));
    for (const auto& [name, values] : table) {
      ASSERT_EQ(values.size(), 2u) << name;
      const bool field = name.find("peak") != name.npos || name.find("potential") != name.npos ||
                         name.find("charge") != name.npos || name.find("power") != name.npos;
      if (!field) continue;
      EXPECT_EQ(values[0], 0) << name;
    }
    EXPECT_NE(end.err.find("variant 1: every electrode is at 0 V"), end.err.npos) << end.err;
  }
}

}  // namespace
