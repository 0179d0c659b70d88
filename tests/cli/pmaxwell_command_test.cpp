// `umov pmaxwell` as a user meets it: a directory made from a case, iterated, continued, refused.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cmath>
#include <cstring>

#include "pmaxwell/directory.hpp"
#include "pmaxwell/vtk_file.hpp"
#include "support/program.hpp"
#include "support/shell.hpp"

namespace umov {
namespace {

namespace pm = pmaxwell;

const char* const silver_cell = R"([harmonic]
wavelengths = [0.65]
polarization = "p"
superstrate = "soda-lime glass"
substrate = "silver-jiang"
period = 0.15
cell = 0.015
[[layer]]
name = "absorber"
material = "a-Si:H"
thickness = 0.15
[[texture]]
above = "substrate"
rms = 0.02
correlation_length = 0.1
)";

class PmaxwellCommand : public testing::Test {
 protected:
  PmaxwellCommand() { folder.write("case.toml", silver_cell); }
  test::Ended run(const std::string& line) { return test::run(folder, "pmaxwell " + line); }
  void make() {
    const auto ended = run("--from case.toml cell");
    ASSERT_EQ(ended.code, 0) << ended.err;
  }
  bool exists(const std::string& name) { return std::filesystem::exists(folder / name); }
  static void expect_says(const std::string& text, const std::string& part) {
    EXPECT_NE(text.find(part), std::string::npos) << text;
  }

