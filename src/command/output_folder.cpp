// Numbers, locks, lists of files written, and the link to the latest folder.
#include "command/output_folder.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>

#include "core/atomic_file.hpp"
#include "core/error.hpp"
#include "core/text.hpp"
#include "run/finished.hpp"

namespace umov::command {

namespace fs = std::filesystem;

namespace {

[[noreturn]] void refuse(const std::string& path, int error) {
  throw BadInput(fmt::format("--output-dir {}: cannot be written ({}); give another folder", path,
                             std::strerror(error)));
}

/// One more than the largest number among the folders `PREFIXnnn_...` here.
long next_number(const std::string& prefix) {
  long next = 0;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(".", ignored)) {
    const std::string name = entry.path().filename().string();
    const auto end = name.find('_');
    if (name.rfind(prefix, 0) != 0 || end == std::string::npos || end <= prefix.size()) continue;
    const auto number = parse_integer(name.substr(prefix.size(), end - prefix.size()));
    if (number && *number >= 0) next = std::max(next, static_cast<long>(*number) + 1);
  }
  return next;
}

/// The number in the file ExpCount of the current folder, which counts ADDA's runs; counts it on.
long next_count() {
  const int file = open("ExpCount", O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0666);
  if (file < 0) refuse_path("ExpCount", errno);
  flock(file, LOCK_EX);
  char text[32] = {};
  std::string_view left(text, std::size_t(std::max<ssize_t>(0, pread(file, text, sizeof text, 0))));
  long long count = 0;
  if (!take(left, count) || count < 0) count = 0;
  const std::string next = std::to_string(count + 1);
  const bool written =
      ftruncate(file, 0) == 0 && pwrite(file, next.data(), next.size(), 0) == ssize_t(next.size());
  const int code = errno;
  if (close(file) != 0 || !written) refuse_path("ExpCount", code);
  return long(count);
}

/// Takes back the last count of ExpCount, unless another run has counted since.
void uncount(long count) {
  const int file = open("ExpCount", O_RDWR | O_NOFOLLOW | O_CLOEXEC);
  if (file < 0) return;
  flock(file, LOCK_EX);
  char text[32] = {};
  std::string_view left(text, std::size_t(std::max<ssize_t>(0, pread(file, text, sizeof text, 0))));
  long long now = 0;
  if (take(left, now) && now == count + 1) {
    const std::string before = std::to_string(count);
    if (count == 0)
      unlink("ExpCount");
    else if (ftruncate(file, 0) == 0 && pwrite(file, before.data(), before.size(), 0) < 0)
      unlink("ExpCount");
  }
  close(file);
}

/// Makes the folder; `count` becomes its number in ExpCount, or stays.
std::string numbered_folder(const std::string& stem, const FolderNaming& naming, long& count) {
  long number = naming.exp_count ? next_count() : next_number(naming.prefix);
  for (;; number = naming.exp_count ? next_count() : number + 1) {
    const auto name = fmt::format("{}{:03}_{}", naming.prefix, number, stem);
    if (mkdir(name.c_str(), 0777) == 0) {
      if (naming.exp_count) count = number;
      return name;
    }
    if (errno != EEXIST) refuse(name, errno);  // taken since we looked: try the next number
  }
}

constexpr const char *lock_name = ".lock", *list_name = ".written", *case_name = "resolved.toml";

/// Files that keep house and are no results.
bool is_ours(const std::string& name) {
  return name == lock_name || name == list_name || name == run::unfinished_mark;
}

/// Of a regular file; nothing for a link or anything else.
std::optional<FileStamp> stamp_of(const std::string& path) {
  struct stat found {};
  if (lstat(path.c_str(), &found) != 0 || !S_ISREG(found.st_mode)) return std::nullopt;
  return FileStamp{found.st_size, found.st_mtim.tv_sec * 1000000000LL + found.st_mtim.tv_nsec};
}

/// Points `latest` at the folder; not worth failing a run for.
void link_latest(const std::string& folder) {
  const std::string aside = fmt::format("latest.{}", getpid());
  std::error_code failed;
  if (fs::exists("latest", failed) && !fs::is_symlink("latest", failed)) return;
  fs::create_directory_symlink(folder, aside, failed);
  if (failed) return;
  fs::rename(aside, "latest", failed);
  if (failed) fs::remove(aside, failed);
}

}  // namespace

void require_writable(const std::string& folder) {
  std::error_code failed;
  fs::path there = fs::absolute(folder.empty() ? "." : folder, failed).lexically_normal();
  if (!there.has_filename()) there = there.parent_path();
  while (there != there.root_path() && !fs::exists(there, failed)) there = there.parent_path();
  if (!fs::is_directory(there, failed)) refuse(folder, ENOTDIR);
  if (access(there.c_str(), W_OK | X_OK) != 0) refuse(folder.empty() ? "." : folder, errno);
}

OutputFolder::OutputFolder(const std::string& given, const std::function<std::string()>& stem,
                           const FolderNaming& naming)
    : path_(given) {
  if (path_.empty()) {
    path_ = numbered_folder(stem(), naming, count_);
    made_ = true;
    hold();
    link_latest(path_);
    return;
  }
  std::error_code failed;
  made_ = fs::create_directories(path_, failed);
  std::error_code unknown;
  if (!fs::is_directory(path_, unknown)) refuse(path_, failed ? failed.value() : ENOTDIR);
  for (const auto& entry : fs::directory_iterator(path_, failed))
    used_before_ |= !is_ours(entry.path().filename().string());
  hold();
  before_ = listed();
}

