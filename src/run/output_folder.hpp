// The folder a run writes into: numbered by default, held by one run at a time.
#pragma once

#include <string>

#include "dda/simulation.hpp"

namespace umov::run {

/// Creates and holds the folder of one run. A second run into a held folder is refused; the hold ends
/// with the process however it dies (flock).
class OutputFolder {
 public:
  /// `given` is created when absent. Empty: `PREFIX000_SHAPE_gNX_mRE` with the next free number in the
  /// current folder, and the link `latest` to it. Throws BadInput when it cannot be made, written or is held.
  OutputFolder(const std::string& given, const dda::Simulation&, const std::string& prefix = "run");
  ~OutputFolder();
  OutputFolder(const OutputFolder&) = delete;
  OutputFolder& operator=(const OutputFolder&) = delete;

  const std::string& path() const { return path_; }
  /// After a run that was refused: takes away `resolved.toml` and the folder made for it, when nothing else is
  /// in there. Never throws.
  void abandon() noexcept;
  std::string file(const std::string& name) const { return path_ + "/" + name; }

 private:
  void hold();

  std::string path_;
  int lock_ = -1;
  bool made_ = false;
};

}  // namespace umov::run
