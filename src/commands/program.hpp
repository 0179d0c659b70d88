// The program umov: its commands, and how errors become exit codes.
#pragma once

#include <span>
#include <string>

namespace umov::commands {

/// Runs `umov ARGS` (without the program's name) and returns the exit code of core/error.hpp. Throws nothing:
/// a message goes to stderr.
int run_program(std::span<const std::string> args);

}  // namespace umov::commands
