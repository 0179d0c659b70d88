// A folder for the files of one test, removed with them.
#pragma once

#include <unistd.h>

#include <atomic>
#include <filesystem>
#include <string>

namespace umov::test {

struct TempFolder {
  std::filesystem::path path;

  TempFolder() {
    static std::atomic<int> count{0};
    path = std::filesystem::temp_directory_path() /
           ("umov_test_" + std::to_string(::getpid()) + "_" + std::to_string(count++));
    std::filesystem::create_directories(path);
  }
  ~TempFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path, ignored);
  }
  TempFolder(const TempFolder&) = delete;
  TempFolder& operator=(const TempFolder&) = delete;

  std::string operator/(const std::string& name) const { return (path / name).string(); }
};

}  // namespace umov::test
