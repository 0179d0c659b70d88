// `umov solve`: a linear system from Matrix Market files.
#pragma once

#include <span>
#include <string>

namespace umov::commands {

/// Reads, solves, prints how it went, writes the solution. Returns the exit code: 3 when not converged.
int solve_command(std::span<const std::string> args);

}  // namespace umov::commands
