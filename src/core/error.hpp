// Errors that reach the user: each carries the exit code of the program.
#pragma once

#include <stdexcept>
#include <string>

namespace umov {

/// Exit codes of the program; every failure a user can meet maps to one of them.
/// Stopped by a signal: 128 plus its number, as shells say.
enum class Exit {
  done = 0,
  bug = 1,
  bad_input = 2,
  not_converged = 3,
  machine = 4,
  interrupted = 130,
  terminated = 143
};

/// An error with the grammar `PROBLEM (WHY); SUGGESTION`.
class Error : public std::runtime_error {
 public:
  Error(Exit code, const std::string& message) : std::runtime_error(message), code_(code) {}
  Exit code() const { return code_; }

 private:
  Exit code_;
};

/// The user's input is wrong: a file, an option, a value. Message names file and line, or the option.
struct BadInput : Error {
  explicit BadInput(const std::string& message) : Error(Exit::bad_input, message) {}
};

/// The machine failed: no device, no memory, disk full.
struct MachineFailure : Error {
  explicit MachineFailure(const std::string& message) : Error(Exit::machine, message) {}
};

}  // namespace umov
