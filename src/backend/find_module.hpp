// Where the libraries lie that are loaded at run time.
#pragma once

#include <filesystem>
#include <string>

namespace umov::backend {

/// The file of a library of umov's, beside the program or in ../lib/umov; empty when it is in neither place.
std::filesystem::path find_module(const std::string& file);

}  // namespace umov::backend
