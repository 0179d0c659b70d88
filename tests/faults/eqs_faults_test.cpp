// `umov eqs` on a full disk, in a held folder, with damaged state.
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <chrono>
#include <thread>

#include "support/eqs_runs.hpp"
#include "support/program.hpp"

using namespace umov;
using test::TemporaryFolder;
namespace fs = std::filesystem;

namespace {

const std::string small = "eqs case.toml --cpu --threads 1 --quiet ";

TemporaryFolder& with_case(TemporaryFolder& folder, const std::string& time) {
  folder.write("case.toml", test::two_layers("\n[time]\n" + time));
  return folder;
}

void expect_no_part(const TemporaryFolder& folder) {
  for (const auto& name : folder.names("out")) EXPECT_EQ(name.find(".part"), name.npos) << name;
}

}  // namespace

TEST(EqsFullDisk, WhileFieldsAreSavedNamesTheFileAndLeavesNoPart) {
  TemporaryFolder folder;
  with_case(folder, "end = 0.005\nstep = 5e-4\n");
  const auto end = test::run(folder, small + "--output-dir out", 20000);
  EXPECT_EQ(end.code, 4) << end.err;
  EXPECT_NE(end.err.find("out/fields.vtkhdf"), end.err.npos) << end.err;
  if (fs::exists(folder / "out")) expect_no_part(folder);
}

TEST(EqsFullDisk, WhileResultsAreWrittenLeavesNoHalfFile) {
  TemporaryFolder folder;
  with_case(folder, "end = 0.005\nstep = 5e-4\n");
  const auto end = test::run(folder, small + "--no-vtk --output-dir out", 12000);
  EXPECT_EQ(end.code, 4) << end.err;
  EXPECT_NE(end.err.find("out/results.h5"), end.err.npos) << end.err;
  EXPECT_FALSE(fs::exists(folder / "out/results.h5"));
  expect_no_part(folder);
}

TEST(EqsFullDisk, AFailingCheckpointWarnsAndTheRunGoesOn) {
  TemporaryFolder folder;
  // Of three hundred steps: the state outgrows the limit, what is written at the end does not.
  with_case(folder, "end = 0.005\nstep = 2e-5\n");
  const auto end = test::run(
      folder, small + "--no-vtk --no-hdf5 --no-csv --no-pictures --checkpoint 0.001s --output-dir out",
      60000);
  EXPECT_EQ(end.code, 0) << end.err;
  EXPECT_NE(end.err.find("no checkpoint"), end.err.npos) << end.err;
  EXPECT_TRUE(fs::exists(folder / "out/log"));
}

TEST(EqsFullDisk, ForAWhileEndsTheRunThatMetIt) {
  TemporaryFolder folder;
  with_case(folder, "end = 0.1\nstep = 2e-5\n[output]\ninterval = 1e-4\n");
  // a limit, so that writing fails as it does on a full disk
  test::Program program(folder, small + "--no-hdf5 --no-pictures --output-dir out", rlim_t(1) << 40);
  ASSERT_TRUE(test::wait_until([&] { return fs::exists(folder / "out/fields.vtkhdf.part"); }));
  std::this_thread::sleep_for(std::chrono::milliseconds(200));
  rlimit limit{4096, rlim_t(1) << 40};
  ASSERT_EQ(::prlimit(program.process(), RLIMIT_FSIZE, &limit, nullptr), 0);
  std::this_thread::sleep_for(std::chrono::milliseconds(500));  // many saved times
  limit.rlim_cur = limit.rlim_max;
  ::prlimit(program.process(), RLIMIT_FSIZE, &limit, nullptr);  // it may have ended
  const auto end = program.wait();
  EXPECT_EQ(end.code, 4) << end.err;
  // the reason in the system's words, in one line
  EXPECT_NE(end.err.find("out/fields.vtkhdf (File too large)"), end.err.npos) << end.err;
  EXPECT_FALSE(fs::exists(folder / "out/fields.vtkhdf"));
}

TEST(EqsFullDisk, AnInterruptionThatCannotBeSavedDoesNotSayThatItIs) {
  TemporaryFolder folder;
  with_case(folder, "end = 0.5\nstep = 1e-5\n");
  test::Program program(folder, small + "--no-vtk --output-dir out", rlim_t(1) << 40);
  ASSERT_TRUE(test::wait_until([&] { return fs::exists(folder / "out/resolved.toml"); }));
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  const rlimit limit{64, rlim_t(1) << 40};
  ASSERT_EQ(::prlimit(program.process(), RLIMIT_FSIZE, &limit, nullptr), 0);
  program.send(SIGINT);
  const auto end = program.wait();
  EXPECT_EQ(end.code, 4) << end.err;
  EXPECT_NE(end.err.find("out/checkpoint"), end.err.npos) << end.err;
  EXPECT_EQ(end.err.find("--resume"), end.err.npos) << end.err;
}

TEST(EqsFolder, IsRefusedToASecondRun) {
  TemporaryFolder folder;
  with_case(folder, "end = 0.5\nstep = 1e-5\n");
  test::Program first(folder, small + "--output-dir out");
  ASSERT_TRUE(test::wait_until([&] { return fs::exists(folder / "out/resolved.toml"); }));
  const auto second = test::run(folder, small + "--output-dir out");
  EXPECT_EQ(second.code, 2);
  EXPECT_NE(second.err.find("another run"), second.err.npos) << second.err;
}

TEST(EqsCheckpoint, MissingIsSaidBeforeTheModelIsMade) {
  TemporaryFolder folder;
  with_case(folder, "end = 0.5\nstep = 1e-5\n");
  fs::create_directory(folder / "out");
  const auto end = test::run(folder, "eqs case.toml --cpu --threads 1 --resume out");
  EXPECT_EQ(end.code, 2) << end.err;
  EXPECT_NE(end.err.find("no checkpoint to continue from (out/checkpoint is missing)"), end.err.npos)
      << end.err;
  EXPECT_EQ(end.err.find("eqs: mesh"), end.err.npos) << end.err;
}

TEST(EqsCheckpoint, DamagedIsRefused) {
  TemporaryFolder folder;
  with_case(folder, "end = 0.5\nstep = 1e-5\n");
  {
    test::Program program(folder, small + "--output-dir out");
    ASSERT_TRUE(test::wait_until([&] { return fs::exists(folder / "out/fields.vtkhdf.part"); }));
    program.send(SIGINT);
    EXPECT_EQ(program.wait().code, 130);
  }
  const auto whole = test::text_of(folder / "out/checkpoint");
  for (const auto& damaged : {whole.substr(0, whole.size() / 2), std::string("UMOVXX00"), whole + "x"}) {
    folder.write("out/checkpoint", damaged);
    const auto end = test::run(folder, "eqs --resume out --quiet");
    EXPECT_EQ(end.code, 2);
    EXPECT_NE(end.err.find("checkpoint"), end.err.npos) << end.err;
  }
  folder.write("out/checkpoint", whole);
  fs::remove(folder / "out/fields.vtkhdf.part");
  const auto end = test::run(folder, "eqs --resume out --quiet");
  EXPECT_EQ(end.code, 2);
  EXPECT_NE(end.err.find("fields saved before the interruption"), end.err.npos) << end.err;
}
