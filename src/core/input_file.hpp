// Reasons why a file cannot be read, in words a user understands.
#pragma once

#include <string>

namespace umov {

/// Throws BadInput unless `path` can be opened and read as a file of text or numbers: there is none, a
/// folder, no permission, a loop of links, a name that is too long, a device without end. Pipes are let
/// through. `what`
/// ("matrix") opens the explanation.
void check_input_file(const std::string& path, const std::string& what);

}  // namespace umov
