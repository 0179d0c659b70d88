// HDF5's C interface, wrapped just enough that nothing leaks and every failure is an exception.
#pragma once

#include <hdf5.h>

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "core/types.hpp"

namespace umov::results::hdf5 {

/// A failed HDF5 call; carries what HDF5 itself said at the bottom of its error stack.
struct Hdf5Error {
  std::string why;
};

/// Throws Hdf5Error with what the error stack says.
[[noreturn]] void fail();

template <class T>
T check(T result) {
  if (result < 0) fail();
  return result;
}

/// For guarded(): something could not be closed, and what it had to write is lost.
void note_failed_close();

/// Owns an identifier. What is closed by the destructor may write (a dataset's buffer); guarded() throws
/// where that failed.
class Id {
 public:
  Id(hid_t id, herr_t (*close)(hid_t)) : id_(check(id)), close_(close) {}
  Id(Id&& other) noexcept : id_(other.id_), close_(other.close_) { other.close_ = nullptr; }
  Id& operator=(Id&&) = delete;
  ~Id() {
    if (close_ && close_(id_) < 0) note_failed_close();
  }
  operator hid_t() const { return id_; }
  /// Closes now, so that errors of flushing are seen.
  void close() {
    const auto f = close_;
    close_ = nullptr;
    check(f(id_));
  }

 private:
  hid_t id_;
  herr_t (*close_)(hid_t);
};

/// Turns HDF5's printing of its error stack off while one lives.
class QuietErrors {
 public:
  QuietErrors() {
    H5Eget_auto2(H5E_DEFAULT, &function_, &data_);
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  }
  ~QuietErrors() { H5Eset_auto2(H5E_DEFAULT, function_, data_); }

 private:
  H5E_auto2_t function_ = nullptr;
  void* data_ = nullptr;
};

/// A new file, in a format that old readers know and that holds long attributes.
Id create_file(const std::string& path);
/// An empty shape is a single value.
Id space_of(const std::vector<hsize_t>& shape);
/// A compound {r, i} of doubles.
Id complex_type();
/// VTK compares `Type` as a fixed-length ASCII string; the same kind serves all our texts.
void write_text(hid_t where, const std::string& name, const std::string& text);
void write_attribute(hid_t where, const char* name, const std::vector<double>& values);
void write_attribute(hid_t where, const char* name, const std::vector<std::int64_t>& values);

/// Calls `write` with HDF5's own messages off. What fails there is a MachineFailure that names `path`.
void guarded(const std::string& path, const std::function<void()>& write);

}  // namespace umov::results::hdf5
