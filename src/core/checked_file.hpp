// Files that end with the digest of all that comes before, so that a damaged one is known before it is read.
#pragma once

#include <cstddef>
#include <string>

#include "core/atomic_file.hpp"
#include "core/digest.hpp"

namespace umov {

/// Writes the whole file or nothing; commit() adds the digest.
class CheckedFile {
 public:
  explicit CheckedFile(const std::string& path) : file_(path) {}
  void write(std::string_view bytes) {
    digest_.add(bytes.data(), bytes.size());
    file_.write(bytes);
  }
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

}  // namespace umov
