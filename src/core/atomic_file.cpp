// Writing aside and renaming, with POSIX calls so that the data is on the disk before the name is.
#include "core/atomic_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>

#include "core/error.hpp"

namespace umov {

namespace {

constexpr std::size_t buffer_size = 1 << 20;

}  // namespace

void refuse_path(const std::string& path, int code) {
  const std::string problem = fmt::format("{}: cannot be written ({})", path, std::strerror(code));
  switch (code) {
    case ENOENT:
    case ENOTDIR:
    case EEXIST:
    case ENAMETOOLONG:
    case EISDIR:
      throw BadInput(problem + "; choose a folder that exists and a name that is no folder");
    case EACCES:
    case EPERM:
    case EROFS:
      throw BadInput(problem + "; choose a folder you may write to");
    case ENOSPC:
    case EDQUOT:
      throw MachineFailure(problem + "; free some space and run again");
    default:
      throw MachineFailure(problem + "; check the disk");
  }
}

// The process number keeps two runs that write into one folder apart.
AsideFile::AsideFile(std::string path)
    : path_(std::move(path)), aside_(fmt::format("{}.{}.part", path_, ::getpid())) {}

AsideFile::~AsideFile() {
  if (!committed_ && !kept_) ::unlink(aside_.c_str());
}

void AsideFile::commit() {
  const int file = ::open(aside_.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) refuse_path(path_, errno);
  // Pipes and some network folders know no fsync; they say so by EINVAL.
  const int code = ::fsync(file) == 0 || errno == EINVAL ? 0 : errno;
  ::close(file);
  if (code) refuse_path(path_, code);
  if (std::rename(aside_.c_str(), path_.c_str()) != 0) refuse_path(path_, errno);
  committed_ = true;
}

AtomicFile::AtomicFile(std::string path) : place_(std::move(path)) {
  file_ = ::open(place_.aside().c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (file_ < 0) refuse_path(place_.path(), errno);
}

AtomicFile::~AtomicFile() {
  if (file_ >= 0) ::close(file_);
}

void AtomicFile::write(std::string_view bytes) {
  if (bytes.size() < buffer_size) {
    buffer_.append(bytes);
    if (buffer_.size() < buffer_size) return;
    bytes = {};
  }
  put(buffer_);
  buffer_.clear();
  put(bytes);
}

void AtomicFile::put(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(file_, bytes.data(), bytes.size());
    if (written >= 0)
      bytes.remove_prefix(std::size_t(written));
    else if (errno != EINTR)
      refuse_path(place_.path(), errno);
  }
}

void AtomicFile::commit() {
  put(buffer_);
  buffer_.clear();
  const int file = file_;
  file_ = -1;
  if (::close(file) != 0) refuse_path(place_.path(), errno);
  place_.commit();
}

void write_file(const std::string& path, std::string_view text) {
  AtomicFile file(path);
  file.write(text);
  file.commit();
}

void make_folder(const std::string& path) {
  std::error_code error;
  std::filesystem::create_directories(path, error);
  if (error) refuse_path(path, error.value());
  if (!std::filesystem::is_directory(path, error)) refuse_path(path, ENOTDIR);
}

}  // namespace umov
