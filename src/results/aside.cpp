// Writing aside and renaming, with POSIX calls so that the data is on the disk before the name is.
#include "results/aside.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "core/error.hpp"

namespace umov::results {

// The process number keeps two runs that write into one folder apart.
AsideFile::AsideFile(std::string path)
    : path_(std::move(path)), aside_(fmt::format("{}.{}.part", path_, ::getpid())) {}

AsideFile::~AsideFile() {
  if (!committed_) std::remove(aside_.c_str());
}

void AsideFile::commit() {
  const int file = ::open(aside_.c_str(), O_RDONLY | O_CLOEXEC);
  bool good = file >= 0 && ::fsync(file) == 0;
  int error = errno;
  if (file >= 0) ::close(file);
  if (good && std::rename(aside_.c_str(), path_.c_str()) != 0) {
    good = false;
    error = errno;
  }
  if (!good)
    throw MachineFailure(fmt::format("cannot write {} ({}); free space or choose another --output-dir", path_,
                                     std::strerror(error)));
  committed_ = true;
}

}  // namespace umov::results
