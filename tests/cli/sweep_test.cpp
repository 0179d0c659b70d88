// `umov sweep` on cases of every family: killed and continued, in shards, with cases that fail.
#include <gtest/gtest.h>

#include <algorithm>

#include "results/hdf5_reader.hpp"
#include "support/program.hpp"
#include "support/ranked_program.hpp"

namespace umov {
namespace {

namespace fs = std::filesystem;
using test::TemporaryFolder;
using test::text_of;

/// A case and its axes, at least a dozen cases of some milliseconds to some tens.
struct Swept {
  const char *family, *text, *axes;
  const char *scalar, *array;  ///< that its table has
};
void PrintTo(const Swept& s, std::ostream* to) { *to << s.family; }

const Swept swept[] = {
    {"dda",
     "wavelength = 0.5\n[shape]\nname = \"ellipsoid\"\narguments = [1.2, 0.8]\nsize = 0.3\ngrid = 12\n"
     "[[material]]\nm = 1.5\n",
     "--set wavelength=0.4:0.7:6 --set material.1.m=1.3,1.5,[1.4,0.1]", "cross_sections/Y/Cext",
     "arrays/scattering_plane/mueller"},
    {"fdtd",
     "[domain]\nsize = [4, 4]\nresolution = 12\npolarization = \"tm\"\n[[material]]\nname = \"glass\"\nindex "
     "= "
     "1.5\n[[material]]\nname = \"silicon\"\nindex = 3.5\n[[body]]\nname = \"disk\"\nshape = \"cylinder\"\n"
     "material = \"glass\"\nradius = 0.5\n[[source]]\nkind = \"point\"\ncomponent = \"Ez\"\ncenter = [-1, "
     "0]\nwaveform = \"gaussian\"\nfrequency = 0.5\nwidth = 0.3\n[[monitor]]\nkind = \"flux\"\nname = "
     "\"out\"\ncenter = [1, 0]\nsize = [0, 2]\nfrequencies = [0.4, 0.5]\n[stop]\nsteps = 600\n",
     "--set body.disk.material=glass,silicon --set body.disk.radius=0.3:0.6:6", "run/steps",
     "arrays/flux/out/flux"},
    {"harmonic",
     "[harmonic]\nwavelengths = [0.5, 0.6]\nsubstrate = \"glass\"\ncell = 0.02\n[[material]]\nname = "
     "\"glass\"\nindex = 1.5\n[[material]]\nname = \"film\"\nindex = 2.5\nextinction = 0.1\n[[layer]]\nname "
     "= "
     "\"film\"\nmaterial = \"film\"\nthickness = 0.12\n",
     "--set layer.film.thickness=0.1:0.2:8 --set material.film.index=2,2.5", nullptr,
     "arrays/mean/reflection"},
    {"eqs",
     "[geometry]\nkind = \"layers\"\nwidth = 1e-3\nelements_across = 1\n[[layer]]\nregion = "
     "\"varistor\"\nthickness = 2e-3\nelements = 3\n[[layer]]\nregion = \"insulator\"\nthickness = "
     "2e-3\nelements = 3\n[[material]]\nname = \"varistor\"\npermittivity = 12\nconductivity = "
     "\"microvaristor\"\n[[material]]\nname = \"insulator\"\npermittivity = 4\n[[electrode]]\nname = "
     "\"high\"\ngroups = [\"bottom\"]\nrms = 10e3\n[[electrode]]\nname = \"low\"\ngroups = [\"top\"]\nkind = "
     "\"ground\"\n[time]\nperiods = 1\ntolerance = 1e-3\n",
     "--set layer.varistor.thickness=1e-3:3e-3:6 --set material.insulator.permittivity=2,4", "insulator peak",
     "arrays/saved_times"},
    {"mie", "radius = 0.3\nwavelength = 0.5\nm = [1.5, 0.01]\nangles = 200\n",
     "--set radius=1:60:30 --set wavelength=0.4,0.5", "Qext", "arrays/mueller"},
    {"solve", "matrix = \"A.mtx\"\nknown = \"random\"\n",
     "--set solver.degree=1:6:6 --set solver.strength=0.02,0.08 --set solver.precision=single,double",
     "iterations", "arrays/x"}};

/// The matrix of a Laplacian on a square of n x n nodes.
std::string laplacian(int n) {
  std::string entries;
  int count = 0;
  const auto add = [&](int i, int j, const char* v) {
    entries += std::to_string(i + 1) + " " + std::to_string(j + 1) + " " + v + "\n", ++count;
  };
  for (int k = 0; k < n * n; ++k) {
    add(k, k, "4");
    if (k % n) add(k, k - 1, "-1");
    if (k >= n) add(k, k - n, "-1");
  }
  const std::string size = std::to_string(n * n) + " ";
  return "%%MatrixMarket matrix coordinate real symmetric\n" + size + size + std::to_string(count) + "\n" +
         entries;
}

class Sweep : public testing::TestWithParam<Swept> {
 protected:
  void SetUp() override {
    folder.write("case.toml", GetParam().text);
    if (std::string(GetParam().family) == "solve") folder.write("A.mtx", laplacian(40));
  }

