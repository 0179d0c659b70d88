// `umov schema`: the JSON Schema of a family's cases.
#pragma once

#include <span>
#include <string>

namespace umov::commands {

/// Prints the schema of the cases of a family, those of `umov sweep` among them. Returns the exit code.
int schema_command(std::span<const std::string> args);

}  // namespace umov::commands
