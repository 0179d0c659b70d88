#include "core/environment.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <vector>

#include "core/error.hpp"
#include "core/text.hpp"

namespace umov {

std::string environment_word(const char* name, const char* what, std::span<const char* const> words) {
  const char* const given = std::getenv(name);
  const std::string word = given ? given : "";
  if (word.empty() || std::find(words.begin(), words.end(), word) != words.end()) return word;
  const std::vector<std::string> known(words.begin(), words.end());
  throw BadInput(fmt::format("{}={} is {} ({}); set it to one of these, or not at all", name, word, what,
                             join(std::span(known), ", ")));
}

}  // namespace umov
