// Standard streams that are full, closed or gone, and messages that quote what a terminal should not see.
#include <gtest/gtest.h>

#include <fstream>

#include "support/shell.hpp"

using namespace umov;
using test::TemporaryFolder;
namespace fs = std::filesystem;

namespace {

const std::string quick[] = {
    "--help",      "help",       "version",        "dda --help",      "dda --help-markdown", "dda --dry-run",
    "fdtd --help", "eqs --help", "adda -h",        "mie --help",      "mie --x 3",           "solve --help",
    "devices",     "materials",  "materials gold", "materials --help"};

}  // namespace

TEST(StandardOutput, WhenFullIsAFailureOfTheMachineForEveryCommand) {
  if (!fs::exists("/dev/full")) GTEST_SKIP() << "no /dev/full here";
  const TemporaryFolder folder;
  for (const auto& command : quick) {
    const auto end = test::shell(folder, "$U " + command + " > /dev/full");
    EXPECT_EQ(end.code, 4) << command;
    EXPECT_NE(end.err.find("standard output"), end.err.npos) << command << ": " << end.err;
    EXPECT_EQ(end.err.find("bug"), end.err.npos) << command << ": " << end.err;
  }
}

TEST(StandardOutput, WhenClosedIsAFailureAndNoFileTakesItsNumber) {
  const TemporaryFolder folder;
  for (const auto& command : quick)
    EXPECT_EQ(test::shell(folder, "$U " + command + " >&-").code, 4) << command;
  const std::string run = "$U dda --shape-grid 4 --no-pictures --backend serial --output-dir ";
  ASSERT_EQ(test::shell(folder, run + "a").code, 0);
  EXPECT_EQ(test::shell(folder, run + "b >&- 2>&- <&-").code, 4);
  EXPECT_EQ(test::text_of(folder / "a/CrossSec-Y"), test::text_of(folder / "b/CrossSec-Y"));
  EXPECT_EQ(test::shell(folder, run + "c --quiet >&- 2>&-").code, 0);
}

TEST(StandardOutput, GivenUpByItsReaderEndsTheProgramAsOthers) {
  const TemporaryFolder folder;
  const auto end = test::shell(folder, "$U dda --help | head -1\necho ${PIPESTATUS[0]}");
  EXPECT_TRUE(end.out.find("\n0\n") != end.out.npos || end.out.find("\n141\n") != end.out.npos) << end.out;
  EXPECT_EQ(end.err, "");
}

TEST(StandardError, WhenFullDoesNotStopARun) {
  if (!fs::exists("/dev/full")) GTEST_SKIP() << "no /dev/full here";
  const TemporaryFolder folder;
  const auto end =
      test::shell(folder, "$U dda --shape-grid 4 --no-pictures --no-hdf5 --output-dir . 2> /dev/full");
  EXPECT_EQ(end.code, 0);
  EXPECT_TRUE(fs::exists(folder / "CrossSec-Y"));
}

TEST(Results, GoToAStandardStreamInOrder) {
  const TemporaryFolder folder;
  EXPECT_EQ(test::shell(folder, "$U mie --x 3 --csv /dev/stdout > file").code, 0);
  const std::string text = test::text_of(folder / "file");
  EXPECT_NE(text.find("theta"), text.npos);
  EXPECT_NE(text.find("written"), text.npos);
}

