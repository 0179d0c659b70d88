// The state of a run in one file: plain values and lists of them behind a mark and the case's fingerprint,
// with a checksum at the end.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>

#include "core/checked_file.hpp"
#include "core/error.hpp"

namespace umov::run {

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
  if constexpr (requires { s.ranks; }) s.ranks = {};
  s.backend = "auto";
}

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

/// To where the state begins in a file that is sound and of this case; `what_differs` is for the message of a
/// BadInput.
inline void begin_state(CheckedReader& in, const std::string& path, const StateFormat& format,
                        std::uint64_t fingerprint, const std::string& what_differs) {
  if (!in.is_open())
    throw BadInput("no checkpoint to continue from (" + path + " is missing); run the case again");
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
