// The command `umov eqs`.
#pragma once

#include <span>
#include <string>

namespace umov::run {

/// `umov eqs ARGS`: the program's exit code. Errors are thrown.
int eqs_command(std::span<const std::string> args);

}  // namespace umov::run
