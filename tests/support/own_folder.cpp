// A temporary folder for each test process, removed with it: tests run side by side, and many write files of
// one name.
#include <stdlib.h>
#include <unistd.h>

#include <filesystem>
#include <string>

namespace {

class OwnFolder {
 public:
  OwnFolder() : process_(getpid()) {
    std::string name = (std::filesystem::temp_directory_path() / "umov_tests_XXXXXX").string();
    if (!mkdtemp(name.data())) return;  // then the common one serves
    path_ = name;
    setenv("TMPDIR", name.c_str(), 1);  // std::filesystem::temp_directory_path, and programs that tests start
    setenv("TEST_TMPDIR", name.c_str(), 1);  // testing::TempDir
  }
  ~OwnFolder() {
    if (path_.empty() || getpid() != process_) return;
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  OwnFolder(const OwnFolder&) = delete;
  OwnFolder& operator=(const OwnFolder&) = delete;

 private:
  pid_t process_;
  std::filesystem::path path_;
};

const OwnFolder folder;

}  // namespace
