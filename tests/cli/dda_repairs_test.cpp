// What a dipole run may not pass over in silence: names of results, parts of the sphere, static
// polarizabilities, dry runs of what would be refused, results of the run before.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "core/error.hpp"
#include "dda/case/result_names.hpp"
#include "dda/command/front.hpp"
#include "support/dda_runs.hpp"
#include "support/places.hpp"
#include "support/shell.hpp"

using namespace umov;
using test::Ended;
using test::TemporaryFolder;
namespace fs = std::filesystem;

namespace {

const std::string quick = "--shape-grid 4 --backend serial --no-hdf5 --no-pictures --output-dir a ";

void expect_says(const Ended& end, int code, const std::string& part) {
  EXPECT_EQ(end.code, code) << end.err;
  EXPECT_NE(end.err.find(part), end.err.npos) << end.err;
}

std::string last_line(std::string text) {
  if (!text.empty() && text.back() == '\n') text.pop_back();
  return text.substr(text.rfind('\n') + 1);
}

const char* part_of_theta =
    "theta:\nmin=0\nmax=90\nJmin=2\nJmax=3\neps=0\nequiv=false\nperiodic=false\n"
    "phi:\nmin=0\nmax=360\nJmin=2\nJmax=3\neps=0\nequiv=true\nperiodic=true\n";

}  // namespace

TEST(DdaNames, EveryResultOfARunIsKnown) {
  const TemporaryFolder folder;
  const auto end = test::run(
      folder,
      "dda --shape-grid 6 --shape coated --shape-arguments 0.5 --m 1.5 --m 1.3 --backend serial "
      "--output-dir a --amplitude-matrix --efield --scattering-grid --yz-plane --phi-integrals 31 "
      "--asymmetry --csca-g --radiation-pressure --incident-field --dipole-polarizations "
      "--internal-fields --forces --checkpoint 1h --checkpoint-kind always --alpha 10 --no-symmetry "
      "--granule-fraction 0.1 --granule-diameter 0.5 --granule-domain 2 --m 1.2 --granule-positions "
      "--epsilon 1e-3 --theta-intervals 8");
  ASSERT_EQ(end.code, 0) << end.err;
  const auto names = folder.names("a");
  EXPECT_GT(names.size(), 30u);
  for (const auto& name : names) EXPECT_TRUE(dda::is_dda_result(name)) << name;
  ASSERT_EQ(
      test::run(folder, "dda --shape-grid 4 --backend serial --output-dir b --orientation-average --csca")
          .code,
      0);
  for (const auto& name : folder.names("b")) EXPECT_TRUE(dda::is_dda_result(name)) << name;
  EXPECT_FALSE(dda::is_dda_result("sphere.geom"));
}

TEST(DdaTables, AreWrittenUnlessDeclinedAndNotByAdda) {
  const TemporaryFolder folder;
  ASSERT_EQ(test::run(folder, "dda " + quick + "--csca --yz-plane --scattering-grid --phi-integrals 1").code,
            0);
  for (const char* name :
       {"cross_sections.csv", "scattering_plane.csv", "scattering_grid.csv", "mueller_integr.csv"})
    EXPECT_TRUE(std::filesystem::exists(folder / "a" / name)) << name;
  const std::string sections = test::text_of(folder / "a/cross_sections.csv");
  EXPECT_EQ(sections.rfind("incidence,Cext [um^2],Qext,Cabs [um^2],Qabs,", 0), 0u) << sections;
  ASSERT_EQ(test::run(folder, "dda --shape-grid 4 --backend serial --no-csv --output-dir b").code, 0);
  ASSERT_EQ(test::run(folder, "adda -grid 4 -dir c").code, 0);
  for (const char* run : {"b", "c"})
    for (const auto& name : folder.names(run)) EXPECT_FALSE(name.ends_with(".csv")) << run << "/" << name;
}

TEST(DdaManual, HasTheTablesOfTheProgram) {
  const auto manual = test::text_of(test::repository() / "docs/guide/dda.md");
  EXPECT_NE(manual.find(dda::parameters().markdown()), std::string::npos)
      << "paste the output of `umov dda --help-markdown` into docs/guide/dda.md";
}

