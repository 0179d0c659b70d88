// Output folders that belong to one run: mkdir decides who gets one.
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "core/error.hpp"
#include "results/adda/adda.hpp"
#include "results/atomic_file.hpp"

namespace umov::results {

namespace fs = std::filesystem;

namespace {

/// True when the folder is new and ours; false when it was there.
bool make_new(const std::string& path) {
  if (::mkdir(path.c_str(), 0777) == 0) return true;
  const int code = errno;
  if (code == EEXIST) return false;
  const std::string problem = fmt::format("{}: cannot make the folder ({})", path, std::strerror(code));
  if (code == ENOSPC || code == EDQUOT || code == EIO) throw MachineFailure(problem + " free some space");
  throw BadInput(problem + " choose a folder you may write to");
}

/// The next number of the file ExpCount in the working directory, which counts ADDA's runs.
int next_count() {
  const int file = ::open("ExpCount", O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (file < 0) {
    throw BadInput(fmt::format("ExpCount: cannot write ({}) run in a folder you may write to, or give -dir",
                               std::strerror(errno)));
  }
  ::flock(file, LOCK_EX);
  char text[32] = {};
  int count = 0;
  if (::pread(file, text, sizeof text - 1, 0) > 0) count = std::max(0, std::atoi(text));
  const std::string next = std::to_string(count + 1);
  const bool done =
      ::ftruncate(file, 0) == 0 && ::pwrite(file, next.data(), next.size(), 0) == ssize_t(next.size());
  const bool closed = ::close(file) == 0;
  if (!done || !closed) throw MachineFailure("ExpCount: cannot write (is the disk full?) free some space");
  return count;
}

std::string claim_named(const std::string& dir, bool resume) {
  const fs::path path(dir);
  if (path.has_parent_path()) make_folder(path.parent_path().string());
  if (make_new(dir) || resume) return dir;
  if (!fs::is_directory(path))
    throw BadInput(fmt::format("option -dir: '{}' is a file; choose another name", dir));
  // An empty folder made beforehand is welcome; the inner folder decides between two runs that find it empty.
  if (fs::is_empty(path) && make_new(dir + "/.running")) return dir;
  throw BadInput(fmt::format(
      "option -dir: folder '{}' is not empty (results of two runs would mix); choose another or empty it",
      dir));
}

}  // namespace

std::string adda_output_folder(const dda::Simulation& sim, const shapes::Particle& particle, bool test) {
  if (!sim.output_dir.empty()) return claim_named(sim.output_dir, sim.checkpoint.resume);
  for (;;) {
    const std::string name = fmt::format("{}{:03}_{}_g{}_m{:.4g}", test ? "test" : "run", next_count(),
                                         sim.shape.shape, particle.box[0], sim.m[0][0].real());
    if (make_new(name)) return name;
  }
}

std::string numbered_folder(const std::string& base) {
  const fs::path parent = base.empty() ? fs::path(".") : fs::path(base);
  make_folder(parent.string());
  int number = 0;
  for (const auto& entry : fs::directory_iterator(parent)) {
    const std::string name = entry.path().filename().string();
    if (name.size() >= 6 && name.rfind("run", 0) == 0 &&
        name.find_first_not_of("0123456789", 3) == name.npos) {
      number = std::max(number, std::atoi(name.c_str() + 3) + 1);
    }
  }
  std::string name = fmt::format("run{:03}", number);
  while (!make_new((parent / name).string())) name = fmt::format("run{:03}", ++number);
  // A link cannot be overwritten in place; a rename can replace it in one step. Without links (some network
  // disks) the run goes on.
  const fs::path aside = parent / fmt::format(".latest.{}", ::getpid());
  std::error_code error;
  fs::create_directory_symlink(name, aside, error);
  if (!error) fs::rename(aside, parent / "latest", error);
  if (error) fs::remove(aside, error);
  return base.empty() ? name : (parent / name).string();
}

}  // namespace umov::results
