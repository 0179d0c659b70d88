// Where reference results lie that are too many or not ours to keep with the tests.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <string>

namespace umov::test {

/// `name` in the folder of reference results: UMOV_REFERENCE of the environment, else of CMake.
inline std::string reference(const std::string& name) {
  const char* asked = std::getenv("UMOV_REFERENCE");
  return std::string(asked && *asked ? asked : UMOV_REFERENCE) + "/" + name;
}

inline bool has_reference(const std::string& name) { return std::filesystem::exists(reference(name)); }

}  // namespace umov::test