TEST(DdaNames, SavedShapeMayNotBeAResult) {
  const TemporaryFolder folder;
  for (const std::string name :
       {"CrossSec-Y", "mueller", "./log", "x/../resolved.toml", "results.vtkhdf", "polar.png"})
    expect_says(test::run(folder, "dda " + quick + "--save-shape-file a/" + name), 2,
                "the name of a result of the run");
  const std::string whole = (folder / "a/log").string();
  expect_says(test::run(folder, "dda " + quick + "--save-shape-file " + whole), 2, "--save-shape-file is");
  expect_says(test::run(folder, "adda -grid 4 -dir a -save_geom mueller"), 2, "-save_geom is 'mueller'");
  folder.write("c.toml", "[shape]\ngrid = 4\n[output]\ngeometry = true\ngeometry_file = \"log\"\n");
  expect_says(test::run(folder, "dda c.toml"), 2, "c.toml:5: 'output.geometry_file' is 'log'");
  EXPECT_EQ(test::run(folder, "dda " + quick + "--save-shape-file particle.dat").code, 0);
  EXPECT_TRUE(std::filesystem::exists(folder / "particle.dat")) << "where its user stands";
  EXPECT_EQ(test::run(folder, "dda --shape-file particle.dat --backend serial --no-hdf5 --no-pictures").code,
            0);
}

TEST(DdaSphereOfDirections, APartIsRefusedOrNamed) {
  const TemporaryFolder folder;
  folder.write("part.dat", part_of_theta);
  const auto refused = test::run(folder, "dda " + quick + "--csca --integration-file part.dat");
  expect_says(refused, 2, "part.dat: theta from 0 to 90 and phi from 0 to 360 are a part of all directions");
  const auto named =
      test::run(folder, "adda -grid 4 -dir b -Csca -alldir_inp part.dat --no-hdf5 --no-pictures");
  expect_says(named, 0, "are a part of all directions");
  EXPECT_NE(test::text_of(folder / "b/log").find("are a part of all directions"), std::string::npos);
}

namespace {

/// Two balls of 136 dipoles, their centres `apart` dipoles apart along x.
std::string two_balls(int apart) {
  std::string sites;
  for (const int at : {0, apart})
    for (int i = 0; i < 216; ++i) {
      const int x = i % 6, y = i / 6 % 6, z = i / 36;
      const double r2 = (x - 2.5) * (x - 2.5) + (y - 2.5) * (y - 2.5) + (z - 2.5) * (z - 2.5);
      if (r2 < 9) sites += fmt::format("{} {} {}\n", x + at, y, z);
    }
  return sites;
}

const std::string lossless =
    "dda --spacing 0.03 --lambda 0.6 --epsilon 1e-8 --backend serial --no-pictures --no-hdf5 --csca "
    "--asymmetry --output-dir a ";

}  // namespace

TEST(DdaSphereOfDirections, BuiltInAnglesAreRefinedUntilTheyResolveTheParticle) {
  const TemporaryFolder folder;
  for (const int apart : {20, 100}) {
    folder.write("two.geom", two_balls(apart));
    const auto end = test::run(folder, lossless + "--m 1.5 --shape-file two.geom");
    EXPECT_EQ(end.code, 0);
    EXPECT_EQ(end.err.find("not converged"), end.err.npos) << apart << end.err;
    const auto y = test::text_of(folder / "a/CrossSec-Y");
    const auto number = [&](const std::string& name) {
      const auto at = y.find(name + "\t= ");
      return at == y.npos ? NAN : std::stod(y.substr(at + name.size() + 3));
    };
    // without absorption Csca is Cext, to the tolerance of the refinement
    EXPECT_NEAR(number("Csca") / number("Cext"), 1, 2e-3) << apart << y;
  }
}

