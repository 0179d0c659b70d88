// Where the program under test and the project's files lie. One source file is told: all others compile to
// the same in every checkout.
#pragma once

#include <filesystem>
#include <string>

namespace umov::test {

/// The program `umov` of this build.
std::string program_path();
/// The root of the checkout.
std::filesystem::path repository();
/// `name` in `tests/data`: small subsets of other codes' results.
std::string data(const std::string& name);
/// `name` in the folder of reference results, which are too many or not ours to keep with the tests:
/// UMOV_REFERENCE of the environment, else of CMake.
std::string reference(const std::string& name);
bool has_reference(const std::string& name);

}  // namespace umov::test
