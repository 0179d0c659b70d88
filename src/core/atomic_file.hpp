// Files that are complete or absent: written beside their place, then renamed.
#pragma once

#include <string>
#include <string_view>
#include <utility>

namespace umov {

/// Holds the name `aside()` beside `path()` for a writer that opens files by name; commit() puts what lies
/// there in place. Destroyed without commit(), it leaves nothing.
class AsideFile {
 public:
  explicit AsideFile(std::string path);
  /// Aside under a name of its own, which a later process can continue.
  AsideFile(std::string path, std::string aside) : path_(std::move(path)), aside_(std::move(aside)) {}
  ~AsideFile();
  AsideFile(const AsideFile&) = delete;
  AsideFile& operator=(const AsideFile&) = delete;

  const std::string& path() const { return path_; }
  const std::string& aside() const { return aside_; }
  /// Flushes to the disk and renames. Throws as AtomicFile does.
  void commit();
  /// Leaves what lies aside when destroyed.
  void keep() { kept_ = true; }

 private:
  std::string path_, aside_;
  bool committed_ = false, kept_ = false;
};

/// Buffered writer of one file; commit() makes it appear in one step. Destroyed without commit(), it leaves
/// nothing. Every write, fsync and close is checked. Throws MachineFailure when the machine fails (disk full,
/// device error) and BadInput when the path cannot be written (no such folder, no permission); both name it.
class AtomicFile {
 public:
  explicit AtomicFile(std::string path);
  ~AtomicFile();

  void write(std::string_view bytes);
  void commit();

 private:
  void put(std::string_view bytes);

  AsideFile place_;
  std::string buffer_;
  int file_ = -1;
};

/// The whole file in one call.
void write_file(const std::string& path, std::string_view text);

/// Makes a folder and its parents; no error when it is there. Throws as AtomicFile does.
void make_folder(const std::string& path);

/// The error of a path that could not be written, by errno: MachineFailure or BadInput as AtomicFile throws.
[[noreturn]] void refuse_path(const std::string& path, int code);

}  // namespace umov
