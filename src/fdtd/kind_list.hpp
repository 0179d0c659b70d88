// What lists of kinds have in common: the kind of a value, its name, those that read a parameter.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace umov::fdtd {

template <class Kind, class Value>
const Kind& kind_in(std::span<const Kind* const> kinds, Value value) {
  if (std::size_t(value) >= kinds.size()) throw std::logic_error("a kind without a name");
  return *kinds[std::size_t(value)];
}

template <class Kind>
const char* name_in(std::span<const Kind* const> kinds, std::span<const char* const> names,
                    const Kind* kind) {
  return names[std::size_t(std::ranges::find(kinds, kind) - kinds.begin())];
}

template <class Kind>
std::vector<std::string> that_read(std::span<const Kind* const> kinds, std::string_view key) {
  std::vector<std::string> words;
  for (const Kind* kind : kinds)
    if (kind->reads(key)) words.push_back(kind->name());
  return words;
}

}  // namespace umov::fdtd
