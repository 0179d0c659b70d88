// Files that are complete or absent: written beside their place, then renamed.
#pragma once

#include <deque>
#include <exception>
#include <functional>
#include <future>
#include <set>
#include <string>
#include <string_view>

#include "core/file_place.hpp"

namespace umov {

/// Holds a new file `aside()` for a writer that opens files by name; commit() puts what lies there in place
/// of `path()`: links are followed, mode and owner of a file that was there stay, and a device or a pipe gets
/// the bytes. Destroyed without commit(), it leaves nothing. Throws as AtomicFile does.
class AsideFile {
 public:
  explicit AsideFile(std::string path);
  /// Aside under a name of its own, which a later process can continue; nothing is made or removed yet.
  AsideFile(std::string path, std::string aside) : path_(std::move(path)), aside_(std::move(aside)) {}
  ~AsideFile();
  AsideFile(const AsideFile&) = delete;
  AsideFile& operator=(const AsideFile&) = delete;

  const std::string& path() const { return path_; }
  const std::string& aside() const { return aside_; }
  /// Makes an empty file under the name given for it; what lay there is gone.
  void create();
  /// Whether a file lies aside, to be continued; never a link.
  bool is_there() const;
  /// Flushes to the disk and renames. Throws as AtomicFile does.
  void commit();
  /// Leaves what lies aside when destroyed.
  void keep() { kept_ = true; }

 private:
  void copy_to_place();

  std::string path_, aside_;
  bool committed_ = false, kept_ = false;
};

/// Buffered writer of one file; commit() makes it appear in one step. Destroyed without commit(), it leaves
/// nothing. Links are followed, and mode and owner of a file that was there stay; what is no regular file (a
/// device, a pipe) is written as it is. Every write, fsync and close is checked. Throws MachineFailure when
/// the machine fails (disk full, device error) and BadInput when the path cannot be written (no such folder,
/// a folder, no permission); both name it.
class AtomicFile {
 public:
  explicit AtomicFile(std::string path);
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  void write(std::string_view bytes);
  void commit();

 private:
  /// What lies aside, all of it written, on the disk and in its place.
  struct Written;
  void put(std::string_view bytes);

  std::string path_, aside_, buffer_;
  FilePlace place_;
  Descriptor file_;
};

/// While one lives, the files that its thread commits as AtomicFile go to the disk side by side: a disk takes
/// about as long for ten files as for one. They are in place, or an error is known, when finish() returns; no
/// file may be written twice in between. Destroyed without finish(), it waits and says nothing of errors.
class WrittenTogether {
 public:
  WrittenTogether();
  ~WrittenTogether();
  WrittenTogether(const WrittenTogether&) = delete;
  WrittenTogether& operator=(const WrittenTogether&) = delete;

  /// Throws the first error, as AtomicFile::commit does, once all others are written.
  void finish();

 private:
  friend class AtomicFile;
  void take(std::function<void()> settle);

  std::deque<std::future<void>> under_way_;
  std::exception_ptr failed_;
  WrittenTogether* outer_;
};

/// The whole file in one call.
void write_file(const std::string& path, std::string_view text);

/// Makes a folder and its parents; no error when it is there. Throws as AtomicFile does.
void make_folder(const std::string& path);

/// The error of a path that could not be written, by errno: MachineFailure or BadInput as AtomicFile throws.
[[noreturn]] void refuse_path(const std::string& path, int code);

/// The paths of all files that are put in place, by whatever writer and thread, while one lives.
class WrittenFiles {
 public:
  WrittenFiles();
  ~WrittenFiles();
  WrittenFiles(const WrittenFiles&) = delete;
  WrittenFiles& operator=(const WrittenFiles&) = delete;

  std::set<std::string> paths() const;

 private:
  friend void note_written(const std::string& path);
  std::set<std::string> paths_;
};

}  // namespace umov
