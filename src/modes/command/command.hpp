// The command `umov modes`.
#pragma once

#include <span>
#include <string>

namespace umov::modes {

/// `umov modes ARGS`: the program's exit code. Errors are thrown.
int command(std::span<const std::string> args);

}  // namespace umov::modes
