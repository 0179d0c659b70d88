// `umov devices`: what can compute here, and why something cannot.
#pragma once

#include <span>
#include <string>

namespace umov::commands {

/// Prints the backends of this program and their devices. Returns the exit code.
int devices_command(std::span<const std::string> args);

}  // namespace umov::commands
