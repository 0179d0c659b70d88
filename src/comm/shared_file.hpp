// A file that rank 0 has made and whose bytes the ranks write side by side, each its own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "comm/communicator.hpp"
#include "core/file_place.hpp"

namespace umov::comm {

/// Written with POSIX calls at places that the ranks have agreed on: no lock, no message, no library that
/// would have to know of the ranks. Errors are those of AtomicFile.
class SharedFile {
 public:
  /// Of every rank: the file that rank 0 has made at `path`; nullptr where some rank does not find it there
  /// (machines with folders of their own). `named` is what messages call it; both are rank 0's.
  static std::unique_ptr<SharedFile> open(Communicator&, std::string path, std::string named);

  /// Puts these bytes at `offset`.
  void put(std::uint64_t offset, std::span<const std::byte>);
  /// What this rank has put is on the disk.
  void flush();

 private:
  SharedFile(Descriptor file, std::string named) : file_(std::move(file)), named_(std::move(named)) {}

  Descriptor file_;
  std::string named_;
};

}  // namespace umov::comm
