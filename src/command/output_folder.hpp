// The folder a run writes into: numbered by default, held by one run at a time.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "core/atomic_file.hpp"

namespace umov::command {

/// How a folder is named when the user names none: PREFIXnnn_STEM.
struct FolderNaming {
  std::string prefix = "run";
  bool exp_count = false;  ///< nnn from ADDA's file ExpCount, which counts on; else the next free number
};

/// Size (bytes) and time of the last change (ns): a file that has these still is as umov left it.
struct FileStamp {
  long long bytes = 0, changed = 0;
  bool operator==(const FileStamp&) const = default;
};

/// Throws BadInput when a folder of results cannot be made or written there; makes nothing. Empty: the
/// current folder, in which a numbered one would be made.
void require_writable(const std::string& folder);

/// Creates and holds the folder of one run, and keeps the list `.written` of the files there that are umov's.
/// A second run into a held folder is refused; the hold ends with the process however it dies (flock).
class OutputFolder {
 public:
  /// `given` is created when absent. Empty: a numbered folder in the current one, and the link `latest` to
  /// it; `stem` is asked for the end of its name. Throws BadInput when it cannot be made, written or is held,
  /// and what `stem` throws.
  OutputFolder(const std::string& given, const std::function<std::string()>& stem, const FolderNaming& = {});
  ~OutputFolder();
  OutputFolder(const OutputFolder&) = delete;
  OutputFolder& operator=(const OutputFolder&) = delete;

  const std::string& path() const { return path_; }
  /// A run begins: until it is settled a file `unfinished` says that results here may be an earlier run's, or
  /// of two. `resolved` is the text for resolved.toml; empty: the file there stays, an earlier run goes on.
  void begin(const std::string& resolved);
  /// After a run that was refused: takes away `resolved.toml` and the folder made for it, when nothing else
  /// is in there; what an earlier run left is as before, when this one has written nothing yet. Never throws.
  void abandon() noexcept;
  std::string file(const std::string& name) const { return path_ + "/" + name; }
  /// Whether files of an earlier run lie there.
  bool used_before() const { return used_before_; }
  /// When a new run begins: removes what earlier runs wrote there and is as they left it, but for the files
  /// that this one reads.
  void replace(const std::vector<std::string>& inputs);
  /// After a run that has left its results: removes what earlier runs wrote there, is as they left it, and
  /// this one did not write, unless the run continues an earlier one. Files of others stay.
  void settle(bool fresh);

 private:
  using Stamps = std::map<std::string, FileStamp>;
  void hold();
  Stamps listed() const;
  Stamps written_now() const;
  void save_list() const noexcept;

  std::string path_;
  WrittenFiles written_;
  Stamps before_;  ///< what earlier runs wrote, by their list
  bool used_before_ = false;
  bool marked_ = false;  ///< by this run
  std::string resolved_before_;
  int lock_ = -1;
  bool made_ = false;
  long count_ = -1;  ///< in ExpCount, when it was counted there
};

}  // namespace umov::command
