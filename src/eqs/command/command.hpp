// The command `umov eqs`.
#pragma once

#include <span>
#include <string>

namespace umov::eqs {

/// `umov eqs ARGS`: the program's exit code. Errors are thrown.
int command(std::span<const std::string> args);

}  // namespace umov::eqs
