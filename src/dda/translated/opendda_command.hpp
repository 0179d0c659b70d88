// `umov opendda`: OpenDDA's control file, run by umov.
#pragma once

#include <span>
#include <string>

namespace umov::dda {

/// `umov opendda [control.input] [flags]`. Returns the exit code; errors are thrown.
int opendda_command(std::span<const std::string> args);

}  // namespace umov::dda
