// The state of many cases on disk: blocks of bytes, added as cases are finished.
#pragma once

#include <string>
#include <vector>

#include "core/file_place.hpp"
#include "core/packed.hpp"
#include "run/state_file.hpp"

namespace umov::run {

/// A file that grows. A block has its length before and its digest behind it and is written in one piece, so
/// that a process may be killed at any time.
class BlockFile {
 public:
  /// Begins the file anew with these blocks, in one step. Throws MachineFailure, BadInput.
  BlockFile(const std::string& path, const StateFormat&, const std::vector<Packed>& blocks);

  /// Throws MachineFailure.
  void add(const Packed& block);

 private:
  std::string path_;
  Descriptor file_;
};

/// Its blocks. One that is not whole, as a kill in the middle leaves one, ends them. Throws BadInput: no such
/// file, of something else, of another version, damaged within its first `heads` blocks.
std::vector<Packed> read_blocks(const std::string& path, const StateFormat&, std::size_t heads);

/// Throws BadInput where rows in a file are of other `settings` (as TOML) than these, and names what differs.
/// `rows`: "variants"; `may_differ`: "angles may differ".
void require_same_settings(const std::string& path, const std::string& rows, const std::string& may_differ,
                           const std::string& stored, const std::string& here);
/// The same for a difference that the caller has found.
[[noreturn]] void refuse_settings(const std::string& path, const std::string& rows,
                                  const std::string& may_differ, const std::string& difference);

}  // namespace umov::run
