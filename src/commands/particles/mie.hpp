// `umov mie`: the sphere theory as a command of its own.
#pragma once

#include <span>
#include <string>

#include "core/types.hpp"

namespace umov::commands {

/// Runs `umov mie` with the arguments after "mie"; prints to stdout, complaints to stderr, and returns the
/// exit code (core/error.hpp).
int mie_command(std::span<const std::string> args);

/// Complex number from "1.5", "1.5,0.1" or "(1.5,0.1)". Throws BadInput naming `option`.
cplx parse_complex(const std::string& text, const std::string& option);

}  // namespace umov::commands
