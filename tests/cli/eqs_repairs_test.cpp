// Cases that once gave wrong numbers in silence: each says so, or is right.
#include <gtest/gtest.h>

#include <cmath>
#include <sstream>

#include "support/places.hpp"
#include "support/program.hpp"

namespace {

using namespace umov;
namespace fs = std::filesystem;

/// One layer of 1 mm between "bottom" (driven as `waveform` says) and "top" (as `other` says).
std::string layer(const std::string& material, const std::string& waveform, const std::string& more,
                  const std::string& other = "kind = \"ground\"") {
  return "[geometry]\nkind = \"layers\"\nwidth = 1e-3\n[[layer]]\nregion = \"a\"\nthickness = 1e-3\nelements "
         "= 2\n"
         "[[material]]\nname = \"a\"\n" +
         material + "\n[[electrode]]\nname = \"hv\"\ngroups = [\"bottom\"]\n" + waveform +
         "\n[[electrode]]\nname = \"gnd\"\ngroups = [\"top\"]\n" + other + "\n" + more;
}

const std::string glass = "permittivity = 2.3\nconductivity = 1e-14", drive = "amplitude = 1e3",
                  short_run = "[time]\nend = 0.02\n";

class EqsRepairs : public testing::Test {
 protected:
  test::Ended run(const std::string& text, const std::string& flags = "") {
    folder.write("case.toml", text);
    fs::remove_all(folder / "out");
    return test::run(folder,
                     "eqs case.toml --cpu --threads 1 --quiet --no-pictures --output-dir out " + flags);
  }
  void refused(const std::string& text, const std::string& part, const std::string& flags = "") {
    const auto end = run(text, flags);
    EXPECT_EQ(end.code, 2) << end.err;
    EXPECT_NE(end.err.find(part), end.err.npos) << end.err;
    EXPECT_FALSE(fs::exists(folder / "out"));
  }
  void warned(const std::string& text, const std::string& part, const std::string& flags = "") {
    const auto end = run(text, flags);
    EXPECT_EQ(end.code, 0) << end.err;
    EXPECT_NE(end.err.find("warning: " + part), end.err.npos) << end.err;
  }
  /// A named number of a CSV file's last row.
  double last(const std::string& file, const std::string& column) {
    std::istringstream in(test::text_of(folder / ("out/" + file)));
    std::string line, names, row;
    while (std::getline(in, line))
      if (!line.starts_with('#')) (names.empty() ? names : row) = line;
    std::istringstream name_cells(names), row_cells(row);
    for (std::string name, cell; std::getline(name_cells, name, ',') && std::getline(row_cells, cell, ',');)
      if (name.starts_with(column)) return std::strtod(cell.c_str(), nullptr);
    ADD_FAILURE() << "no " << column << " in " << names;
    return NAN;
  }
  test::TemporaryFolder folder;
};

TEST_F(EqsRepairs, FiftyHertzToTwoSecondsReachTheFieldOfTheirAmplitude) {
  const auto end = run(layer(glass, drive, "[time]\nend = 2\n[output]\ninterval = 2\n"));
  ASSERT_EQ(end.code, 0) << end.err;
  std::istringstream in(test::text_of(folder / "out/materials.csv"));
  double most = 0;
  for (std::string line; std::getline(in, line);)
    if (const auto comma = line.find(','); comma != line.npos)
      most = std::max(most, std::strtod(line.c_str() + comma + 1, nullptr));
  // twenty steps a period, with one at a quarter of it
  EXPECT_NEAR(most, 1e6, 1e-3 * 1e6);
}

TEST_F(EqsRepairs, HarmonicTakesTheFrequencyOfTheElectrodes) {
  const std::string at_1khz = drive + "\nfrequency = 1000";
  ASSERT_EQ(run(layer("permittivity = 2\nconductivity = 1e-12", at_1khz, ""), "--analysis harmonic").code, 0);
  // omega eps E A
  EXPECT_NEAR(last("electrodes.csv", "hv current imaginary"),
              2 * M_PI * 1000 * 2 * 8.8541878128e-12 * 1e6 * 1e-6, 1e-15);
  refused(layer(glass, drive, "", "amplitude = 3\nfrequency = 60"),
          "electrode 'hv' has 50 Hz, electrode 'gnd' 60 Hz", "--analysis harmonic");
  refused(layer(glass, at_1khz, "[time]\nfrequency = 50\n"),
          "case.toml:22: 'time.frequency' is 50 Hz, but the electrodes have 1000 Hz", "--analysis harmonic");
  refused(layer(glass, drive + "\nwaveform = \"impulse\"", ""), "electrode 'hv' is driven by no sine",
          "--analysis harmonic");
}

TEST_F(EqsRepairs, CurveFilesAreReadStrictly) {
  const std::string table = "permittivity = 2\nconductivity_table = \"k.csv\"";
  folder.write("k.csv", "E;k\n0;1,5e-12\n1e5;1,7e-11\n");
  refused(layer(table, drive, short_run), "k.csv:2: '0;1,5e-12' has decimal commas");
  folder.write("k.csv", "0,1e-12,3\n1e5,1e-11,3\n");
  refused(layer(table, drive, short_run), "k.csv:1: 3 columns");
  folder.write("k.csv", "E (kV/inch),kappa (S/m)\n0,1e-12\n1,1e-11\n");
  refused(layer(table, drive, short_run), "k.csv:1: 'E (kV/inch)': unit 'kV/inch'");
  // 1 kV over 1 mm is 10 kV/cm: the table's last row
  folder.write("k.csv", "E (kV/cm),kappa (S/m)\n0,1e-12\n1,1e-11\n10,1e-8\n");
  ASSERT_EQ(run(layer(table, drive, ""), "--analysis conduction").code, 0);
  EXPECT_NEAR(last("electrodes.csv", "hv current"), 1e-8 * 1e6 * 1e-6, 1e-8 * 1e-14 * 1e6);
  folder.write("k.csv", "E (kV/cm),kappa (S/m)\n0,1e-12\n1,1e-11\n");
  warned(layer(table, drive, ""),
         "material 'a': |E| reached 1e+06 V/m, beyond its table of conductivity (1e+05 V/m",
         "--analysis conduction");
}

/// A field below the first row met a value that nobody had said.
TEST_F(EqsRepairs, ATableThatBeginsAboveZeroIsSaidWithTheValueAtZero) {
  // ln kappa over E through (1e5, ln 1e-12) and (2e5, ln 1e-11): 1e-13 at 0
  const std::string table = "permittivity = 2\nconductivity_table = ";
  warned(
      layer(table + "[[1e5, 1e-12], [2e5, 1e-11]]", drive, short_run),
      "material 'a': its table of conductivity begins at 100000 V/m with 1e-12 S/m; below, the curve goes on "
      "log-linearly to 1e-13 S/m at 0 V/m; give a row at 0");
  for (const char* rows : {"[[0, 1e-12], [2e6, 1e-11]]", "[[1e5, 1e-12], [2e6, 1e-12]]"}) {
    const auto end = run(layer(table + rows, drive, short_run));
    EXPECT_EQ(end.code, 0) << end.err;
    EXPECT_EQ(end.err.find("begins at"), end.err.npos) << end.err;
  }
}

TEST_F(EqsRepairs, ElectrostaticsHasChargesButNoCurrentsAndNoLosses) {
  const auto end = run(layer("permittivity = 2\nconductivity = 1e-3", drive, ""), "--analysis electrostatic");
  ASSERT_EQ(end.code, 0) << end.err;
  EXPECT_NEAR(last("electrodes.csv", "hv charge"), 2 * 8.8541878128e-12 * 1e6 * 1e-6, 1e-22);
  for (const char* file : {"electrodes.csv", "history.csv", "materials.csv", "log"})
    for (const char* word : {"current", "conduction [", "power ", "power [", "dissipated", " A\n"})
      EXPECT_EQ(test::text_of(folder / (std::string("out/") + file)).find(word), std::string::npos)
          << file << ": " << word;
}

TEST_F(EqsRepairs, WhatDrivesNothingOrMirrorsNothingIsRefused) {
  refused(layer(glass, drive, short_run, "amplitude = 1e3"), "at the only potential there is");
  refused(layer(glass, drive, short_run, "kind = \"floating\""), "ground what surrounds it");
  refused(layer(glass, drive, short_run + "[mesh]\nsymmetry = [\"z\"]\n"),
          "the plane of symmetry z = 0 is electrode 'hv'");
  EXPECT_EQ(run(layer(glass, drive, short_run + "[mesh]\nsymmetry = [\"x\"]\n")).code, 0);
}

TEST_F(EqsRepairs, WhatHasNoEffectOrNoSenseIsSaid) {
  refused(layer(glass, drive, "[time]\nend = 1e-3\nfirst_step = 1e-7\nmin_step = 1e-6\n"),
          "1e-07 s (shorter than");
  warned(layer("permittivity = 0.5", drive, short_run), "material 'a': its permittivity is 0.5");
  warned(layer("permittivity = 2e-11", drive, short_run), "material 'a': its permittivity is 2e-11");
  warned(layer(glass, drive, "[time]\nstep = 1e-3\n[output]\ninterval = 1\n"),
         "without effect: time.step, output.interval", "--analysis electrostatic");
  warned(layer(glass, drive + "\nfrequency = 1000", "[time]\nperiods = 1\n"),
         "time.periods counts those of 50 Hz");
  refused(layer(glass, drive + "\nwaveform = \"constant\"\nfrequency = 60", short_run),
          "has a frequency (which a sine has)");
  refused(layer(glass, drive + "\nrise = 1e-3", short_run), "has a rise (which a step has)");
  refused(layer(glass, drive + "\nwaveform = \"step\"\nphase = 90", short_run),
          "has a phase (which a sine has)");
  refused(layer(glass, drive, short_run, "kind = \"ground\"\nwaveform = \"step\""),
          "is ground but has a waveform");
  // what a run writes as its case repeats it
  ASSERT_EQ(run(layer(glass, drive + "\nwaveform = \"constant\"", short_run)).code, 0);
  EXPECT_EQ(test::run(folder, "eqs out/resolved.toml --cpu --quiet --output-dir again").code, 0);
}

const std::string ball = R"([run]
analysis = "electrostatic"
[geometry]
low = [-0.1,-0.1,-0.1]
high = [0.1,0.1,0.1]
mesh_size = MESH_SIZE
[[part]]
region = "ball"
shape = "sphere"
conductor = true
radius = 0.03
[[material]]
name = "air"
[[electrode]]
name = "ball"
amplitude = 1000
[[electrode]]
name = "wall"
groups = ["x_min"]
kind = "ground"
)";

