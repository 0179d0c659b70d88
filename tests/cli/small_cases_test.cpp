// The cases that tools/memcheck.sh runs on GPUs are cases of today's program: every one runs on the
// processor.
#include <gtest/gtest.h>

#include "support/program.hpp"
#include "support/shell.hpp"

namespace umov::test {
namespace {

TEST(SmallCasesOfEveryFamily, RunOnTheProcessor) {
  const TemporaryFolder folder;
  const auto build = fs::path(program_path()).parent_path().parent_path().string();
  const Ended end = shell(folder, "'" + repository().string() + "/tools/memcheck.sh' '" + build + "' cpu");
  EXPECT_EQ(end.code, 0) << end.out << end.err;
  EXPECT_NE(end.out.find("umov solve"), std::string::npos) << "the list was not read to its end";
}

}  // namespace
}  // namespace umov::test
