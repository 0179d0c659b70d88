// The memory that is left, from copies of the kernel's files.
#include "core/memory.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "core/error.hpp"

namespace {

using namespace umov;
namespace fs = std::filesystem;

class Memory : public testing::Test {
 protected:
  void SetUp() override {
    root_ = fs::temp_directory_path() / ("umov_memory_" + std::to_string(getpid()));
    write("proc/meminfo", "MemTotal: 16000 kB\nMemFree: 100 kB\nMemAvailable: 8000 kB\n");
  }
  void TearDown() override { fs::remove_all(root_); }
  void write(const std::string& file, const std::string& text) const {
    fs::create_directories((root_ / file).parent_path());
    std::ofstream(root_ / file) << text;
  }
  std::size_t available() const { return available_memory(root_.string()); }

  fs::path root_;
};

TEST_F(Memory, IsWhatTheSystemHasWithoutGroups) { EXPECT_EQ(available(), 8000u * 1024); }

TEST_F(Memory, IsLimitedByAnAncestorOfTheGroup) {
  write("proc/self/cgroup", "0::/slice/job\n");
  write("sys/fs/cgroup/slice/job/memory.max", "max\n");
  write("sys/fs/cgroup/slice/job/memory.current", "1000\n");
  write("sys/fs/cgroup/slice/memory.max", "500000\n");
  write("sys/fs/cgroup/slice/memory.current", "300000\n");
  EXPECT_EQ(available(), 200000u);
}

TEST_F(Memory, CountsInactiveFilePagesAsFree) {
  write("proc/self/cgroup", "0::/\n");
  write("sys/fs/cgroup/memory.max", "500000\n");
  write("sys/fs/cgroup/memory.current", "300000\n");
  write("sys/fs/cgroup/memory.stat", "anon 100000\ninactive_file 150000\n");
  EXPECT_EQ(available(), 350000u);
}

TEST_F(Memory, ReadsTheFirstVersionOfGroups) {
  write("proc/self/cgroup", "5:cpu:/a\n9:memory:/job\n");
  write("sys/fs/cgroup/memory/job/memory.limit_in_bytes", "400000\n");
  write("sys/fs/cgroup/memory/job/memory.usage_in_bytes", "150000\n");
  EXPECT_EQ(available(), 250000u);
}

TEST_F(Memory, IsZeroWhenUnknown) {
  fs::remove_all(root_);
  EXPECT_EQ(available(), 0u);
}

TEST_F(Memory, TooLargeARunIsRefusedWithBothNumbers) {
  EXPECT_NO_THROW(require_memory(8000 * 1024, "the tensor", "go coarser", root_.string()));
  try {
    require_memory(20'000'000'000, "the tensor", "go coarser", root_.string());
    FAIL();
  } catch (const BadInput& e) {
    EXPECT_STREQ(e.what(), "the tensor needs 20 GB of memory (8.19 MB are available); go coarser");
  }
}

}  // namespace
