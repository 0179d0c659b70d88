// Numbers and device arrays as bytes, for saved states.
#pragma once

#include <cstddef>
#include <cstring>
#include <type_traits>
#include <vector>

#include "core/error.hpp"

namespace umov::eqs {

template <class Device>
class ByteWriter {
 public:
  explicit ByteWriter(const Device& dev) : dev_(dev) {}
  std::vector<std::byte> bytes;

  template <class V>
  void number(const V& v) {
    static_assert(std::is_trivially_copyable_v<V>);
    raw(&v, sizeof v);
  }
  template <class Array>
  void array(const Array& a) {
    std::vector<std::remove_cvref_t<decltype(*a.data())>> host(a.size());
    if (a.size()) dev_.download(host.data(), a.data(), a.size());
    number(a.size());
    raw(host.data(), a.bytes());
  }
  void list(const std::vector<double>& v) {
    number(v.size());
    raw(v.data(), v.size() * sizeof(double));
  }

 private:
  void raw(const void* data, std::size_t n) {
    const auto* p = static_cast<const std::byte*>(data);
    bytes.insert(bytes.end(), p, p + n);
  }
  const Device& dev_;
};

/// Throws BadInput where bytes are missing, left over, or for another problem.
template <class Device>
class ByteReader {
 public:
  static constexpr bool reading = true;
  ByteReader(const Device& dev, const std::vector<std::byte>& bytes) : dev_(dev), bytes_(bytes) {}

  template <class V>
  void number(V& v) {
    take(&v, sizeof v);
  }
  template <class Array>
  void array(Array& a) {
    std::size_t n = 0;
    number(n);
    if (n != a.size())
      throw BadInput("the saved state belongs to another problem (" + std::to_string(n) + " values where " +
                     std::to_string(a.size()) + " are needed); start anew");
    std::vector<std::remove_cvref_t<decltype(*a.data())>> host(n);
    take(host.data(), a.bytes());
    if (n) dev_.upload(a.data(), host.data(), n);
  }
  void list(std::vector<double>& v) {
    std::size_t n = 0;
    number(n);
    if (n > (bytes_.size() - at_) / sizeof(double)) throw short_one();
    v.resize(n);
    take(v.data(), n * sizeof(double));
  }
  void finish() const {
    if (at_ != bytes_.size()) throw BadInput("the saved state is longer than it should be; it is damaged");
  }

 private:
  static BadInput short_one() { return BadInput("the saved state is cut short; resume from another one"); }
  void take(void* to, std::size_t n) {
    if (bytes_.size() - at_ < n) throw short_one();
    if (n) std::memcpy(to, bytes_.data() + at_, n);
    at_ += n;
  }
  const Device& dev_;
  const std::vector<std::byte>& bytes_;
  std::size_t at_ = 0;
};

}  // namespace umov::eqs
