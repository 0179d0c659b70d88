// Writing aside and renaming, with POSIX calls so that the data is on the disk before the name is.
#include "core/atomic_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>
#include <mutex>
#include <system_error>
#include <utility>
#include <vector>

#include "core/error.hpp"

namespace umov {

namespace {

constexpr std::size_t buffer_size = 1 << 20;

/// Those who want to know what is written, in all threads.
struct Listeners {
  std::mutex lock;
  std::vector<WrittenFiles*> all;
};

Listeners& listeners() {
  static Listeners list;
  return list;
}

/// Errno; 0 when the data is on the disk. Pipes and some network folders know no fsync; they say so by
/// EINVAL.
int flush(int file) { return ::fsync(file) == 0 || errno == EINVAL || errno == EROFS ? 0 : errno; }

}  // namespace

void refuse_path(const std::string& path, int code) {
  const std::string problem = fmt::format("{}: cannot be written ({})", path, std::strerror(code));
  switch (code) {
    case ENOENT:
    case ENOTDIR:
    case EEXIST:
    case ENAMETOOLONG:
    case EISDIR:
    case ELOOP:
    case EBADF:
      throw BadInput(problem + "; choose a folder that exists and a name that is no folder");
    case EACCES:
    case EPERM:
    case EROFS:
      throw BadInput(problem + "; choose a folder and a file you may write to");
    case ENOSPC:
    case EDQUOT:
    case EFBIG:
      throw MachineFailure(problem + "; free some space and run again");
    default:
      throw MachineFailure(problem + "; check the disk");
  }
}

WrittenFiles::WrittenFiles() {
  const std::lock_guard hold(listeners().lock);
  listeners().all.push_back(this);
}

WrittenFiles::~WrittenFiles() {
  const std::lock_guard hold(listeners().lock);
  std::erase(listeners().all, this);
}

std::set<std::string> WrittenFiles::paths() const {
  const std::lock_guard hold(listeners().lock);
  return paths_;
}

void note_written(const std::string& path) {
  const std::lock_guard hold(listeners().lock);
  for (WrittenFiles* listener : listeners().all) listener->paths_.insert(path);
}

namespace {

/// Where a file is put together: beside its place, or, where that is no regular file, among the temporary
/// ones.
std::string workplace(const FilePlace& place) {
  if (!place.in_place) return place.target;
  return (std::filesystem::temp_directory_path() / "umov").string();
}

}  // namespace

AsideFile::AsideFile(std::string path) : path_(std::move(path)) {
  create_beside(workplace(find_place(path_)), aside_, path_);
}

AsideFile::~AsideFile() {
  if (!committed_ && !kept_) ::unlink(aside_.c_str());
  if (!committed_ && kept_ && is_there()) note_written(aside_);
}

void AsideFile::create() { create_anew(aside_, path_); }

bool AsideFile::is_there() const {
  struct stat found {};
  return ::lstat(aside_.c_str(), &found) == 0 && S_ISREG(found.st_mode);
}

void AsideFile::commit() {
  const FilePlace place = find_place(path_);
  Descriptor file(::open(aside_.c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC));
  if (!file) refuse_path(path_, errno);
  if (const int code = flush(file.get())) refuse_path(path_, code);
  if (place.in_place) {
    copy_to_place();
  } else {
    take_over(file.get(), place);
    if (std::rename(aside_.c_str(), place.target.c_str()) != 0) {
      if (errno != EXDEV) refuse_path(path_, errno);
      copy_to_place();  // behind a link, on another disk
    }
  }
  committed_ = true;
  note_written(path_);
}

void AsideFile::copy_to_place() {
  const Descriptor from(::open(aside_.c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC));
  if (!from) refuse_path(path_, errno);
  AtomicFile to(path_);
  const auto buffer = std::make_unique<char[]>(buffer_size);
  for (;;) {
    const ssize_t n = ::read(from.get(), buffer.get(), buffer_size);
    if (n == 0) break;
    if (n > 0)
      to.write({buffer.get(), std::size_t(n)});
    else if (errno != EINTR)
      refuse_path(path_, errno);
  }
  to.commit();
  ::unlink(aside_.c_str());
}

AtomicFile::AtomicFile(std::string path) : path_(std::move(path)), place_(find_place(path_)) {
  file_ = place_.in_place ? open_in_place(path_) : create_beside(place_.target, aside_, path_);
}

AtomicFile::~AtomicFile() {
  if (!aside_.empty()) ::unlink(aside_.c_str());
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
  if (const int code = write_all(file_.get(), bytes.data(), bytes.size())) refuse_path(path_, code);
}

struct AtomicFile::Written {
  std::string path, aside;
  FilePlace place;
  Descriptor file;

  Written(AtomicFile& f)
      : path(f.path_), aside(std::move(f.aside_)), place(f.place_), file(std::move(f.file_)) {
    f.aside_.clear();
  }
  ~Written() {
    if (!aside.empty()) ::unlink(aside.c_str());
  }
  void settle() {
    if (const int code = flush(file.get())) refuse_path(path, code);
    take_over(file.get(), place);
    if (const int code = file.close()) refuse_path(path, code);
    if (std::rename(aside.c_str(), place.target.c_str()) != 0) refuse_path(path, errno);
    aside.clear();
    note_written(path);
  }
};

namespace {
thread_local WrittenTogether* together = nullptr;
}  // namespace

void AtomicFile::commit() {
  put(buffer_);
  buffer_.clear();
  if (place_.in_place) {
    if (const int code = file_.close()) refuse_path(path_, code);
    return;
  }
  const auto written = std::make_shared<Written>(*this);
  if (together)
    together->take([written] { written->settle(); });
  else
    written->settle();
}

WrittenTogether::WrittenTogether() : outer_(together) { together = this; }

WrittenTogether::~WrittenTogether() {
  together = outer_;
  for (auto& one : under_way_) one.wait();
}

void WrittenTogether::take(std::function<void()> settle) {
  constexpr std::size_t most = 16;
  const auto wait_for_one = [&] {
    try {
      under_way_.front().get();
    } catch (...) {
      if (!failed_) failed_ = std::current_exception();
    }
    under_way_.pop_front();
  };
  while (under_way_.size() > (settle ? most - 1 : 0)) wait_for_one();
  if (!settle) return;
  try {
    under_way_.push_back(std::async(std::launch::async, settle));
  } catch (const std::system_error&) {
    settle();  // there are no more threads
  }
}

void WrittenTogether::finish() {
  take(nullptr);
  if (failed_) std::rethrow_exception(std::exchange(failed_, nullptr));
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
