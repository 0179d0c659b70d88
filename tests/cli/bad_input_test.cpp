// Bad input through the real program: exit code, a message that names the place, and nothing left behind.
#include <gtest/gtest.h>

#include "backend/gpus.hpp"
#include "run/version.hpp"
#include "support/program.hpp"

using namespace umov;
using test::TemporaryFolder;
namespace fs = std::filesystem;

namespace {

struct Bad {
  const char* line;
  int code;
  std::vector<const char*> named;  ///< what standard error must contain
};

void PrintTo(const Bad& bad, std::ostream* out) { *out << bad.line; }

/// The files that the cases read.
void write_inputs(const TemporaryFolder& folder) {
  folder.write("broken.geom", "0 0 0\n1 0 0\n2 zero 0\n");
  folder.write("nan.geom", "0 0 0\nnan 0 0\n");
  folder.write("two.geom", "Nmat=2\n0 0 0 1\n1 0 0 2\n");
  folder.write("file", "a regular file\n");
  folder.write("beam",
               "x y z |Einc|^2 Eincx.r Eincx.i Eincy.r Eincy.i Eincz.r Eincz.i\n0 0 0 1 nan 0 0 0 0 0\n");
  folder.write("angles", "global_type=grid\ntheta:\ntype=range\nN=nan\nmin=0\nmax=180\n");
  folder.write("key.toml", "wavelength = 1\n[shape]\nsizes = 3\n");
  folder.write("nan.toml", "wavelength = nan\n");
  folder.write("negative.toml", "[shape]\nname = \"sphere\"\nsize = -3\n");
  folder.write("broken.toml", "wavelength = \n");
  folder.write("mesh.STL", "SOLID a\nFACET NORMAL 0 0 1\nOUTER LOOP\n");
  folder.write("mesh.dat", "o a\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
  folder.write("ddscat.par", "' ==== Parameter file for v7.3 ===='\n'**** Preliminaries ****'\n");
  folder.write("control.input", "# OpenDDA\nWavelengths='0.5,0,0.5'\nBreakdown tolerance='1e-50'\n");
}

class BadCase : public testing::TestWithParam<Bad> {
 protected:
  static void refuse(const Bad& bad) {
    const TemporaryFolder folder;
    write_inputs(folder);
    const auto before = folder.names();
    const auto end = test::run(folder, bad.line);
    EXPECT_EQ(end.code, bad.code) << end.err;
    for (const char* name : bad.named)
      EXPECT_NE(end.err.find(name), std::string::npos) << name << " in: " << end.err;
    EXPECT_EQ(folder.names(), before);
  }
};

}  // namespace

TEST_P(BadCase, IsRefusedByNameAndLeavesNothingBehind) { refuse(GetParam()); }

/// What it is, and where it belongs.
INSTANTIATE_TEST_SUITE_P(
    OtherKind, BadCase,
    testing::Values(
        Bad{"dda --shape-file mesh.STL --m 1.2", 2, {"mesh.STL is a mesh of triangles (STL)", "pip"}},
        Bad{"adda -shape read mesh.STL -m 1.2 0", 2, {"mesh.STL is a mesh of triangles (STL)", "umov fdtd"}},
        Bad{"dda --shape-file mesh.dat --m 1.2", 2, {"mesh.dat is a mesh of triangles (OBJ)"}},
        Bad{"dda --shape-file key.toml", 2, {"key.toml is a case of umov (TOML)", "umov dda case.toml"}},
        Bad{"dda --shape-file ddscat.par", 2, {"is DDSCAT's parameter file", "give it to umov ddscat"}},
        Bad{"dda mesh.STL", 2, {"mesh.STL is a mesh of triangles (STL) (a case is read here"}},
        Bad{"dda two.geom", 2, {"two.geom is a list of dipoles", "--shape-file"}},
        Bad{"dda ddscat.par", 2, {"is DDSCAT's parameter file", "give it to umov ddscat"}},
        Bad{"dda control.input", 2, {"is OpenDDA's control file", "give it to umov opendda"}},
        Bad{"dda --m key.toml", 2, {"key.toml is a case of umov (TOML)", "n and k"}},
        Bad{"adda key.toml", 2, {"key.toml is a case of umov (TOML)", "options"}},
        Bad{"ddscat key.toml", 2, {"key.toml is a case of umov (TOML)"}},
        Bad{"ddscat control.input", 2, {"give it to umov opendda"}},
        Bad{"opendda ddscat.par", 2, {"give it to umov ddscat"}},
        Bad{"opendda mesh.STL", 2, {"mesh.STL is a mesh of triangles (STL)"}},
        Bad{"eqs mesh.STL", 2, {"mesh.STL is a mesh of triangles (STL)"}},
        Bad{"fdtd mesh.STL", 2, {"mesh.STL is a mesh of triangles (STL)", "a body of shape"}},
        Bad{"fdtd ddscat.par", 2, {"give it to umov ddscat"}}));

INSTANTIATE_TEST_SUITE_P(
    Dda, BadCase,
    testing::Values(
        Bad{"dda no.toml", 2, {"no.toml"}}, Bad{"dda --shape-file no.geom", 2, {"--shape-file", "no.geom"}},
        Bad{"dda --shape-file broken.geom --m 1.2", 2, {"broken.geom:3"}},
        Bad{"dda --shape-file nan.geom --m 1.2", 2, {"nan.geom:2"}},
        Bad{"dda --shape-file two.geom --m 1.2", 2, {"2 materials", "option m"}},
        Bad{"dda --m 1", 2, {"--m"}}, Bad{"dda --size -2", 2, {"--size"}},
        Bad{"dda --grid 20", 2, {"--grid", "twice"}}, Bad{"dda --shape-grid 20000", 2, {"memory"}},
        Bad{"dda --output-dir file/inner", 2, {"--output-dir", "file/inner"}},
        Bad{"dda --lambda nan", 2, {"--lambda"}}, Bad{"dda --m nan", 2, {"--m"}},
        Bad{"dda --epsilon nan", 2, {"--epsilon"}},
        Bad{"dda --shape ellipsoid --shape-arguments nan,1", 2, {"--shape-arguments"}},
        Bad{"dda nan.toml", 2, {"nan.toml:1"}}, Bad{"dda negative.toml", 2, {"negative.toml:3"}},
        Bad{"dda key.toml", 2, {"key.toml:3", "sizes", "size"}}, Bad{"dda broken.toml", 2, {"broken.toml:1"}},
        Bad{"dda --epsilom 1e-5", 2, {"--epsilom", "--epsilon"}},
        Bad{"dda --iter qmrr", 2, {"--iter", "qmr"}}, Bad{"dda --backend gpu3", 2, {"--backend"}},
        Bad{"dda --ftype quad", 2, {"--ftype"}}, Bad{"dda --backend cuda --ftype ldouble", 2, {"ldouble"}}));

INSTANTIATE_TEST_SUITE_P(
    Adda, BadCase,
    testing::Values(Bad{"adda -shape read no.geom", 2, {"no.geom"}},
                    Bad{"adda -shape read broken.geom", 2, {"broken.geom:3"}},
                    Bad{"adda -shape read two.geom -m 1.2 0", 2, {"2 materials"}},
                    Bad{"adda -m 1 0", 2, {"-m"}}, Bad{"adda -size -1", 2, {"-size"}},
                    Bad{"adda -grid 20000", 2, {"memory"}}, Bad{"adda -dir file/inner", 2, {"file/inner"}},
                    Bad{"adda -lambda nan", 2, {"-lambda"}}, Bad{"adda -m nan 0", 2, {"-m"}},
                    Bad{"adda -shape ellipsoid nan 1", 2, {"-shape"}},
                    Bad{"adda -prop nan 0 1", 2, {"-prop"}},
                    Bad{"adda -beam read beam beam -shape read two.geom -m 1.1 0 1.2 0", 2, {"beam:2"}},
                    Bad{"adda -store_scat_grid -scat_grid_inp angles", 2, {"angles:4"}},
                    Bad{"adda -orient avg angles", 2, {"angles"}}, Bad{"adda -gird 8", 2, {"-gird", "-grid"}},
                    Bad{"adda -iter qmrr", 2, {"-iter", "qmr"}}, Bad{"adda -pol ldrr", 2, {"-pol"}},
                    Bad{"adda -surf 4 2 0", 2, {"-surf"}}, Bad{"ada", 2, {"ada", "did you mean"}}));

class NoGpu : public BadCase {
 protected:
  void SetUp() override {
    if (!backend::usable_gpus().empty()) GTEST_SKIP() << "there is a GPU here";
  }
};

TEST_P(NoGpu, IsRefusedByNameAndLeavesNothingBehind) { refuse(GetParam()); }

INSTANTIATE_TEST_SUITE_P(Particles, NoGpu,
                         testing::Values(Bad{"dda --backend cuda", 4, {"cuda"}},
                                         Bad{"adda --backend cuda", 4, {"cuda"}}));

TEST(Answers, AreGivenWithoutARunAndWithExitCodeZero) {
  const TemporaryFolder folder;
  for (const char* line :
       {"--help", "help", "help dda", "help adda", "version", "devices", "dda --help", "dda --device list",
        "dda --dry-run", "adda -h", "adda -h shape coated", "adda -h eps", "adda -V"}) {
    const auto end = test::run(folder, line);
    EXPECT_EQ(end.code, 0) << line << ": " << end.err;
    EXPECT_FALSE(end.out.empty()) << line;
    EXPECT_TRUE(folder.names().empty()) << line;
  }
  EXPECT_NE(test::run(folder, "adda -V").out.find(run::version()), std::string::npos);
}

TEST(Answers, DryRunPrintsACaseThatRunsAgain) {
  const TemporaryFolder folder;
  folder.write("again.toml", test::run(folder, "dda --shape-grid 6 --m (1.2,0.1) --dry-run").out);
  const auto end = test::run(folder, "dda again.toml --output-dir out");
  EXPECT_EQ(end.code, 0) << end.err;
  EXPECT_TRUE(fs::exists(folder / "out/CrossSec-Y"));
}

TEST(Answers, MemoryInformationPrecedesTheRun) {
  const TemporaryFolder folder;
  const auto end = test::run(folder, "dda --shape-grid 6 --mem-info --output-dir out");
  EXPECT_EQ(end.code, 0) << end.err;
  EXPECT_NE(end.out.find("memory estimate"), std::string::npos);
}

TEST(Answers, AQuietRunPrintsNothing) {
  const TemporaryFolder folder;
  const auto end = test::run(folder, "dda --shape-grid 6 --quiet --output-dir out");
  EXPECT_EQ(end.code, 0);
  EXPECT_EQ(end.out + end.err, "");
}

TEST(Answers, PrognosisLeavesLogAndGeometryAsAddaDoes) {
  const TemporaryFolder folder;
  const auto end = test::run(folder, "adda -prognosis -save_geom -shape coated 0.4 0.1 0.15 0.2 -dir out");
  EXPECT_EQ(end.code, 0) << end.err;
  EXPECT_NE(end.out.find("memory"), std::string::npos);
  EXPECT_TRUE(fs::exists(folder / "out/coated.geom"));
  EXPECT_TRUE(fs::exists(folder / "out/log"));
  EXPECT_FALSE(fs::exists(folder / "out/CrossSec-Y"));
}