  /// `umov sweep` with the case, its axes and what else is asked for.
  std::string line(const std::string& more) const {
    return std::string("sweep case.toml --cpu --jobs 2 ") + GetParam().axes + " " + more;
  }
  void expect_same_table(const std::string& a, const std::string& b) const {
    for (const char* file : {"sweep.csv", "results.h5"}) {
      const std::string there = text_of(folder / (a + "/" + file));
      EXPECT_FALSE(there.empty()) << a << " " << file;
      EXPECT_TRUE(there == text_of(folder / (b + "/" + file))) << a << " and " << b << ": " << file;
    }
  }

  TemporaryFolder folder;
};

TEST_P(Sweep, HasARowPerCaseWithItsAxesAndResults) {
  const auto ended = test::run(folder, line("--output out"));
  ASSERT_EQ(ended.code, 0) << ended.err;
  const auto file = results::list_hdf5((folder / "out/results.h5").string());
  const auto has = [&](const std::string& name) {
    return std::any_of(file.arrays.begin(), file.arrays.end(), [&](const auto& a) { return a.name == name; });
  };
  EXPECT_TRUE(has(GetParam().array)) << GetParam().array;
  if (GetParam().scalar) {
    EXPECT_TRUE(has(std::string("scalars/") + GetParam().scalar)) << GetParam().scalar;
  }
  EXPECT_NE(text_of(folder / "out/resolved.toml").find("[[vary]]"), std::string::npos);
  // a resolved sweep is a sweep
  ASSERT_EQ(test::run(folder, "sweep out/resolved.toml --cpu --jobs 1 --output again").code, 0);
  expect_same_table("out", "again");
}

TEST_P(Sweep, KilledAndContinuedHasTheSameTableToTheLastBit) {
  ASSERT_EQ(test::run(folder, line("--output whole")).code, 0);
  test::Program killed(folder, line("--output cut"));
  const fs::path state = folder / "cut/sweep.state";
  std::error_code ignored;
  ASSERT_TRUE(test::wait_until([&] { return fs::exists(state, ignored); }));
  const auto begun = fs::file_size(state);
  test::wait_until([&] { return fs::file_size(state) > begun || fs::exists(folder / "cut/log"); });
  killed.send(SIGKILL);
  killed.wait();
  const auto refused = test::run(folder, line("--output cut"));
  if (fs::exists(folder / "cut/unfinished")) {
    EXPECT_EQ(refused.code, 2);
    EXPECT_NE(refused.err.find("--resume cut"), std::string::npos) << refused.err;
  }
  const auto resumed = test::run(folder, "sweep --resume cut --cpu --jobs 2");
  ASSERT_EQ(resumed.code, 0) << resumed.err;
  expect_same_table("whole", "cut");
}

TEST_P(Sweep, TwoShardsMergedHaveTheSameTableToTheLastBit) {
  ASSERT_EQ(test::run(folder, line("--output whole")).code, 0);
  ASSERT_EQ(test::run(folder, line("--shard 1/2 --output a")).code, 0);
  const auto missing = test::run(folder, "sweep --merge a --output half");
  EXPECT_EQ(missing.code, 3) << missing.err;
  EXPECT_NE(text_of(folder / "half/sweep.csv").find(",missing,"), std::string::npos);
  ASSERT_EQ(test::run(folder, line("--shard 2/2 --output b")).code, 0);
  const auto merged = test::run(folder, "sweep --merge b a --output both");
  ASSERT_EQ(merged.code, 0) << merged.err;
  expect_same_table("whole", "both");
  const auto completed = test::run(folder, "sweep --resume half --cpu --jobs 2");
  ASSERT_EQ(completed.code, 0) << completed.err;
  expect_same_table("whole", "half");
}

TEST_P(Sweep, BehindMpirunHasTheSameTableToTheLastBit) {
  ASSERT_EQ(test::run(folder, line("--output whole")).code, 0);
  for (const std::string mpi : {"openmpi", "mpich"}) {
    const std::string before = test::mpirun(mpi, 3);
    if (before.empty()) continue;
    const std::string words = std::string("sweep case.toml --cpu ") + GetParam().axes;
    const auto ended = test::umov_in(folder.path(), words + " --output " + mpi, before);
    ASSERT_EQ(ended.code, 0) << ended.text;
    EXPECT_EQ(ended.count("results: "), 1) << ended.text;
    expect_same_table("whole", mpi);
    const std::string log = text_of(folder / (mpi + "/log"));
    EXPECT_NE(log.find("3 cases at a time on 3 ranks"), log.npos) << log;
    EXPECT_NE(log.find("  rank 2: cpu, 1 case at a time"), log.npos) << log;
  }
}

INSTANTIATE_TEST_SUITE_P(Families, Sweep, testing::ValuesIn(swept),
                         [](const auto& info) { return std::string(info.param.family); });

class SweepCommand : public testing::Test {
 protected:
  void SetUp() override {
    folder.write("mie.toml", swept[4].text);
    folder.write("fdtd.toml", swept[1].text);
  }
  test::Ended sweep(const std::string& words) { return test::run(folder, "sweep " + words); }

