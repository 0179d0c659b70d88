// Numbers, texts, lists and device arrays as bytes: the one writer and the one reader of saved states.
#pragma once

#include <cstddef>
#include <cstring>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/error.hpp"

namespace umov {

/// Plain values are written as they lie in memory; texts and lists behind their length (std::size_t).
class ByteWriter {
 public:
  virtual ~ByteWriter() = default;
  virtual void bytes(const void* from, std::size_t n) = 0;

  template <class T>
  void operator()(const T& value) {
    static_assert(std::is_trivially_copyable_v<T>);
    bytes(&value, sizeof value);
  }
  template <class T>
  void operator()(const std::vector<T>& list) {
    static_assert(std::is_trivially_copyable_v<T>);
    (*this)(list.size());
    bytes(list.data(), list.size() * sizeof(T));
  }
  void operator()(const std::string& text) {
    (*this)(text.size());
    bytes(text.data(), text.size());
  }
  /// A list of anything, by `f` of each item.
  template <class List, class F>
  void each(const List& list, const F& f) {
    (*this)(list.size());
    for (const auto& item : list) f(item);
  }
  /// The elements of an array on a device, without their number.
  template <class Dev, class Array>
  void elements(Dev& dev, const Array& a) {
    std::vector<std::remove_cvref_t<decltype(*a.data())>> host(a.size());
    if (a.size()) dev.download(host.data(), a.data(), a.size());
    bytes(host.data(), a.bytes());
  }
  /// The same behind their number.
  template <class Dev, class Array>
  void array(Dev& dev, const Array& a) {
    (*this)(a.size());
    elements(dev, a);
  }
};

/// Reads what a ByteWriter wrote. Throws BadInput where bytes are missing, before room is made for them.
class ByteReader {
 public:
  static constexpr bool reading = true;
  virtual ~ByteReader() = default;

  void bytes(void* to, std::size_t n) {
    if (n > left_ || (n > 0 && !take(to, n))) damaged();
    left_ -= n;
  }
  template <class T>
  void operator()(T& value) {
    static_assert(std::is_trivially_copyable_v<T>);
    bytes(&value, sizeof value);
  }
  /// Another byte than 0 or 1 is no bool, and reading it as one undefined.
  void operator()(bool& value) {
    unsigned char byte = 0;
    bytes(&byte, 1);
    if (byte > 1) damaged();
    value = byte == 1;
  }
  template <class T>
  void operator()(std::vector<T>& list) {
    static_assert(std::is_trivially_copyable_v<T>);
    list.resize(length(sizeof(T)));
    bytes(list.data(), list.size() * sizeof(T));
  }
  void operator()(std::string& text) {
    text.resize(length(1));
    bytes(text.data(), text.size());
  }
  template <class List, class F>
  void each(List& list, const F& f) {
    list.resize(length(1));
    for (auto& item : list) f(item);
  }
  template <class Dev, class Array>
  void elements(Dev& dev, Array& a) {
    std::vector<std::remove_cvref_t<decltype(*a.data())>> host(a.size());
    bytes(host.data(), a.bytes());
    if (a.size()) dev.upload(a.data(), host.data(), a.size());
  }
  /// Throws BadInput also where the array has another length.
  template <class Dev, class Array>
  void array(Dev& dev, Array& a) {
    std::size_t n = 0;
    (*this)(n);
    if (n != a.size())
      throw BadInput("the saved state belongs to another problem (" + std::to_string(n) + " values where " +
                     std::to_string(a.size()) + " are needed); start anew");
    elements(dev, a);
  }
  std::size_t left() const { return left_; }
  [[noreturn]] virtual void damaged() const = 0;

 protected:
  explicit ByteReader(std::size_t left) : left_(left) {}
  virtual bool take(void* to, std::size_t n) = 0;
  /// A number of items of at least `item` bytes.
  std::size_t length(std::size_t item) {
    std::size_t n = 0;
    (*this)(n);
    if (n > left_ / item) damaged();
    return n;
  }
  std::size_t left_;
};

/// How many bytes there would be.
class ByteCount final : public ByteWriter {
 public:
  void bytes(const void*, std::size_t n) override { count_ += n; }
  std::size_t count() const { return count_; }

 private:
  std::size_t count_ = 0;
};

/// Into memory.
class MemoryWriter final : public ByteWriter {
 public:
  /// `expected`: bytes that have room from the start.
  explicit MemoryWriter(std::size_t expected = 0) { bytes_.reserve(expected); }
  void bytes(const void* from, std::size_t n) override {
    const auto* p = static_cast<const std::byte*>(from);
    bytes_.insert(bytes_.end(), p, p + n);
  }
  std::vector<std::byte> take() { return std::exchange(bytes_, {}); }

 private:
  std::vector<std::byte> bytes_;
};

/// From memory, which has to stay.
class MemoryReader final : public ByteReader {
 public:
  explicit MemoryReader(std::span<const std::byte> bytes) : ByteReader(bytes.size()), rest_(bytes) {}
  [[noreturn]] void damaged() const override {
    throw BadInput("the saved state is cut short (damaged, or of another case); start anew");
  }
  /// Throws BadInput where bytes are left over.
  void finish() const {
    if (left_ != 0)
      throw BadInput("the saved state is longer than it should be (damaged, or of another case); start anew");
  }

 private:
  bool take(void* to, std::size_t n) override {
    std::memcpy(to, rest_.data(), n);
    rest_ = rest_.subspan(n);
    return true;
  }
  std::span<const std::byte> rest_;
};

}  // namespace umov
