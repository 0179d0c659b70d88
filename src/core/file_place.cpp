// Following links by hand, since realpath knows no file that is still to be made.
#include "core/file_place.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <optional>

#include "core/atomic_file.hpp"
#include "core/text.hpp"

namespace umov {

Descriptor& Descriptor::operator=(Descriptor&& other) noexcept {
  std::swap(number_, other.number_);
  return *this;
}

Descriptor::~Descriptor() { close(); }

int Descriptor::close() {
  const int number = number_;
  number_ = -1;
  return number < 0 || ::close(number) == 0 ? 0 : errno;
}

namespace {

namespace fs = std::filesystem;

/// N of /dev/stdout, /dev/stderr, /dev/fd/N and /proc/self/fd/N: opened by name, a stream that was sent to a
/// file would be replaced by a file of the same name, or begin at its start once more.
std::optional<int> stream_number(const std::string& path) {
  if (path == "/dev/stdout") return 1;
  if (path == "/dev/stderr") return 2;
  for (const std::string folder : {"/dev/fd/", "/proc/self/fd/"})
    if (path.rfind(folder, 0) == 0)
      if (const auto n = parse_integer(path.substr(folder.size())); n && *n >= 0 && *n < 1 << 20)
        return int(*n);
  return std::nullopt;
}

/// One link further; an empty text where there is none.
std::string link_target(const std::string& path) {
  char buffer[PATH_MAX];
  const ssize_t n = ::readlink(path.c_str(), buffer, sizeof buffer);
  if (n <= 0) return "";
  const fs::path found(std::string(buffer, std::size_t(n)));
  return found.is_absolute() ? found.string() : (fs::path(path).parent_path() / found).string();
}

std::string behind_links(std::string path) {
  constexpr int most_links = 40;  // as Linux itself
  const std::string given = path;
  for (int i = 0; i < most_links; ++i) {
    const std::string next = link_target(path);
    if (next.empty()) return path;
    path = next;
  }
  refuse_path(given, ELOOP);
}

/// 64 random bits; what cannot be had from the system is no reason to write under a name that can be guessed.
std::uint64_t random_bits(const std::string& path) {
  std::uint64_t bits = 0;
  if (::getrandom(&bits, sizeof bits, 0) != ssize_t(sizeof bits)) refuse_path(path, errno);
  return bits;
}

constexpr int new_file = O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC;

}  // namespace

FilePlace find_place(const std::string& path) {
  FilePlace place;
  struct stat found {};
  if (stream_number(path)) {
    place.target = path;
    place.in_place = true;
  } else if (::stat(path.c_str(), &found) == 0) {
    if (S_ISDIR(found.st_mode)) refuse_path(path, EISDIR);
    place.in_place = !S_ISREG(found.st_mode);
    place.target = place.in_place ? path : behind_links(path);
    place.replaces = !place.in_place;
    place.mode = found.st_mode & 0777;
    place.owner = found.st_uid;
    place.group = found.st_gid;
    if (place.replaces && ::faccessat(AT_FDCWD, path.c_str(), W_OK, AT_EACCESS) != 0)
      refuse_path(path, errno);
  } else if (errno != ENOENT) {
    refuse_path(path, errno);
  } else {
    place.target = behind_links(path);
  }
  return place;
}

Descriptor open_in_place(const std::string& path) {
  const auto stream = stream_number(path);
  Descriptor file(stream ? ::fcntl(*stream, F_DUPFD_CLOEXEC, 3) : ::open(path.c_str(), O_WRONLY | O_CLOEXEC));
  if (!file) refuse_path(path, errno);
  return file;
}

Descriptor create_beside(const std::string& target, std::string& aside, const std::string& path) {
  const fs::path whole(target);
  constexpr std::size_t added = 1 + 16 + 5;  // ".", digits, ".part"
  const std::string name = whole.filename().string().substr(0, NAME_MAX - added);
  for (;;) {
    aside = (whole.parent_path() / fmt::format("{}.{:016x}.part", name, random_bits(path))).string();
    Descriptor file(::open(aside.c_str(), new_file, 0666));
    if (file) return file;
    if (errno != EEXIST) refuse_path(path, errno);
  }
}

Descriptor create_anew(const std::string& aside, const std::string& path) {
  if (::unlink(aside.c_str()) != 0 && errno != ENOENT) refuse_path(path, errno);
  Descriptor file(::open(aside.c_str(), new_file, 0666));
  if (!file) refuse_path(path, errno);
  return file;
}

void take_over(int file, const FilePlace& place) {
  if (!place.replaces) return;
  struct stat now {};
  if (::fstat(file, &now) != 0) return;
  // Only root may give a file away; a group one belongs to is allowed. Another owner's file stays the user's.
  if (now.st_uid != place.owner || now.st_gid != place.group)
    if (::fchown(file, place.owner, place.group) != 0 && ::fchown(file, uid_t(-1), place.group) != 0)
      errno = 0;
  if (::fchmod(file, place.mode) != 0) errno = 0;
}

int write_all(int file, const char* bytes, std::size_t count) {
  while (count > 0) {
    const ssize_t written = ::write(file, bytes, count);
    if (written >= 0)
      bytes += written, count -= std::size_t(written);
    else if (errno != EINTR)
      return errno;
  }
  return 0;
}

}  // namespace umov
