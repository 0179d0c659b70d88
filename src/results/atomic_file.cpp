// Files written aside, then renamed, with every step checked.
#include "results/atomic_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "core/error.hpp"

namespace umov::results {

namespace {

constexpr std::size_t buffer_size = 1 << 20;

[[noreturn]] void fail(const std::string& path, int code) {
  const std::string problem = fmt::format("{}: cannot write ({})", path, std::strerror(code));
  switch (code) {
    case ENOENT:
    case ENOTDIR:
    case ENAMETOOLONG:
    case EISDIR:
      throw BadInput(problem + " choose a folder that exists and a name that is no folder");
    case EACCES:
    case EPERM:
    case EROFS:
      throw BadInput(problem + " choose a folder you may write to");
    case ENOSPC:
    case EDQUOT:
      throw MachineFailure(problem + " free some space and run again");
    default:
      throw MachineFailure(problem + " check the disk");
  }
}

}  // namespace

AtomicFile::AtomicFile(std::string path) : path_(std::move(path)), aside_(path_ + ".tmp") {
  file_ = ::open(aside_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (file_ < 0) fail(path_, errno);
}

AtomicFile::~AtomicFile() {
  if (file_ < 0) return;
  ::close(file_);
  ::unlink(aside_.c_str());
}

void AtomicFile::write(std::string_view text) {
  buffer_.append(text);
  if (buffer_.size() >= buffer_size) flush();
}

void AtomicFile::flush() {
  const char* from = buffer_.data();
  std::size_t left = buffer_.size();
  while (left > 0) {
    const ssize_t written = ::write(file_, from, left);
    if (written < 0) {
      if (errno == EINTR) continue;
      fail(path_, errno);
    }
    from += written;
    left -= std::size_t(written);
  }
  buffer_.clear();
}

void AtomicFile::commit() {
  flush();
  // Pipes and some network folders know no fsync; they say so by EINVAL.
  if (::fsync(file_) != 0 && errno != EINVAL) fail(path_, errno);
  const int file = file_;
  file_ = -1;
  if (::close(file) != 0 || std::rename(aside_.c_str(), path_.c_str()) != 0) {
    const int code = errno;
    ::unlink(aside_.c_str());
    fail(path_, code);
  }
}

void write_file(const std::string& path, std::string_view text) {
  AtomicFile file(path);
  file.write(text);
  file.commit();
}

void make_folder(const std::string& path) {
  std::error_code error;
  std::filesystem::create_directories(path, error);
  if (error) fail(path, error.value());
  if (!std::filesystem::is_directory(path, error)) fail(path, ENOTDIR);
}

}  // namespace umov::results