std::string ball_of(const std::string& mesh_size) {
  std::string text = ball;
  return text.replace(text.find("MESH_SIZE"), 9, mesh_size);
}

bool has_gmsh() { return fs::exists(fs::path(test::program_path()).parent_path() / "libumov_gmsh.so"); }

TEST_F(EqsRepairs, AConductingPartThatIsNoElectrodeIsSaidToBeAHole) {
  if (!has_gmsh()) GTEST_SKIP() << "built without Gmsh";
  const std::string
      box =
          "[run]\nanalysis = \"electrostatic\"\n[geometry]\nlow = [-0.1, -0.1, -0.1]\nhigh = [0.1, 0.1, "
          "0.1]\nmesh_size = 0.05\n[[part]]\nregion = \"ball\"\nshape = \"sphere\"\nradius = "
          "0.03\nconductor = true\n[[material]]\nname = \"air\"\n",
      plates =
          "[[electrode]]\nname = \"a\"\ngroups = [\"x_min\"]\namplitude = 1000\n"
          "[[electrode]]\nname = \"b\"\ngroups = [\"x_max\"]\nkind = \"ground\"\n";
  warned(box + plates,
         "part 'ball' is a conductor, but no electrode is: it is cut out as a hole that no field crosses");
  const auto end = run(box + plates + "[[electrode]]\nname = \"ball\"\nkind = \"floating\"\n");
  EXPECT_EQ(end.code, 0) << end.err;
  EXPECT_EQ(end.err.find("hole"), end.err.npos) << end.err;
}