TEST(DdaSphereOfDirections, AnglesOfAFileThatAreTooFewEndWithCodeThree) {
  const TemporaryFolder folder;
  folder.write("two.geom", two_balls(150));
  folder.write("few.dat",
               "theta:\nmin=0\nmax=180\nJmin=2\nJmax=6\neps=0\nequiv=false\nperiodic=false\n"
               "phi:\nmin=0\nmax=360\nJmin=2\nJmax=5\neps=0\nequiv=true\nperiodic=true\n");
  for (const char* m : {"1.5", "1.5,0.1"}) {
    const auto end =
        test::run(folder, lossless + "--shape-file two.geom --integration-file few.dat --m " + m);
    expect_says(end, 3, "integrals over all directions have NOT converged");
    EXPECT_NE(end.out.find("Csca = "), end.out.npos);
  }
}

TEST(DdaAverage, OfTheMuellerMatrixIsWarnedOfWhereOnlyCextHasConverged) {
  const TemporaryFolder folder;
  folder.write("two.geom", "0 0 0\n60 3 7\n");
  const std::string line =
      "dda --spacing 0.05 --lambda 0.6 --m 1.5,0.1 --epsilon 1e-9 --backend serial --no-pictures --no-hdf5 "
      "--theta-intervals 6 --orientation-average --output-dir a --shape-file ";
  expect_says(test::run(folder, line + "two.geom"), 0, "averaged Mueller matrix has not converged");
  folder.write("near.geom", "0 0 0\n2 0 0\n");
  const auto end = test::run(folder, line + "near.geom");
  EXPECT_EQ(end.err.find("not converged"), end.err.npos) << end.err;
}

TEST(DdaStatic, PolarizabilitiesWithoutReactionAreWarnedOfAboveATenth) {
  const TemporaryFolder folder;
  for (const std::string pol : {"cm", "nloc --pol-nloc-rp 0.1", "nloc_av --pol-nloc-rp 0.1"}) {
    const std::string line = "dda " + quick + "--m 1.5 --polarizability " + pol;
    const auto coarse = test::run(folder, line + " --grid-unit 0.11"),
               fine = test::run(folder, line + " --grid-unit 0.09");
    expect_says(coarse, 0, "is static, it has no radiative reaction (k d = 0.11;");
    EXPECT_EQ(fine.err.find("static"), fine.err.npos) << fine.err;
  }
  EXPECT_EQ(test::run(folder, "dda " + quick + "--grid-unit 0.5").err.find("static"), std::string::npos);
  // what the warning says: a lossless sphere with negative absorption
  const auto sphere = test::run("-grid 8 -m 1.5 0 -dpl 15 -pol cm -eps 8");
  EXPECT_LT(sphere.polarizations[0].cross.cabs, -0.01 * sphere.polarizations[0].cross.cext);
}

TEST(DdaDryRun, RefusesWhatTheRunRefuses) {
  const TemporaryFolder folder;
  folder.write("f", "x y z\n0 0 0 1 1 0 0 0 0 0\n");
  folder.write("part.dat", part_of_theta);
  folder.write("bad.dat", "alpha:\nmin=x\n");
  folder.write("file", "");
  for (const std::string& wrong :
       {std::string("--m 1.5 --m 1.3"), std::string("--shape coated --shape-arguments 0.5"),
        std::string("--beam read --beam-file-y f --beam-file-x f"),
        std::string("--csca --integration-file part.dat"),
        std::string("--orientation-average --orientation-average-file bad.dat"),
        std::string("--initial-field read --initial-file-y f --initial-file-x f"),
        std::string("--polarizability fcd --grid-unit 5"),
        std::string("--beam dipole --shape box --shape-grid 5"), std::string("--output-dir file"),
        std::string("--scattering-grid --scattering-grid-file bad.dat")}) {
    const std::string line = "dda --shape-grid 4 --backend serial --no-hdf5 --no-pictures " + wrong;
    const auto dry = test::run(folder, line + " --dry-run"), run = test::run(folder, line);
    EXPECT_EQ(run.code, 2) << wrong;
    EXPECT_EQ(dry.code, 2) << wrong;
    EXPECT_EQ(last_line(dry.err), last_line(run.err)) << wrong;  // a run warns before
  }
  EXPECT_EQ(test::run(folder, "dda --shape-grid 4 --dry-run").code, 0);
  // ADDA's prognosis does without refractive indices
  EXPECT_EQ(test::run(folder, "adda -grid 4 -shape coated 0.5 -prognosis").code, 0);
}

