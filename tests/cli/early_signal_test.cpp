// Signals that come before a run has begun, while its case is read.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "support/program.hpp"

using namespace umov;
using test::TemporaryFolder;

namespace {

struct Early {
  const char* command;
  int signal;
};

class EarlySignal : public testing::TestWithParam<Early> {};

}  // namespace

TEST_P(EarlySignal, EndsTheProgramWithAMessageAndItsCode) {
  const TemporaryFolder folder;
  // the case is a pipe: once it can be written the program is reading it, and waits
  ASSERT_EQ(mkfifo((folder / "case.toml").c_str(), 0600), 0);
  test::Program run(folder, GetParam().command);
  int pipe = -1;
  ASSERT_TRUE(test::wait_until([&] {
    pipe = open((folder / "case.toml").c_str(), O_WRONLY | O_NONBLOCK);
    return pipe >= 0;
  }));
  run.send(GetParam().signal);
  const auto ended = run.wait();
  close(pipe);
  EXPECT_EQ(ended.code, 128 + GetParam().signal) << ended.err;
  EXPECT_NE(ended.err.find("umov: interrupted before a run began; nothing was written or kept"),
            std::string::npos)
      << ended.err;
}

INSTANTIATE_TEST_SUITE_P(Families, EarlySignal,
                         testing::Values(Early{"fdtd case.toml", SIGINT}, Early{"fdtd case.toml", SIGTERM},
                                         Early{"fdtd --harmonic case.toml", SIGINT},
                                         Early{"eqs case.toml", SIGTERM}, Early{"dda case.toml", SIGINT},
                                         Early{"dda case.toml --dry-run", SIGTERM}));
