// Runs that are stopped, killed and continued: the answer is that of an undisturbed run, to the last bit.
#include <gtest/gtest.h>

#include "support/program.hpp"

using namespace umov;
using test::TemporaryFolder;
namespace fs = std::filesystem;

namespace {

/// Oblique light on an absorbing ellipsoid: two polarizations, about a second each.
const std::string particle =
    "--shape ellipsoid --shape-arguments 0.7,1.3 --shape-grid 16 --grid-unit 0.35 --m (1.9,0.05) "
    "--propagation 1,2,3 "
    "--epsilon 1e-10 --iter bicgstab --backend cpu --no-pictures --no-hdf5 --dipole-polarizations ";

void expect_same_results(const TemporaryFolder& folder, const std::string& a, const std::string& b) {
  for (const char* name : {"CrossSec-Y", "CrossSec-X", "DipPol-Y", "DipPol-X", "mueller"}) {
    const std::string text = test::text_of(folder / (a + "/" + name));
    EXPECT_FALSE(text.empty()) << name;
    EXPECT_TRUE(text == test::text_of(folder / (b + "/" + name))) << name;
  }
}

/// Lines of a polarization's iterations in the log.
long iterations(const TemporaryFolder& folder, const std::string& dir) {
  const std::string log = test::text_of(folder / (dir + "/log"));
  const auto at = log.find("Total number of iterations: ");
  return at == log.npos ? -1 : std::stol(log.substr(at + 28));
}

class Interruption : public testing::TestWithParam<int> {};

}  // namespace

TEST_P(Interruption, BySignalSavesAndTheContinuedRunEndsWithTheSameBits) {
  const TemporaryFolder folder;
  test::Program run(folder, "dda " + particle + "--output-dir cut --checkpoint 0.05s");
  ASSERT_TRUE(test::wait_until([&] { return fs::exists(folder / "cut/checkpoint-Y"); }));
  run.send(GetParam());
  const auto stopped = run.wait();
  EXPECT_EQ(stopped.code, 128 + GetParam()) << stopped.err;
  EXPECT_NE(stopped.err.find("--resume cut"), std::string::npos) << stopped.err;
  EXPECT_FALSE(fs::exists(folder / "cut/CrossSec-Y"));
  const auto resumed = test::run(folder, "dda --resume cut");
  ASSERT_EQ(resumed.code, 0) << resumed.err;
  ASSERT_EQ(test::run(folder, "dda " + particle + "--output-dir whole").code, 0);
  expect_same_results(folder, "cut", "whole");
  EXPECT_EQ(iterations(folder, "cut"), iterations(folder, "whole"));
  EXPECT_FALSE(fs::exists(folder / "cut/checkpoint-Y"));

  const auto again = test::run(folder, "dda --resume cut");
  EXPECT_EQ(again.code, 0) << again.err;
  EXPECT_NE(again.out.find("finished"), std::string::npos);
}

INSTANTIATE_TEST_SUITE_P(Signals, Interruption, testing::Values(SIGINT, SIGTERM));

TEST(Kill, InTheSecondPolarizationKeepsTheFirst) {
  const TemporaryFolder folder;
  test::Program run(folder, "dda " + particle + "--output-dir cut --checkpoint 0.01s");
  ASSERT_TRUE(test::wait_until([&] { return fs::exists(folder / "cut/checkpoint-X"); }));
  run.send(SIGKILL);
  EXPECT_EQ(run.wait().code, 128 + SIGKILL);
  const std::string first = test::text_of(folder / "cut/checkpoint-Y");
  test::Program second(folder, "dda --resume cut");
  const auto resumed = second.wait();
  ASSERT_EQ(resumed.code, 0) << resumed.err;
  EXPECT_EQ(resumed.err.find("bicgstab Y"), std::string::npos) << "the first polarization was solved again";
  ASSERT_EQ(test::run(folder, "dda " + particle + "--output-dir whole").code, 0);
  expect_same_results(folder, "cut", "whole");
}

