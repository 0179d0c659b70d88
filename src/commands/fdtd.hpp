// The command `umov fdtd`: waves in time, and cases of `umov harmonic`.
#pragma once

#include <span>
#include <string>

namespace umov::commands {

/// Whether `umov fdtd ARGS` is about a time-harmonic cell: --harmonic, or a case with the table [harmonic].
/// Of a file that cannot be read the answer is no: who reads it then says why.
bool is_harmonic(std::span<const std::string> args);

/// `umov fdtd ARGS`: the program's exit code. Errors are thrown.
int fdtd_command(std::span<const std::string> args);

}  // namespace umov::commands
