// A full disk, two runs into one folder, runs that do not converge.
#include <gtest/gtest.h>

#include <new>

#include "commands/all.hpp"
#include "program/program.hpp"
#include "support/program.hpp"

using namespace umov;
using test::TemporaryFolder;
namespace fs = std::filesystem;

namespace {

const std::string small_case =
    "dda --shape-grid 12 --theta-intervals 8 --no-pictures --no-hdf5 --backend serial ";

/// A run of some seconds.
const std::string slow = "dda --shape-grid 32 --m (2.5,0.1) --dpl 8 --epsilon 1e-14 --backend serial ";

}  // namespace

TEST(FullDisk, IsAFailureOfTheMachineThatNamesTheFileAndLeavesNoPart) {
  const TemporaryFolder folder;
  const auto end = test::run(folder, small_case + "--dipole-polarizations --output-dir out", 30000);
  EXPECT_EQ(end.code, 4) << end.err;
  EXPECT_NE(end.err.find("out/DipPol-Y"), std::string::npos) << end.err;
  for (const auto& name : folder.names("out")) {
    EXPECT_EQ(name.find(".tmp"), name.npos);
    EXPECT_EQ(name.find(".part"), name.npos);
    EXPECT_NE(name, "DipPol-Y");
  }
}

TEST(FullDisk, AtTheFirstFileLeavesNoFolder) {
  const TemporaryFolder folder;
  const auto end = test::run(folder, small_case + "--output-dir out", 100);
  EXPECT_EQ(end.code, 4) << end.err;
  EXPECT_TRUE(folder.names().empty());
}

TEST(FullDisk, AFailingCheckpointWarnsAndTheRunGoesOn) {
  const TemporaryFolder folder;
  const auto end = test::run(folder, small_case + "--checkpoint 0.001s --output-dir out", 40000);
  EXPECT_EQ(end.code, 0) << end.err;
  EXPECT_NE(end.err.find("warning"), std::string::npos) << end.err;
  EXPECT_TRUE(fs::exists(folder / "out/CrossSec-Y"));
}

TEST(FullDisk, LeavesNoHalfPictureOrHdf5) {
  const TemporaryFolder folder;
  const auto end = test::run(folder, "dda --shape-grid 12 --backend serial --output-dir out", 30000);
  EXPECT_EQ(end.code, 4) << end.err;
  for (const auto& name : folder.names("out")) {
    EXPECT_EQ(name.find(".part"), name.npos) << name;
    EXPECT_NE(name, "results.vtkhdf");
  }
}

/// A volume of transforms that outgrows a limit which all else keeps to.
void write_volume_case(const TemporaryFolder& folder, const std::string& more) {
  folder.write("case.toml",
               "[domain]\nsize = [2, 2, 2]\nresolution = 12\n[boundary]\nall = \"pec\"\n"
               "[[source]]\nkind = \"point\"\ncenter = [0.3, 0.1, 0.3]\ncomponent = \"Ez\"\n"
               "waveform = \"gaussian\"\nfrequency = 1.0\nwidth = 0.4\n"
               "[[monitor]]\nkind = \"series\"\nname = \"p\"\ncenter = [0, 0, 0]\n"
               "[[monitor]]\nkind = \"fourier\"\nname = \"volume\"\nsize = [2, 2, 2]\n"
               "frequencies = [0.8, 0.9, 1.0, 1.1, 1.2]\n" +
                   more);
}

TEST(FullDisk, OfAFileOfAllRanksLeavesTheOtherResults) {
  const TemporaryFolder folder;
  write_volume_case(folder, "[stop]\nsteps = 60\n");
  std::vector<std::string> names;
  for (const std::string ranks : {"", "--ranks 3 "}) {
    SCOPED_TRACE(ranks);
    const auto end =
        test::run(folder, "fdtd case.toml --cpu --no-pictures " + ranks + "--output-dir out", 500000);
    EXPECT_EQ(end.code, 4) << end.err;
    EXPECT_NE(end.err.find("out/fourier-volume.vtkhdf"), end.err.npos) << end.err;
    EXPECT_NE(end.err.find("(File too large)"), end.err.npos) << end.err;
    const auto left = folder.names("out");
    if (ranks.empty()) names = left;
    EXPECT_EQ(left, names);
    EXPECT_TRUE(fs::exists(folder / "out/results.vtkhdf"));
    EXPECT_TRUE(fs::exists(folder / "out/unfinished"));
    fs::remove_all(folder / "out");
  }
}

