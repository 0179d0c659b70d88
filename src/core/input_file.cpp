// Looking before reading: standard streams tell a folder from an empty file only by an exception of their
// own.
#include "core/input_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "core/error.hpp"

namespace umov {

namespace {

std::string advice(int code) {
  switch (code) {
    case EACCES:
    case EPERM:
      return "ask for the right to read it";
    case ELOOP:
      return "mend the links, which lead in a circle";
    case ENAMETOOLONG:
      return "give a shorter name";
    default:
      return "check the path";
  }
}

}  // namespace

void check_input_file(const std::string& path, const std::string& what) {
  struct stat found {};
  const int code = ::stat(path.c_str(), &found) != 0 ? errno : ::access(path.c_str(), R_OK) != 0 ? errno : 0;
  if (code == ENOENT || code == ENOTDIR)
    throw BadInput(
        fmt::format("{}: no such file (the {} should be read from it); check the path", path, what));
  if (code)
    throw BadInput(fmt::format("{}: cannot be read ({}; the {} should come from it); {}", path,
                               std::strerror(code), what, advice(code)));
  if (S_ISDIR(found.st_mode))
    throw BadInput(fmt::format("{}: is a folder (the {} should be read from it); give a file", path, what));
  if (S_ISCHR(found.st_mode) && path != "/dev/stdin" && path != "/dev/null")
    throw BadInput(fmt::format("{}: is a device (the {} should be read from it); give a file", path, what));
  if (S_ISBLK(found.st_mode) || S_ISSOCK(found.st_mode))
    throw BadInput(fmt::format("{}: is no file (the {} should be read from it); give a file", path, what));
}

}  // namespace umov
