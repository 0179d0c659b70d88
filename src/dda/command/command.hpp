// The command `umov dda`.
#pragma once

#include <span>
#include <string>

namespace umov::dda {

/// `umov dda ARGS`: the program's exit code. Errors are thrown.
int command(std::span<const std::string> args);

}  // namespace umov::dda
