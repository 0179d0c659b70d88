// Files that end with the digest of all that comes before, so that a damaged one is known before it is read.
#pragma once

#include <cstddef>
#include <fstream>
#include <string>
#include <string_view>

#include "core/atomic_file.hpp"
#include "core/bytes.hpp"
#include "core/digest.hpp"

namespace umov {

/// Writes the whole file or nothing; commit() adds the digest.
class CheckedFile final : public ByteWriter {
 public:
  explicit CheckedFile(const std::string& path) : file_(path) {}
  void write(std::string_view bytes) {
    digest_.add(bytes.data(), bytes.size());
    file_.write(bytes);
  }
  void bytes(const void* from, std::size_t n) override { write({static_cast<const char*>(from), n}); }
  void commit() {
    const std::uint64_t value = digest_.value();
    file_.write({reinterpret_cast<const char*>(&value), sizeof value});
    file_.commit();
  }

 private:
  AtomicFile file_;
  Digest digest_;
};

/// Bytes before the digest of a file that a CheckedFile wrote and whose every bit is still the same. Throws
/// BadInput when it is no regular file or cannot be read, and when any bit was changed, lost or added;
/// `what` ("checkpoint") is for the message.
std::size_t checked_size(const std::string& path, const std::string& what);

/// Reads what a CheckedFile wrote that begins with a mark. Throws BadInput: damaged.
class CheckedReader final : public ByteReader {
 public:
  CheckedReader(std::string path, std::string what)
      : ByteReader(0), path_(std::move(path)), what_(std::move(what)), in_(path_, std::ios::binary) {}
  /// False: no such file.
  bool is_open() const { return in_.is_open(); }
  /// The first bytes, by which a file is known before it is trusted.
  void mark(char (&found)[8]) {
    if (!in_.read(found, sizeof found)) damaged();
  }
  /// Looks at every bit of the file; only then what comes after the mark can be read.
  void check() { left_ = checked_size(path_, what_) - std::size_t(in_.tellg()); }
  [[noreturn]] void damaged() const override {
    throw BadInput(path_ + ": the " + what_ + " is cut short or damaged; run the case again");
  }

 private:
  bool take(void* to, std::size_t n) override { return bool(in_.read(static_cast<char*>(to), n)); }
  std::string path_, what_;
  std::ifstream in_;
};

}  // namespace umov
