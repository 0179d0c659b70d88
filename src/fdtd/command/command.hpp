// The command `umov fdtd`.
#pragma once

#include <span>
#include <string>

namespace umov::fdtd {

/// `umov fdtd ARGS`: the program's exit code. Errors are thrown.
int command(std::span<const std::string> args);

}  // namespace umov::fdtd
