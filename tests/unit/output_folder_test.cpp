// Names of output folders, and who may write into one.
#include "command/output_folder.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <memory>
#include <thread>
#include <vector>

#include "core/atomic_file.hpp"
#include "core/error.hpp"
#include "dda/command/execute.hpp"
#include "support/temp_folder.hpp"

namespace fs = std::filesystem;

namespace umov::command {
namespace {

class OutputFolderTest : public ::testing::Test {
 protected:
  OutputFolderTest() { fs::current_path(folder_.path); }
  ~OutputFolderTest() override { fs::current_path(before_); }

  static std::function<std::string()> sphere() {
    return [] { return "sphere_g16_m1.5"; };
  }

 private:
  fs::path before_ = fs::current_path();
  test::TempFolder folder_;
};

TEST_F(OutputFolderTest, RunsThatStartTogetherGetDifferentFolders) {
  std::vector<std::string> names(16);
  {
    std::vector<std::jthread> threads;
    for (auto& name : names) threads.emplace_back([&] { name = OutputFolder("", sphere()).path(); });
  }
  std::sort(names.begin(), names.end());
  EXPECT_EQ(std::unique(names.begin(), names.end()), names.end());
  EXPECT_EQ(names[0], "run000_sphere_g16_m1.5");
  EXPECT_EQ(names[15], "run015_sphere_g16_m1.5");
  EXPECT_TRUE(fs::is_symlink("latest"));
}

TEST_F(OutputFolderTest, AddasNumbersComeFromExpCount) {
  write_file("ExpCount", "7\n");
  EXPECT_EQ(OutputFolder("", sphere(), {"run", true}).path(), "run007_sphere_g16_m1.5");
  EXPECT_EQ(OutputFolder("", sphere(), {"test", true}).path(), "test008_sphere_g16_m1.5");
  std::ifstream file("ExpCount");
  int count = 0;
  EXPECT_TRUE(file >> count);
  EXPECT_EQ(count, 9);
}

TEST_F(OutputFolderTest, NameTellsTheBoxWhenNoGridWasGiven) {
  dda::Simulation sim;
  sim.shape.shape = "box";
  sim.shape.size = 1;
  sim.shape.dpl = 10;
  sim.shape.wavelength = 1;
  EXPECT_EQ(folder_stem(sim), "box_g10_m1.5");
}

TEST_F(OutputFolderTest, AFolderWithResultsIsUsedAgainButKnown) {
  EXPECT_FALSE(OutputFolder("a/b", sphere()).used_before());
  EXPECT_FALSE(OutputFolder("a/b", sphere()).used_before());
  write_file("a/b/log", "");
  EXPECT_TRUE(OutputFolder("a/b", sphere()).used_before());
}

TEST_F(OutputFolderTest, AHeldFolderIsRefused) {
  const OutputFolder first("a", sphere());
  EXPECT_THROW(OutputFolder("a", sphere()), BadInput);
}

}  // namespace
}  // namespace umov::command