void OutputFolder::begin(const std::string& resolved) {
  if (!resolved.empty() && stamp_of(file(case_name))) {
    std::ifstream in(file(case_name), std::ios::binary);
    resolved_before_.assign(std::istreambuf_iterator<char>(in), {});
  }
  if (!run::is_unfinished(path_)) {
    write_file(
        file(run::unfinished_mark),
        "The run that resolved.toml describes has not ended: it is under way, was stopped, or failed.\n"
        "Results in this folder may be those of an earlier run, or of both.\n");
    marked_ = true;
  }
  if (!resolved.empty()) write_file(file(case_name), resolved);
}

void OutputFolder::abandon() noexcept {
  std::error_code failed;
  if (marked_) {
    Stamps now = written_now();
    now.erase(case_name);
    if (now.empty()) fs::remove(file(run::unfinished_mark), failed);
    if (now.empty() && !resolved_before_.empty()) try {
        write_file(file(case_name), resolved_before_);
      } catch (...) {  // the one there tells of the run that was refused
      }
  }
  for (const auto& entry : fs::directory_iterator(path_, failed)) {
    const std::string name = entry.path().filename().string();
    if (!is_ours(name) && name != case_name) return;
  }
  fs::remove(file(case_name), failed);
  fs::remove(file(list_name), failed);
  before_.clear();
  fs::remove(file(lock_name), failed);
  if (!made_) return;
  fs::remove(path_, failed);
  if (count_ >= 0) uncount(count_);
  if (fs::is_symlink("latest", failed) && !fs::exists("latest", failed)) fs::remove("latest", failed);
}

OutputFolder::~OutputFolder() {
  if (lock_ < 0) return;
  save_list();
  unlink(file(lock_name).c_str());
  close(lock_);
}

/// The list comes from the folder, and the folder may come from anybody: names in there alone are believed.
OutputFolder::Stamps OutputFolder::listed() const {
  Stamps out;
  if (!stamp_of(file(list_name))) return out;
  std::ifstream in(file(list_name));
  FileStamp stamp;
  for (std::string name; in >> stamp.bytes >> stamp.changed && in.get() == ' ' && std::getline(in, name);)
    if (!name.empty() && name.find('/') == name.npos && !is_ours(name)) out[name] = stamp;
  return out;
}

OutputFolder::Stamps OutputFolder::written_now() const {
  Stamps out;
  const auto folder = (fs::path(path_) / "").lexically_normal();
  for (const std::string& path : written_.paths()) {
    const fs::path p(path);
    const std::string name = p.filename().string();
    if ((p.parent_path() / "").lexically_normal() != folder || is_ours(name)) continue;
    if (name.find('\n') == name.npos)
      if (const auto stamp = stamp_of(path)) out[name] = *stamp;
  }
  return out;
}

void OutputFolder::replace(const std::vector<std::string>& inputs) {
  const auto is_input = [&](const std::string& path) {
    return std::any_of(inputs.begin(), inputs.end(), [&](const std::string& input) {
      std::error_code absent;
      return !input.empty() && fs::equivalent(input, path, absent);
    });
  };
  for (auto at = before_.begin(); at != before_.end();) {
    const std::string path = file(at->first);
    if (is_input(path)) {
      ++at;
      continue;
    }
    if (stamp_of(path) == at->second) unlink(path.c_str());
    at = before_.erase(at);
  }
}

void OutputFolder::settle(bool fresh) {
  unlink(file(run::unfinished_mark).c_str());
  if (!fresh) return;
  const Stamps now = written_now();
  for (const auto& [name, stamp] : before_)
    if (!now.count(name) && stamp_of(file(name)) == stamp) unlink(file(name).c_str());
  before_.clear();
}

void OutputFolder::save_list() const noexcept {
  try {
    Stamps all = written_now();
    for (const auto& [name, stamp] : before_)
      if (stamp_of(file(name)) == stamp) all.emplace(name, stamp);
    std::string text;
    for (const auto& [name, stamp] : all) text += fmt::format("{} {} {}\n", stamp.bytes, stamp.changed, name);
    if (!text.empty())
      write_file(file(list_name), text);
    else
      unlink(file(list_name).c_str());
  } catch (...) {
    // Without a list the next run leaves these files where they are.
  }
}

void OutputFolder::hold() {
  const std::string lock = file(lock_name);
  for (;;) {
    lock_ = open(lock.c_str(), O_CREAT | O_RDWR | O_NOFOLLOW | O_CLOEXEC, 0666);
    if (lock_ < 0) refuse(path_, errno);
    if (flock(lock_, LOCK_EX | LOCK_NB) != 0) {
      close(lock_);
      lock_ = -1;
      throw BadInput(
          fmt::format("--output-dir {}: another run is writing into it; wait for it, or give another "
                      "folder",
                      path_));
    }
    // The former holder may have removed the file between our open and our lock: then it is not the file
    // the next run will see, and a new one is needed.
    struct stat held {
    }, there{};
    if (fstat(lock_, &held) == 0 && stat(lock.c_str(), &there) == 0 && held.st_ino == there.st_ino) return;
    close(lock_);
  }
}

}  // namespace umov::command
