// Every reader answers or refuses: what the fuzzers found, what they began with, and changes of it.
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "fuzz/mutate.hpp"
#include "fuzz/target.hpp"
#include "support/places.hpp"

namespace umov::fuzz {
namespace {

namespace fs = std::filesystem;

struct Input {
  std::string name;
  Bytes bytes;
};

std::vector<Input> corpus(const Target& target) {
  std::vector<Input> all;
  for (const auto& entry : fs::directory_iterator(test::repository() / "tests/fuzz/corpus" / target.name)) {
    std::ifstream in(entry.path(), std::ios::binary);
    all.push_back({entry.path().filename().string(), Bytes{std::istreambuf_iterator<char>(in), {}}});
  }
  std::sort(all.begin(), all.end(), [](const Input& a, const Input& b) { return a.name < b.name; });
  return all;
}

/// Of this thread: a busy machine must not fail a test.
double processor_seconds() {
  timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return double(t.tv_sec) + 1e-9 * double(t.tv_nsec);
}

/// The input under way, for the message of a crash.
const Bytes* current = nullptr;
std::string kept_name;

/// Keeps the input that ended the program; only calls that a signal handler may make.
void keep_and_die(int signal) {
  if (current) {
    std::FILE* file = std::fopen(kept_name.c_str(), "wb");
    if (file) {
      std::fwrite(current->data(), 1, current->size(), file);
      std::fclose(file);
    }
  }
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

class Reader : public testing::TestWithParam<Target> {
 protected:
  void SetUp() override {
    kept_name = std::string("crash-") + GetParam().name;
    for (const int s : {SIGSEGV, SIGABRT, SIGFPE, SIGBUS}) std::signal(s, keep_and_die);
  }
  void TearDown() override {
    for (const int s : {SIGSEGV, SIGABRT, SIGFPE, SIGBUS}) std::signal(s, SIG_DFL);
    current = nullptr;
  }

  void expect_answer(const Bytes& bytes, const std::string& name) {
    current = &bytes;
    const double start = processor_seconds();
    try {
      attack(GetParam(), bytes);
    } catch (const std::exception& e) {
      keep(bytes);
      ADD_FAILURE() << name << ": " << e.what() << "; kept as " << kept_name;
    }
    const double seconds = processor_seconds() - start;
    if (bytes.size() < 4096 && seconds > 1) {
      keep(bytes);
      ADD_FAILURE() << name << ": took " << seconds << " s; kept as " << kept_name;
    }
  }

 private:
  static void keep(const Bytes& bytes) {
    std::ofstream(kept_name, std::ios::binary)
        .write(reinterpret_cast<const char*>(bytes.data()), std::streamsize(bytes.size()));
  }
};

/// Address space is limited to so much more than the program has, so that a request out of proportion fails.
/// The address sanitizer needs terabytes of it; libFuzzer watches memory there.
class MemoryLimit {
 public:
  explicit MemoryLimit(std::size_t more) {
    getrlimit(RLIMIT_AS, &before_);
    long pages = 0;
    std::ifstream("/proc/self/statm") >> pages;
    rlimit now = before_;
    now.rlim_cur = rlim_t(pages) * rlim_t(sysconf(_SC_PAGESIZE)) + more;
#ifndef __SANITIZE_ADDRESS__
    setrlimit(RLIMIT_AS, &now);
#endif
  }
  MemoryLimit(const MemoryLimit&) = delete;
  ~MemoryLimit() { setrlimit(RLIMIT_AS, &before_); }

 private:
  rlimit before_;
};

TEST_P(Reader, AnswersOrRefusesEveryFileOfItsCorpus) {
  const auto files = corpus(GetParam());
  ASSERT_FALSE(files.empty());
  const MemoryLimit limit(std::size_t(1) << 30);
  for (const auto& file : files) expect_answer(file.bytes, file.name);
}

TEST_P(Reader, AnswersOrRefusesDamagedFiles) {
  std::vector<Bytes> files;
  for (auto& file : corpus(GetParam())) files.push_back(std::move(file.bytes));
  ASSERT_FALSE(files.empty());
  const MemoryLimit limit(std::size_t(1) << 30);
  std::mt19937 random(20261122);
  const double start = processor_seconds();
  for (int i = 0; i < 2000 && processor_seconds() - start < 2 && !HasFailure(); ++i)
    expect_answer(mutate(files[i % files.size()], files, random), "change " + std::to_string(i));
}

INSTANTIATE_TEST_SUITE_P(Fuzz, Reader, testing::ValuesIn(targets()),
                         [](const auto& test) { return test.param.name; });

}  // namespace
}  // namespace umov::fuzz
