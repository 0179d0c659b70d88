// Where a value of a case came from, and refusals that name the place.
#include "run/case_places.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "core/error.hpp"

namespace umov::run {

bool CasePlaces::given_as_flag(const std::string& name) const {
  const auto at = origins_.find(name);
  return at != origins_.end() && at->second[0] == '-';
}

std::string CasePlaces::place(const std::string& name) const {
  const auto at = origins_.find(name);
  if (at == origins_.end()) return "'" + name + "'";
  return at->second[0] == '-' ? at->second : fmt::format("{}: '{}'", at->second, name);
}

std::string CasePlaces::item(const std::string& list, std::size_t i, const std::string& name) const {
  const auto at = origins_.find(fmt::format("{}[{}]", list, i));
  return fmt::format("{}{} {}", at == origins_.end() ? "" : at->second + ": ", list,
                     name.empty() ? std::to_string(i + 1) : "'" + name + "'");
}

bool CasePlaces::item_has(const std::string& list, std::size_t i, const std::string& key) const {
  return given(fmt::format("{}[{}].{}", list, i, key));
}

void CasePlaces::exclusive(const std::string& a, const std::string& b, const std::string& why) const {
  if (given(a) && given(b))
    throw BadInput(fmt::format("{} and {} are both given ({}); leave one out", place(a), place(b), why));
}

void CasePlaces::refuse_two_devices(const std::string& gpu_flag) const {
  const std::string where = "each chooses where to compute";
  exclusive("--cpu", gpu_flag, where);
  exclusive("--cpu", "--device", where);
  for (const auto& other : {std::string("--cpu"), gpu_flag, std::string("--device")})
    if (given_as_flag("machine.backend")) exclusive("machine.backend", other, where);
}

void CasePlaces::check_file(const std::string& where, const std::string& file, const std::string& what) {
  std::error_code ignored;
  if (file.empty() || std::filesystem::is_regular_file(file, ignored)) return;
  const bool folder = std::filesystem::is_directory(file, ignored);
  throw BadInput(fmt::format("{}: {} '{}' ({} should be read from it); check the path", where,
                             folder ? "is a folder:" : "no such file", file, what));
}

}  // namespace umov::run