TEST_F(EqsRepairs, AbsurdMeshSizesAreFoundBeforeMeshing) {
  if (!has_gmsh()) GTEST_SKIP() << "built without Gmsh";
  refused(ball_of("1e-5"), "tetrahedra (edges of 1e-05 m, in a domain of 0.2 x 0.2 x 0.2 m");
  refused(ball_of("3"), "mesh_size of the domain is 3 m");
  // a plate without a size of its own is what asks for them
  refused(
      "[run]\nanalysis = \"electrostatic\"\n[geometry]\nlow = [-0.1, -0.1, -0.1]\nhigh = [0.1, 0.1, 0.1]\n"
      "mesh_size = 0.05\n[[part]]\nregion = \"foil\"\nshape = \"box\"\nsize = [0.2, 0.2, 1e-5]\n"
      "[[material]]\nname = \"air\"\n[[material]]\nname = \"foil\"\npermittivity = 5\n"
      "[[electrode]]\nname = \"z_min\"\nkind = \"ground\"\n[[electrode]]\nname = \"z_max\"\namplitude = 1\n",
      "give part 1 ('foil', box) a mesh_size");
}

TEST_F(EqsRepairs, AnInterruptWhileMeshingEndsAtOnceAndLeavesNothing) {
  if (!has_gmsh()) GTEST_SKIP() << "built without Gmsh";
  // some millions of elements: a minute of meshing
  folder.write("case.toml", ball_of("0.0018"));
  for (const int signal : {SIGINT, SIGTERM}) {
    test::Program program(folder, "eqs case.toml --cpu --output-dir out");
    ASSERT_TRUE(test::wait_until([&] { return fs::exists(folder / "out/resolved.toml"); }));
    std::this_thread::sleep_for(std::chrono::seconds(1));
    const auto sent = std::chrono::steady_clock::now();
    program.send(signal);
    const auto end = program.wait();
    // the wait for the child is 20 ms; the rest is for a busy machine
    EXPECT_LT(std::chrono::steady_clock::now() - sent, std::chrono::seconds(5));
    EXPECT_EQ(end.code, 128 + signal) << end.err;
    EXPECT_NE(end.err.find("interrupted while meshing"), end.err.npos) << end.err;
    EXPECT_FALSE(fs::exists(folder / "out"));
  }
}

