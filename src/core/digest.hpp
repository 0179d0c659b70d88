// A digest of bytes, to tell one content from another.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string>

namespace umov {

/// FNV-1a, 64 bits (Fowler, Noll, Vo 1991), on words of eight bytes with a shift after each product, since a
/// multiply alone never carries high bits down. Bytes may come in pieces of any length. Both steps are one to
/// one, so that two contents of one length that differ in a single word never agree.
class Digest {
 public:
  void add(const void* data, std::size_t n) {
    const auto* p = static_cast<const unsigned char*>(data);
    length_ += n;
    for (; n > 0 && held_ > 0; --n) hold(*p++);
    std::uint64_t word = 0;
    for (; n >= 8; p += 8, n -= 8) std::memcpy(&word, p, 8), mix(word);
    for (; n > 0; --n) hold(*p++);
  }
  void add(const std::string& text) { add(text.data(), text.size()); }
  /// The content of a file; nothing for an empty name or a file that cannot be read.
  void add_file(const std::string& path) {
    if (path.empty()) return;
    std::ifstream in(path, std::ios::binary);
    if (in.good()) add(std::string{std::istreambuf_iterator<char>(in), {}});
  }
  std::uint64_t value() const {
    Digest end = *this;
    end.mix(tail_);
    end.mix(length_);
    return end.value_;
  }

 private:
  void mix(std::uint64_t word) {
    value_ = (value_ ^ word) * 1099511628211u;
    value_ ^= value_ >> 29;
  }
  /// The first bytes of a word that is not complete.
  void hold(unsigned char byte) {
    tail_ |= std::uint64_t(byte) << 8 * held_;
    if (++held_ < 8) return;
    mix(tail_);
    tail_ = 0;
    held_ = 0;
  }

  static_assert(std::endian::native == std::endian::little, "words are put together from the low byte up");
  std::uint64_t value_ = 14695981039346656037u, tail_ = 0, length_ = 0;
  int held_ = 0;
};

}  // namespace umov
