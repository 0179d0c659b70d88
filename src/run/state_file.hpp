// The state of a run in one file: plain values and lists of them behind a mark and the case's fingerprint,
// with a checksum at the end.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

#include "core/checked_file.hpp"
#include "core/error.hpp"

namespace umov::run {

/// What the first bytes of a family's checkpoints say; the last two digits count the versions of the format.
struct StateFormat {
  char mark[8];
  const char* program;  ///< for messages
};

/// A state: `visit(file, state)` calls the file with every field, for reading and for writing alike.
template <class State, class Visit>
void save_state(const std::string& path, const StateFormat& format, std::uint64_t fingerprint,
                const State& state, const Visit& visit) {
  CheckedFile out(path);
  out.bytes(format.mark, sizeof format.mark);
  out(fingerprint);
  visit(out, state);
  out.bytes(format.mark, sizeof format.mark);
  out.commit();
}

/// Throws BadInput: no such file, one of something else, of another version.
inline void check_mark(bool is_there, std::string_view found, const std::string& path,
                       const StateFormat& format) {
  if (!is_there)
    throw BadInput("no checkpoint to continue from (" + path + " is missing); run the case again");
  const std::string_view mark(format.mark, sizeof format.mark);
  if (found.substr(0, mark.size() - 2) != mark.substr(0, mark.size() - 2))
    throw BadInput(path + ": not a checkpoint of " + format.program);
  if (found != mark) throw BadInput(path + ": checkpoint of another version of umov; run the case again");
}

/// To where the state begins in a file that is sound and of this case; `what_differs` is for the message of a
/// BadInput.
inline void begin_state(CheckedReader& in, const std::string& path, const StateFormat& format,
                        std::uint64_t fingerprint, const std::string& what_differs) {
  char found[sizeof format.mark] = {};
  if (in.is_open()) in.mark(found);
  check_mark(in.is_open(), {found, sizeof found}, path, format);
  in.check();
  std::uint64_t other = 0;
  in(other);
  if (other != fingerprint)
    throw BadInput(path + ": the checkpoint belongs to another case (" + what_differs +
                   " differ); continue with the case of that run");
}

template <class State, class Visit>
State load_state(const std::string& path, const StateFormat& format, std::uint64_t fingerprint,
                 const Visit& visit, const std::string& what_differs) {
  CheckedReader in(path, "checkpoint");
  begin_state(in, path, format, fingerprint, what_differs);
  State state;
  visit(in, state);
  char found[8];
  in.bytes(found, sizeof found);
  if (std::memcmp(found, format.mark, sizeof found) != 0 || in.left() != 0) in.damaged();
  return state;
}

}  // namespace umov::run