/// Four layers across y, 10 x 10 mm^2: 1e-15 S/m | 1e-3 | a floating slab of metal | 1e4, some 50 tetrahedra.
const std::string stack = R"([run]
analysis = "conduction"
[geometry]
low = [0.003, -0.002, 0.001]
high = [0.013, 0.004, 0.011]
mesh_size = 0.005
domain_region = "l0"
[[part]]
region = "l1"
center = [0.008, -0.0005, 0.006]
size = [0.01, 0.001, 0.01]
[[part]]
region = "l2"
center = [0.008, 0.0005, 0.006]
size = [0.01, 0.001, 0.01]
conductor = true
[[part]]
region = "l3"
center = [0.008, 0.0025, 0.006]
size = [0.01, 0.003, 0.01]
[[material]]
name = "l0"
conductivity = 1e-15
[[material]]
name = "l1"
conductivity = 1e-3
[[material]]
name = "l3"
conductivity = 1e4
[[electrode]]
name = "l2"
kind = "floating"
[[electrode]]
name = "lo"
groups = ["y_min"]
kind = "ground"
[[electrode]]
name = "hi"
groups = ["y_max"]
amplitude = 1
)";

/// Parts that hardly couple: the spectrum of the poor one was not seen beside that of the good one, and the
/// smoother amplified what lay beyond.
TEST_F(EqsRepairs, SecondOrderIsSolvedWhereAPoorLayerLiesBesideAGoodConductor) {
  if (!has_gmsh()) GTEST_SKIP() << "built without Gmsh";
  const auto end = run(stack, "--order 2");
  EXPECT_EQ(end.code, 0) << end.err;
  // in series, in ohms: 1 mm, 1 mm and 3 mm over conductivity and area
  const double r = 1e-3 / (1e-15 * 1e-4) + 1e-3 / (1e-3 * 1e-4) + 3e-3 / (1e4 * 1e-4);
  EXPECT_NEAR(last("electrodes.csv", "hi current") * r, 1, 1e-8);
}

// What resolved.toml left out, a repetition would have taken by default.
TEST_F(EqsRepairs, AComparisonIsRepeatedByItsResolvedCase) {
  const auto end =
      run(layer(glass, drive + "\nfrequency = 50", short_run), "--compare --methods H,C --no-errors");
  ASSERT_EQ(end.code, 0) << end.err;
  const std::string resolved = test::text_of(folder / "out/resolved.toml");
  EXPECT_NE(resolved.find("methods = [\"H\", \"C\"]"), std::string::npos) << resolved;
  EXPECT_NE(resolved.find("errors = false"), std::string::npos) << resolved;
  EXPECT_NE(test::text_of(folder / "out/log").find("methods = [\"H\", \"C\"]"), std::string::npos);
  const auto again =
      test::run(folder, "eqs out/resolved.toml --compare --quiet --no-pictures --output-dir again");
  ASSERT_EQ(again.code, 0) << again.err;
  std::istringstream rows(test::text_of(folder / "again/methods.csv"));
  std::string line, letters;
  while (std::getline(rows, line))
    if (line.at(1) == ',') letters += line.at(0);  // below the heading
  EXPECT_EQ(letters, "HC");
}

}  // namespace
