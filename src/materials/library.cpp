// The list of named materials, and the search in it.
#include "materials/library.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <iterator>

#include "core/error.hpp"
#include "core/text.hpp"

namespace umov::materials {

namespace {

bool same(std::string_view a, std::string_view b) {
  return std::ranges::equal(
      a, b, [](unsigned char x, unsigned char y) { return std::tolower(x) == std::tolower(y); });
}

std::vector<Entry> gather() {
  std::vector<Entry> all;
  for (auto group : {ideal_materials, rakic_metals, sellmeier_materials, fitted_materials}) {
    auto entries = group();
    std::ranges::move(entries, std::back_inserter(all));
  }
  return all;
}

}  // namespace

const std::vector<Entry>& library() {
  static const std::vector<Entry> list = gather();
  return list;
}

const Entry& find(std::string_view name) {
  std::vector<std::string> names;
  for (const auto& entry : library()) {
    if (same(entry.material.name, name)) return entry;
    names.push_back(entry.material.name);
    for (const auto& alias : entry.aliases) {
      if (same(alias, name)) return entry;
      names.push_back(alias);
    }
  }
  const std::string hint = did_you_mean(name, names);
  throw BadInput(fmt::format("unknown material '{}' (no entry of the library has that name); {}", name,
                             hint.empty() ? "`umov materials` lists them all" : hint));
}

}  // namespace umov::materials
