// Where the program under test and the project's files lie, as CMake says.
#include "support/places.hpp"

#include <cstdlib>

namespace umov::test {

std::string program_path() { return UMOV_BINARY; }

std::filesystem::path repository() { return UMOV_REPOSITORY; }

std::string data(const std::string& name) { return (repository() / "tests/data" / name).string(); }

std::string reference(const std::string& name) {
  const char* asked = std::getenv("UMOV_REFERENCE");
  return std::string(asked && *asked ? asked : UMOV_REFERENCE) + "/" + name;
}

bool has_reference(const std::string& name) { return std::filesystem::exists(reference(name)); }

}  // namespace umov::test
