// A second run in a folder, and cases that would write outside of theirs.
#include <gtest/gtest.h>

#include <algorithm>

#include "support/eqs_runs.hpp"
#include "support/shell.hpp"

using namespace umov;
using test::TemporaryFolder;
namespace fs = std::filesystem;

namespace {

const std::string small_sphere = "dda --shape-grid 4 --backend serial --no-hdf5 --no-pictures ";

struct FamilyRun {
  std::string name, line, with, without, extra;  ///< `extra` is written by `with` alone
};

std::ostream& operator<<(std::ostream& out, const FamilyRun& f) { return out << f.name; }

class SecondRun : public ::testing::TestWithParam<FamilyRun> {};

constexpr const char* pulse =
    "[domain]\nsize = [3, 3]\nresolution = 8\n[[source]]\nkind = \"point\"\nwaveform = \"gaussian\"\n"
    "frequency = 1\nwidth = 0.5\n[stop]\nsteps = 20\n[[monitor]]\nname = \"p\"\nkind = \"series\"\n"
    "center = [0.5, 0.25]\n";

INSTANTIATE_TEST_SUITE_P(Families, SecondRun,
                         ::testing::Values(FamilyRun{"dda", small_sphere, "--internal-fields ", "",
                                                     "IntField-Y"},
                                           FamilyRun{"adda", "adda -grid 4 --no-hdf5 --no-pictures ",
                                                     "-store_int_field ", "", "IntField-Y"},
                                           FamilyRun{"fdtd", "fdtd case.toml --no-pictures ", "--hdf5 ",
                                                     "--no-hdf5 ", "results.vtkhdf"}),
                         [](const auto& info) { return info.param.name; });

std::string into(const FamilyRun& f, const std::string& folder) {
  return (f.name == "adda" ? "-dir " : "--output-dir ") + folder;
}

}  // namespace

TEST_P(SecondRun, LeavesItsOwnFilesAndThoseOfOthersOnly) {
  const FamilyRun& f = GetParam();
  const TemporaryFolder folder;
  folder.write("case.toml", pulse);
  ASSERT_EQ(test::run(folder, f.line + f.with + into(f, "a")).code, 0);
  ASSERT_TRUE(fs::exists(folder / ("a/" + f.extra)));
  folder.write("a/mine.txt", "a file of the user's");
  const auto second = test::run(folder, f.line + f.without + into(f, "a"));
  ASSERT_EQ(second.code, 0) << second.err;
  EXPECT_NE(second.err.find("not empty"), second.err.npos);
  EXPECT_FALSE(fs::exists(folder / ("a/" + f.extra)));
  EXPECT_TRUE(fs::exists(folder / "a/mine.txt"));
  ASSERT_EQ(test::run(folder, f.line + f.without + into(f, "fresh")).code, 0);
  auto names = folder.names("fresh");
  names.push_back("mine.txt");
  std::sort(names.begin(), names.end());
  EXPECT_EQ(folder.names("a"), names);
}

TEST_P(SecondRun, KeepsAFileTheUserHasChanged) {
  const FamilyRun& f = GetParam();
  const TemporaryFolder folder;
  folder.write("case.toml", pulse);
  ASSERT_EQ(test::run(folder, f.line + f.with + into(f, "a")).code, 0);
  folder.write("a/" + f.extra, "rewritten by hand");
  ASSERT_EQ(test::run(folder, f.line + f.without + into(f, "a")).code, 0);
  EXPECT_EQ(test::text_of(folder / ("a/" + f.extra)), "rewritten by hand");
}

TEST_P(SecondRun, ThatIsRefusedRemovesNothing) {
  const FamilyRun& f = GetParam();
  const TemporaryFolder folder;
  folder.write("case.toml", pulse);
  ASSERT_EQ(test::run(folder, f.line + f.with + into(f, "a")).code, 0);
  const auto before = folder.names("a");
  const auto its_case = test::text_of(folder / "a/resolved.toml");
  const std::string bad = f.name == "adda" ? "-m 0 0 " : f.name == "dda" ? "--m 0 " : "--courant 1.2 ";
  ASSERT_EQ(test::run(folder, f.line + f.without + bad + into(f, "a")).code, 2);
  EXPECT_EQ(folder.names("a"), before);
  EXPECT_EQ(test::text_of(folder / "a/resolved.toml"), its_case);
}