  TemporaryFolder folder;
};

TEST_F(SweepCommand, MarksACaseThatFailsAndDoesTheOthers) {
  const auto ended = sweep("fdtd.toml --cpu --set domain.resolution=10,30000 --output out");
  EXPECT_EQ(ended.code, 3) << ended.err;
  EXPECT_NE(ended.err.find("case 2 (domain.resolution = 30000)"), std::string::npos) << ended.err;
  const std::string table = text_of(folder / "out/sweep.csv");
  EXPECT_NE(table.find(",done,"), std::string::npos) << table;
  EXPECT_NE(table.find(",failed,"), std::string::npos) << table;
}

TEST_F(SweepCommand, IsRefusedOnceBehindMpirun) {
  for (const char* mpi : {"openmpi", "mpich"}) {
    const std::string before = test::mpirun(mpi, 2);
    if (before.empty()) continue;
    const auto ended = test::umov_in(folder.path(), "sweep mie.toml --set nothing=1 --output out", before);
    EXPECT_EQ(ended.code, 2) << ended.text;
    EXPECT_EQ(ended.messages(), 1) << ended.text;
  }
}

TEST_F(SweepCommand, ColumnsHaveTheUnitsOfTheirParameters) {
  const auto ended =
      sweep("fdtd.toml --cpu --set body.disk.radius=0.3 --set source[0].center[1]=-1,-1.2 --output out");
  ASSERT_EQ(ended.code, 0) << ended.err;
  const std::string table = text_of(folder / "out/sweep.csv");
  EXPECT_NE(table.find("case,body.disk.radius [unit],source[0].center[1] [unit],"), std::string::npos)
      << table;
}

TEST_F(SweepCommand, GoesOnWithALongerListWhereItWas) {
  ASSERT_EQ(sweep("mie.toml --set m=1.3,1.5 --output out").code, 0);
  ASSERT_EQ(sweep("mie.toml --set m=1.2,1.3,1.5 --resume out").code, 0);
  ASSERT_EQ(sweep("mie.toml --set m=1.2,1.3,1.5 --output whole").code, 0);
  EXPECT_EQ(text_of(folder / "out/sweep.csv"), text_of(folder / "whole/sweep.csv"));
}

TEST_F(SweepCommand, ListsItsCasesInADryRunAndWritesNothing) {
  const auto ended = sweep("mie.toml --set radius=0.1:0.2:2 --zip m=1.3,1.5 --dry-run --output out");
  ASSERT_EQ(ended.code, 0) << ended.err;
  EXPECT_NE(ended.out.find("case 4: radius = 0.2, m = 1.5"), std::string::npos) << ended.out;
  EXPECT_FALSE(fs::exists(folder / "out"));
}

TEST_F(SweepCommand, RefusesToMergeCasesOfFilesThatWereChanged) {
  folder.write("A.mtx", laplacian(5));
  folder.write("B.mtx", laplacian(6));
  folder.write("s.toml", "matrix = \"A.mtx\"\n");
  ASSERT_EQ(sweep("s.toml --set matrix=A.mtx,B.mtx --shard 1/2 --output one").code, 0);
  ASSERT_EQ(sweep("s.toml --set matrix=A.mtx,B.mtx --shard 2/2 --output two").code, 0);
  EXPECT_EQ(sweep("--merge one two --output both").code, 0);
  folder.write("A.mtx", laplacian(4));
  const auto mixed = sweep("--merge one two --output mixed");
  EXPECT_EQ(mixed.code, 2);
  EXPECT_NE(mixed.err.find("case 2 was computed with files as they are, case 1 with others"),
            std::string::npos)
      << mixed.err;
  EXPECT_EQ(sweep("--merge one two --output one").code, 2);
}

TEST_F(SweepCommand, RefusesToMergeShardsOfTwoVersionsOfAFileWhicheverIsThere) {
  folder.write("s.toml", "matrix = \"A.mtx\"\n");
  for (const int shard : {1, 2}) {
    folder.write("A.mtx", laplacian(4 + shard));
    const std::string part = std::to_string(shard);
    ASSERT_EQ(sweep("s.toml --set solver.degree=1,2 --shard " + part + "/2 --output " + part).code, 0);
  }
  folder.write("A.mtx", laplacian(9));
  const auto mixed = sweep("--merge 1 2 --output mixed");
  EXPECT_EQ(mixed.code, 2);
  EXPECT_NE(mixed.err.find("2 was computed with another A.mtx than a folder before it"), std::string::npos)
      << mixed.err;
}

TEST_F(SweepCommand, MergesShardsOfOneCaseInTwoFolders) {
  for (const char* where : {"a", "b"}) {
    fs::create_directory(folder / where);
    folder.write(std::string(where) + "/A.mtx", laplacian(5));
    folder.write(std::string(where) + "/s.toml", "matrix = \"A.mtx\"\n");
  }
  ASSERT_EQ(sweep("a/s.toml --set solver.degree=1:4:4 --output whole").code, 0);
  ASSERT_EQ(sweep("a/s.toml --set solver.degree=1:4:4 --shard 1/2 --output 1").code, 0);
  ASSERT_EQ(sweep("b/s.toml --set solver.degree=1:4:4 --shard 2/2 --output 2").code, 0);
  const auto merged = sweep("--merge 1 2 --output both");
  ASSERT_EQ(merged.code, 0) << merged.err;
  EXPECT_EQ(text_of(folder / "both/sweep.csv"), text_of(folder / "whole/sweep.csv"));
}

TEST_F(SweepCommand, EndsWhereAFileIsChangedWhileItRuns) {
  folder.write("A.mtx", laplacian(40));
  folder.write("B.mtx", laplacian(41));
  folder.write("s.toml", "matrix = \"A.mtx\"\n");
  test::Program program(folder, "sweep s.toml --jobs 1 --set solver.strength=0.01:0.09:2000 --output out");
  ASSERT_TRUE(test::wait_until([&] { return fs::exists(folder / "out/sweep.state"); }));
  fs::rename(folder / "B.mtx", folder / "A.mtx");
  const auto ended = program.wait();
  EXPECT_EQ(ended.code, 2) << ended.out;
  EXPECT_NE(ended.err.find("A.mtx was changed while the sweep ran"), std::string::npos) << ended.err;
  EXPECT_NE(ended.err.find("--resume"), std::string::npos) << ended.err;
}

TEST_F(SweepCommand, ADryRunPlansEveryCase) {
  const auto ended = sweep("fdtd.toml --set domain.courant=0.5,1.05 --dry-run");
  EXPECT_EQ(ended.code, 2);
  EXPECT_NE(ended.err.find("case 2 (domain.courant = 1.05)"), std::string::npos) << ended.err;
}

TEST_F(SweepCommand, FitsSurfacesOverADesignAndOthersLater) {
  const std::string axes =
      "mie.toml --set radius=0.2,0.3 --set m=1.3,1.5 --design latin-hypercube --variants 12 ";
  const auto ended = sweep(axes + "--response Qext --surface quadratic --output out");
  ASSERT_EQ(ended.code, 0) << ended.err;
  EXPECT_NE(ended.out.find("'Qext': quadratic surface"), std::string::npos) << ended.out;
  for (const char* name : {"surfaces.csv", "effects.csv", "coefficients.csv", "surface_Qext.png"})
    EXPECT_TRUE(fs::exists(folder / (std::string("out/") + name))) << name;
  // the least is where radius and index are least: scattering grows with both while the sphere is small
  const auto table = results::list_hdf5((folder / "out/results.h5").string());
  EXPECT_TRUE(std::any_of(table.arrays.begin(), table.arrays.end(),
                          [](const auto& a) { return a.name == "surfaces/optimum_radius"; }));
  EXPECT_NE(ended.out.find("at radius = 0.2, m = 1.3"), std::string::npos) << ended.out;
  const auto later = sweep("--resume out --response Qsca,Qabs --goal maximum --no-pictures");
  ASSERT_EQ(later.code, 0) << later.err;
  EXPECT_NE(later.out.find("12 cases, 12 done"), std::string::npos) << later.out;
  EXPECT_NE(later.out.find("'Qsca': "), std::string::npos) << later.out;
  EXPECT_NE(later.out.find("largest"), std::string::npos) << later.out;
  EXPECT_NE(sweep("--resume out --variants 13").err.find("has its cases"), std::string::npos);
}

TEST_F(SweepCommand, TakesItsCasesFromATable) {
  folder.write("t.csv", "m,radius [nm]\n1.3,200\n1.4,250\n1.5,200\n");
  folder.write("vary.toml", std::string(swept[4].text) +
                                "[batch]\ndesign = \"table\"\ntable = \"t.csv\"\n[[vary]]\nparameter = "
                                "\"radius\"\n[[vary]]\nparameter = \"m\"\n");
  const auto listed = sweep("vary.toml --dry-run");
  ASSERT_EQ(listed.code, 0) << listed.err;
  EXPECT_NE(listed.out.find("case 2: radius = 0.25, m = 1.4"), std::string::npos) << listed.out;
  ASSERT_EQ(sweep("vary.toml --shard 1/2 --output a").code, 0);
  ASSERT_EQ(sweep("vary.toml --shard 2/2 --output b").code, 0);
  fs::remove(folder / "t.csv");
  EXPECT_EQ(sweep("--merge a b --output both").code, 0) << "the state has the rows of the table";
}

TEST_F(SweepCommand, InterruptedSaysHowToGoOn) {
  test::Program program(folder, "sweep mie.toml --jobs 1 --set radius=1000:2000:4000 --output out");
  ASSERT_TRUE(test::wait_until([&] { return fs::exists(folder / "out/sweep.state"); }));
  program.send(SIGINT);
  const auto ended = program.wait();
  EXPECT_EQ(ended.code, 130) << ended.err;
  EXPECT_NE(ended.err.find("umov sweep --resume out"), std::string::npos) << ended.err;
}

struct Refused {
  const char *words, *says;
};

TEST_F(SweepCommand, RefusesWhatMakesNoSweep) {
  folder.write("other.toml", "nothing = 1\n");
  folder.write("model.png", "\x89PNG\r\n\x1a\n");
  folder.write("seeded.toml", "radius = 1\nm = 1.5\n[batch]\nseed = 1\n");
  const Refused all[] = {
      {"", "give a case.toml"},
      {"mie.toml", "give --set PATH=VALUES"},
      {"mie.toml --set radius", "write --set body.1.radius=0.4:0.6:9"},
      {"mie.toml --set radius=1:2:0", "0 values are none"},
      {"mie.toml --set raduis=1,2", "did you mean 'radius'"},
      {"mie.toml --set radius=1,2 --variants 5",
       "--variants has no effect (--design latin-hypercube reads it)"},
      {"mie.toml --set radius=1,2 --variants 0", "--variants has no effect"},
      {"mie.toml --set radius=1,2 --seed 1", "--seed has no effect (--design latin-hypercube reads it)"},
      {"seeded.toml --set radius=1,2",
       "seeded.toml:4: 'batch.seed' has no effect (--design latin-hypercube reads it)"},
      {"mie.toml --set radius=1,2 --surface auto", "--surface has no effect (no --response is asked for)"},
      {"--merge a --output out --seed 1", "--merge with --seed (its folders have their design)"},
      {"mie.toml --set radius=1,2 --goal maximum", "--goal has no effect (no --response is asked for)"},
      {"fdtd.toml --set body.disk.raduis=1,2", "did you mean 'radius'"},
      {"fdtd.toml --set body.dusk.radius=1,2", "names body 'dusk', which the case does not have"},
      {"fdtd.toml --set domain.polarization=tm,tn", "case 2 (domain.polarization = tn)"},
      {"fdtd.toml --set body.disk.material=glass,glas", "did you mean 'glass'"},
      {"fdtd.toml --set body.disk.radius=1,2 --set body.1.radius=3,4", "varied twice"},
      {"mie.toml --set m=1.3,1.5 --set m=1.3,1.4", "varied twice"},
      {"mie.toml --zip m=1.3,1.5 --zip radius=1,2,3", "they go together"},
      {"fdtd.toml --set output.folder=a,b", "the cases of a sweep have one folder"},
      {"fdtd.toml --set machine.threads=1,2", "changes no result"},
      {"other.toml --set nothing=1,2", "the case is of no family"},
      {"mie.toml --set m=1.3,1.5 --family meep", "there are dda"},
      {"mie.toml --set m=1.3,1.5 --shard 3/2", "write 3/64"},
      {"mie.toml --set m=1.3,1.5 --shard 3/3", "none for this part"},
      {"--resume nowhere", "nowhere/sweep.state is missing"},
      {"--merge --output out", "without folders"},
      {"mie.toml --set m=1.3,1.5 --design table", "'batch.table' is missing"},
      {"mie.toml --set m=1.3,1.5 --design latin-hypercube", "at least 2"},
      {"fdtd.toml --set body.disk.material=glass,silicon --design latin-hypercube --variants 3",
       "values that are no numbers"},
      {"mie.toml --set m=1.3,1.5 --design latin",
       "'latin' is unknown (choose from all, latin-hypercube, table)"},
      {"model.png --set domain.resolution=10,20",
       "model.png is a picture (PNG, JPEG, BMP, TIFF or TGA) (a case is read here, in TOML); umov fdtd "
       "takes"},
      {"mie.toml --sett m=1.3,1.5", "did you mean '--set'"},
  };
  for (const Refused& r : all) {
    const auto ended = sweep(r.words);
    EXPECT_EQ(ended.code, 2) << r.words << "\n" << ended.err;
    EXPECT_NE(ended.err.find(r.says), std::string::npos) << r.words << "\n" << ended.err;
  }
  EXPECT_EQ(folder.names(),
            (std::vector<std::string>{"fdtd.toml", "mie.toml", "model.png", "other.toml", "seeded.toml"}));
}

}  // namespace
}  // namespace umov