  test::TemporaryFolder folder;
};

// A film under a layer of vacuum at Courant's number 0.9: waves at the end of the grid's band do not leave
// the vacuum, and rounding feeds them for as long as the run lasts.
TEST_F(PmaxwellCommand, AGoalAboveRoundingIsReachedWithManyStepsAPeriod) {
  folder.write("film.toml", R"([harmonic]
wavelengths = [0.6]
polarization = "s"
superstrate = "vacuum"
substrate = "glass"
cell = 0.0025
[[material]]
name = "vacuum"
index = 1.0
[[material]]
name = "glass"
index = 1.5
[[material]]
name = "film"
index = 2.0
extinction = 0.05
[[layer]]
name = "film"
material = "film"
thickness = 0.2
)");
  ASSERT_EQ(run("--from film.toml film").code, 0);
  const auto reached = run("film 80000 --ramp 20 --tolerance 1e-4 --backend serial");
  EXPECT_EQ(reached.code, 0) << reached.err;
  expect_says(reached.out, "ended: the phasor changes by less than 0.0001");
  const auto below = run("film 80000 --ramp 20 --tolerance 1e-7 --backend serial");
  EXPECT_EQ(below.code, 3) << below.err;
  expect_says(below.err, "has stayed at");
}

TEST_F(PmaxwellCommand, FilesPaddedToOneSizeAreToldSo) {
  make();
  for (const auto& name : folder.names("cell"))
    if (name != "E_xy.vtk" && name.ends_with(".vtk"))
      std::filesystem::copy_file(folder / "cell/E_xy.vtk", folder / ("cell/" + name),
                                 std::filesystem::copy_options::overwrite_existing);
  const auto ended = run("cell 100");
  EXPECT_EQ(ended.code, 2);
  expect_says(ended.err, "all forty files have");
  expect_says(ended.err, "they must differ");
}

TEST_F(PmaxwellCommand, AnIntervalOfZeroStepsIsRefused) {
  make();
  const auto ended = run("cell 100 0");
  EXPECT_EQ(ended.code, 2);
  expect_says(ended.err, "SNAPSHOT_INTERVAL 0: give at least 1, or leave it out");
}

TEST_F(PmaxwellCommand, MakesADirectoryIteratesItAndWritesTheNormOfItsFields) {
  make();
  EXPECT_EQ(folder.names("cell").size(), 41u);  // and resolved.toml
  const auto ended = run("cell 3000 500 --ramp 20 --tolerance 3e-4 --backend serial --state end");
  ASSERT_EQ(ended.code, 0) << ended.out << ended.err;
  expect_says(ended.out, "ended: the phasor changes by less than");
  ASSERT_TRUE(exists("cell/results.0.vtk") && exists("cell/results.1.vtk"));
  const std::string log = test::text_of(folder / "cell/log");
  for (const char* word : {"pmaxwell cell 3000 500", "where the time went", "H step", "watching"})
    expect_says(log, word);

  // the last file against the fields of the end
  int last = 0;
  while (exists("cell/results." + std::to_string(last + 1) + ".vtk")) ++last;
  std::ifstream in(folder / ("cell/results." + std::to_string(last) + ".vtk"), std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(in), {}};
  int nx = 0, ny = 0, nz = 0;
  const auto at = bytes.find("DIMENSIONS");
  ASSERT_EQ(std::sscanf(bytes.c_str() + at, "DIMENSIONS %d %d %d", &nx, &ny, &nz), 3);
  const std::string table = "SCALARS norm float 1\nLOOKUP_TABLE default\n";
  const char* norms = bytes.data() + bytes.find(table) + table.size();
  ASSERT_EQ(bytes.data() + bytes.size() - norms, 4 * nx * ny * nz + 1);
  std::vector<double> sums(nx * ny * nz, 0);
  for (const char* name : {"E_x", "E_y", "E_z", "H_x", "H_y", "H_z"}) {
    const int array = pm::array_named(std::string(name) + (name[2] == 'x' ? "y" : "x"));
    const int other = pm::array_named(std::string(name) + (name[2] == 'z' ? "y" : "z"));
    const auto a = pm::read_complex_grid(pm::file_of(folder / "end", array)),
               b = pm::read_complex_grid(pm::file_of(folder / "end", other));
    const Int3 n = a.points();
    for (int k = 0; k < nz; ++k)
      for (int j = 0; j < ny; ++j)
        for (int i = 0; i < nx; ++i) {
          const auto i0 = (index_t(k) * n[1] + j) * n[0] + i;
          sums[(k * ny + j) * nx + i] += norm2(a.values[i0] + b.values[i0]);
        }
  }
  double most = 0;
  for (std::size_t i = 0; i < sums.size(); ++i) {
    const auto* p = reinterpret_cast<const unsigned char*>(norms + 4 * i);
    const std::uint32_t bits = std::uint32_t(p[0]) << 24 | p[1] << 16 | p[2] << 8 | p[3];
    float value;
    std::memcpy(&value, &bits, 4);
    ASSERT_NEAR(value, std::sqrt(sums[i]), 1e-6 * (1 + value));
    most = std::max(most, double(value));
  }
  EXPECT_GT(most, 1);
}

TEST_F(PmaxwellCommand, ARunGoesOnFromItsStateToTheSameBits) {
  make();
  ASSERT_EQ(run("cell 130 --backend serial --quiet --state whole").code, 0);
  ASSERT_EQ(run("cell 80 --backend serial --quiet --state part").code, 0);
  for (const auto& name : folder.names("part"))
    std::filesystem::copy_file(folder / ("part/" + name), folder / ("cell/" + name),
                               std::filesystem::copy_options::overwrite_existing);
  ASSERT_EQ(run("cell 50 --backend serial --quiet --state on").code, 0);
  for (int a = 0; a < 12; ++a) {
    const auto whole = pm::read_complex_grid(pm::file_of(folder / "whole", a)),
               on = pm::read_complex_grid(pm::file_of(folder / "on", a));
    for (std::size_t i = 0; i < whole.values.size(); ++i)
      ASSERT_TRUE(whole.values[i].re == on.values[i].re && whole.values[i].im == on.values[i].im)
          << a << " " << i;
  }
}

/// Largest difference from the thesis's formulas, written by themselves (tests/pmaxwell/thesis_formulas.py),
/// over the largest field.
double apart_from_the_thesis(const test::TemporaryFolder& folder, const std::string& more) {
  const std::string script = (test::repository() / "tests/pmaxwell/thesis_formulas.py").string();
  const auto ended = test::shell(folder, "\"$U\" pmaxwell --from case.toml text --ascii --quiet && " + more +
                                             "python3 '" + script + "' text 60 end");
  EXPECT_EQ(ended.code, 0) << ended.out << ended.err;
  double apart = 1, size = 0;
  EXPECT_EQ(std::sscanf(ended.out.c_str(), "%lf %lf", &apart, &size), 2) << ended.out;
  EXPECT_GT(size, 0.1);
  return apart / size;
}

// Sixty steps round sixty times to 6e-8 of values that are added up with growing phases: 4e-6 where all
// errors add. With every pair of parts exchanged the layers absorb with the other part's coefficients: 1e-2
// and more.
TEST_F(PmaxwellCommand, ADirectoryRunsAsTheThesissFormulasHaveIt) {
  const std::string run = "\"$U\" pmaxwell text 60 --backend serial --quiet --ascii --state end && ";
  EXPECT_LT(apart_from_the_thesis(folder, run), 4e-6);
}

// Random numbers in all forty files: parts that differ from each other, differences along all three axes,
// sources everywhere, planes that are not periodic. Twenty steps of some ten roundings to 6e-8 each: 1.2e-5
// where all add. A wrong part, sign, plane or sum is of the order of 1.
TEST_F(PmaxwellCommand, ADirectoryOfRandomNumbersRunsAsTheThesissFormulasHaveIt) {
  const std::string script =
      "python3 '" + (test::repository() / "tests/pmaxwell/thesis_formulas.py").string() + "' ";
  for (const std::string copies : {"text", "formulas"})
    for (const std::string norm : {"components", "parts"}) {
      const std::string folder_of = copies + "_" + norm;
      const auto ended =
          test::shell(folder, script + "make " + folder_of + " && \"$U\" pmaxwell " + folder_of +
                                  " 20 --backend serial --quiet --ascii --state " + folder_of +
                                  "_end --copies " + copies + " --norm " + norm + " && " + script +
                                  folder_of + " 20 " + folder_of + "_end " + copies + " " + norm);
      ASSERT_EQ(ended.code, 0) << ended.out << ended.err;
      double apart = 1, size = 0, of_norm = 1;
      ASSERT_EQ(std::sscanf(ended.out.c_str(), "%lf %lf %lf", &apart, &size, &of_norm), 3) << ended.out;
      EXPECT_GT(size, 1);
      EXPECT_LT(apart / size, 1.2e-5) << folder_of;
      EXPECT_LT(of_norm / size, 1.2e-5) << folder_of;
    }
}

TEST_F(PmaxwellCommand, ADirectoryOfTheOtherLayoutIsReadAsWhatItIs) {
  ASSERT_EQ(run("--from case.toml old --layout derivative --quiet").code, 0);
  make();
  const auto same = [&](const std::string& a, const std::string& b) {
    const auto x = pm::read_complex_grid(folder / a).values, y = pm::read_complex_grid(folder / b).values;
    return std::equal(x.begin(), x.end(), y.begin(), y.end(),
                      [](const auto& u, const auto& v) { return u.re == v.re && u.im == v.im; });
  };
  EXPECT_TRUE(same("old/t_E_xz.vtk", "cell/t_E_xy.vtk"));
  EXPECT_FALSE(same("old/t_E_xy.vtk", "cell/t_E_xy.vtk")) << "the absorbing layers are not along z";
  ASSERT_EQ(run("cell 60 --quiet").code, 0);
  ASSERT_EQ(run("old 60 --quiet --layout derivative").code, 0);
  EXPECT_EQ(test::text_of(folder / "cell/results.0.vtk"), test::text_of(folder / "old/results.0.vtk"));
  const auto wrong = run("old 60 --quiet");
  EXPECT_EQ(wrong.code, 2);
  expect_says(wrong.err, "every s_H is positive");
  expect_says(wrong.err, "--layout derivative");
  const auto other = run("cell 60 --quiet --layout derivative");
  EXPECT_EQ(other.code, 2);
  expect_says(other.err, "every s_H is negative");
  EXPECT_EQ(run("cell 60 --layout columns").code, 2);
}

TEST_F(PmaxwellCommand, AFieldOfTheOtherLayoutIsRefusedByItsTitle) {
  make();
  ASSERT_EQ(run("cell 40 --quiet --state part").code, 0);
  ASSERT_EQ(run("--from case.toml old --layout derivative --quiet").code, 0);
  std::filesystem::copy_file(folder / "part/E_xy.vtk", folder / "old/E_xy.vtk",
                             std::filesystem::copy_options::overwrite_existing);
  const auto mixed = run("old 40 --quiet --layout derivative");
  EXPECT_EQ(mixed.code, 2);
  expect_says(mixed.err, "old/E_xy.vtk: was written in the layout 'thesis' by its title");
  // a title without the words is what other programs write
  std::string text = test::text_of(folder / "old/E_xy.vtk");
  text.replace(text.find("(layout thesis)"), 15, "by hand");
  folder.write("old/E_xy.vtk", text);
  EXPECT_EQ(run("old 40 --quiet --layout derivative").code, 0);
}

TEST_F(PmaxwellCommand, FilesThatAreThereAreWrittenOverByForceOnly) {
  make();
  const std::string before = test::text_of(folder / "cell/E_xy.vtk");
  const auto again = run("--from case.toml cell --polarization s");
  EXPECT_EQ(again.code, 2);
  expect_says(again.err, " and 39 more are there (they would be written over)");
  expect_says(again.err, "--force");
  EXPECT_EQ(test::text_of(folder / "cell/E_xy.vtk"), before);
  const auto onto_itself = run("cell 40 --quiet --state cell");
  EXPECT_EQ(onto_itself.code, 2);
  expect_says(onto_itself.err, "cell: E_xy.vtk and 11 more are there");
  EXPECT_EQ(test::text_of(folder / "cell/E_xy.vtk"), before);
  EXPECT_FALSE(exists("cell/results.0.vtk")) << "it is refused before it iterates";
  ASSERT_EQ(run("cell 40 --quiet --state cell --force").code, 0);
  EXPECT_NE(test::text_of(folder / "cell/E_xy.vtk"), before);
  EXPECT_EQ(run("--from case.toml cell --quiet --force").code, 0);
  EXPECT_EQ(test::text_of(folder / "cell/E_xy.vtk"), before);
  // other files in the folder are nobody's trouble
  std::filesystem::create_directory(folder / "notes");
  folder.write("notes/mine.txt", "mine");
  EXPECT_EQ(run("cell 40 --quiet --state notes").code, 0);
}

TEST_F(PmaxwellCommand, WhatTheThesisSaysTwiceIsChosenByName) {
  make();
  ASSERT_EQ(run("cell 60 --quiet --backend serial --state end").code, 0);
  const std::string plain = test::text_of(folder / "cell/results.0.vtk");
  ASSERT_EQ(run("cell 60 --quiet --backend serial --norm parts").code, 0);
  EXPECT_NE(test::text_of(folder / "cell/results.0.vtk"), plain);
  ASSERT_EQ(run("cell 60 --quiet --backend serial --copies formulas --state copied").code, 0);
  EXPECT_NE(test::text_of(folder / "cell/results.0.vtk"), plain);
  const auto h = pm::read_complex_grid((folder / "copied/H_xy.vtk").string());
  const Int3 n = h.points();  // one more than cells along x
  const auto at = [&](int i, int k) { return h.values[index_t(k) * n[1] * n[0] + i]; };
  double most = 0;
  for (int k = 0; k < n[2]; ++k) {
    EXPECT_EQ(at(n[0] - 2, k).re, at(1, k).re);
    most = std::max(most, double(std::abs(at(1, k).re)));
  }
  EXPECT_GT(most, 0);
  EXPECT_EQ(run("cell 60 --norm three").code, 2);
  EXPECT_EQ(run("cell 60 --copies all").code, 2);
  EXPECT_EQ(run("cell 60 --faraday never").code, 2);
}

TEST_F(PmaxwellCommand, TextAndBinaryGiveTheSameResults) {
  make();
  ASSERT_EQ(run("--from case.toml text --ascii --quiet").code, 0);
  expect_says(test::text_of(folder / "text/E_xy.vtk").substr(0, 300), "\nASCII\n");
  ASSERT_EQ(run("cell 60 --quiet").code, 0);
  ASSERT_EQ(run("text 60 --quiet").code, 0);
  EXPECT_EQ(test::text_of(folder / "cell/results.0.vtk"), test::text_of(folder / "text/results.0.vtk"));
}

TEST_F(PmaxwellCommand, AGoalThatIsNotReachedIsExitCodeThree) {
  make();
  const auto ended = run("cell 200 --epsilon 1e-9");
  EXPECT_EQ(ended.code, 3);
  expect_says(ended.err, "not converged: the change is");
  EXPECT_TRUE(exists("cell/results.0.vtk"));
}

TEST_F(PmaxwellCommand, ARunThatEndsWhileItsSourcesRiseSaysSo) {
  make();
  const auto ended = run("cell 100 --ramp 20 --tolerance 0.9 --backend serial");
  EXPECT_EQ(ended.code, 3) << ended.out;
  expect_says(ended.err, "warning: the sources rise over ");
  expect_says(ended.err, "not converged: the sources still rose (over ");
  EXPECT_EQ(run("cell 100 --tolerance 1").code, 2);
}

TEST_F(PmaxwellCommand, ADivergingRunSaysWhereAndWhy) {
  ASSERT_EQ(run("--from case.toml cell --courant 1 --quiet").code, 0);
  // one point that amplifies
  const std::string path = folder / "cell/t_H_yz.vtk";
  auto grid = pm::read_complex_grid(path);
  const Int3 n = grid.points();
  grid.values[index_t(n[2] / 2) * n[1] * n[0] + 1] = Complex<float>(30, 0);
  pm::write_grid(path, grid.title, grid.axes, "t_H_yz", 2,
                 {reinterpret_cast<const float*>(grid.values.data()), 2 * grid.values.size()}, false);
  const auto ended = run("cell 5000");
  EXPECT_EQ(ended.code, 3);
  expect_says(ended.err, "diverged after ");
  expect_says(ended.err, "cause: t_H_yz at (");
  expect_says(ended.err, "has the absolute value 30");
  expect_says(test::text_of(folder / "cell/log"), "diverged");
}

TEST_F(PmaxwellCommand, CasesThatAreMoreThanOneWaveAreRefusedByName) {
  const auto refused = [&](const std::string& options, const std::string& part) {
    const auto ended = run("--from case.toml cell " + options);
    EXPECT_EQ(ended.code, 2) << options;
    expect_says(ended.err, part);
    EXPECT_FALSE(exists("cell"));
  };
  refused("--angle 10", "falls in at 10 degrees");
  refused("--wavelengths 0.6,0.65", "has 2 wavelengths");
  refused("--polarization both", "both polarizations");
  refused("--courant 2", "--courant takes");
  refused("--colour red", "colour");
  EXPECT_EQ(run("--from case.toml").code, 2);
  const auto dry = run("--from case.toml cell --dry-run");
  EXPECT_EQ(dry.code, 0);
  expect_says(dry.out, "nothing was written");
  EXPECT_FALSE(exists("cell"));
}

TEST_F(PmaxwellCommand, BadCommandLinesAndBackendsAreRefused) {
  EXPECT_EQ(run("").code, 2);
  EXPECT_EQ(run("cell").code, 2);
  EXPECT_EQ(run("cell 0").code, 2);
  EXPECT_EQ(run("cell 10 -3").code, 2);
  EXPECT_EQ(run("cell 10 --epsilon nan").code, 2);
  EXPECT_EQ(run("nowhere 10").code, 2);
  make();
  const auto gpu = run("cell 10 --gpu");
  if (gpu.code != 0) {  // where none is usable
    EXPECT_EQ(gpu.code, 4);
    expect_says(gpu.err, "the cuda backend cannot be used here");
    expect_says(gpu.err, "--cpu");
  }
  EXPECT_EQ(run("cell 10 --device -1").code, 2);
  EXPECT_EQ(run("cell 10 --backend tpu").code, 2);
  const auto dry = run("cell 10 --dry-run");
  EXPECT_EQ(dry.code, 0);
  expect_says(dry.out, "memory:");
  EXPECT_EQ(exists("cell/results.0.vtk"), gpu.code == 0);
  EXPECT_EQ(run("--help").code, 0);
  EXPECT_EQ(run("--from --help").code, 0);
}

// A pipe that nobody writes to: files that take for ever to be read.
TEST_F(PmaxwellCommand, ASignalWhileFilesAreReadEndsItWithWords) {
  make();
  const auto file = folder / "cell/E_xy.vtk";
  std::filesystem::remove(file);
  ASSERT_EQ(::mkfifo(file.c_str(), 0600), 0);
  test::Program program(folder, "pmaxwell cell 10");
  int pipe = -1;
  EXPECT_TRUE(test::wait_until([&] { return (pipe = ::open(file.c_str(), O_WRONLY | O_NONBLOCK)) >= 0; }));
  program.send(SIGTERM);
  const auto ended = program.wait();
  ::close(pipe);
  EXPECT_EQ(ended.code, 128 + SIGTERM);
  expect_says(ended.err, "interrupted (reading); nothing of this stage is kept");
}

// Before: some of the files stayed, one of them half written, and the next try was refused.
TEST_F(PmaxwellCommand, ASignalWhileFilesAreWrittenLeavesNone) {
  const std::string line = "--from case.toml cell --cell 0.0005 --ascii";  // tens of megabytes
  test::Program program(folder, "pmaxwell " + line);
  EXPECT_TRUE(test::wait_until([&] { return exists("cell"); }));
  program.send(SIGINT);
  const auto ended = program.wait();
  EXPECT_EQ(ended.code, 128 + SIGINT);
  expect_says(ended.err, "interrupted while the files were written; nothing is kept of it");
  EXPECT_FALSE(exists("cell"));
}

TEST_F(PmaxwellCommand, WhatAKilledProcessLeftGoesWithTheNextFiles) {
  std::filesystem::create_directories(folder / "cell/unfinished.part");
  folder.write("cell/unfinished.part/E_xy.vtk", "half");
  make();
  EXPECT_EQ(folder.names("cell").size(), 41u);
}

TEST_F(PmaxwellCommand, AFileOfAnotherKindIsNamed) {
  make();
  std::filesystem::copy_file(folder / "cell/E_zx.vtk", folder / "cell/s_E_xy.vtk",
                             std::filesystem::copy_options::overwrite_existing);
  const auto ended = run("cell 10");
  EXPECT_EQ(ended.code, 2);
  expect_says(ended.err, "s_E_xy.vtk: holds 'E_zx'");
}

}  // namespace
}  // namespace umov
