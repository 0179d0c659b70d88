// The command `umov fdtd`.
#pragma once

#include <span>
#include <string>

namespace umov::run {

/// `umov fdtd ARGS`: the program's exit code. Errors are thrown.
int fdtd_command(std::span<const std::string> args);

}  // namespace umov::run
