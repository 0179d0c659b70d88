// Shared libraries that are loaded at run time: where they lie.
#pragma once

#include <filesystem>
#include <string>

namespace umov {

/// The module `file`, beside the program or library that this is part of, in the folder umov there, or in
/// ../lib/umov; an empty path where there is none.
std::filesystem::path find_module(const std::string& file);

}  // namespace umov
