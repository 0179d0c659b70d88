// Host memory for the serial and cpu backends: aligned, uninitialised, owned.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <new>
#include <utility>

namespace umov::backend {

/// Owning array of trivially copyable elements in host memory, 64-byte aligned, not initialised
/// (the first loop that writes it also places its pages near the thread that uses them).
template <class T>
class HostArray {
 public:
  HostArray() = default;
  explicit HostArray(std::size_t n) : size_(n) {
    if (n == 0) return;
    data_ = static_cast<T*>(std::aligned_alloc(64, (n * sizeof(T) + 63) / 64 * 64));
    if (!data_) throw std::bad_alloc();
  }
  HostArray(HostArray&& o) noexcept { swap(o); }
  HostArray& operator=(HostArray&& o) noexcept {
    swap(o);
    return *this;
  }
  ~HostArray() { std::free(data_); }

  T* data() { return data_; }
  const T* data() const { return data_; }
  std::size_t size() const { return size_; }
  std::size_t bytes() const { return size_ * sizeof(T); }

 private:
  void swap(HostArray& o) {
    std::swap(data_, o.data_);
    std::swap(size_, o.size_);
  }
  T* data_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace umov::backend
