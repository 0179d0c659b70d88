// The state of a run in one file: plain values and lists of them behind a mark and the case's fingerprint.
#pragma once

#include <cstdint>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string>
#include <type_traits>
#include <vector>

#include "core/atomic_file.hpp"
#include "core/error.hpp"

namespace umov::run {

/// FNV-1a, 64 bits (Fowler, Noll, Vo 1991), of texts and of the contents of files.
class Fingerprint {
 public:
  void add(const std::string& text) {
    for (const unsigned char c : text) hash_ = (hash_ ^ c) * 1099511628211u;
  }
  /// Nothing for an empty name.
  void add_file(const std::string& path) {
    if (path.empty()) return;
    std::ifstream in(path, std::ios::binary);
    add(std::string{std::istreambuf_iterator<char>(in), {}});
  }
  std::uint64_t value() const { return hash_; }

 private:
  std::uint64_t hash_ = 14695981039346656037u;
};

/// Writes plain values, lists of them, texts, and lists of anything by `each`; the whole file or nothing.
class StateWriter {
 public:
  explicit StateWriter(const std::string& path) : file_(path) {}
  void bytes(const void* p, std::size_t n) { file_.write({static_cast<const char*>(p), n}); }
  template <class T>
  void operator()(const T& value) {
    static_assert(std::is_trivially_copyable_v<T>);
    bytes(&value, sizeof value);
  }
  template <class T>
  void operator()(const std::vector<T>& list) {
    (*this)(list.size());
    bytes(list.data(), list.size() * sizeof(T));
  }
  void operator()(const std::string& text) {
    (*this)(text.size());
    bytes(text.data(), text.size());
  }
  template <class List, class F>
  void each(const List& list, const F& f) {
    (*this)(list.size());
    for (const auto& item : list) f(item);
  }
  void commit() { file_.commit(); }

 private:
  AtomicFile file_;
};

/// Reads what a StateWriter wrote. Throws BadInput: no such file, damaged.
class StateReader {
 public:
  explicit StateReader(const std::string& path) : path_(path), in_(path, std::ios::binary) {
    if (!in_) throw BadInput("no checkpoint to continue from (" + path + " is missing); run the case again");
    in_.seekg(0, std::ios::end);
    left_ = std::size_t(in_.tellg());
    in_.seekg(0);
  }
  [[noreturn]] void damaged() const {
    throw BadInput(path_ + ": the checkpoint is cut short or damaged; run the case again");
  }
  void bytes(void* p, std::size_t n) {
    if (n > left_ || !in_.read(static_cast<char*>(p), std::streamsize(n))) damaged();
    left_ -= n;
  }
  template <class T>
  void operator()(T& value) {
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
  bool at_end() const { return left_ == 0; }

 private:
  std::size_t length(std::size_t item) {
    std::size_t n = 0;
    (*this)(n);
    if (n > left_ / item) damaged();
    return n;
  }
  std::string path_;
  std::ifstream in_;
  std::size_t left_ = 0;
};

/// A state: `visit(file, state)` calls the file with every field, for reading and for writing alike.
template <class State, class Visit>
void save_state(const std::string& path, const char (&mark)[8], std::uint64_t fingerprint, const State& state,
                const Visit& visit) {
  StateWriter out(path);
  out.bytes(mark, sizeof mark);
  out(fingerprint);
  visit(out, state);
  out.bytes(mark, sizeof mark);
  out.commit();
}

/// `program` and `what_differs` are for the messages of a BadInput.
template <class State, class Visit>
State load_state(const std::string& path, const char (&mark)[8], std::uint64_t fingerprint,
                 const Visit& visit, const std::string& program, const std::string& what_differs) {
  StateReader in(path);
  char found[8];
  in.bytes(found, sizeof found);
  if (std::memcmp(found, mark, sizeof found) != 0) throw BadInput(path + ": not a checkpoint of " + program);
  std::uint64_t other = 0;
  in(other);
  if (other != fingerprint)
    throw BadInput(path + ": the checkpoint belongs to another case (" + what_differs +
                   " differ); continue with the case of that run");
  State state;
  visit(in, state);
  in.bytes(found, sizeof found);
  if (std::memcmp(found, mark, sizeof found) != 0 || !in.at_end()) in.damaged();
  return state;
}

}  // namespace umov::run
