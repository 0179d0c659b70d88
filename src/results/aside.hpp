// A file that is either complete or absent: written beside its place, then renamed.
#pragma once

#include <string>

namespace umov::results {

/// Owns `path().part` until `commit`, which puts it in place; removed when dropped without a commit.
class AsideFile {
 public:
  /// `path` is where the file will appear.
  explicit AsideFile(std::string path);
  ~AsideFile();
  AsideFile(const AsideFile&) = delete;
  AsideFile& operator=(const AsideFile&) = delete;

  const std::string& path() const { return path_; }
  const std::string& aside() const { return aside_; }
  /// Flushes to the disk and renames. Throws MachineFailure naming the path.
  void commit();

 private:
  std::string path_, aside_;
  bool committed_ = false;
};

}  // namespace umov::results