// 4000^3 sites: 64 GB as bytes, and 6.1 TB of a tensor in double, which no machine of a test has.
TEST(DdaRoom, AParticleFarBeyondTheMemoryIsRefusedBeforeItIsMade) {
  const TemporaryFolder folder;
  for (const char* flags : {"--shape-grid 4000", "--size 400 --lambda 1 --dpl 10 --csca",
                            "--shape-grid 4000 --lambda 0.5,0.6 --size 100"}) {
    const auto ended = test::run(folder, std::string("dda --m 1.5 --backend cpu --output-dir out ") + flags);
    EXPECT_EQ(ended.code, 2) << flags;
    EXPECT_NE(ended.err.find("a box of 4000x4000x4000 sites needs more than 6144.0 GB of memory, for its "
                             "interaction tensor alone, but "),
              ended.err.npos)
        << flags << ": " << ended.err;
    EXPECT_NE(ended.err.find("use a coarser grid or --"), ended.err.npos) << ended.err;
    EXPECT_FALSE(fs::exists(folder / "out")) << flags;
  }
}

TEST(DdaSecondRun, KilledLeavesNothingOfTheFirst) {
  const TemporaryFolder folder;
  ASSERT_EQ(test::run(folder, "dda " + quick + "--m 1.5").code, 0);
  ASSERT_TRUE(fs::exists(folder / "a/CrossSec-Y"));
  // 33 000 dipoles of m = 3 on one core: far from done when it is killed
  test::Program second(folder, "dda --shape-grid 40 --epsilon 1e-12 --m 3 --backend serial --output-dir a");
  const std::vector<std::string> left{".lock", ".written", "resolved.toml", "unfinished"};
  // files go one by one: killed in between, some of the first would be left, and rightly so
  EXPECT_TRUE(test::wait_until([&] {
    return test::text_of(folder / "a/resolved.toml").find("grid = [40") != std::string::npos &&
           folder.names("a") == left;
  }));
  second.send(SIGKILL);
  second.wait();
  EXPECT_EQ(folder.names("a"), left);
}

TEST(DdaSecondRun, RefusedAfterTheParticleIsMadeKeepsTheFirst) {
  const TemporaryFolder folder;
  folder.write("one.geom", "0 0 0\n");
  folder.write("part.dat", part_of_theta);
  const std::string line =
      "dda --shape-file one.geom --spacing 0.02 --lambda 0.6 --m 1.5,0.1 --polarizability cldr --backend "
      "serial --no-pictures --output-dir a ";
  ASSERT_EQ(test::run(folder, line + "--rectangular 1,2,3").code, 0);
  const auto names = folder.names("a");
  EXPECT_EQ(test::run(folder, line + "--rectangular 1,2,4").code, 2);  // not tabulated
  EXPECT_EQ(folder.names("a"), names);
  EXPECT_EQ(test::run(folder, line + "--csca --integration-file part.dat").code, 2);
  EXPECT_EQ(folder.names("a"), names);
}

TEST(DdaSecondRun, MayReadAFieldOfTheFirst) {
  const TemporaryFolder folder;
  ASSERT_EQ(test::run(folder, "dda " + quick + "--incident-field --no-symmetry").code, 0);
  const auto again =
      test::run(folder, "dda " + quick + "--beam read --beam-file-y a/IncBeam-Y --beam-file-x a/IncBeam-X");
  EXPECT_EQ(again.code, 0) << again.err;
}

TEST(DdaRange, NumbersThatLeaveTheirTypeAreNamedAsSuch) {
  const TemporaryFolder folder;
  for (const char* line : {"--lambda 1e-150", "--lambda 1e150", "--lambda 1e-30 --ftype float"}) {
    const auto end = test::run(folder, "dda " + quick + line);
    EXPECT_EQ(end.code, 2) << line;
    EXPECT_NE(end.err.find("leave the range of the precision"), end.err.npos) << end.err;
    EXPECT_EQ(end.err.find("checkpoint"), end.err.npos) << end.err;
  }
}

