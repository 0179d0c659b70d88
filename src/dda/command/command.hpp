// The command `umov dda`.
#pragma once

#include <span>
#include <string>

namespace umov::run {

/// `umov dda ARGS`: the program's exit code. Errors are thrown.
int dda_command(std::span<const std::string> args);

}  // namespace umov::run
