// A file that is complete or absent: written aside, then renamed.
#pragma once

#include <string>
#include <string_view>

namespace umov::results {

/// Writes to `path`.tmp; commit() makes it `path` in one step. Destroyed without commit(), it leaves nothing.
/// Every write, fsync and close is checked. Throws MachineFailure when the machine fails (disk full, device
/// error) and BadInput when the path cannot be written (no such folder, no permission); both name the path.
class AtomicFile {
 public:
  explicit AtomicFile(std::string path);
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  void write(std::string_view text);
  void commit();

 private:
  void flush();

  std::string path_, aside_, buffer_;
  int file_ = -1;
};

/// The whole file in one call.
void write_file(const std::string& path, std::string_view text);

/// Makes a folder and its parents; no error when it is there. Throws as AtomicFile does.
void make_folder(const std::string& path);

}  // namespace umov::results