TEST(DdaSizes, FollowAddasFormulas) {
  // User manual of ADDA, on the grid and the set of dipoles: nx = ceil(size dpl / lambda), dpl = 10 |m| by
  // default and then at least 16 dipoles; with the volume correction N d^3 is the analytic volume.
  const double lambda = 0.7, sphere = pi / 6;  // volume over the cube of the extent
  const struct {
    const char* options;
    int nx;
    double size;  ///< extent (um), 0: by dpl
    double dpl;   ///< where size is 0
  } cases[] = {{"-m 1.5 0.1", 16, 0, 10 * std::abs(cplx(1.5, 0.1))},
               {"-m 0.75 0", 16, 0, 7.5},
               {"-grid 11 -m 1.3 0 2.5 0 1.4 0.3 -anisotr", 11, 0, 25},
               {"-dpl 13", 16, 0, 13},
               {"-grid 17 -dpl 13.3", 17, 0, 13.3},
               {"-size 2", 43, 2, 0},
               {"-size 0.01", 16, 0.01, 0},
               {"-size 2 -grid 11", 11, 2, 0},
               {"-size 2 -dpl 13", 38, 2, 0},
               {"-size 2 -dpl 2", 6, 2, 0},
               {"-eq_rad 0.9", 39, 1.8, 0},
               {"-eq_rad 0.9 -grid 11", 11, 1.8, 0},
               {"-eq_rad 0.9 -dpl 13", 34, 1.8, 0}};
  for (const auto& c : cases)
    for (const bool corrected : {true, false}) {
      if (!corrected && std::string(c.options).starts_with("-eq")) continue;
      const auto p = dda::plan(test::simulation(fmt::format("{} -lambda 0.7 {}", c.options,
                                                            corrected ? "" : "-no_vol_cor")))
                         .particle;
      EXPECT_EQ(p.box[0], c.nx) << c.options;
      const double across = corrected ? std::cbrt(double(p.dipoles()) / sphere) : c.nx;
      const double dpl = c.size > 0 ? lambda * across / c.size : c.dpl;
      EXPECT_NEAR(p.dpl, dpl, 1e-12 * dpl) << c.options;
      EXPECT_NEAR(p.spacing[0], lambda / dpl, 1e-12) << c.options;
    }
  EXPECT_THROW(test::simulation("-size 2 -grid 11 -dpl 10"), BadInput);
  EXPECT_THROW(test::simulation("-size 2 -eq_rad 1"), BadInput);
}

TEST(DdaSizes, BubblesHaveTheDipolesOfTheWaveOutside) {
  const std::vector<std::string> bubble{"--shape-grid", "8", "--m", "0.75"};
  EXPECT_DOUBLE_EQ(dda::plan(dda::parse(bubble).simulation).particle.dpl, 10);
}

TEST(DdaRange, LengthsThatSinglePrecisionCannotSquareAreRefused) {
  const TemporaryFolder folder;
  // metres for micrometres: |P|^2 of some 1e-47 are zero in float, and absorption with them
  const std::string metres = "dda --lambda 6e-7 --eq-radius 1e-7 --m 1.6,0.1 " + quick;
  expect_says(test::run(folder, metres + "--precision float"), 2, "--ftype double");
  // what is not refused has the digits of double
  const auto cabs = [&](const std::string& words) {
    const auto end = test::run(folder, words);
    EXPECT_EQ(end.code, 0) << end.err;
    const std::string text = test::text_of(folder / "a/CrossSec-Y");
    const auto at = text.find("Qabs");
    return at == text.npos ? 0 : std::stod(text.substr(text.find('=', at) + 1));
  };
  const double in_double = cabs(metres + "--precision double");
  EXPECT_GT(in_double, .1);
  const std::string near_the_end = "dda --lambda 6e-5 --eq-radius 1e-5 --m 1.6,0.1 " + quick;
  EXPECT_NEAR(cabs(near_the_end + "--precision float") / in_double, 1, 1e-5);  // solved to 1e-5
}