TEST(Messages, ShowControlCharactersInsteadOfSendingThem) {
  const TemporaryFolder folder;
  folder.write("key.toml", "\"\\u001b[31mx\\u009b\" = 1\n");
  folder.write("text.toml", "[shape]\nname = \"\\u001b[31mx\"\n");
  for (const std::string line : {"$U dda $'--x\\e[31m'", "$U $'\\e[2J'", "$U fdtd $'\\e[2J.toml'",
                                 "$U eqs key.toml", "$U dda text.toml", "$U mie --m $'\\e[2J' --x 1",
                                 "$U solve $'\\e[2J'", "$U adda $'-\\e[2J'", "$U materials $'\\e[2J'"}) {
    const auto end = test::shell(folder, line);
    EXPECT_EQ(end.code, 2) << line << end.err;
    EXPECT_EQ((end.out + end.err).find('\x1b'), std::string::npos) << line;
    EXPECT_NE(end.err.find("x1b"), std::string::npos) << line << end.err;
  }
  ASSERT_EQ(
      test::shell(folder, "$U dda --shape-grid 4 --no-pictures --no-hdf5 --output-dir $'o\\e[31m'").code, 0);
  const auto place = fs::path("o\x1b[31m");
  for (const char* name : {"log", "resolved.toml"})
    EXPECT_EQ(test::text_of(folder.path() / place / name).find('\x1b'), std::string::npos) << name;
  EXPECT_NE(test::text_of(folder.path() / place / "resolved.toml").find("\\u001B"), std::string::npos);
}

TEST(Paths, ThatCannotBeReadAreTheUsersMatter) {
  const TemporaryFolder folder;
  fs::create_symlink("loop", folder / "loop");
  fs::create_symlink("loop.toml", folder / "loop.toml");
  fs::create_symlink("loop.png", folder / "loop.png");
  fs::create_directory(folder / "d.toml");
  fs::create_directory(folder / "d.png");
  const std::string name(300, 'n');
  for (const std::string& line : std::vector<std::string>{"solve /",
                                                          "solve loop",
                                                          "solve /dev/zero",
                                                          "solve " + name,
                                                          "dda /",
                                                          "dda loop.toml",
                                                          "dda d.toml",
                                                          "dda " + name + ".toml",
                                                          "fdtd d.toml",
                                                          "fdtd loop.toml",
                                                          "fdtd d.png",
                                                          "fdtd loop.png",
                                                          "fdtd " + name + ".png",
                                                          "fdtd /dev/zero.toml",
                                                          "eqs d.toml",
                                                          "eqs loop.toml",
                                                          "dda --shape-file loop",
                                                          "dda --shape-file /",
                                                          "dda --shape-file " + name,
                                                          "adda -grid 4 -Csca -alldir_inp loop",
                                                          "adda -grid 4 -Csca -alldir_inp /",
                                                          "adda -shape read loop",
                                                          "adda -shape read /",
                                                          "adda -grid 4 -store_scat_grid -scat_grid_inp loop",
                                                          "adda -grid 4 -dir loop/x",
                                                          "mie --x 1 --csv /",
                                                          "mie --x 1 --csv loop",
                                                          "mie --x 1 --csv " + name,
                                                          "dda --output-dir loop",
                                                          "dda --output-dir " + name,
                                                          "eqs --resume loop",
                                                          "dda --resume loop",
                                                          "fdtd --resume /",
                                                          "dda --shape-grid 4 --threads 65536",
                                                          "fdtd --threads 1025 d.toml",
                                                          "eqs --threads 65536 d.toml",
                                                          "adda -grid 4 --threads 65536",
                                                          "solve --threads 65536 x"}) {
    const auto end = test::shell(folder, "$U " + line);
    EXPECT_EQ(end.code, 2) << line << ": " << end.err;
    EXPECT_EQ(end.err.find("bug"), end.err.npos) << line << ": " << end.err;
  }
}

TEST(EmptyCases, AreRefusedWithAdvice) {
  const TemporaryFolder folder;
  folder.write("none.toml", "");
  folder.write("comment.toml", "# grid = 4\n\n");
  for (const std::string family : {"dda", "fdtd", "eqs"})
    for (const std::string name : {"none.toml", "comment.toml"}) {
      const auto end = test::run(folder, family + " " + name);
      EXPECT_EQ(end.code, 2) << family;
      EXPECT_NE(end.err.find("says nothing"), end.err.npos) << end.err;
    }
  EXPECT_EQ(folder.names().size(), 2u);
}