TEST_P(SecondRun, ThatIsKilledLeavesASignThatResultsAreNotItsOwn) {
  const FamilyRun& f = GetParam();
  const TemporaryFolder folder;
  folder.write("case.toml", pulse);
  ASSERT_EQ(test::run(folder, f.line + into(f, "a")).code, 0);
  ASSERT_FALSE(fs::exists(folder / "a/unfinished"));
  const std::string endless = f.name == "adda"  ? "adda -grid 60 -m 3 0 "
                              : f.name == "dda" ? "dda --shape-grid 60 --m 3 --backend serial "
                                                : "fdtd case.toml --no-pictures --steps 1000000000 ";
  const auto killed =
      test::shell(folder, "$U " + endless + into(f, "a") +
                              " >/dev/null 2>&1 & p=$!\n"
                              "for i in $(seq 600); do [ -e a/unfinished ] && break; sleep 0.1; done\n"
                              "kill -9 $p; wait $p");
  EXPECT_EQ(killed.code, 137) << killed.err;
  EXPECT_TRUE(fs::exists(folder / "a/unfinished"));
  if (f.name != "adda") {  // whose first run must not be taken for the end of the second
    EXPECT_EQ(test::run(folder, f.name + " --resume a --dry-run").out.find("is finished"), std::string::npos);
  }
  // the next run that ends takes the sign away
  ASSERT_EQ(test::run(folder, f.line + into(f, "a")).code, 0);
  EXPECT_FALSE(fs::exists(folder / "a/unfinished"));
}

TEST(ResultsUnderWay, AreWrittenWholeWhenASignalComes) {
  for (const int signal : {SIGINT, SIGTERM}) {
    const TemporaryFolder folder;
    folder.write("case.toml", pulse);
    test::Program run(folder, "fdtd case.toml --output-dir a");  // with pictures, which take their time
    ASSERT_TRUE(test::wait_until([&] { return fs::exists(folder / "a/series-p.csv"); }));
    run.send(signal);
    EXPECT_EQ(run.wait().code, 0);
    EXPECT_TRUE(fs::exists(folder / "a/log"));
    EXPECT_FALSE(fs::exists(folder / "a/unfinished"));
  }
}

TEST(ListOfFiles, FromAStrangerRemovesNothingElsewhereAndNoLink) {
  const TemporaryFolder folder;
  folder.write("victim", "x");
  fs::create_directory(folder / "a");
  fs::create_symlink("../victim", folder / "a/link");
  folder.write("a/.written", "1 0 ../victim\n1 0 /etc/hostname\n1 0 link\n1 0 none\nnonsense\n");
  ASSERT_EQ(test::run(folder, small_sphere + "--output-dir a").code, 0);
  EXPECT_TRUE(fs::exists(folder / "victim"));
  EXPECT_TRUE(fs::is_symlink(folder / "a/link"));
}

TEST(Resumption, RemovesNothing) {
  const TemporaryFolder folder;
  ASSERT_EQ(
      test::run(folder,
                small_sphere + "--max-iterations 3 --internal-fields --checkpoint-kind always --output-dir a")
          .code,
      3);
  ASSERT_TRUE(fs::exists(folder / "a/IntField-Y"));
  ASSERT_TRUE(fs::exists(folder / "a/checkpoint-Y"));
  ASSERT_EQ(test::run(folder, "dda " + small_sphere.substr(4) + "--resume a --max-iterations 100").code, 0);
  EXPECT_TRUE(fs::exists(folder / "a/IntField-Y"));
}

