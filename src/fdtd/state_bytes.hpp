// Arrays and numbers as bytes, for saved states.
#pragma once

#include <cstddef>
#include <cstring>
#include <vector>

#include "core/error.hpp"

namespace umov::fdtd {

struct ByteWriter {
  std::vector<std::byte> bytes;

  void raw(const void* data, std::size_t n) {
    const auto* p = static_cast<const std::byte*>(data);
    bytes.insert(bytes.end(), p, p + n);
  }
  template <class V>
  void put(const V& v) {
    raw(&v, sizeof v);
  }
  template <class Dev, class Array>
  void put_array(Dev& dev, Array& a) {
    using V = std::remove_pointer_t<decltype(a.data())>;
    const std::size_t at = bytes.size();
    std::vector<V> host(a.size());
    dev.download(host.data(), a.data(), a.size());
    bytes.resize(at + a.bytes());
    if (a.bytes()) std::memcpy(bytes.data() + at, host.data(), a.bytes());
  }
  void put_list(const std::vector<double>& v) {
    put(v.size());
    raw(v.data(), v.size() * sizeof(double));
  }
};

/// Throws BadInput where bytes are missing or left over.
class ByteReader {
 public:
  explicit ByteReader(const std::vector<std::byte>& bytes) : bytes_(bytes) {}

  /// Checked before anything is overwritten.
  void expect(std::size_t n) const {
    if (bytes_.size() - at_ < n) throw BadInput("the saved state is cut short; resume from another one");
  }
  template <class V>
  void get(V& v) {
    take(&v, sizeof v);
  }
  template <class Dev, class Array>
  void get_array(Dev& dev, Array& a) {
    using V = std::remove_pointer_t<decltype(a.data())>;
    std::vector<V> host(a.size());
    take(host.data(), a.bytes());
    dev.upload(a.data(), host.data(), a.size());
  }
  void get_list(std::vector<double>& v) {
    std::size_t n = 0;
    get(n);
    expect(n);
    v.resize(n);
    take(v.data(), n * sizeof(double));
  }
  void finish() const {
    if (at_ != bytes_.size()) throw BadInput("the saved state is longer than it should be; it is damaged");
  }

 private:
  void take(void* to, std::size_t n) {
    expect(n);
    if (n) std::memcpy(to, bytes_.data() + at_, n);
    at_ += n;
  }
  const std::vector<std::byte>& bytes_;
  std::size_t at_ = 0;
};

}  // namespace umov::fdtd
