// `umov sweep`: one case with parameters varied, of any family.
#pragma once

#include <span>
#include <string>

namespace umov::commands {

/// `umov sweep ARGS`: the program's exit code. Errors are thrown.
int sweep_command(std::span<const std::string> args);

}  // namespace umov::commands
