// A file that rank 0 has made and whose bytes the ranks write side by side, each its own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
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

  /// Of every rank: what `put_own` puts is on the disk, on all of them, or all throw: those that failed by
  /// themselves say why, the others OtherRankFailed. So no rank waits for one that has gone.
  void write(Communicator&, const std::function<void()>& put_own);
  /// The same in two steps: what is put is on its way after the first, and on the disk after the second.
  void begin(Communicator&, const std::function<void()>& put_own);
  void finish(Communicator&);

  /// Puts these bytes at `offset`; of several threads, too.
  void put(std::uint64_t offset, std::span<const std::byte>);
  /// Has the disk begin with this stretch, of which all is put: else it would wait for the end of all.
  void hasten(std::uint64_t offset, std::uint64_t bytes);

  /// Returns when what this rank has put is on the disk.
  void flush();

 private:
  SharedFile(Descriptor file, std::string named) : file_(std::move(file)), named_(std::move(named)) {}

  void together(Communicator&, const std::function<void()>& act);

  Descriptor file_;
  std::string named_;
};

}  // namespace umov::comm