/// Kind always keeps the last state of every polarization, a run's that was killed on the way, too.
TEST(Kill, WithCheckpointsAlwaysGoesOnToTheSameResults) {
  const TemporaryFolder folder;
  const std::string always = "--checkpoint 0.01s --checkpoint-kind always ";
  test::Program run(folder, "dda " + particle + always + "--output-dir cut");
  ASSERT_TRUE(test::wait_until([&] { return fs::exists(folder / "cut/checkpoint-Y"); }));
  run.send(SIGKILL);
  run.wait();  // killed, or done already
  const auto resumed = test::run(folder, "dda --resume cut");
  ASSERT_EQ(resumed.code, 0) << resumed.err;
  ASSERT_EQ(test::run(folder, "dda " + particle + always + "--output-dir whole").code, 0);
  expect_same_results(folder, "cut", "whole");
  EXPECT_EQ(iterations(folder, "cut"), iterations(folder, "whole"));
  for (const char* label : {"X", "Y"}) {
    EXPECT_TRUE(fs::exists(folder / (std::string("whole/checkpoint-") + label))) << label;
    EXPECT_TRUE(fs::exists(folder / (std::string("cut/checkpoint-") + label))) << label;
  }
}

TEST(Checkpoint, OfAnotherProblemOrDamagedIsRefused) {
  const TemporaryFolder folder;
  const std::string all = "--output-dir a --checkpoint-kind always ";
  const std::string small = "dda --shape-grid 6 --no-pictures --no-hdf5 ";
  ASSERT_EQ(test::run(folder, small + "--m 1.5 " + all).code, 0);
  ASSERT_TRUE(fs::exists(folder / "a/checkpoint-Y"));
  for (const char* other :
       {"--m 1.6", "--m 1.5 --lambda 5 --size 2", "--m 1.5 --shape-grid 7", "--m 1.5 --propagation 1,0,1",
        "--m 1.5 --interaction fcd", "--m 1.5 --iter bicg", "--m 1.5 --ftype float", "--m 1.5 --shape box"}) {
    const std::string line = std::string("dda --no-pictures --no-hdf5 --resume a ") +
                             (std::string(other).find("grid") == std::string::npos ? "--shape-grid 6 " : "") +
                             other;
    const auto end = test::run(folder, line);
    EXPECT_EQ(end.code, 2) << other << end.err;
    EXPECT_NE(end.err.find("checkpoint"), std::string::npos) << end.err;
  }
  const std::string whole = test::text_of(folder / "a/checkpoint-Y");
  folder.write("a/checkpoint-Y", whole.substr(0, whole.size() / 2));
  EXPECT_NE(test::run(folder, "dda --resume a").err.find("cut short"), std::string::npos);
  folder.write("a/checkpoint-Y", "something else");
  EXPECT_EQ(test::run(folder, "dda --resume a").code, 2);
}

TEST(Checkpoint, OfTheKindsOfAddaIsSavedLoadedAndStopsTheRun) {
  const TemporaryFolder folder;
  const std::string line = "adda -grid 8 -m 1.1 0.1 -ntheta 5 --no-pictures --no-hdf5 ";
  ASSERT_EQ(test::run(folder, line + "-eps 3 -chp_type always -chp_dir tmp -dir a").code, 0);
  EXPECT_TRUE(fs::exists(folder / "tmp/checkpoint-Y"));
  const auto more = test::run(folder, line + "-eps 8 -chp_load -chp_dir tmp -dir b");
  EXPECT_EQ(more.code, 0) << more.err;
  EXPECT_TRUE(fs::exists(folder / "b/CrossSec-Y"));
  // Kind normal ends the run at the first save.
  const auto stopped =
      test::run(folder,
                "adda -grid 24 -m 2.5 0.1 -dpl 8 -eps 12 -chpoint 1s -chp_type normal -dir c "
                "--backend serial");
  EXPECT_EQ(stopped.code, 0) << stopped.err;
  EXPECT_NE(stopped.err.find("stopped at the checkpoint"), std::string::npos) << stopped.err;
  EXPECT_TRUE(fs::exists(folder / "chpoint/checkpoint-Y"));
}
