// `umov materials`: the named materials, their sources, and what they are at a wavelength.
#pragma once

#include <span>
#include <string>

namespace umov::commands {

/// Lists the library, or prints one material at wavelengths or against a table. Returns the exit code. Throws
/// BadInput.
int materials_command(std::span<const std::string> args);

}  // namespace umov::commands
