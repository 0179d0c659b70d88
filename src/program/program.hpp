// A program of commands: the right one gets the arguments, and errors become exit codes. It knows no command.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

namespace umov::program {

/// `umov NAME ARGS`; `text` is its line in the help, `help` the flag that asks it for its own, `less_memory`
/// what its user can do where memory ran out.
struct Command {
  std::string name, text;
  std::function<int(std::span<const std::string>)> run;
  std::string help = "--help";
  std::string less_memory = "close other programs";
  bool on_ranks = false;  ///< it can be started by mpirun: it sees to it itself that ranks work together
};

/// Runs `umov ARGS` (without the program's name) and returns the exit code of core/error.hpp. Throws nothing:
/// a message goes to stderr.
int run(std::span<const std::string> args, const std::vector<Command>& commands);

/// What `main` does: sees to the standard streams and to how threads wait, then `run`.
int start(int count, char** words, const std::vector<Command>& commands);

}  // namespace umov::program
