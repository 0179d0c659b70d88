// `umov adda`: ADDA's command line, run by umov.
#pragma once

#include <span>
#include <string>

namespace umov::dda {

/// Runs `umov adda` with the arguments after "adda". Returns the exit code; errors are thrown.
int adda_command(std::span<const std::string> args);

}  // namespace umov::dda
