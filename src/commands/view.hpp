// `umov view`: results in the browser.
#pragma once

#include <span>
#include <string>

namespace umov::commands {

/// Serves the cases of a folder until a signal. Throws BadInput.
int view_command(std::span<const std::string> args);

}  // namespace umov::commands