class CaseOfAStranger : public ::testing::Test {
 protected:
  CaseOfAStranger() {
    fs::create_directories(folder_ / "here/planted");
    folder_.write("victim", "x");
    fs::create_symlink("..", folder_ / "here/up");
    fs::create_symlink("../../victim", folder_ / "here/planted/log");
  }
  /// Exit code and message of `umov FAMILY c.toml` in the folder `here`, where the case lies.
  test::Ended run(const std::string& family, const std::string& text, const std::string& flags = "") const {
    folder_.write("here/c.toml", text);
    return test::shell(folder_, "cd here\n$U " + family + " c.toml --backend serial --quiet " + flags);
  }
  static std::string model(const std::string& family) {
    return family == "dda"    ? "[shape]\ngrid = 4\n"
           : family == "fdtd" ? std::string(pulse)
                              : test::two_layers("\n[time]\nend = 1e-3\nstep = 5e-4\n");
  }
  const TemporaryFolder folder_;
};

TEST_F(CaseOfAStranger, MayNotSendResultsOutOfItsFolder) {
  const auto before = folder_.names();
  for (const std::string where : {"/tmp/umov_escape", "..", "../b", "a/../../b", "up", "up/b", "planted"})
    for (const std::string family : {"dda", "fdtd", "eqs"}) {
      const auto end = run(family, model(family) + "\n[output]\nfolder = \"" + where + "\"\n");
      EXPECT_EQ(end.code, 2) << family << " " << where;
      EXPECT_NE(end.err.find("output.folder"), end.err.npos) << end.err;
    }
  const auto end = run("dda", "[shape]\ngrid = 4\n[checkpoint]\nfolder = \"../c\"\n");
  EXPECT_EQ(end.code, 2);
  EXPECT_NE(end.err.find("checkpoint.folder"), end.err.npos) << end.err;
  EXPECT_EQ(folder_.names(), before);
  EXPECT_EQ(test::text_of(folder_ / "victim"), "x");
  EXPECT_FALSE(fs::exists("/tmp/umov_escape"));
}

TEST_F(CaseOfAStranger, MayNameAFolderBelow) {
  for (const std::string family : {"dda", "fdtd", "eqs"}) {
    const auto end =
        run(family, model(family) + "\n[output]\nfolder = \"b/../" + family + "\"\npictures = false\n");
    EXPECT_EQ(end.code, 0) << end.err;
    EXPECT_TRUE(fs::exists(folder_ / ("here/" + family + "/log")));
  }
}

TEST_F(CaseOfAStranger, TheUserHimselfMaySendItAnywhereAndRepeatIt) {
  const std::string there = (folder_ / "there").string();
  EXPECT_EQ(run("dda", "[shape]\ngrid = 4\n", "--no-pictures --output-dir " + there).code, 0);
  EXPECT_TRUE(fs::exists(folder_ / "there/log"));
  const auto again = test::shell(folder_, "cd here\n$U dda " + there + "/resolved.toml --quiet");
  EXPECT_EQ(again.code, 0) << again.err;
}

TEST_F(CaseOfAStranger, MayNotWriteItsGeometryOutsideTheResults) {
  const auto before = folder_.names();
  fs::create_directory(folder_ / "here/out");
  fs::create_symlink("../..", folder_ / "here/out/up");
  for (const std::string file :
       {"../../evil.txt", "../evil.txt", "/tmp/umov_evil.txt", "a/../../evil.txt", "up/evil.txt"}) {
    const auto end =
        run("dda", "[shape]\ngrid = 4\n[output]\ngeometry = true\ngeometry_file = \"" + file + "\"\n",
            "--no-pictures --output-dir out");
    EXPECT_EQ(end.code, 2) << file;
    EXPECT_NE(end.err.find("geometry_file") != end.err.npos || end.err.find("through a link") != end.err.npos,
              false)
        << end.err;
  }
  EXPECT_EQ(folder_.names(), before);
  EXPECT_FALSE(fs::exists("/tmp/umov_evil.txt"));
  EXPECT_EQ(
      run("dda", "[shape]\ngrid = 4\n", "--no-pictures --output-dir out --save-shape-file mine.geom").code,
      0);
  EXPECT_TRUE(fs::exists(folder_ / "here/mine.geom"));
}
