// Runs the built program in a folder of its own and watches how it ends.
#pragma once

#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "support/adda_cases.hpp"
#include "support/places.hpp"

namespace umov::test {

namespace fs = std::filesystem;

/// A temporary folder, removed at the end.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string name = (fs::temp_directory_path() / "umov_test_XXXXXX").string();
    path_ = ::mkdtemp(name.data());
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  fs::path operator/(const std::string& name) const { return path_ / name; }
  const fs::path& path() const { return path_; }

  void write(const std::string& name, const std::string& text) const { std::ofstream(path_ / name) << text; }
  /// Names of everything inside, hidden files too.
  std::vector<std::string> names(const std::string& inner = "") const {
    std::vector<std::string> list;
    for (const auto& entry : fs::directory_iterator(path_ / inner))
      list.push_back(entry.path().filename().string());
    std::sort(list.begin(), list.end());
    return list;
  }

 private:
  fs::path path_;
};

inline std::string text_of(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// Exit code (128 + signal when killed) and what was printed.
struct Ended {
  int code = -1;
  std::string out, err;
};

/// One call of the program, in `folder`. `line` is split at blanks.
class Program {
 public:
  Program(const TemporaryFolder& folder, const std::string& line, rlim_t largest_file = RLIM_INFINITY)
      : out_(folder.path().string() + number() + ".out"), err_(folder.path().string() + number() + ".err") {
    auto list = words(line);
    list.insert(list.begin(), "umov");
    child_ = ::fork();
    if (child_ != 0) return;
    std::vector<char*> argv;
    for (auto& word : list) argv.push_back(word.data());
    argv.push_back(nullptr);
    const int out = ::open(out_.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0666);
    const int err = ::open(err_.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0666);
    if (::chdir(folder.path().c_str()) != 0) ::_exit(99);
    ::dup2(out, 1);
    ::dup2(err, 2);
    ::setenv("OMP_NUM_THREADS", "1", 1);  // small problems: threads would only wait for each other
    if (largest_file != RLIM_INFINITY) {
      const rlimit limit{largest_file, largest_file};
      ::setrlimit(RLIMIT_FSIZE, &limit);
      ::signal(SIGXFSZ, SIG_IGN);  // so that write fails as it does on a full disk
    }
    ::execv(program_path().c_str(), argv.data());
    ::_exit(98);
  }
  ~Program() {
    if (child_ > 0) ::kill(child_, SIGKILL), wait();
    std::error_code ignored;
    fs::remove(out_, ignored);
    fs::remove(err_, ignored);
  }
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  void send(int signal) const { ::kill(child_, signal); }
  pid_t process() const { return child_; }
  /// What it has printed so far.
  std::string said() const { return text_of(out_); }

  Ended wait() {
    int status = 0;
    ::waitpid(child_, &status, 0);
    child_ = -1;
    return {WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status), text_of(out_), text_of(err_)};
  }

 private:
  /// Two programs in one folder print into different files.
  static std::string number() {
    static int count = 0;
    return std::to_string(count++);
  }

  std::string out_, err_;
  pid_t child_ = -1;
};

inline Ended run(const TemporaryFolder& folder, const std::string& line,
                 rlim_t largest_file = RLIM_INFINITY) {
  return Program(folder, line, largest_file).wait();
}

/// Waits until `ready` or some 30 s are over; true when ready.
inline bool wait_until(const std::function<bool()>& ready) {
  for (int i = 0; i < 3000; ++i) {
    if (ready()) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  return false;
}

}  // namespace umov::test
