// The state of a run in one file: plain values and lists of them behind a mark and the case's fingerprint,
// with a checksum at the end.
#pragma once

#include <cstdint>
#include <cstring>
#include <fstream>
#include <string>
#include <type_traits>
#include <vector>

#include "core/checked_file.hpp"
#include "core/error.hpp"

namespace umov::front {

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
  CheckedFile file_;
};

/// Reads what a StateWriter wrote. Throws BadInput: no such file, damaged.
class StateReader {
 public:
  explicit StateReader(const std::string& path) : path_(path), in_(path, std::ios::binary) {
    if (!in_) throw BadInput("no checkpoint to continue from (" + path + " is missing); run the case again");
  }
  /// The first bytes, by which a file is known before it is trusted.
  void mark(char (&found)[8]) {
    if (!in_.read(found, sizeof found)) damaged();
  }
  /// Looks at every bit of the file; only then the rest can be read.
  void check() { left_ = checked_size(path_, "checkpoint") - std::size_t(in_.tellg()); }
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

/// What the first bytes of a family's checkpoints say; the last two digits count the versions of the format.
struct StateFormat {
  char mark[8];
  const char* program;  ///< for messages
};

/// Takes from a simulation what no checkpoint depends on: where its files go and the machine, as the engine's
/// own state knows its backend.
template <class Simulation>
void forget_place(Simulation& s) {
  s.output_dir.clear();
  s.checkpoint = {};
  s.threads = s.device = 0;
  s.backend = "auto";
}

/// A state: `visit(file, state)` calls the file with every field, for reading and for writing alike.
template <class State, class Visit>
void save_state(const std::string& path, const StateFormat& format, std::uint64_t fingerprint,
                const State& state, const Visit& visit) {
  StateWriter out(path);
  out.bytes(format.mark, sizeof format.mark);
  out(fingerprint);
  visit(out, state);
  out.bytes(format.mark, sizeof format.mark);
  out.commit();
}

/// `what_differs` is for the message of a BadInput.
template <class State, class Visit>
State load_state(const std::string& path, const StateFormat& format, std::uint64_t fingerprint,
                 const Visit& visit, const std::string& what_differs) {
  StateReader in(path);
  char found[8];
  in.mark(found);
  if (std::memcmp(found, format.mark, sizeof found - 2) != 0)
    throw BadInput(path + ": not a checkpoint of " + format.program);
  if (std::memcmp(found, format.mark, sizeof found) != 0)
    throw BadInput(path + ": checkpoint of another version of umov; run the case again");
  in.check();
  std::uint64_t other = 0;
  in(other);
  if (other != fingerprint)
    throw BadInput(path + ": the checkpoint belongs to another case (" + what_differs +
                   " differ); continue with the case of that run");
  State state;
  visit(in, state);
  in.bytes(found, sizeof found);
  if (std::memcmp(found, format.mark, sizeof found) != 0 || !in.at_end()) in.damaged();
  return state;
}

}  // namespace umov::front