TEST(FullDisk, AFailingCheckpointOfWavesWarnsAndTheRunGoesOn) {
  const TemporaryFolder folder;
  write_volume_case(folder, "[stop]\nsteps = 400\n");
  for (const std::string ranks : {"", "--ranks 2 "}) {
    SCOPED_TRACE(ranks);
    const auto end = test::run(
        folder,
        "fdtd case.toml --cpu --no-pictures --no-hdf5 --checkpoint 0.01s " + ranks + "--output-dir out",
        500000);
    EXPECT_EQ(end.code, 0) << end.err;
    EXPECT_NE(end.err.find("warning: no checkpoint: "), end.err.npos) << end.err;
    EXPECT_TRUE(fs::exists(folder / "out/log"));
    fs::remove_all(folder / "out");
  }
}

TEST(OutOfMemory, IsToldWithWhatTheCommandCanDo) {
  auto commands = commands::all();
  for (auto& command : commands) {
    command.run = [](std::span<const std::string>) -> int { throw std::bad_alloc(); };
    const std::vector<std::string> args{command.name};
    testing::internal::CaptureStderr();
    EXPECT_EQ(program::run(args, {command}), 4);
    const std::string said = testing::internal::GetCapturedStderr();
    EXPECT_NE(said.find("out of memory (the system gave no more); " + command.less_memory), said.npos)
        << said;
    // a flag that is named is one the command has
    const auto help = test::run(TemporaryFolder(), command.name + " " + command.help);
    for (const char* flag : {"-ftype", "--order", "-grid", "-dpl"}) {
      if (command.less_memory.find(flag) == std::string::npos) continue;
      EXPECT_NE((help.out + help.err).find(flag), std::string::npos) << command.name << " " << flag;
    }
  }
}

TEST(OneFolder, IsRefusedToASecondRun) {
  const TemporaryFolder folder;
  test::Program first(folder, slow + "--output-dir out");
  ASSERT_TRUE(test::wait_until([&] { return fs::exists(folder / "out/resolved.toml"); }));
  const auto second = test::run(folder, small_case + "--output-dir out");
  EXPECT_EQ(second.code, 2);
  EXPECT_NE(second.err.find("another run"), std::string::npos) << second.err;
  EXPECT_TRUE(fs::exists(folder / "out/resolved.toml"));
}

TEST(OneFolder, NumberedRunsAtOnceGetTheirOwn) {
  const TemporaryFolder folder;
  {
    test::Program a(folder, small_case);
    test::Program c(folder, small_case + "--m 1.4 ");
    const auto ended = a.wait(), other = c.wait();
    EXPECT_EQ(ended.code, 0) << ended.err;
    EXPECT_EQ(other.code, 0) << other.err;
  }
  int runs = 0;
  for (const auto& name : folder.names())
    runs += name.rfind("run", 0) == 0 && fs::exists(folder / (name + "/CrossSec-Y"));
  EXPECT_EQ(runs, 2);
}

TEST(NotConverged, IsMarkedInResultsAndExitCode) {
  const TemporaryFolder folder;
  const auto end = test::run(folder, small_case + "--max-iterations 3 --output-dir out");
  EXPECT_EQ(end.code, 3) << end.err;
  EXPECT_NE((end.out + end.err).find("iteration limit"), std::string::npos);
  EXPECT_TRUE(fs::exists(folder / "out/CrossSec-Y"));
  EXPECT_NE(test::text_of(folder / "out/log").find("iteration limit"), std::string::npos);
  // ADDA ends such a run with exit code 0 and a warning.
  const auto adda = test::run(folder, "adda -maxiter 3 -dir a --no-pictures --no-hdf5");
  EXPECT_EQ(adda.code, 0) << adda.err;
  EXPECT_NE(test::text_of(folder / "a/log").find("iteration limit"), std::string::npos);
}

TEST(NotConverged, SinglePrecisionSaysSoAtOnce) {
  const TemporaryFolder folder;
  const auto start = std::chrono::steady_clock::now();
  const auto end = test::run(folder, small_case + "--ftype float --epsilon 1e-12 --output-dir out");
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
  EXPECT_EQ(end.code, 3) << end.err;
  EXPECT_NE(test::text_of(folder / "out/log").find("precision"), std::string::npos) << end.out;
  EXPECT_LT(took.count(), 20);
}
